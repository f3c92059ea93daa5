import { answer, MS, USUAL_LOAD, type Behaviour } from './behaviour.ts';

export const exponentialDelay: Behaviour = {
  id: 'exponentialDelay',
  title: 'Exponential 20 ms',
  story: 'Answers take 20 ms on average, drawn from the exponential distribution.',
  load: USUAL_LOAD,
  act: ({ atUs }, dice) => answer({ dueUs: atUs + dice.exponential(20 * MS) }),
  tail: null,
};
