import { describe, expect, it } from 'vitest';
import { parsePlan } from '#core/review/check.ts';
import { parseSeries } from './check.ts';
import { listCommands } from '#core/plan/schema/series.ts';

const PLAN = `
holdfast: 1
name: Two servers
journey: [{ name: page }]
load: { model: connections, stages: [{ connections: 2, requests: 20 }] }
`;

describe('parseSeries', () => {
  it('reads a plan with a series, whose targets may be only in the variants', () => {
    const { document, issues } = parseSeries(`${PLAN}
series:
  variants:
    - { name: a, targets: [{ url: "http://127.0.0.1:1/" }], before: [restart a] }
    - { name: b, targets: [{ url: "http://127.0.0.1:2/" }], before: [{ run: restart b, timeoutSeconds: 5 }] }
  after: [restart a]
`);
    expect(issues).toEqual([]);
    expect(document?.plan.targets[0]?.url).toBe('http://127.0.0.1:1/');
    expect(document?.series).toMatchObject({ repeats: 1, interleaved: true, coolDownSeconds: 2 });
    expect(document?.series.variants.map(({ before }) => before[0]?.timeoutSeconds)).toEqual([60, 5]);
    expect(document === null ? [] : listCommands(document)).toEqual(['restart a', 'restart b']);
  });

  it('distinguishes a series from a plan, so that no single cell is run by mistake', () => {
    const { plan, issues } = parsePlan(`${PLAN}series: { repeats: 2 }`);
    expect(plan).toBeNull();
    expect(issues.map(({ code, hint }) => `${code} ${hint}`)).toEqual([
      expect.stringContaining('SERIES_NOT_PLAN Run it with holdfast series'),
    ]);
  });

  it.each([
    ['no series', PLAN, ['NO_SERIES']],
    ['a plan without targets', `${PLAN}series: { repeats: 2 }`, ['MISSING']],
    ['an unknown field', `${PLAN}targets: [{ url: "http://127.0.0.1/" }]\nseries: { repeat: 2 }`, ['UNKNOWN_KEY']],
    ['invalid YAML', 'series: [', ['SYNTAX']],
    ['errors in both', `${PLAN}engine: warp\ntargets: [{ url: "http://127.0.0.1/" }]\nseries: { repeats: 0 }`, ['NOT_ONE_OF', 'TOO_SMALL']],
  ])('reports every error: %s', (_, source, codes) => {
    const { document, issues } = parseSeries(source);
    expect(document).toBeNull();
    expect(issues.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual(codes);
  });
});
