import { answer, MS, USUAL_LOAD, type Behaviour } from './behaviour.ts';

const WHOLE = 512;
/** The first answers are whole on all connections: the engine compares later lengths with the first it sees. */
const FIRST = 100;

export const shortBody: Behaviour = {
  id: 'shortBody',
  title: 'Body short by one byte',
  story: 'One in 20 answers ends one byte before its announced length; another one in 20 is complete and one byte shorter than the rest.',
  // Two threads on any machine: which answer was the first is known to both.
  load: { ...USUAL_LOAD, threads: 2 },
  act({ index, atUs }, dice) {
    const dueUs = atUs + 5 * MS;
    const isDifferent = dice.isOneOf(10, index) && index >= FIRST;
    if (!isDifferent) return answer({ dueUs, bodyBytes: WHOLE });
    return Math.floor(index / 10) % 2 === 0
      ? answer({ dueUs, bodyBytes: WHOLE, cutBytes: 1, close: true })
      : answer({ dueUs, bodyBytes: WHOLE - 1 });
  },
  tail: null,
};
