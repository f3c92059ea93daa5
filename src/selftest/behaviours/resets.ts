import { answer, MS, USUAL_LOAD, type Behaviour } from './behaviour.ts';

export const resets: Behaviour = {
  id: 'resets',
  title: '2 % resets',
  story: 'One in 50 requests gets its connection reset, the others an answer after 5 ms.',
  load: USUAL_LOAD,
  act: ({ index, atUs }, dice) => (dice.isOneOf(50, index) ? { kind: 'reset' } : answer({ dueUs: atUs + 5 * MS })),
  tail: null,
};
