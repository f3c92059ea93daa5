import { describe, expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { planWith } from '#core/testing/plans.ts';
import { selectBetween, type Condition, listConditions, findDissimilarities, planRefusals, listRefusals } from './refusal.ts';
import type { Aspect, Dissimilarity } from './schema.ts';

const unlike = (aspect: Aspect, ...values: string[][]): Dissimilarity => ({
  aspect,
  what: `what of ${aspect}`,
  values,
  isWithinSide: values.some((side) => side.length > 1),
});
const differs = (aspect: Aspect): Dissimilarity => unlike(aspect, ['a'], ['b']);
const why = (asked: Aspect | null, ...dissimilar: Dissimilarity[]): string[] =>
  listRefusals({ dissimilar, asked, names: ['one', 'other'], places: [0, 1] });

it('selectBetween: returns what differs between two of three sides', () => {
  const all = [unlike('load', ['10'], ['10'], ['20']), unlike('host', ['a'], ['b'], ['b']), unlike('engine', ['x', 'y'], ['x'], ['x'])];
  const aspects = (reference: number, side: number) => selectBetween(all, reference, side).map(({ aspect }) => aspect);
  expect([aspects(0, 1), aspects(0, 2), aspects(1, 2)]).toEqual([['host', 'engine'], ['load', 'host', 'engine'], ['load']]);
});

describe('listRefusals: attributes a difference', () => {
  it('to one thing, to nothing, or only to what was asked about', () => {
    expect(why(null)).toEqual([]);
    expect(why(null, differs('host'))).toEqual([]);
    expect(why('host', differs('host'))).toEqual([]);
    expect(why('host')).toEqual([]);
  });

  it('to nothing if two things differ, or if the one that differs was not asked about', () => {
    expect(why(null, differs('host'), differs('engine'))).toHaveLength(1);
    expect(why('host', differs('load'))).toEqual([
      'You asked what the load generator changes, and the load differs as well: either may have done it.',
    ]);
    expect(why('host', differs('load'), differs('engine'))[0]).toContain('the load and the engine differ as well');
    expect(why('host', differs('tuning'))[0]).toContain('settings of machines differ as well');
  });

  it('to nothing if the runs of either side are not repeats of each other', () => {
    expect(why('load', unlike('load', ['10', '20'], ['30']))).toEqual([
      'The runs of “one” are not repeats of each other: the load differs among them (what of load).',
    ]);
    expect(why(null, unlike('load', ['10', '20'], ['30']), unlike('host', ['a', 'b'], ['a', 'b']))).toEqual([
      'The runs of “one” are not repeats of each other: the load and the load generator differ among them (what of load).',
      'The runs of “other” are not repeats of each other: the load generator differs among them (what of host).',
    ]);
  });
});

describe('planRefusals', () => {
  it('require the same plan: another load, journey or variant is refused, another host is not', () => {
    const refused = (['target', 'variant', 'load', 'plan', 'host', 'tuning', 'engine', 'version'] as const).filter(
      (aspect) => planRefusals([differs(aspect)]).length > 0,
    );
    expect(refused).toEqual(['variant', 'load', 'plan']);
  });

  it('name three differences of the plans and count the others', () => {
    expect(planRefusals([differs('load'), differs('plan'), differs('variant'), differs('host')])[0]).toBe(
      'The plans differ: what of load (a / b), what of plan (a / b), what of variant (a / b). A baseline speaks of runs of its own plan only: name one of this plan.',
    );
    expect(planRefusals(Array.from({ length: 5 }, () => unlike('load', ['a', 'c'], ['b'])))[0]).toMatch(
      /^The plans differ: (what of load \(a, c \/ b\), ){2}what of load \(a, c \/ b\), and 2 more\. A/,
    );
  });
});

describe('findDissimilarities', () => {
  const condition = (aspect: Aspect, value: string, what = 'it'): Condition => ({ aspect, what, value });

  it('lists the values of each side in the order of the aspects, with a dash if absent', () => {
    const found = findDissimilarities([
      [
        [condition('version', '1'), condition('load', 'x')],
        [condition('version', '1'), condition('load', 'x')],
      ],
      [
        [condition('version', '2'), condition('load', 'x'), condition('target', 'new')],
        [condition('version', '3'), condition('load', 'x')],
      ],
    ]);
    expect(found).toEqual([
      { aspect: 'target', what: 'it', values: [['–'], ['new', '–']], isWithinSide: true },
      { aspect: 'version', what: 'it', values: [['1'], ['2', '3']], isWithinSide: true },
    ]);
  });

  it('merges several values of one name, and shortens long values', () => {
    const [found] = findDissimilarities([
      [[condition('tuning', 'a'), condition('tuning', 'b')]],
      [[condition('tuning', 'c'.repeat(120))]],
      [[condition('tuning', 'd'.repeat(121))]],
    ]);
    expect(found?.values).toEqual([['a, b'], ['c'.repeat(120)], [`${'d'.repeat(119)}…`]]);
  });

  it.each<readonly [Aspect, boolean]>([
    ['target', true],
    ['load', true],
    ['host', true],
    ['engine', false],
  ])('lists the cell of a series only if nothing else explains it: %s explains it: %s', (aspect, explained) => {
    const side = (name: string) => [[condition('variant', name), condition(aspect, name)]];
    const aspects = findDissimilarities([side('a'), side('b')]).map((one) => one.aspect);
    expect(aspects.includes('variant')).toBe(!explained);
  });
});

describe('listConditions', () => {
  const sample = sampleResult();
  const valueIn = (conditions: readonly Condition[], what: string) => conditions.find((one) => one.what === what)?.value;

  it('lists values of the plan by position, or by name where there is a name', () => {
    const plan = planWith({
      targets: [{ url: 'http://a/', headers: { accept: 'text/html' } }],
      journey: [{ name: 'home' }, { name: 'search', query: { q: 'x' } }],
      load: {
        model: 'connections',
        stages: [
          { connections: 7, seconds: 5 },
          { name: 'main', connections: 9, seconds: 5 },
        ],
      },
    });
    const conditions = listConditions({ ...sample, plan });
    const found = ['address of target 1', 'headers.accept of target 1', 'connections of stage 1', 'connections of stage “main”'];
    expect(found.map((what) => valueIn(conditions, what))).toEqual(['http://a/', 'text/html', '7', '9']);
    expect(valueIn(conditions, 'query.q of step “search”')).toBe('x');
    expect(conditions.filter(({ what }) => what === 'load.model')).toEqual([{ aspect: 'load', what: 'load.model', value: 'connections' }]);
  });

  it('lists members of unnamed lists by position, and omits absent parts and a redundant cell of a series', () => {
    const conditions = listConditions({ ...sample, plan: planWith({ sideHosts: ['static.example', 'api.example'] }) });
    expect([valueIn(conditions, 'sideHosts[1]'), valueIn(conditions, 'sideHosts[2]')]).toEqual(['static.example', 'api.example']);
    const whats = new Set(listConditions({ ...sample, plan: planWith() }).map(({ what }) => what));
    expect([whats.has('tls'), whats.has('servers'), whats.has('cell of the series'), [...whats].every(Boolean)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
  });

  it('adds the name of the load generator if there are several', () => {
    const [generator] = sample.generators;
    if (generator === undefined) throw new Error('the sample has a generator');
    const one = listConditions({ ...sample, generators: [{ ...generator, sharesMachineWithTarget: true }] });
    expect([valueIn(one, 'cores'), valueIn(one, 'shares the machine with the target')]).toEqual([String(generator.cores), 'yes']);
    const two = listConditions({
      ...sample,
      generators: [generator, { ...generator, name: 'web2', cores: 16, sharesMachineWithTarget: false }],
    });
    expect([valueIn(two, 'cores'), valueIn(two, 'cores of “web2”'), valueIn(two, 'threads used of “web2”')]).toEqual([
      undefined,
      '16',
      String(generator.threads),
    ]);
    expect(valueIn(two, 'shares the machine with the target of “web2”')).toBe('no');
  });

  it('lists changed settings, but no other events', () => {
    const events = [
      { second: 0, kind: 'hostChanged', text: 'web1: a → b' },
      { second: 1, kind: 'stageStarted', text: 'stage 1' },
    ] as const;
    const tuned = listConditions({ ...sample, events: [...events] }).filter(({ aspect }) => aspect === 'tuning');
    expect(tuned).toEqual([{ aspect: 'tuning', what: 'web1: a → b', value: 'yes' }]);
  });
});
