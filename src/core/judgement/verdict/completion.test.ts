import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { planWith, stages, users } from '#core/testing/plans.ts';
import { windowWith, type WindowFacts } from '#core/testing/windows.ts';
import type { Window } from '#core/measurement/window.ts';
import { startUpStage } from '#core/work/load/stages.ts';
import { judged, type RunStory } from './testing/judged.ts';

const POLL: PlanInput['journey'][number]['poll'] = { until: [{ kind: 'contains', text: 'done' }], mostSeconds: 10 };
const evaluation: PlanInput['journey'][number] = { name: 'evaluation', poll: POLL };
const p95: PlanInput['criteria'] = [{ kind: 'responseTime', step: 'page', percentile: 80, maxMs: 1_000 }];
const fast: WindowFacts = { ok: [{ count: 300, ms: 40 }] };

/** Returns a second in which waits began, succeeded and were abandoned, with several successful requests each. */
function waits(begun: number, came: number, givenUp = 0, facts: WindowFacts = {}): Window {
  const window = windowWith({ step: 1, ok: [{ count: 10 * (begun + came), ms: 5 }], failed: { wrongBody: givenUp }, ...facts });
  const [cell] = window.cells;
  if (cell === undefined) throw new RangeError('A window without a cell.');
  cell.waitsBegun = begun;
  const times = createHistogram();
  for (let index = 0; index < came; index += 1) record(times, 3_000_000);
  cell.times.waited = times;
  return window;
}

function run(journey: PlanInput['journey'], windows: readonly Window[], story: Partial<RunStory> = {}, changes: Partial<PlanInput> = {}) {
  const plan = planWith({ journey, load: stages({ connections: 10, seconds: 1 }), criteria: p95, ...changes });
  return judged({ plan, windows, ...story });
}

const defaults = ({ criteria }: ReturnType<typeof run>) => criteria.filter(({ isDefault }) => isDefault === true);

describe('default criterion of a step that polls', () => {
  const journey = [{ name: 'page' }, evaluation];
  const page = windowWith(fast);

  it('counts waits, not responses to single requests', () => {
    const passed = run(journey, [page, waits(24, 24)]);
    expect(passed.verdict.outcome).toBe('passed');
    expect(defaults(passed)[1]).toMatchObject({ step: 'evaluation', outcome: 'passed', counted: 24, over: 0 });
    const givenUp = run(journey, [page, waits(24, 0, 24)]);
    expect(givenUp.verdict.sentence).toBe('Failed at 10 connections: 0 of 24 results of “evaluation” arrived.');
    expect(run(journey, [page, waits(24, 7, 17)]).verdict.sentence).toBe(
      'Failed at 10 connections: 7 of 24 results of “evaluation” arrived.',
    );
  });

  it('fails for each wait pending after the drain, but not in a run that was killed', () => {
    const pending = [page, waits(24, 20)];
    expect(run(journey, pending).verdict.sentence).toBe('Failed at 10 connections: 20 of 24 results of “evaluation” arrived.');
    expect(defaults(run(journey, pending, { state: 'stopped' }))[1]).toMatchObject({ outcome: 'unknown', counted: 20, over: 0 });
  });

  it('counts a wait in the stage in which it ended', () => {
    const load = stages({ name: 'a', connections: 10, seconds: 1 }, { name: 'b', connections: 10, seconds: 1 });
    const criteria: PlanInput['criteria'] = [{ kind: 'errors', maxShare: 0.2 }];
    const { criteria: found } = run(
      journey,
      [page, waits(100, 60), windowWith({ ...fast, stage: 1, second: 1 }), waits(100, 140, 0, { stage: 1, second: 1 })],
      {},
      { load, criteria },
    );
    expect(found.filter(({ step }) => step === 'evaluation').map(({ counted, over }) => [counted, over])).toEqual([
      [60, 0],
      [140, 0],
    ]);
  });

  it("counts waits in the plan's own criteria, with their wording", () => {
    const criteria: PlanInput['criteria'] = [
      { kind: 'errors', step: 'evaluation', maxShare: 0.02 },
      { kind: 'responseTime', step: 'evaluation', percentile: 95, maxMs: 2_000 },
    ];
    const { criteria: found, verdict } = run(journey, [page, waits(200, 200)], {}, { criteria });
    expect(found.slice(0, 2).map(({ text, reason, outcome }) => [text, reason, outcome])).toEqual([
      ['at most 2 % of results of “evaluation” missing', 'None of 200 results were missing; 2 % allowed.', 'passed'],
      ['95 % of results of “evaluation” within 2 s', 'All 200 results took longer than 2 s or failed; 5 % allowed.', 'failed'],
    ]);
    expect(verdict.sentence).toBe('Failed at 10 connections: none of 200 results of “evaluation” succeeded within 2 s.');
  });

  it('uses the nouns of the plan', () => {
    const solutions = { ...evaluation, items: { one: 'solution', many: 'solutions', done: 'evaluated' } };
    expect(run([{ name: 'page' }, solutions], [page, waits(24, 0, 24)]).verdict.sentence).toBe(
      'Failed at 10 connections: 0 of 24 solutions were evaluated.',
    );
  });
});

describe('default criterion of a step', () => {
  const journey = [{ name: 'page' }, { name: 'form' }];
  const page = windowWith(fast);
  const form = (good: number, failed: number, facts: WindowFacts = {}) =>
    windowWith({ step: 1, ok: [{ count: good, ms: 40 }], failed: { httpError: failed }, ...facts });

  it('allows no failure of fewer than 100 items, and 1 % of more items', () => {
    const decideOutcome = (good: number, failed: number) => defaults(run(journey, [page, form(good, failed)]))[1]?.outcome;
    expect([
      decideOutcome(99, 0),
      decideOutcome(98, 1),
      decideOutcome(99, 1),
      decideOutcome(98, 2),
      decideOutcome(297, 3),
      decideOutcome(296, 4),
    ]).toEqual(['passed', 'failed', 'passed', 'failed', 'passed', 'failed']);
  });

  it('names the step and the outcome of its items', () => {
    expect(run(journey, [page, form(28, 12)]).verdict.sentence).toBe('Failed at 10 connections: 12 of 40 requests of “form” failed.');
  });

  it('applies to steps without an error criterion, only in plans with criteria', () => {
    const stepsOf = (criteria: PlanInput['criteria']) =>
      defaults(run(journey, [page, form(28, 12)], {}, { criteria })).map(({ step }) => step);
    expect(stepsOf([])).toEqual([]);
    expect(stepsOf([{ kind: 'throughput', minPerSecond: 1 }])).toEqual(['page', 'form']);
    expect(stepsOf([{ kind: 'errors', step: 'form', maxShare: 0.5 }])).toEqual(['page']);
    expect(stepsOf([{ kind: 'errors', maxShare: 0.5 }])).toEqual([]);
  });

  it('applies to a step that is covered only by a criterion about all pages', () => {
    const pages: PlanInput['journey'] = journey.map((step) => ({ ...step, resources: {} }));
    const stepsOf = (criterion: Partial<Extract<NonNullable<PlanInput['criteria']>[number], { kind: 'errors' }>>) =>
      defaults(run(pages, [page, form(28, 12)], {}, { criteria: [{ kind: 'errors', of: 'pages', maxShare: 0.5, ...criterion }] })).map(
        ({ step }) => step,
      );
    expect(stepsOf({})).toEqual(['page', 'form']);
    expect(stepsOf({ step: 'form' })).toEqual(['page']);
  });

  it('applies to stages that a criterion of another stage does not cover', () => {
    const load = stages({ name: 'a', connections: 1, seconds: 1 }, { name: 'b', connections: 1, seconds: 1 });
    const criteria: PlanInput['criteria'] = [{ kind: 'errors', step: 'page', stage: 'a', maxShare: 0.5 }];
    const windows = [0, 1].map((stage) => windowWith({ stage, second: stage, ok: [{ count: 60, ms: 4 }], failed: { timeout: 1 + stage } }));
    const { verdict, criteria: found } = run([{ name: 'page' }], windows, {}, { load, criteria });
    expect(found.map(({ stage, isDefault, outcome }) => [stage, isDefault ?? false, outcome])).toEqual([
      ['a', false, 'passed'],
      ['b', true, 'failed'],
    ]);
    expect(verdict.sentence).toContain('2 of 62 requests of “page” failed');
  });

  it('covers background steps, but not unmeasured or never sent ones', () => {
    const load = users([{ users: 2, seconds: 1 }]);
    const besides = [
      { name: 'page' },
      { name: 'news', background: { everySeconds: 1 } },
      { name: 'rare' },
      { name: 'aside', measured: false },
    ];
    expect(defaults(run(besides, [page, form(5, 1)], {}, { load })).map(({ step, outcome }) => [step, outcome])).toEqual([
      ['page', 'passed'],
      ['news', 'failed'],
    ]);
  });

  it('counts a failed redirect as a failed item', () => {
    const follows = [{ name: 'page' }, { name: 'form', redirects: { follow: true as const } }];
    const [, found] = defaults(
      run(follows, [page, form(40, 0), windowWith({ step: 2, ok: [{ count: 30, ms: 4 }], failed: { wrongBody: 10 } })]),
    );
    expect(found).toMatchObject({ step: 'form', outcome: 'failed', counted: 40, over: 10 });
  });

  it('counts attempts that a user repeated by a reload as one request', () => {
    const reloading = [{ name: 'page', reload: { most: 3, fromSeconds: 1, toSeconds: 2 } }];
    const judgeAfter = (reloads: number) => {
      const window = windowWith({ step: 0, ok: [{ count: 40, ms: 4 }], failed: { httpError: 12 } });
      const cells = window.cells.map((cell) => ({ ...cell, reloads }));
      return defaults(run(reloading, [{ ...window, cells }]))[0];
    };
    expect(judgeAfter(12)).toMatchObject({ outcome: 'passed', counted: 40, over: 0 });
    expect(judgeAfter(11)).toMatchObject({ outcome: 'failed', counted: 41, over: 1 });
  });

  it('judges all counted stages together and excludes the others', () => {
    const load = stages(
      { name: 'warm-up', connections: 1, seconds: 1, counted: false },
      { name: 'a', connections: 1, seconds: 1 },
      { name: 'b', connections: 1, seconds: 1 },
    );
    const [found] = defaults(
      run(
        [{ name: 'page' }],
        [0, 1, 2].map((stage) =>
          windowWith({ stage, second: stage, ok: [{ count: 60, ms: 4 }], failed: { timeout: stage === 0 ? 9 : 1 } }),
        ),
        {},
        { load },
      ),
    );
    expect(found).toMatchObject({ stage: 'the whole run', counted: 122, over: 2, outcome: 'failed' });
  });

  it('is inconclusive if the outcome depends on failures that an overloaded generator may have caused', () => {
    const [, found] = defaults(run(journey, [page, form(30, 0, { failed: { timeout: 2 }, overloadedBy: ['threadCpu'] })]));
    expect(found).toMatchObject({ outcome: 'unknown', unknownBecause: 'generator', over: 2 });
  });

  it('is inconclusive in a run that was cut short, unless it failed before', () => {
    const listOutcomes = (failed: number) =>
      defaults(run(journey, [page, form(30, failed)], { state: 'stopped' })).map(({ outcome }) => outcome);
    expect([listOutcomes(0), listOutcomes(3)]).toEqual([
      ['unknown', 'unknown'],
      ['unknown', 'failed'],
    ]);
  });
});

describe('default criterion of a step that each user sends once', () => {
  const journey: PlanInput['journey'] = [{ name: 'login', method: 'POST', once: true }, { name: 'orders' }];
  const load = users([{ users: 10, startUpSeconds: 1, seconds: 10 }]);
  const criteria: PlanInput['criteria'] = [
    { kind: 'errors', maxShare: 0.01 },
    { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
  ];
  const plan = planWith({ journey, load, criteria });
  const orders = windowWith({ step: 1, second: 1, ok: [{ count: 971, ms: 4, lateMs: 0 }] });
  const logins = (good: number, failed: number) =>
    windowWith({ stage: startUpStage(plan, 0), ok: [{ count: good, ms: 4, lateMs: 0 }], failed: { httpError: failed } });

  it('does not apply to a stage in which no request is due', () => {
    const { verdict, criteria: found } = judged({ plan, windows: [logins(10, 0), orders] });
    expect(verdict.outcome).toBe('passed');
    expect(found.map(({ step, isDefault }) => [step, isDefault ?? false])).toEqual([
      ['orders', false],
      ['orders', false],
      ['login', true],
    ]);
  });

  it('applies if requests were due, even before the first counted second', () => {
    expect(judged({ plan, windows: [logins(6, 4), orders] }).verdict.sentence).toBe(
      'Failed at 10 users: 4 of 10 requests of “login” failed.',
    );
  });
});
