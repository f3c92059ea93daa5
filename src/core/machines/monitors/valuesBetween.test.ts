import { describe, expect, it } from 'vitest';
import { KnownInstances, MAX_INSTANCES, collectValues, type Catalogue } from './result.ts';

it('KnownInstances: limits the number of instances in a run, with any names', () => {
  const known = new KnownInstances();
  const second = (from: number, to: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`cpu.used:${from + index}`, 1]));
  expect(Object.keys(known.admitValues({ 'cpu.all': 1, 'cpu.used:__proto__': 2, ['x'.repeat(300)]: 3 }))).toHaveLength(3);
  expect(known.admitValues({ [`cpu.used:${'x'.repeat(300)}`]: 1 })).toEqual({});
  expect(Object.keys(known.admitValues(second(0, MAX_INSTANCES)))).toHaveLength(MAX_INSTANCES - 1);
  expect(known.admitValues(second(MAX_INSTANCES, 2 * MAX_INSTANCES))).toEqual({});
  expect(known.admitValues({ 'cpu.used:__proto__': 5, 'cpu.system:0': 6 })).toEqual({ 'cpu.used:__proto__': 5, 'cpu.system:0': 6 });
});

const CATALOGUE: Catalogue = {
  quantities: [
    { id: 'cache.open', words: 'open', unit: 'count', chart: 'Connections' },
    { id: 'cache.hits', words: 'hits', unit: 'perSecond', chart: 'Answers' },
    { id: 'cache.misses', words: 'misses', unit: 'perSecond', chart: 'Answers' },
    { id: 'cache.hitShare', words: 'from the cache', unit: 'share', chart: 'Cache' },
  ],
  shares: [{ id: 'cache.hitShare', part: ['cache.hits'], whole: ['cache.hits', 'cache.misses'] }],
};

function reading(atMs: number, hits: number, misses: number, instance = '') {
  return { atMs, gauges: { 'cache.open': 5 }, counters: { [`cache.hits${instance}`]: hits, [`cache.misses${instance}`]: misses } };
}

describe('collectValues', () => {
  it('returns gauges, counters per second, and shares', () => {
    expect(collectValues(reading(1_000, 100, 10), reading(3_000, 160, 30), CATALOGUE)).toEqual({
      'cache.open': 5,
      'cache.hits': 30,
      'cache.misses': 10,
      'cache.hitShare': 0.75,
    });
  });

  it('separates instances', () => {
    expect(collectValues(reading(0, 0, 0, ':one'), reading(1_000, 1, 3, ':one'), CATALOGUE)).toMatchObject({
      'cache.hits:one': 1,
      'cache.hitShare:one': 0.25,
    });
  });

  it('leaves out counters that were reset or have no earlier reading', () => {
    expect(collectValues(reading(0, 500, 10), reading(1_000, 3, 12), CATALOGUE)).toEqual({ 'cache.open': 5, 'cache.misses': 2 });
    expect(collectValues(null, reading(1_000, 3, 12), CATALOGUE)).toEqual({ 'cache.open': 5 });
  });

  it('leaves out shares without growth and values of unknown quantities', () => {
    const still = { ...reading(1_000, 7, 7), gauges: { 'cache.open': Number.NaN, other: 1 } };
    expect(collectValues(reading(0, 7, 7), still, CATALOGUE)).toEqual({ 'cache.hits': 0, 'cache.misses': 0 });
  });
});
