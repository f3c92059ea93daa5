import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { planWith } from '#core/testing/plans.ts';
import { readStoredSeries } from '#core/series/check.ts';
import { readStoredSearch } from '#core/search/result.ts';
import { readStoredPlan } from '#core/plan/migrate.ts';
import { parsePlan } from './check.ts';

const GOOD = `holdfast: 1
name: A test
targets: [{ url: http://127.0.0.1:8080/ }]
journey: [{ name: page }]
load: { model: connections, stages: [{ connections: 10, seconds: 60 }] }
`;

const found = (source: string): string[] => parsePlan(source).issues.map(({ code, path }) => `${code} ${path}`.trim());

describe('parsePlan', () => {
  it('reads a plan as YAML or JSON and fills in the defaults', () => {
    expect(parsePlan(GOOD)).toEqual({ plan: planWith(), issues: [] });
    expect(parsePlan(JSON.stringify(planWith()))).toEqual({ plan: planWith(), issues: [] });
    expect(parsePlan(stringify(planWith()))).toEqual({ plan: planWith(), issues: [] });
  });

  it('migrates plans in older syntax', () => {
    const monitors = '[{ kind: machine, containers: docker }, { kind: machine, host: db, containers: cgroup }]';
    const { plan, issues } = parsePlan(`${GOOD}monitors: ${monitors}`);
    expect(issues.filter(({ level }) => level === 'error')).toEqual([]);
    expect(plan?.monitors).toMatchObject([{ containers: 'none' }, { containers: 'cgroup' }]);
  });

  it('reads stored plans with consent, and warns of consent in a file', () => {
    const old = { ...planWith(), safety: { errorWindowSeconds: 10, consentedHosts: ['shop.example'] } };
    expect(readStoredPlan(old)).toEqual(planWith());
    expect(readStoredSearch({ kind: 'characterize', plan: old })).toMatchObject({ plan: planWith() });
    expect(readStoredSeries({ plan: old, series: { repeats: 2 } })).toMatchObject({ plan: planWith() });
    const { plan, issues } = parsePlan(JSON.stringify(old));
    expect([plan, issues.map(({ level, code }) => `${level} ${code}`)]).toEqual([planWith(), ['warning CONSENT_IN_FILE']]);
  });

  it('reports every problem at once, with its path', () => {
    const source = `holdfast: 1
name: ''
targetz: []
targets: [{ url: contest.example.org }, { url: http://a/, headers: { 'a b': x } }]
journey: [{ name: page, method: GETT, expectStatus: [99] }]
load: { model: connections, stages: [{ conections: 1.5 }, { connections: 0, seconds: -1 }] }
criteria: [{ kind: errors, maxShare: 2 }, { kind: speed }]
`;
    const { plan, issues } = parsePlan(source);
    expect(plan).toBe(null);
    expect(issues.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
      'BAD_NAME targets[1].headers.a b',
      'MISSING load.stages[0].connections',
      'NOT_ONE_OF criteria[1].kind',
      'NOT_ONE_OF journey[0].method',
      'NOT_VALID targets[0].url',
      'TOO_LARGE criteria[0].maxShare',
      'TOO_SMALL journey[0].expectStatus[0]',
      'TOO_SMALL load.stages[1].connections',
      'TOO_SMALL load.stages[1].seconds',
      'TOO_SMALL name',
      'UNKNOWN_KEY load.stages[0].conections',
      'UNKNOWN_KEY targetz',
    ]);
    for (const { message, hint } of issues) {
      expect(message).not.toBe('');
      expect(hint).not.toBe('');
    }
  });

  it('checks the rest of a plan with unknown names', () => {
    const source = GOOD.replace('connections: 10, seconds', 'connections: 10, secnds: 3, requests: 5, seconds');
    expect(found(`${source}critera: []`).sort()).toEqual([
      'CONNECTIONS_OVER_REQUESTS load.stages[0].connections',
      'STAGE_NEEDS_ONE_END load.stages[0]',
      'UNKNOWN_KEY critera',
      'UNKNOWN_KEY load.stages[0].secnds',
    ]);
    expect(parsePlan(`${GOOD}critera: []`).plan).toBe(null);
  });

  it('refuses earlier names of fields and states their present names', () => {
    const kind = '{ kind: responseTime, percentile: 95, limitMs: 800 }';
    const renamed = (source: string): string[] =>
      parsePlan(source).issues.flatMap(({ code, path, message }) => (code === 'RENAMED_KEY' ? [`${path}: ${message}`] : []));
    expect(renamed(`${GOOD}objectives: []`)).toEqual(['objectives: The name “objectives” is now “criteria”.']);
    expect(renamed(`${GOOD}criteria: [${kind}]`)).toEqual(['criteria[0].limitMs: The name “limitMs” is now “maxMs”.']);
    expect(found(`${GOOD}limitMs: 3`)).toEqual(['UNKNOWN_KEY limitMs']);
  });

  it('suggests similar names', () => {
    const makeHint = (source: string): string | undefined => parsePlan(source).issues[0]?.hint;
    expect(makeHint(`${GOOD}critera: []`)).toBe('Did you mean “criteria”?');
    expect(makeHint(GOOD.replace('connections: 10', 'connections: 10, second: 4'))).toBe('Did you mean “seconds”?');
    expect(makeHint(GOOD.replace('model: connections', 'model: conections'))).toBe('Did you mean “connections”?');
    expect(makeHint(GOOD.replace('name: page', 'name: page, mehtod: GET'))).toBe('Did you mean “method”?');
    expect(makeHint(`${GOOD}zzzzzzzz: 1`)).toMatch(/^Known here: holdfast, name/);
  });

  it.each([
    ['', 'EMPTY'],
    ['# only a comment', 'EMPTY'],
    ['just text', 'NOT_A_PLAN'],
    ['[1, 2]', 'NOT_A_PLAN'],
    ['name: x', 'VERSION_MISSING holdfast'],
    ['holdfast: one', 'VERSION_INVALID holdfast'],
    ['holdfast: 2', 'VERSION_NEWER holdfast'],
    ['holdfastPreset: 1', 'PRESET_NOT_PLAN holdfastPreset'],
    ['a: [1', 'SYNTAX line 1, column 6'],
    ['a: 1\nb: 2\na: 3', 'DUPLICATE_KEY line 3, column 1'],
  ])('refuses %j with a specific code', (source, expected) => {
    expect(found(source)[0]?.slice(0, expected.length)).toBe(expected);
    expect(parsePlan(source).plan).toBe(null);
  });

  it('rejects a source that is too long', () => {
    expect(parsePlan(`x: ${'y'.repeat(1_000_000)}`).issues.map(({ code }) => code)).toEqual(['SOURCE_TOO_LONG']);
  });

  it('reports a newer version', () => {
    expect(parsePlan('holdfast: 7').issues[0]?.message).toContain('version 7');
  });

  it('rejects aliases that expand to billions of values', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let level = 1; level < 12; level += 1)
      lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
    expect(found(lines.join('\n'))).toEqual(['TOO_MANY_ALIASES']);
  });

  it('survives deep nesting', () => {
    expect(parsePlan('['.repeat(20_000)).plan).toBe(null);
    expect(parsePlan('{"a":'.repeat(20_000)).plan).toBe(null);
  });

  it('accepts only valid forms of secret references', () => {
    const withCookie = (cookie: string): string => GOOD.replace('8080/ }', `8080/, cookie: ${cookie} }`);
    expect(found(withCookie('{ secret: env:TOKEN }'))).toEqual([]);
    const [issue] = parsePlan(withCookie('{ secret: vault:TOKEN }')).issues;
    expect(issue).toMatchObject({
      path: 'targets[0].cookie.secret',
      hint: 'A secret is written env:NAME, file:PATH, ask:LABEL or session:ID.',
    });
    expect(parsePlan(withCookie('5')).issues[0]?.hint).toBe('Write a text or a block of names and values.');
  });

  it('never throws for any input', () => {
    const fragments = fc.array(
      fc.constantFrom(
        ...'{}[]:,&*!|>-?#"\'\n\t %@',
        'holdfast',
        ': 1',
        'load',
        'stages',
        '__proto__',
        'constructor',
        '<<',
        '~',
        '.inf',
        '0x',
        '&a',
        '*a',
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fragments.map((parts) => parts.join('')),
        ),
        (source) => {
          const { plan, issues } = parsePlan(source);
          expect(plan !== null || issues.length > 0).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each(['engine', 'load', 'holdfast', 'journey', 'name'])('never calls toString of the value in %s', (key) => {
    const base: unknown = JSON.parse(JSON.stringify(planWith()));
    const { plan, issues } = parsePlan(JSON.stringify({ ...(base as object), [key]: { toString: false, model: { toString: 1 } } }));
    expect(plan).toBeNull();
    expect(issues.length).toBeGreaterThan(0);
  });

  it('never throws for any value at any path', () => {
    const base = JSON.parse(JSON.stringify(planWith())) as Record<string, unknown>;
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(base)), fc.jsonValue(), (key, value) => {
        const { plan, issues } = parsePlan(JSON.stringify({ ...base, [key]: value }));
        expect(plan === null).toBe(issues.some(({ level }) => level === 'error'));
      }),
      { numRuns: 300 },
    );
  });
});
