import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { buildPlan } from './build.ts';
import { parsePreset } from './parse.ts';
import { presetSchema, type Answers, type Preset } from './schema.ts';

const target = targetSchema.parse({ url: 'http://localhost:8080/' });

const SOURCE = {
  holdfastPreset: 1,
  id: 'test',
  title: 'Will it hold?',
  story: 'A story.',
  takesMinutes: 1,
  questions: [
    { id: 'people', kind: 'number', label: 'How many people?', default: 1_500, min: 1, max: 10_000, unit: 'people' },
    { id: 'minutes', kind: 'number', label: 'How long?', default: 0.5, min: 0.1, max: 60, whole: false },
    {
      id: 'poll',
      kind: 'choice',
      label: 'How often?',
      default: 15,
      options: [
        { value: 15, label: 'often' },
        { value: 30, label: 'seldom' },
      ],
    },
    { id: 'page', kind: 'text', label: 'Which page?', default: 'tasks/{x}' },
  ],
  derive: [
    { id: 'demand', label: 'Demand', formula: 'people / poll', unit: 'requests/s' },
    { id: 'connections', label: 'Connections', formula: 'max(1, ceil(demand * 0.3))' },
  ],
  explain: '{people} people make {demand} requests a second.',
  plan: {
    holdfast: 1,
    name: 'Will it hold for {people} people?',
    journey: [{ name: 'page', path: '{page}', headers: { 'X-People': '{people}' }, method: 'POST', body: '{"n": {people}}' }],
    load: { model: 'connections', stages: [{ connections: '=connections', seconds: '=minutes * 60' }] },
    criteria: [{ kind: 'throughput', minPerSecond: '=demand' }],
  },
};

const preset = (changes: Record<string, unknown> = {}): Preset => presetSchema.parse({ ...SOURCE, ...changes });
const codes = (answers: Answers): string[] => buildPlan(preset(), answers, [target]).issues.map(({ code, path }) => `${code} ${path}`);

describe('buildPlan', () => {
  it('evaluates formulas, with plain values for machines and formatted ones for people', () => {
    const built = buildPlan(preset(), {}, [target]);
    expect(built.issues).toEqual([]);
    expect(built.plan).toMatchObject({
      name: 'Will it hold for 1,500 people?',
      preset: 'test',
      targets: [target],
      journey: [{ path: 'tasks/{x}', headers: { 'X-People': '1500' }, body: '{"n": 1500}' }],
      load: { stages: [{ connections: 30, seconds: 30 }] },
      criteria: [{ minPerSecond: 100 }],
    });
    expect(built.explanation).toBe('1,500 people make 100 requests a second.');
    expect(built.derived.map(({ id, value }) => [id, value])).toEqual([
      ['demand', 100],
      ['connections', 30],
    ]);
    expect(built.plan && computePlannedSeconds(built.plan)).toBe(30);
  });

  it('parses numbers and choices given as text', () => {
    const built = buildPlan(preset(), { people: '3000', poll: '30', minutes: '1.5' }, [target]);
    expect(built.plan?.load.stages).toMatchObject([{ connections: 30, seconds: 90 }]);
  });

  it('reports every invalid answer with its question and range', () => {
    expect(codes({ people: 1.5, minutes: 100, poll: 20, pages: 'x' })).toEqual([
      'UNKNOWN_ANSWER answers.pages',
      'NOT_WHOLE answers.people',
      'TOO_LARGE answers.minutes',
      'NOT_ONE_OF answers.poll',
    ]);
    expect(codes({ people: 0 })).toEqual(['TOO_SMALL answers.people']);
    expect(codes({ people: 'many' })).toEqual(['WRONG_TYPE answers.people']);
    expect(codes({ people: '' })).toEqual(['WRONG_TYPE answers.people']);
    expect(codes({ people: true })).toEqual(['WRONG_TYPE answers.people']);
    expect(codes({ constructor: 1 })).toEqual(['UNKNOWN_ANSWER answers.constructor']);
    const [issue] = buildPlan(preset(), { people: 20_000 }, [target]).issues;
    expect(issue).toMatchObject({
      message: '20,000 is too large for “How many people?”.',
      hint: 'Use a whole number from 1 to 10,000 people.',
    });
  });

  it('derives values that do not depend on a question with an invalid answer', () => {
    const built = buildPlan(preset(), { minutes: -1 }, [target]);
    expect([built.plan, built.derived.map(({ id }) => id)]).toEqual([null, ['demand', 'connections']]);
    expect(buildPlan(preset(), { people: -1 }, [target]).derived).toEqual([]);
  });

  it('reports a missing address and problems of the resulting plan', () => {
    expect(buildPlan(preset(), {}, []).issues.map(({ code }) => code)).toEqual(['TARGET_MISSING']);
    const broken = preset({
      plan: { ...SOURCE.plan, load: { model: 'connections', stages: [{ connections: '=demand / 3', seconds: 1, x: 1 }] } },
    });
    expect(buildPlan(broken, {}, [target]).issues.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'WRONG_TYPE load.stages[0].connections',
      'UNKNOWN_KEY load.stages[0].x',
    ]);
  });
});

describe('load models of presets', () => {
  const questions = [
    { id: 'people', kind: 'number', label: 'How many?', default: 600, min: 1, max: 10_000 },
    { id: 'pause', kind: 'number', label: 'How long do they pause?', default: 5, min: 1, max: 60 },
  ];
  const source = (load: object): string =>
    stringify({
      ...SOURCE,
      questions,
      derive: [{ id: 'rate', label: 'Rate', formula: 'people / pause', unit: 'requests/s' }],
      explain: '{rate} a second',
      plan: { holdfast: 1, name: 'Test', journey: [{ name: 'a' }, { name: 'b' }], load },
    });
  const buildLoad = (load: object, answers: Answers = {}): unknown => {
    const { preset: parsed, issues } = parsePreset(source(load));
    expect(issues).toEqual([]);
    return parsed === null ? null : buildPlan(parsed, answers, [target]).plan?.load;
  };

  it('include users with growing cycles and pauses', () => {
    const stages = [1, 2].map((cycle) => ({
      users: `=ceil(people * ${cycle})`,
      startUpSeconds: '=pause',
      seconds: 30,
      restSeconds: '=pause * 2',
    }));
    for (const thinkTime of [
      { kind: 'fixed', seconds: '=pause' },
      { kind: 'uniform', fromSeconds: '=pause / 2', toSeconds: '=pause * 1.5' },
      { kind: 'exponential', meanSeconds: '=pause' },
    ]) {
      expect(buildLoad({ model: 'users', thinkTime, stages }, { people: 40, pause: 4 })).toMatchObject({
        model: 'users',
        thinkTime: { kind: thinkTime.kind },
        stages: [
          { users: 40, startUpSeconds: 4, restSeconds: 8 },
          { users: 80, startUpSeconds: 4, restSeconds: 8 },
        ],
      });
    }
  });

  it('include arrivals of every kind', () => {
    const stages = [
      { kind: 'ramp', fromPerSecond: 0, toPerSecond: '=rate', seconds: 10, counted: false },
      { kind: 'constant', perSecond: '=rate', seconds: 30, maxInFlight: '=people' },
      { kind: 'pause', seconds: '=pause' },
      { kind: 'count', arrivals: '=people', seconds: 60 },
      { kind: 'steps', fromPerSecond: '=rate / 2', toPerSecond: '=rate', steps: '=2 + 1', secondsEach: '=pause' },
      {
        kind: 'spike',
        basePerSecond: '=rate',
        peakPerSecond: '=rate * 3',
        secondsBefore: 5,
        rampSeconds: 1,
        peakSeconds: 3,
        secondsAfter: 5,
      },
    ];
    const load = {
      model: 'arrivals',
      spacing: 'poisson',
      maxInFlight: '=people * 10',
      thinkTime: { kind: 'fixed', seconds: '=pause / 10' },
      stages,
    };
    expect(buildLoad(load, { people: 100, pause: 2 })).toMatchObject({
      spacing: 'poisson',
      maxInFlight: 1_000,
      thinkTime: { seconds: 0.2 },
      stages: [
        { toPerSecond: 50 },
        { perSecond: 50, maxInFlight: 100 },
        { kind: 'pause', seconds: 2 },
        { arrivals: 100 },
        { fromPerSecond: 25, toPerSecond: 50, steps: 3, secondsEach: 2 },
        { basePerSecond: 50, peakPerSecond: 150 },
      ],
    });
  });

  it('are checked like those of any plan', () => {
    const { preset: parsed } = parsePreset(
      source({ model: 'arrivals', stages: [{ kind: 'constant', perSecond: '=rate - 119', seconds: 30 }] }),
    );
    expect(parsed && buildPlan(parsed, { people: 595 }, [target]).issues.map(({ code }) => code)).toEqual(['NOTHING_BEGINS']);
  });
});

describe('parsePreset', () => {
  const found = (changes: Record<string, unknown>): string[] =>
    parsePreset(stringify({ ...SOURCE, ...changes })).issues.map(({ code, path }) => `${code} ${path}`);

  it('accepts a preset with defaults that make a valid plan', () => {
    expect(parsePreset(stringify(SOURCE))).toEqual({ preset: preset(), issues: [] });
  });

  it('rejects other documents and newer versions, each with its own code', () => {
    expect(parsePreset('holdfast: 1').issues.map(({ code }) => code)).toEqual(['NOT_A_PRESET']);
    expect(found({ holdfastPreset: 2 })).toEqual(['VERSION_NEWER holdfastPreset']);
    expect(parsePreset('a: [').issues[0]?.code).toBe('SYNTAX');
  });

  it('reports invalid formulas and texts anywhere', () => {
    expect(found({ derive: [{ id: 'demand', label: '', formula: 'people /' }, SOURCE.derive[1]] })).toContain('FORMULA derive.demand');
    expect(found({ explain: '{nobody}' })).toEqual(['FORMULA explain']);
    const plan = { ...SOURCE.plan, name: '{nobody}', story: '=1 / 0' };
    expect(found({ plan })).toEqual(['FORMULA plan.name', 'FORMULA plan.story']);
  });

  it('reports duplicate names, defaults out of range, and fields that Holdfast fills in', () => {
    expect(found({ derive: [...SOURCE.derive, { id: 'people', label: '', formula: '1' }] })).toContain('DUPLICATE_NAME people');
    expect(found({ questions: [{ ...SOURCE.questions[0], max: 10 }, ...SOURCE.questions.slice(1)] })).toContain(
      'BAD_DEFAULT questions[0].default',
    );
    expect(found({ plan: { ...SOURCE.plan, targets: [] } })).toContain('NOT_IN_A_PRESET plan.targets');
  });

  const folder = new URL('../../../presets/', import.meta.url);
  const shipped = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

  it('is tested with the shipped presets', () => expect(shipped).toContain('plain-page.yaml'));

  it.each(shipped)('accepts %s with every combination of its choices', (file) => {
    expect(parsePreset(readFileSync(new URL(file, folder), 'utf8')).issues).toEqual([]);
  });
});
