import { answer, MS, USUAL_LOAD, type Behaviour } from './behaviour.ts';

export const unavailable: Behaviour = {
  id: 'unavailable',
  title: '5 % status 503',
  story: 'One in 20 answers is a complete 503, the others come after 5 ms.',
  // Two threads on any machine: what they count has to be merged.
  load: { ...USUAL_LOAD, threads: 2 },
  act: ({ index, atUs }, dice) => answer({ dueUs: atUs + 5 * MS, status: dice.isOneOf(20, index) ? 503 : 200 }),
  tail: null,
};
