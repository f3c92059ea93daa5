import { answer, MS, USUAL_LOAD, type Behaviour } from './behaviour.ts';

export const silence: Behaviour = {
  id: 'silence',
  title: '1 % never answers',
  story: 'One in 100 requests never gets an answer and is given up after 2 s; the others are answered after 5 ms.',
  load: { ...USUAL_LOAD, connections: 20, timeoutSeconds: 2 },
  act: ({ index, atUs }, dice) => (dice.isOneOf(100, index) ? { kind: 'silence' } : answer({ dueUs: atUs + 5 * MS })),
  tail: null,
};
