import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parsePlan } from '#core/review/check.ts';
import { parseSeries } from '#core/series/check.ts';
import { hostSchema } from '../schema/hosts.ts';
import { capitalizeStart, clockOffset, joinNames, placeOf, joinGeneratorNames } from './generatorNames.ts';

it('clockOffset: the error bound contains the true offset for any asymmetry of the delay', () => {
  const delays = fc.double({ min: 0, max: 1_000, noNaN: true });
  const trips = fc.array(fc.record({ there: delays, back: delays }), { minLength: 1, maxLength: 20 });
  const truths = fc.double({ min: -1e7, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(trips, truths, (all, aheadMs) => {
      const readings = all.map(({ there, back }, number) => {
        const askedMs = number * 10_000;
        return { askedMs, repliedMs: askedMs + there + back, thereMs: askedMs + there + aheadMs };
      });
      const offset = clockOffset(readings);
      if (offset === null) throw new Error('not known');
      expect(Math.abs(offset.aheadMs - aheadMs)).toBeLessThanOrEqual(offset.errorMs + 1e-6);
      expect(offset.roundTripMs).toBeCloseTo(Math.min(...all.map(({ there, back }) => there + back)), 6);
    }),
  );
});

it('clockOffset: returns null without readings', () => {
  expect(clockOffset([])).toBeNull();
});

describe('joinGeneratorNames', () => {
  it('lists names, with “this computer” for `here`', () => {
    expect(['', 'a', 'a,b', 'a,b,c'].map((names) => joinNames(names === '' ? [] : names.split(',')))).toEqual([
      '',
      'a',
      'a and b',
      'a, b and c',
    ]);
    expect(joinGeneratorNames(['web1', 'Here'])).toBe('web1 and this computer');
    expect([placeOf('this computer'), placeOf('web1')]).toEqual(['here', 'web1']);
  });

  it('capitalizes only “this computer” at the start of a sentence', () => {
    expect([capitalizeStart('this computer is'), capitalizeStart('web1 and this computer')]).toEqual([
      'This computer is',
      'web1 and this computer',
    ]);
  });
});

describe('the name of a host', () => {
  it.each(['web1', 'Büro-Rechner 漢字', 'a', `a${'b'.repeat(62)}`])('may be %s', (name) => {
    expect(hostSchema.parse({ name, address: '10.0.0.1' }).name).toBe(name);
  });

  it.each(['', ' web1', 'web1 ', 'a  b', '-a', 'a/b', 'a,b', 'a\nb', 'a\u202eb', 'a'.repeat(64)])('is never %j', (name) => {
    expect(hostSchema.safeParse({ name, address: '10.0.0.1' }).success).toBe(false);
  });
});

describe('a host called here', () => {
  it.each(['here', 'Here', 'HERE'])('is rejected as %s with a hint', (name) => {
    const parsed = hostSchema.safeParse({ name, address: '10.0.0.1' });
    expect(parsed.error?.issues[0]?.message).toContain('is this computer, so no host can have that name');
  });

  it('may be the address of a host with another name', () => {
    expect(hostSchema.parse({ name: 'web1', address: 'here' }).address).toBe('here');
  });

  it('is rejected in a plan', () => {
    const source = "holdfast: 1\nname: A\ntargets: [{ url: 'http://127.0.0.1/' }]\njourney: [{ name: page }]\n";
    const load = 'load: { model: connections, stages: [{ connections: 1, seconds: 1 }] }\n';
    expect(parsePlan(`${source}${load}monitors: [{ kind: machine, host: here }]\n`).issues).toEqual([
      expect.objectContaining({ path: 'monitors[0].host', hint: '“here” is this computer. To watch it, remove “host”.' }),
    ]);
    // The name is valid as a load generator.
    expect(parseSeries(`${source}${load}series: { repeats: 2, on: [here] }\n`).document?.series.on).toEqual(['here']);
  });
});
