import { answer, USUAL_LOAD, type Behaviour } from './behaviour.ts';

export const closing: Behaviour = {
  id: 'closing',
  title: 'Connection: close',
  story: 'Every answer says that the connection ends with it, and it does.',
  load: { ...USUAL_LOAD, connections: 4 },
  act: () => answer({ close: true }),
  tail: null,
};
