import { describe, expect, it } from 'vitest';
import { ownCriteria } from '#core/judgement/verdict/testing/judged.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import type { Window } from '#core/measurement/window.ts';
import { endBySeconds } from '#core/judgement/verdict/testing/judged.ts';
import { buildResult } from '#core/judgement/buildResult.ts';
import { formatText } from '#core/presentation/text/textReport.ts';
import { resultSchema, type RunResult } from './schema.ts';
import { withLoaded } from '#core/testing/windows.ts';
import { runHead } from './testing/runHead.ts';

function planWith(criteria: PlanInput['criteria'] = []): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'pages',
    targets: [{ url: 'http://localhost/' }],
    journey: [
      { name: 'home', resources: { kinds: ['css', 'image'] } },
      { name: 'ping', path: '/ping' },
    ],
    load: { model: 'users', stages: [{ users: 10, seconds: 10, startUpSeconds: 0 }] },
    criteria,
  });
}

/** Slots of the home page, its style sheets and its images. Slot 1 is the step “ping”. */
const [HOME, CSS, IMAGES] = [0, 2, 3];

/** Returns one second of pages with the given times, `failed` of them incomplete. Each page has one style sheet and ten images of 10 ms. */
function second(at: number, pageMs: readonly number[], failed = 0): Window {
  const window = emptyWindow(at, 1);
  const fill = (step: number, timesMs: readonly number[]): void => {
    const cell = findOrAddCell(window, 0, step);
    cell.started = timesMs.length;
    cell.outcomes = { ok: timesMs.length };
    cell.times.responseOk = histogram(timesMs);
    cell.times.serviceOk = histogram(timesMs);
  };
  fill(
    HOME,
    pageMs.map(() => 50),
  );
  fill(
    CSS,
    pageMs.map(() => 10),
  );
  fill(
    IMAGES,
    pageMs.flatMap(() => Array.from({ length: 10 }, () => 10)),
  );
  findOrAddCell(window, 0, HOME).times.page = histogram(pageMs.slice(failed));
  if (failed > 0) findOrAddCell(window, 0, HOME).times.pageFailed = histogram(pageMs.slice(0, failed));
  const perPage = createHistogram();
  record(perPage, 10);
  findOrAddCell(window, 0, IMAGES).times.perPage = perPage;
  window.journeys.started = pageMs.length;
  window.journeys.finished = pageMs.length;
  return withLoaded(window);
}

function histogram(timesMs: readonly number[]) {
  const times = createHistogram();
  for (const ms of timesMs) record(times, ms * 1_000);
  return times;
}

function judgeWindows(plan: Plan, windows: Window[]): RunResult {
  const result = buildResult({
    head: runHead,
    plan,
    windows,
    end: { ...endBySeconds(plan), leftOut: { 'cdn.example': 7 } },
    generators: [],
    events: [],
  });
  return resultSchema.parse(JSON.parse(JSON.stringify(result)));
}

const slowPages = (failed = 0): Window[] =>
  Array.from({ length: 10 }, (_, at) =>
    second(
      at,
      Array.from({ length: 10 }, () => 7_000),
      failed,
    ),
  );

describe('whole pages in a result', () => {
  it('have time, rate and Apdex of their own, in addition to those of their requests', () => {
    const result = judgeWindows(planWith(), slowPages());
    expect(result.pages?.all).toMatchObject({ started: 100, complete: 100, incomplete: 0, completePerSecond: 10, thresholdMs: 1_500 });
    expect(result.pages?.all.pageApdex).toEqual({ value: 0, counted: 100 });
    expect(result.pages?.all.requestApdex).toEqual({ value: 1, counted: 1_200 });
    expect(result.pages?.all.times.p95).toBe(7_000);
    expect(result.pages?.content).toEqual({ pages: 1, resources: { css: 0, script: 0, image: 10, icon: 0, font: 0 } });
    expect(result.pages?.steps.map(({ name }) => name)).toEqual(['home']);
    expect([result.outcomes.requests.sent, result.balances]).toEqual([1_200, true]);
    // Both ratings appear, with the reason why they differ.
    expect(result.findings.map(({ id }) => id)).toContain('pageApdex');
    const text = formatText(result);
    expect(text).toContain('1 page, 10 images; 100 journeys, 100 pages, 1,200 requests');
    expect(text).toContain('Links to other hosts were not followed: cdn.example (7).');
  });

  it('are judged as pages only if the criterion says so', () => {
    const apdex = { kind: 'apdex' as const, thresholdMs: 2_000, min: 0.85 };
    const result = judgeWindows(
      planWith([
        { ...apdex, of: 'pages' },
        { ...apdex, step: 'home' },
      ]),
      slowPages(),
    );
    expect(result.pages?.all.thresholdMs).toBe(2_000);
    expect(
      ownCriteria(result.criteria).map(({ step, criterion, outcome, measured, counted }) => [
        step,
        'of' in criterion ? criterion.of : undefined,
        outcome,
        measured,
        counted,
      ]),
    ).toEqual([
      [null, 'pages', 'failed', 0.5, 100],
      ['home', undefined, 'passed', 1, 100],
      ['home › style sheets', undefined, 'passed', 1, 100],
      ['home › images', undefined, 'passed', 1, 1_000],
    ]);
    expect(result.verdict.sentence).toContain('the Apdex of whole pages was 0.50; 0.85 required');
    expect(result.criteria[0]?.text).toContain('whole pages');
  });

  it('exceed every limit if incomplete', () => {
    const limits: PlanInput['criteria'] = [
      { kind: 'errors', of: 'pages', maxShare: 0.05 },
      { kind: 'responseTime', step: 'home', of: 'pages', percentile: 95, maxMs: 10_000 },
    ];
    const result = judgeWindows(planWith(limits), slowPages(2));
    expect(result.pages?.all).toMatchObject({ complete: 80, incomplete: 20, completePerSecond: 8 });
    expect(result.pages?.all.errorAdjusted.p95).toBe('never');
    const explicitCriteria = result.criteria.filter(({ isDefault }) => isDefault !== true);
    expect(explicitCriteria.map(({ outcome, over, counted }) => [outcome, over, counted])).toEqual([
      ['failed', 20, 100],
      ['failed', 20, 100],
    ]);
    expect(explicitCriteria[0]?.reason).toContain('20 of 100 pages failed');
  });

  it('are absent if the plan fetches none', () => {
    const plan = planSchema.parse({ ...planWith(), journey: [{ name: 'home' }] });
    expect(judgeWindows(plan, []).pages).toBeNull();
  });
});
