import { describe, expect, it } from 'vitest';
import { createTotalHistogram, record } from '#core/statistics/histogram.ts';
import type { Criterion, PlanInput } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, withLoaded, type WindowFacts } from '#core/testing/windows.ts';
import { judge } from './judge.ts';
import { makeInput, judged, type RunStory } from './testing/judged.ts';

const p95: Criterion = { kind: 'responseTime', percentile: 95, maxMs: 1_000 };
const errors: Criterion = { kind: 'errors', maxShare: 0.01 };
const load = stages({ connections: 10, seconds: 10 });
const times = (fast: number, slow = 0): WindowFacts => ({
  ok: [
    { count: fast, ms: 40 },
    { count: slow, ms: 1_500 },
  ],
});

function sentence(
  criteria: Criterion[],
  facts: WindowFacts | readonly Window[],
  changes: Partial<PlanInput> = {},
  story: Partial<RunStory> = {},
): string {
  const windows = 'length' in facts ? facts : repeatedWindows(10, facts);
  return judged({ plan: planWith({ load, criteria, ...changes }), windows, ...story }).verdict.sentence;
}

describe('sentence about a violation', () => {
  it.each<readonly [string, Criterion[], WindowFacts]>([
    ['all 1,000 responses to “page” were correct but slower than 1 s.', [p95], times(0, 100)],
    ['none of 1,010 requests of “page” succeeded within 1 s.', [p95], { ...times(0, 100), failed: { timeout: 1 } }],
    ['more than 5 % of requests of “page” took longer than 1 s or failed.', [p95], times(50, 50)],
    ['none of 1,000 requests of “page” succeeded.', [errors], { failed: { timeout: 100 } }],
    ['more than 1 % of requests of “page” failed.', [errors], { ...times(50), failed: { timeout: 50 } }],
    ['requests of “page” failed.', [{ ...errors, maxShare: 0 }], { ...times(50), failed: { timeout: 50 } }],
    ['throughput was 50 successful responses a second; 60 required.', [{ kind: 'throughput', minPerSecond: 60 }], times(50)],
    ['the Apdex of “page” was 0.50; 0.90 required.', [{ kind: 'apdex', thresholdMs: 1_000, min: 0.9 }], times(0, 100)],
  ])('%s', (miss, criteria, facts) => {
    expect(sentence(criteria, facts)).toBe(`Failed at 10 connections: ${miss}`);
  });

  it('names the worst violation first, relative to its limit, and counts the others', () => {
    const both: Criterion[] = [p95, errors];
    expect(sentence(both, { ...times(50), failed: { timeout: 50 } })).toMatch(
      /more than 1 % of requests of “page” failed\. 1 more pass criterion failed\.$/,
    );
    const slowly: Criterion[] = [{ kind: 'throughput', minPerSecond: 101 }, p95, { kind: 'apdex', thresholdMs: 40, min: 0.99 }];
    expect(sentence(slowly, times(50, 50))).toMatch(
      /: more than 5 % of requests of “page” took longer than 1 s or failed\. 2 more pass criteria failed\.$/,
    );
    const rate: Criterion[] = [p95, { kind: 'throughput', minPerSecond: 10_000 }];
    expect(sentence(rate, times(50, 50))).toMatch(/: throughput was 100 successful responses a second; 10,000 required\./);
    expect(
      sentence(
        [
          { ...p95, percentile: 90 },
          { kind: 'throughput', minPerSecond: 5 },
        ],
        { failed: { timeout: 10 } },
      ),
    ).toContain(': throughput was 0');
    expect(sentence([{ ...errors, maxShare: 0 }, p95], { ...times(90, 5), failed: { timeout: 5 } })).toContain(
      ': requests of “page” failed.',
    );
  });

  it('names the failed step instead of a later step whose requests were not sent because the step failed', () => {
    const windows = [
      windowWith({ ok: [{ count: 60, ms: 40 }], failed: { wrongBody: 40 } }),
      windowWith({ step: 1, ok: [{ count: 60, ms: 40 }], failed: { notMade: 40 } }),
    ];
    const journey = [{ name: 'home' }, { name: 'login' }];
    const strict: Criterion[] = [{ ...errors, step: 'login', maxShare: 0 }];
    expect(sentence(strict, windows, { journey })).toBe(
      'Failed at 10 connections: 40 of 100 requests of “home” failed. 1 more pass criterion failed.',
    );
    const only = [windowWith({ ok: [{ count: 100, ms: 40 }] }), ...windows.slice(1)];
    expect(sentence(strict, only, { journey })).toBe('Failed at 10 connections: requests of “login” failed.');
  });

  it('names a lower level only if one was run, and then the highest that passed', () => {
    const levels = stages(...[30, 10, 20, 40].map((connections, index) => ({ name: `s${index}`, connections, seconds: 10 })));
    const run = (broken: readonly number[], criteria: Criterion[] = [p95]): string =>
      sentence(
        criteria,
        [0, 1, 2, 3].flatMap((stage) =>
          repeatedWindows(10, { stage, second: 10 * stage, ...(broken.includes(stage) ? times(50, 50) : times(100)) }),
        ),
        { load: levels },
      );
    expect(run([0])).toMatch(/^Failed at 30 connections: .* It passed at 20 connections\.$/);
    expect(run([3])).toMatch(/ It passed at 30 connections\.$/);
    expect(run([1])).not.toContain('It passed');
    // A criterion for one stage does not cover the other stages.
    expect(
      run(
        [3],
        [
          { ...p95, stage: 's3' },
          { ...errors, stage: 's1' },
        ],
      ),
    ).toMatch(/ It passed at 10 connections\.$/);
  });

  it("names the claim of the plan only at the plan's highest load", () => {
    const levels = stages({ name: 'low', connections: 5, seconds: 10 }, { name: 'high', connections: 15, seconds: 10 });
    const run = (broken: number): string =>
      sentence(
        [p95],
        [0, 1].flatMap((stage) => repeatedWindows(10, { stage, second: 10 * stage, ...(stage === broken ? times(50, 50) : times(100)) })),
        { load: levels, claim: 'up to 15 readers' },
      );
    expect(run(0)).toMatch(/^Failed at 5 connections: /);
    expect(run(1)).toMatch(/^Failed for up to 15 readers at 15 connections: /);
  });

  it('names no lower level if one of its criteria failed, or if the level is as high', () => {
    const two = (first: number, facts: WindowFacts): string =>
      sentence([p95, errors], [...repeatedWindows(10, facts), ...repeatedWindows(10, { stage: 1, second: 10, ...times(50, 50) })], {
        load: stages({ name: 'a', connections: first, seconds: 10 }, { name: 'b', connections: 20, seconds: 10 }),
      });
    expect(two(10, times(100))).toMatch(/ It passed at 10 connections\.$/);
    expect(two(10, times(95, 5))).not.toContain('It passed');
    expect(two(20, times(100))).not.toContain('It passed');
  });

  it('names the highest level of several stages, in any order', () => {
    const passed = (...levels: number[]): string =>
      sentence(
        [p95],
        levels.flatMap((_, stage) => repeatedWindows(10, { stage, second: 10 * stage, ...times(100) })),
        { load: stages(...levels.map((connections, index) => ({ name: `s${index}`, connections, seconds: 10 }))) },
      );
    expect([passed(3, 9, 6), passed(9, 6, 3)]).toEqual(
      Array.from({ length: 2 }, () => 'Passed at 9 connections: 100 successful responses a second.'),
    );
  });
});

describe('sentence about an inconclusive result', () => {
  it('counts the missing requests, unless every failure of this run is counted', () => {
    expect(sentence([p95], [windowWith(times(20))])).toBe('Inconclusive: 20 requests are too few to decide.');
    expect(sentence([p95], [windowWith(times(1))])).toBe('Inconclusive: 1 request is too few to decide.');
    expect(sentence([{ ...errors, maxShare: 0 }], times(20))).toMatch(/^Passed at /);
  });

  it.each<readonly [string, Partial<RunStory>]>([
    ['the run ended early, before any pass criterion was proven to fail.', { state: 'stopped' }],
    ['not every request is accounted for, and no pass criterion was proven to fail.', { balances: false }],
  ])('%s', (words, story) => {
    expect(sentence([p95], times(100), {}, story)).toBe(`Inconclusive: ${words}`);
  });

  it('states that the result is too close, that less was offered, or that nothing was counted', () => {
    expect(sentence([p95], times(95, 5))).toBe('Inconclusive: the result is too close to a pass criterion to call.');
    expect(sentence([p95], times(100), { load: stages({ connections: 10, requests: 5_000 }) })).toBe(
      'Inconclusive: less than the planned load was offered, and a load that was not offered cannot pass.',
    );
    expect(sentence([p95], [])).toBe('Inconclusive: no usable data.');
  });

  it('names the load generator as the cause: late, overloaded, or not started', () => {
    const open = { load: arrivals([{ kind: 'constant' as const, perSecond: 100, seconds: 10 }]) };
    const late = (overloadedBy: WindowFacts['overloadedBy']): WindowFacts => ({
      ok: [{ count: 100, ms: 40, lateMs: 2_000 }],
      ...(overloadedBy ? { overloadedBy } : {}),
    });
    expect(sentence([p95], late([]), open)).toBe(
      'Inconclusive: this computer sent requests later than planned, which decides the outcome.',
    );
    expect(sentence([p95], late(['steal']), open)).toBe(
      'Inconclusive: this computer was overloaded for 10 s of the run, which decides the outcome.',
    );
    expect(sentence([p95], { ok: [{ count: 99, ms: 40, lateMs: 0 }], notStarted: { generator: 1 } }, open)).toContain(
      'could not start 10 of 1,000 arrivals',
    );
  });
});

describe('sentence about a measured run', () => {
  it('names throughput, level, time and failures', () => {
    expect(sentence([], times(100))).toBe(
      'Measured: 100 successful responses a second at 10 connections, 95 % within 40 ms. No pass criteria were set.',
    );
    expect(sentence([], { ...times(75), failed: { timeout: 25 } })).toContain(' at 10 connections; 25 % of requests failed. No');
    expect(sentence([], { failed: { timeout: 25 } })).toBe(
      'Failed at 10 connections: none of 250 requests of “page” succeeded; 0 successful responses a second.',
    );
  });

  it('has the same p95 as the head of the result', () => {
    const input = makeInput({ plan: planWith({ load, criteria: [] }), windows: repeatedWindows(10, times(100)) });
    expect(judge({ ...input, p95: { requests: 123, pages: null } }).verdict.sentence).toContain(', 95 % within 123 ms.');
  });

  it('counts a failed request as never responding, however quick it was', () => {
    const ok = [
      { count: 90, ms: 40 },
      { count: 8, ms: 900 },
    ];
    expect(sentence([], { ok, failed: { httpError: 2 } })).toContain(', 95 % of requests within 900 ms; 2 % of requests failed.');
    expect(sentence([], { ok: [{ count: 94, ms: 40 }], failed: { httpError: 6 } })).toContain(' connections; 6 % of requests failed.');
  });

  it('names a time only for one kind of request in one stage', () => {
    const two = { journey: [{ name: 'a' }, { name: 'b' }] };
    expect(sentence([], [...repeatedWindows(10, times(100)), ...repeatedWindows(10, { step: 1, ...times(100) })], two)).toBe(
      'Measured: 200 successful responses a second at 10 connections. No pass criteria were set.',
    );
  });

  it('states the throughput of the stage whose level it names', () => {
    const three = stages({ connections: 1, seconds: 10, counted: false }, { connections: 2, seconds: 10 }, { connections: 3, seconds: 10 });
    const windows = [300, 200, 100].flatMap((count, stage) => repeatedWindows(10, { stage, second: 10 * stage, ...times(count) }));
    expect(sentence([], windows, { load: three })).toMatch(/^Measured: 100 successful responses a second at 3 connections\. /);
  });

  it('names the throughput of the stage that passed', () => {
    const rising = stages({ connections: 2, seconds: 10 }, { connections: 4, seconds: 10 });
    const windows = [200, 100].flatMap((count, stage) => repeatedWindows(10, { stage, second: 10 * stage, ...times(count) }));
    expect(sentence([{ kind: 'errors', maxShare: 0.01 }], windows, { load: rising })).toMatch(
      /^Passed at 4 connections: 100 successful responses a second/,
    );
  });

  it('distinguishes nothing sent from nothing counted', () => {
    expect(sentence([], [])).toBe('Measured: no request was sent.');
    const crowd = users([{ users: 3, startUpSeconds: 5, seconds: 5 }]);
    expect(sentence([], [windowWith({ stage: 1, ...times(7) })], { load: crowd })).toBe(
      'Measured: no response was counted. All 7 requests were sent outside the counted time.',
    );
  });
});

describe('sentence about whole pages', () => {
  const journey = [{ name: 'home', resources: {} }];
  /** Returns seconds with the given number of whole pages of 1.2 s, and of incomplete pages. */
  const pages = (whole: number, incomplete = 0): Window[] =>
    Array.from({ length: 10 }, (_, second) => {
      const window = windowWith({ second, ok: [{ count: 40, ms: 20 }] });
      for (const cell of window.cells)
        for (const [kind, count] of [
          ['page', whole],
          ['pageFailed', incomplete],
        ] as const) {
          const histogram = createTotalHistogram();
          for (let index = 0; index < count; index += 1) record(histogram, 1_200_000);
          cell.times[kind] = histogram;
        }
      return withLoaded(window);
    });

  it('judges pages instead of requests, for one step or all steps', () => {
    const of = { of: 'pages' } as const;
    expect(sentence([{ ...p95, ...of }], pages(10), { journey })).toBe(
      'Failed at 10 connections: none of 100 whole pages succeeded within 1 s.',
    );
    expect(sentence([{ ...p95, ...of, step: 'home', maxMs: 1_300 }], pages(10), { journey })).toBe(
      'Passed at 10 connections: 10 whole pages a second.',
    );
    expect(sentence([{ ...errors, ...of }], pages(10, 10), { journey })).toBe(
      'Failed at 10 connections: more than 1 % of pages were incomplete.',
    );
    expect(sentence([{ ...errors, ...of, maxShare: 0, step: 'home' }], pages(10, 10), { journey })).toBe(
      'Failed at 10 connections: pages of “home” were incomplete.',
    );
    expect(sentence([{ kind: 'apdex', thresholdMs: 200, min: 0.9, ...of }], pages(10), { journey })).toContain(
      'the Apdex of whole pages was 0.00',
    );
  });

  it('names the time of whole pages, unless 5 % or more were incomplete', () => {
    expect(sentence([], pages(10), { journey })).toContain('10 whole pages a second at 10 connections, 95 % of them within 1.2 s.');
    expect(sentence([], pages(10, 1), { journey })).toContain('10 whole pages a second at 10 connections. ');
    expect(sentence([], pages(1), { journey })).toContain('1 whole page a second');
  });
});
