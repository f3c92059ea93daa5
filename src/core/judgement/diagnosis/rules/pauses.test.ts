import { expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import { facts, generatorThatReads, healthyStep, point } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';
import type { MeasuredRun } from '../rule.ts';
import { unknownReading } from '#core/result/readings.ts';

/** Responses in each second of an exam in which a table was locked for 4 s, and requests in flight at the end of it. */
const LOCKED: readonly (readonly [completed: number, inFlight: number])[] = [
  ...Array.from({ length: 10 }, () => [3, 4] as const),
  [3, 8],
  [0, 11],
  [0, 14],
  [0, 17],
  [0, 21],
  [20, 4],
  [4, 2],
];

function run(seconds: typeof LOCKED, changes: Partial<MeasuredRun> = {}): MeasuredRun {
  const windows: Point[] = seconds.map(([completed, inFlight], second) => point(second, { completed, ok: completed, inFlight }));
  return facts(healthyStep(), { windows, durationSeconds: seconds.length, ...changes });
}

it('pauses: finds seconds without a response after which all waiting requests end together', () => {
  expect(findingsBy('pauses', run(LOCKED))).toMatchObject([
    {
      level: 'warning',
      sentence: 'The server sent no response for 4 s from second 11 on. Then 20 requests ended within a second, of 21 that waited.',
      range: { fromSecond: 11, toSecond: 15 },
    },
  ]);
});

it.each<[string, typeof LOCKED]>([
  ['a queue that ends one after the other', LOCKED.map(([completed, inFlight]) => (completed === 20 ? [4, 17] : [completed, inFlight]))],
  ['a single second', LOCKED.map(([completed, inFlight], second) => (second > 11 && second < 15 ? [3, inFlight] : [completed, inFlight]))],
  [
    'a waiting room whose users then come at once',
    LOCKED.map(([completed, inFlight], second) => [completed, second > 10 && second < 14 ? 0 : inFlight]),
  ],
  ['a server without requests', LOCKED.map(([completed]) => [Math.min(completed, 4), 0])],
  ['rare requests', LOCKED.map(([completed, inFlight], second) => [second < 11 ? second % 2 : completed, inFlight])],
])('pauses: finds nothing for %s', (_what, seconds) => {
  expect(findingsBy('pauses', run(seconds))).toEqual([]);
});

it('pauses: finds nothing while the load generator stood still', () => {
  const readings = LOCKED.map((_, second) => ({ ...unknownReading(second), stoodStillMs: second > 10 && second < 15 ? 1_000 : 0 }));
  expect(findingsBy('pauses', run(LOCKED, { generators: [{ ...generatorThatReads([]), readings }] }))).toEqual([]);
});
