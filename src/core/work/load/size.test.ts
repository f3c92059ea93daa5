import { expect, it } from 'vitest';
import { loadSchema } from '#core/plan/schema/load.ts';
import { sizeOf } from './stages.ts';

it('sizeOf: returns the highest level and the duration of the counted stages', () => {
  const connections = loadSchema.parse({
    model: 'connections',
    stages: [
      { connections: 200, seconds: 5, counted: false },
      { connections: 30, seconds: 10 },
      { connections: 60, seconds: 20 },
    ],
  });
  expect(sizeOf(connections)).toEqual({ unit: 'connections', highest: 60, seconds: 30, requests: null });
  const users = loadSchema.parse({ model: 'users', stages: [{ users: 16, startUpSeconds: 4, seconds: 12 }] });
  expect(sizeOf(users)).toEqual({ unit: 'users', highest: 16, seconds: 12, requests: null });
  const arrivals = loadSchema.parse({ model: 'arrivals', stages: [{ kind: 'ramp', fromPerSecond: 1, toPerSecond: 200, seconds: 300 }] });
  expect(sizeOf(arrivals)).toEqual({ unit: 'arrivalsPerSecond', highest: 200, seconds: 300, requests: null });
});

it('sizeOf: returns requests if they end a stage, and covers all stages if none is counted', () => {
  const load = loadSchema.parse({ model: 'connections', stages: [{ connections: 10, requests: 1_000, counted: false }] });
  expect(sizeOf(load)).toEqual({ unit: 'connections', highest: 10, seconds: null, requests: 1_000 });
});
