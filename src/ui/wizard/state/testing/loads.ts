import { loadSchema, type Load } from '#core/plan/schema/load.ts';
import { fromLoad, type LoadEntry } from '../loadEntry.ts';

/** A load for each model, with all optional properties. */
export const FULL_LOADS: readonly Load[] = [
  {
    model: 'connections',
    stages: [
      { name: 'warm-up', connections: 5, seconds: 10, counted: false },
      { connections: 50, requests: 1_000 },
    ],
  },
  {
    model: 'users',
    thinkTime: { kind: 'uniform', fromSeconds: 1, toSeconds: 3 },
    stages: [{ name: 'cycle', users: 20, startUpSeconds: 5, seconds: 30, restSeconds: 2 }],
  },
  { model: 'users', stages: [{ users: 3, seconds: 9 }] },
  {
    model: 'arrivals',
    spacing: 'poisson',
    maxInFlight: 500,
    thinkTime: { kind: 'exponential', meanSeconds: 4 },
    stages: [
      { kind: 'constant', perSecond: 12.5, seconds: 30, maxInFlight: 40 },
      { kind: 'ramp', fromPerSecond: 0, toPerSecond: 20, seconds: 10 },
      { kind: 'count', arrivals: 77, seconds: 7 },
      { kind: 'pause', seconds: 5 },
      { kind: 'steps', fromPerSecond: 10, toPerSecond: 50, steps: 5, secondsEach: 20 },
      { kind: 'spike', basePerSecond: 5, peakPerSecond: 100, secondsBefore: 10, rampSeconds: 1, peakSeconds: 5, secondsAfter: 10 },
    ],
  },
].map((load) => loadSchema.parse(load));

/** Converts a load to rows. */
export function rowsOf(load: unknown): LoadEntry {
  return fromLoad(loadSchema.parse(load));
}
