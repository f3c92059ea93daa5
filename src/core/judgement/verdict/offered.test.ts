import { describe, expect, it } from 'vitest';
import type { Plan, PlanInput } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith } from '#core/testing/windows.ts';
import type { JudgeInput } from './input.ts';
import { makeInput as inputOfStory } from './testing/judged.ts';
import { formatCap, formatNotOffered, computeOffered, countOutstanding, formatOutstanding, formatRateAt } from './reasons.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

const open = planWith({ load: arrivals([{ kind: 'constant', perSecond: 50, seconds: 10 }], { maxInFlight: 200 }) });

const makeInput = (plan: Plan, windows: readonly Window[]): JudgeInput => inputOfStory({ plan, windows });
const each = (begun: number, notStarted: { target?: number; generator?: number }, seconds = 10) =>
  repeatedWindows(seconds, { ok: [{ count: begun, ms: 5 }], notStarted });

describe('computeOffered and formatNotOffered', () => {
  it('apply only to arrivals', () => {
    expect(computeOffered(makeInput(open, each(45, { target: 3, generator: 2 })), 0)).toEqual({
      planned: 500,
      begun: 450,
      notStartedTarget: 30,
      notStartedGenerator: 20,
    });
    expect(computeOffered(makeInput(planWith({ load: stages({ connections: 1, requests: 500 }) }), []), 0)).toBeNull();
  });

  it('use the number of arrivals that k6 scheduled, which may differ by one', () => {
    const plan = { ...open, engine: 'k6' as const };
    const made = (count: number) =>
      computeOffered(makeInput(plan, [windowWith({ ok: [{ count, ms: 5 }], notStarted: { target: 2, generator: 3 } })]), 0)?.planned;
    expect([493, 494, 495, 496, 497].map(made)).toEqual([500, 499, 500, 501, 500]);
  });

  it('state how many did not start, and why', () => {
    const words = (begun: number, notStarted: { target?: number; generator?: number }): string[] =>
      formatNotOffered(makeInput(open, each(begun, notStarted)), [0]);
    expect(words(50, {})).toEqual([]);
    expect(words(49, {})).toEqual(['490 of 500 planned arrivals started (98 %).']);
    expect(words(45, { target: 3, generator: 2 })).toEqual([
      '450 of 500 planned arrivals started (90 %); 30 could not because 200 requests were in flight; 20 could not because this computer sent too slowly.',
    ]);
    expect(words(48, { generator: 2 })).toEqual([
      '480 of 500 planned arrivals started (96 %); 20 could not because this computer sent too slowly.',
    ]);
  });

  it('name the stage if there are several', () => {
    const stage = { kind: 'constant', perSecond: 50, seconds: 10 } as const;
    const plan = planWith({ load: arrivals([stage, { ...stage, name: 'main', maxInFlight: 7 }]) });
    const windows = [
      ...each(50, {}),
      ...repeatedWindows(10, { stage: 1, second: 10, ok: [{ count: 49, ms: 5 }], notStarted: { target: 1 } }),
    ];
    expect(formatNotOffered(makeInput(plan, windows), [0, 1])).toEqual([
      '“main”: 490 of 500 planned arrivals started (98 %); 10 could not because 7 requests were in flight.',
    ]);
  });

  it('name the cap of the stage, in requests or journeys', () => {
    expect(formatCap(open, 0)).toBe('because 200 requests were in flight');
    expect(formatCap({ ...open, journey: planWith({ journey: [{ name: 'a' }, { name: 'b' }] }).journey }, 0)).toBe(
      'because 200 journeys were in progress',
    );
    expect(formatCap(planWith(), 0)).toBe('because too many responses were outstanding');
    const single = planWith({ load: arrivals([{ kind: 'constant', perSecond: 50, seconds: 10, maxInFlight: 1 }]) });
    expect(formatCap(single, 0)).toBe('because 1 request was in flight');
    expect(formatCap({ ...single, journey: planWith({ journey: [{ name: 'a' }, { name: 'b' }] }).journey }, 0)).toBe(
      'because 1 journey was in progress',
    );
  });
});

describe('countOutstanding', () => {
  const failed = (changes: Partial<CriterionResult> = {}): CriterionResult => ({
    criterion: { kind: 'errors', maxShare: 0.01 },
    text: '',
    stage: 'the whole run',
    step: 'page',
    outcome: 'failed',
    reason: '',
    unknownBecause: null,
    measured: 0.1,
    limit: 0.01,
    unit: 'share',
    counted: 500,
    over: 40,
    shareLow: 0.1,
    shareHigh: 0.3,
    fromSecond: 5,
    ...changes,
  });
  const windows = [
    ...each(50, {}, 5),
    ...repeatedWindows(5, { second: 5, ok: [{ count: 44, ms: 5 }], notStarted: { target: 4, generator: 2 } }),
  ];
  const input = makeInput(open, windows);

  it('returns the share of arrivals due from the start of the violation', () => {
    expect(countOutstanding(failed(), input, 0, 0)).toEqual({ notBegun: 20, share: 0.08 });
    expect(countOutstanding(failed({ fromSecond: null }), input, 0, 0)).toEqual({ notBegun: 20, share: 0.04 });
    expect(countOutstanding(failed({ over: null }), input, 0, 0)).toEqual({ notBegun: 20, share: 0.08 });
    expect(formatOutstanding({ notBegun: 20, share: 0.08 }, open, 0)).toBe(
      '8 % of arrivals could not start because 200 requests were in flight',
    );
  });

  it('returns a share only if the arrivals that did not start are at least half of the requests over the limit', () => {
    expect(countOutstanding(failed({ over: 40 }), input, 0, 0)).not.toBeNull();
    expect(countOutstanding(failed({ over: 41 }), input, 0, 0)).toBeNull();
  });

  it('returns null for another step, for a throughput criterion, and if all arrivals started', () => {
    expect(countOutstanding(failed(), input, 0, 1)).toBeNull();
    expect(countOutstanding(failed({ criterion: { kind: 'throughput', minPerSecond: 60 } }), input, 0, 0)).toBeNull();
    expect(countOutstanding(failed({ over: null }), makeInput(open, each(50, {})), 0, 0)).toBeNull();
    expect(countOutstanding(failed({ fromSecond: 99 }), input, 0, 0)).toBeNull();
  });
});

it('formatRateAt: names the rate only if it changes within the stage', () => {
  const of = (stage: Parameters<typeof arrivals>[0][number]): Plan => planWith({ load: arrivals([stage]) });
  const ramp = of({ kind: 'ramp', fromPerSecond: 10, toPerSecond: 30, seconds: 10 });
  expect(formatRateAt(ramp, 0, 5)).toBe(' (20 a second)');
  expect([formatRateAt(ramp, 0, null), formatRateAt(ramp, 1, 5), formatRateAt(open, 0, 5)]).toEqual(['', '', '']);
  expect(formatRateAt(planWith({ load: stages({ connections: 3, seconds: 9 }) } satisfies Partial<PlanInput>), 0, 5)).toBe('');
});
