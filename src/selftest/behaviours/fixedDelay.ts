import { answer, MS, USUAL_LOAD, type Behaviour } from './behaviour.ts';

export const fixedDelay: Behaviour = {
  id: 'fixedDelay',
  title: 'Fixed 50 ms',
  story: 'Every request is answered after 50 ms.',
  // Eighty answers a second: of one second, the first ones on new connections would be a twentieth by themselves.
  load: { ...USUAL_LOAD, connections: 4, quickSeconds: 2 },
  act: ({ atUs }) => answer({ dueUs: atUs + 50 * MS }),
  tail: null,
};
