import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { buildPlan, presetText } from './build.ts';
import { listAskedQuestions, formatCondition } from './conditions.ts';
import { parsePreset } from './parse.ts';
import type { Answers, BuiltPlan, Preset } from './schema.ts';

const target = targetSchema.parse({ url: 'http://localhost:8080/app' });

/** A preset with three tests, one of which is a series. */
const SOURCE = {
  holdfastPreset: 1,
  id: 'several',
  title: 'Which of them?',
  story: 'A story.',
  takesMinutes: 1,
  targetHelp: ['The address.', { when: { test: 'spike' }, use: 'Of the {peak} a second.' }],
  questions: [
    {
      id: 'test',
      kind: 'choice',
      label: 'Which test?',
      first: true,
      default: 'steady',
      options: ['steady', 'bursts', 'spike'].map((value) => ({ value, label: value })),
    },
    {
      id: 'shape',
      kind: 'choice',
      label: 'How steep?',
      when: { test: 'spike' },
      default: 'steep',
      options: ['steep', 'gentle'].map((value) => ({ value, label: value })),
    },
    { id: 'rampSeconds', kind: 'number', label: 'How long is the ramp?', when: { shape: 'gentle' }, default: 20, min: 1, max: 60 },
    { id: 'peak', kind: 'number', label: 'How many?', when: { test: ['spike', 'steady'] }, default: 60, min: 1, max: 900 },
    { id: 'faster', kind: 'number', label: 'How many times faster?', default: 1, min: 0.001, max: 100, whole: false },
  ],
  derive: [
    { id: 'perMinute', label: 'A minute', formula: 'peak * 60' },
    { id: 'burst', label: 'In a burst', when: { test: 'bursts' }, formula: '4 * 10' },
  ],
  explain: ['{peak} a second', { when: { test: 'bursts' }, use: 'in bursts of {burst}' }],
  timeScale: 'faster',
  plan: {
    holdfast: 1,
    name: { cases: [{ when: { test: 'spike' }, use: 'Spike of {peak}' }, { use: 'Test {test}' }] },
    journey: [
      { name: 'page', path: 'timeout', json: { when: { at: 1 } }, method: 'POST' },
      { name: 'more', when: { test: 'steady' } },
    ],
    load: {
      model: 'arrivals',
      stages: [
        { when: { test: 'steady' }, kind: 'constant', perSecond: '=peak', seconds: 30 },
        {
          when: { test: 'bursts' },
          each: { rate: { from: 1, to: 2, step: 0.5 } },
          use: [
            { name: 'burst {rate}', kind: 'constant', perSecond: '=rate', seconds: 10 },
            { kind: 'pause', seconds: '=50 * rate - 5' },
          ],
        },
        { when: { shape: 'gentle' }, kind: 'ramp', fromPerSecond: 1, toPerSecond: '=peak', seconds: '=rampSeconds' },
        { when: { test: 'spike' }, use: [{ kind: 'constant', perSecond: '=peak', seconds: 5 }] },
      ],
    },
    criteria: [
      { kind: 'responseTime', percentile: 95, maxMs: 5_000 },
      { when: { test: ['bursts', 'spike'] }, kind: 'errors', maxShare: 0.01 },
    ],
    exercises: ['the page', { when: { test: 'bursts' }, use: 'queues' }],
    lookAt: [{ each: { what: ['errors', 'times'] }, use: 'the {what}' }],
  },
  series: {
    when: { test: 'bursts' },
    variants: [
      { name: 'node', path: 'node/', factors: { processes: 1 } },
      { name: 'gunicorn', path: 'gunicorn/' },
    ],
  },
};

function buildPreset(changes: Record<string, unknown> = {}): Preset {
  const { preset, issues } = parsePreset(stringify({ ...SOURCE, ...changes }));
  expect(issues).toEqual([]);
  if (!preset) throw new Error('no preset');
  return preset;
}
const build = (answers: Answers, changes: Record<string, unknown> = {}): BuiltPlan => buildPlan(buildPreset(changes), answers, [target]);
const found = (changes: Record<string, unknown>): string[] =>
  parsePreset(stringify({ ...SOURCE, ...changes })).issues.map(({ code, path }) => `${code} ${path}`);

describe('a preset of several tests', () => {
  it('asks only questions that apply, directly and through other questions', () => {
    const asked = (answers: Answers): string[] => listAskedQuestions(buildPreset(), answers).map(({ id }) => id);
    expect(asked({})).toEqual(['test', 'peak', 'faster']);
    expect(asked({ test: 'bursts' })).toEqual(['test', 'faster']);
    expect(asked({ test: 'spike', shape: 'gentle' })).toEqual(['test', 'shape', 'rampSeconds', 'peak', 'faster']);
    expect(asked({ test: 'steady', shape: 'gentle' })).toEqual(['test', 'peak', 'faster']);
  });

  it('rejects an answer to a question that does not apply, and states when it would', () => {
    const { plan, issues } = build({ test: 'bursts', peak: 9 });
    expect(plan).toBeNull();
    expect(issues).toMatchObject([{ code: 'NOT_ASKED', path: 'answers.peak' }]);
    expect(issues[0]?.hint).toContain('“test” is spike or steady');
    expect(formatCondition({ a: 1, b: ['x', 'y'] })).toBe('when “a” is 1 and “b” is x or y');
  });

  it('builds the plan of the selected test with only its criteria, texts and derived values', () => {
    const steady = build({});
    expect(steady.plan).toMatchObject({ name: 'Test steady', exercises: ['the page'], lookAt: ['the errors', 'the times'] });
    expect(steady.plan?.journey.map(({ name, json }) => [name, json])).toEqual([
      ['page', { when: { at: 1 } }],
      ['more', undefined],
    ]);
    expect(steady.plan?.load.stages).toMatchObject([{ perSecond: 60, seconds: 30 }]);
    expect(steady.plan?.criteria.map(({ kind }) => kind)).toEqual(['responseTime']);
    expect(steady.derived.map(({ id }) => id)).toEqual(['perMinute']);
    expect([steady.explanation, steady.series]).toEqual(['60 a second', null]);
    const spike = build({ test: 'spike', shape: 'gentle', peak: 90 });
    expect(spike.plan?.name).toBe('Spike of 90');
    expect(spike.plan?.load.stages).toMatchObject([
      { kind: 'ramp', toPerSecond: 90, seconds: 20 },
      { kind: 'constant', perSecond: 90 },
    ]);
    expect(build({ test: 'spike' }).plan?.load.stages).toHaveLength(1);
  });

  it('repeats stages for each value of an inclusive range', () => {
    const { plan, explanation } = build({ test: 'bursts' });
    expect(plan?.load.stages.map((stage) => [stage.name, stage.counted])).toHaveLength(6);
    expect(plan?.load.stages).toMatchObject([
      { name: 'burst 1', perSecond: 1, seconds: 10 },
      { kind: 'pause', seconds: 45 },
      { name: 'burst 1.5', perSecond: 1.5 },
      { seconds: 70 },
      { name: 'burst 2', perSecond: 2 },
      { seconds: 95 },
    ]);
    expect(explanation).toBe('60 a second in bursts of 40');
  });

  it('builds a series with variants below the address, and the plan of the first variant', () => {
    const { plan, series } = build({ test: 'bursts' });
    expect(series?.variants.map(({ name, factors, targets }) => [name, factors, targets?.map(({ url }) => url)])).toEqual([
      ['node', { processes: 1 }, ['http://localhost:8080/app/node/']],
      ['gunicorn', {}, ['http://localhost:8080/app/gunicorn/']],
    ]);
    expect(plan?.targets.map(({ url }) => url)).toEqual(['http://localhost:8080/app/node/']);
  });

  it('creates a variant per address, and a single run for one address', () => {
    const changes = { series: { variants: 'eachTarget' } };
    const named = [
      { ...target, name: 'old' },
      { ...target, url: 'http://localhost:2/', name: 'old' },
      { ...target, url: 'http://localhost:3/' },
    ];
    const { series, plan } = buildPlan(buildPreset(changes), {}, named);
    expect(series?.variants.map(({ name }) => name)).toEqual(['old', 'old 2', 'http://localhost:3/']);
    expect(plan?.targets).toEqual([named[0]]);
    const single = build({}, changes);
    expect([single.series, single.plan?.targets]).toEqual([null, [target]]);
  });

  it('applies the time scale: divides times, multiplies rates, and keeps request contents', () => {
    const changes = {
      plan: {
        ...SOURCE.plan,
        journey: [{ name: 'page', method: 'POST', json: { seconds: 7 }, thinkTime: { kind: 'fixed', seconds: 2 } }, { name: 'b' }],
      },
    };
    const { plan } = build({ test: 'bursts', faster: 10 }, changes);
    expect(plan?.load.stages.slice(0, 2)).toMatchObject([
      { perSecond: 10, seconds: 1 },
      { kind: 'pause', seconds: 4.5 },
    ]);
    expect(plan?.criteria).toMatchObject([{ percentile: 95, maxMs: 500 }, { maxShare: 0.01 }]);
    expect(plan?.timeoutSeconds).toBe(12);
    expect(plan?.journey[0]).toMatchObject({ json: { seconds: 7 }, thinkTime: { seconds: 0.2 } });
    expect(build({ faster: 100 }).plan?.timeoutSeconds).toBe(1.2);
  });

  it('scales the levels of a series', () => {
    const { series } = build({ faster: 2 }, { series: { levels: { perSecond: [5, 10], seconds: [60] } } });
    expect(series?.levels).toEqual({ perSecond: [10, 20], seconds: [30] });
  });

  it('fills in the help of the address field for the selected choice', () => {
    const preset = buildPreset();
    expect(presetText(preset, preset.targetHelp, {})).toBe('The address.');
    expect(presetText(preset, preset.targetHelp, { test: 'spike', peak: 70 })).toBe('The address. Of the 70 a second.');
  });
});

describe('errors in presets', () => {
  it('include conditions that cannot be true', () => {
    expect(found({ derive: [{ id: 'perMinute', label: '', formula: '1', when: { tset: 'spike' } }, SOURCE.derive[1]] })).toContain(
      'BAD_CONDITION derive[0].when',
    );
    const [first, ...rest] = SOURCE.questions;
    expect(found({ questions: [{ ...first, when: { shape: 'steep' } }, ...rest] })).toContain('BAD_CONDITION questions[0].when');
    expect(found({ plan: { ...SOURCE.plan, exercises: [{ when: { test: 'spikes' }, use: 'x' }] } })).toEqual([
      'FORMULA plan.exercises[0].when',
    ]);
    const { issues } = parsePreset(stringify({ ...SOURCE, plan: { ...SOURCE.plan, exercises: [{ when: { test: 'spikes' }, use: 'x' }] } }));
    expect(issues[0]?.message).toContain('Did you mean “spike”');
  });

  it('include errors in tests other than the first, with the choice that selects them', () => {
    const stages = [...SOURCE.plan.load.stages.slice(0, 2), { when: { test: 'spike' }, kind: 'constant', perSecond: '=burst', seconds: 5 }];
    const { issues } = parsePreset(stringify({ ...SOURCE, plan: { ...SOURCE.plan, load: { model: 'arrivals', stages } } }));
    expect(issues.map(({ code, path }) => `${code} ${path}`)).toEqual(['FORMULA plan.load.stages[2].perSecond']);
    expect(issues[0]?.message).toContain('With test: spike');
  });

  it('explain the syntax of repetitions and cases', () => {
    const inPlan = (change: object): string[] => found({ plan: { ...SOURCE.plan, ...change } });
    expect(inPlan({ lookAt: [{ each: { a: [1], b: [2] }, use: 'x' }] })).toEqual(['FORMULA plan.lookAt[0].each']);
    expect(inPlan({ lookAt: [{ each: { a: { from: 1, to: 9, step: 0 } }, use: 'x' }] })).toEqual(['FORMULA plan.lookAt[0].each']);
    expect(inPlan({ lookAt: [{ each: { a: { from: 1, to: 999, step: 1 } }, use: 'x' }] })).toEqual(['FORMULA plan.lookAt[0].each']);
    expect(inPlan({ lookAt: [{ each: { peak: [1] }, use: 'x' }] })).toEqual(['FORMULA plan.lookAt[0].each']);
    expect(inPlan({ story: { cases: ['x'] } })).toEqual(['FORMULA plan.story.cases[0]']);
    expect(inPlan({ story: { when: { test: 'spike' }, use: 'x', otherwise: 'y' } })).toEqual(['FORMULA plan.story']);
  });

  it("include errors in series, which must stay below the user's address", () => {
    expect(found({ series: { variants: [{ name: 'a' }, { name: 'a' }] } })).toEqual(['DUPLICATE_VARIANT series.variants[1].name']);
    expect(found({ series: { before: ['rm'] } })).toEqual(['UNKNOWN_KEY series.before']);
    for (const path of ['http://elsewhere.example/', '//elsewhere.example/', '\\\\elsewhere.example'])
      expect(found({ series: { variants: [{ name: 'a', path }, { name: 'b' }] } })).toHaveLength(1);
  });

  it('include practice server answers without a question or with an invalid value', () => {
    expect(found({ labAnswers: { peek: 5 } })).toEqual(['UNKNOWN_ANSWER labAnswers.peek']);
    expect(found({ labAnswers: { faster: 1_000, test: 'steep' } })).toEqual([
      'BAD_DEFAULT labAnswers.faster',
      'BAD_DEFAULT labAnswers.test',
    ]);
  });

  it('include invalid time scales', () => {
    expect(found({ timeScale: '0' })).toEqual(['FORMULA timeScale']);
    expect(found({ timeScale: 'test' })).toEqual(['FORMULA timeScale']);
  });
});
