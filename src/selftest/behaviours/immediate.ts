import { answer, USUAL_LOAD, type Behaviour } from './behaviour.ts';

export const immediate: Behaviour = {
  id: 'immediate',
  title: '0 ms',
  story: 'Every request is answered at once.',
  load: { ...USUAL_LOAD, connections: 4 },
  act: () => answer(),
  tail: null,
};
