import { expect, it } from 'vitest';
import { wrk } from '../subjects/wrk.ts';
import { ab } from '../subjects/ab.ts';
import { hey } from '../subjects/hey.ts';
import type { Measurement } from './measureSubject.ts';
import { findDoubts, rotate, runRounds } from './rounds.ts';

const LOCATED = { program: 'x', before: [] };
const SUBJECTS = [wrk, ab, hey].map((subject) => ({ subject, located: LOCATED, version: null }));
const MEASUREMENT: Measurement = {
  reading: { responses: 10, seconds: 1, p50Ms: 1, p99Ms: 2, note: '' },
  problem: null,
  cpuSeconds: 1,
  peakBytes: 1,
  midRunCores: 1,
};
const makeGated = (
  measurement: Measurement,
  attempts = 1,
  stolenShare = 0,
): { value: { measurement: Measurement }; attempts: number; stolenShare: number } => ({ value: { measurement }, attempts, stolenShare });

it('rotate begins each round with another subject', () => {
  expect([0, 1, 2, 3].map((turn) => rotate(['a', 'b', 'c'], turn).join(''))).toEqual(['abc', 'bca', 'cab', 'abc']);
  expect(rotate([], 3)).toEqual([]);
});

it('the bench measures all subjects in each round and keeps the order of rounds', async () => {
  const order: string[] = [];
  const tracks = await runRounds({
    found: SUBJECTS,
    rounds: 2,
    measure: ({ subject }) => {
      order.push(subject.id);
      return Promise.resolve({ measurement: MEASUREMENT, place: order.length });
    },
    notify: () => {},
  });
  // If a measurement was repeated because CPU was stolen, its subject occurs twice in a row.
  expect(order.filter((id, index) => id !== order[index - 1])).toEqual(['wrk', 'ab', 'hey', 'ab', 'hey', 'wrk']);
  expect(tracks.map(({ id, rounds }) => [id, rounds.length])).toEqual([
    ['wrk', 2],
    ['ab', 2],
    ['hey', 2],
  ]);
});

it('the bench lists doubts about its figures', () => {
  const track = (...rounds: ReturnType<typeof makeGated>[]): Parameters<typeof findDoubts>[0] => ({ id: 'wrk', version: null, rounds });
  expect(findDoubts(track(makeGated(MEASUREMENT), makeGated(MEASUREMENT)))).toBe('');
  expect(findDoubts(track(makeGated(MEASUREMENT), makeGated({ ...MEASUREMENT, reading: null, problem: 'it broke' })))).toBe(
    'failed in 1 of 2 rounds: it broke',
  );
  expect(findDoubts(track(makeGated(MEASUREMENT, 2, 0), makeGated(MEASUREMENT, 4, 0.03)))).toBe(
    'repeated in 2 of 2 rounds because of stolen CPU; in 1 of them still more than 1.0 % stolen',
  );
});
