import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawFor, generate, type Draw, seedPurpose } from './generate.ts';
import type { Variable } from '#core/plan/schema/journey.ts';

const draw: Draw = { seed: 1, user: 0, journey: 0, request: 0 };
const draws = fc.record({
  seed: fc.integer(),
  user: fc.nat({ max: 1_000_000 }),
  journey: fc.nat({ max: 1_000_000 }),
  request: fc.nat({ max: 1_000 }),
});

describe('generated values', () => {
  it('are UUIDs of version 4 that differ for each journey of each user', () => {
    const seen = new Set<string>();
    for (let user = 0; user < 100; user += 1) {
      for (let journey = 0; journey < 100; journey += 1) {
        const uuid = generate('id', { kind: 'uuid', per: 'journey' }, { ...draw, user, journey }, 0);
        expect(uuid).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
        seen.add(uuid);
      }
    }
    expect(seen.size).toBe(10_000);
  });

  it('differ between seeds, including adjacent ones, and UUIDs also differ between runs', () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 8; seed += 1)
      for (let user = 0; user < 50; user += 1)
        for (let journey = 0; journey < 50; journey += 1)
          seen.add(generate('id', { kind: 'uuid', per: 'journey' }, { ...draw, seed, user, journey }, 0));
    expect(seen.size).toBe(20_000);
    const inRun = (runId: string): string =>
      generate(seedPurpose(runId, 'id', { kind: 'uuid', per: 'journey' }), { kind: 'uuid', per: 'journey' }, draw, 0);
    expect(inRun('one')).not.toBe(inRun('another'));
    expect(seedPurpose('one', 'dice', { kind: 'integer', from: 1, to: 6, per: 'request' })).toBe('dice');
  });

  it.each(['seed', 'user', 'journey', 'request'] as const)('are uniform and uncorrelated with their neighbours, by %s', (part) => {
    const values = Array.from({ length: 20_000 }, (_, at) => drawFor('any', { ...draw, [part]: at }, 0));
    const tenths = Array.from({ length: 10 }, (_, tenth) => values.filter((value) => Math.floor(value * 10) === tenth).length);
    // With 9 degrees of freedom, χ² exceeds 33.7 with a probability of 0.0001.
    expect(tenths.reduce((sum, count) => sum + (count - 2_000) ** 2 / 2_000, 0)).toBeLessThan(33.7);
    const together = values.slice(1).reduce((sum, value, at) => sum + (value - 0.5) * ((values[at] ?? 0) - 0.5), 0);
    // The product of two independent centred uniforms has variance 1/144.
    expect(Math.abs(together / 20_000)).toBeLessThan(5 / Math.sqrt(144 * 20_000));
  });

  it('cover their whole range and stay within it', () => {
    const dice: Variable = { kind: 'integer', from: 1, to: 6, per: 'request' };
    const counts = new Map<string, number>();
    for (let request = 0; request < 6_000; request += 1) {
      const thrown = generate('dice', dice, { ...draw, request }, 0);
      counts.set(thrown, (counts.get(thrown) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual(['1', '2', '3', '4', '5', '6']);
    // In 6,000 throws, each face is expected 1,000 times, with a standard deviation of 29.
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  });

  it('stay constant for their lifetime', () => {
    fc.assert(
      fc.property(draws, fc.nat({ max: 1_000 }), (one, other) => {
        const of = (per: 'user' | 'journey' | 'request', at: Draw): string => generate('id', { kind: 'uuid', per }, at, 0);
        expect(of('user', one)).toBe(of('user', { ...one, journey: one.journey + other, request: other }));
        expect(of('journey', one)).toBe(of('journey', { ...one, request: other }));
        expect(of('journey', one)).not.toBe(of('journey', { ...one, journey: one.journey + 1 + other }));
        expect(of('request', one)).not.toBe(of('request', { ...one, request: one.request + 1 + other }));
      }),
    );
  });

  it('may be the time of the request', () => {
    const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    const time = (unit: 'seconds' | 'milliseconds' | 'iso'): string => generate('now', { kind: 'timestamp', unit }, draw, at);
    expect([time('seconds'), time('milliseconds'), time('iso')]).toEqual(['1767323045', '1767323045678', '2026-01-02T03:04:05.678Z']);
  });

  it('may be the numbers of the users', () => {
    const value = (user: number, to?: number): string =>
      generate('n', { kind: 'number', from: 1, ...(to === undefined ? {} : { to }) }, { seed: 1, user, journey: 7, request: 3 }, 0);
    expect([0, 1, 749].map((user) => value(user))).toEqual(['1', '2', '750']);
    expect([0, 1, 2, 3].map((user) => value(user, 3))).toEqual(['1', '2', '3', '1']);
  });
});
