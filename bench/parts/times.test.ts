import { expect, it } from 'vitest';
import { decideOutcome } from '../figures/requirement.ts';
import type { Track } from '../running/rounds.ts';
import { timesRequirements, timesRow, type Times } from './times.ts';

/** Returns a round in which server and tool have these p50 and p99 times, in ms. */
function round(server: readonly [number, number], reported: readonly [number, number] | null): Track<Times>['rounds'][number] {
  const reading = reported === null ? null : { responses: 990, seconds: 1, p50Ms: reported[0], p99Ms: reported[1], note: '' };
  return {
    value: {
      measurement: { reading, problem: reading === null ? 'it broke' : null, cpuSeconds: 1, peakBytes: 1, midRunCores: 1 },
      server: { responses: 1_000, p50Ms: server[0], p99Ms: server[1] },
    },
    stolenShare: 0,
    attempts: 1,
  };
}
const track = (id: string, ...rounds: readonly Track<Times>['rounds'][number][]): Track<Times> => ({ id, version: null, rounds });

it("times: a tool's percentiles are compared with the server's in the same round", () => {
  // The errors are 10, 20 and 30 %, so the median is 20 %. The error between the medians would be different: 22 compared with 20.
  const all = [round([20, 40], [24, 40]), round([10, 20], [11, 20]), round([30, 60], [39, 60])];
  const tracks = [track('wrk', ...all)];
  expect(tracks.map((each) => timesRow(tracks, each))).toEqual([['wrk', '20.00', '24.00', '+20.0', '40.00', '40.00', '0.0', '-10', '']]);
});

it('times: a failed round is omitted, and the report says so', () => {
  const tracks = [track('wrk', round([20, 40], [22, 44]), round([20, 40], null))];
  expect(timesRow(tracks, tracks[0] ?? track('none'))).toEqual(
    ['wrk', '20.00', '22.00', '+10.0', '40.00', '44.00', '+10.0', '-10'].concat('failed in 1 of 2 rounds: it broke'),
  );
});

it('times: deviations of 2 % or 1 ms at p50, and of 3 % at p99, are allowed in both directions', () => {
  const outcomes = (server: readonly [number, number], reported: readonly [number, number]): string[] =>
    timesRequirements({ kind: 'exponential', meanMs: 20 }, [track('holdfast-native', round(server, reported))]).map(decideOutcome);
  expect(outcomes([20, 100], [20.9, 102.9])).toEqual(['met', 'met']);
  expect(outcomes([20, 100], [18.9, 96.9])).toEqual(['missed', 'missed']);
  expect(outcomes([200, 1_000], [203.9, 1_031])).toEqual(['met', 'missed']);
});

it('times: a whole run is compared with wrk if the target has constant times', () => {
  const app = track('holdfast-app-autocannon', round([20, 20], [20.5, 30]));
  const wrk = track('wrk', round([20, 20], [20.4, 28]), round([20, 20], [20.6, 40]));
  const outcomes = (tracks: readonly Track<Times>[]): string[] =>
    timesRequirements({ kind: 'fixed', ms: 20 }, tracks).slice(1).map(decideOutcome);
  expect(outcomes([app, wrk])).toEqual(['met', 'met', 'met']);
  expect(outcomes([track('holdfast-app-autocannon', round([20, 20], [22, 50])), wrk])).toEqual(['missed', 'missed', 'met']);
  expect(outcomes([app])).toEqual(['unknown', 'unknown', 'unknown']);
});
