import type { Criterion, PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, users } from '#core/testing/plans.ts';
import { type WindowFacts } from '#core/testing/windows.ts';
import { type RunStory } from './judged.ts';
import type { Verdict, CriterionResult } from '#core/result/verdict.ts';

/** A case of the verdict rules in docs/method.md: a run, by default of 10 s, whose seconds are equal except for one. */
export interface Row {
  readonly what: string;
  readonly criteria: readonly Criterion[];
  /** Facts that apply to every second. */
  readonly each: WindowFacts;
  /** Facts that apply to a single second instead. */
  readonly but?: WindowFacts & { readonly second: number };
  readonly seconds?: number;
  readonly story?: Partial<RunStory>;
  readonly plan?: Partial<PlanInput>;
  readonly outcome: Verdict['outcome'];
  readonly because?: CriterionResult['unknownBecause'];
}

export const p95: Criterion = { kind: 'responseTime', percentile: 95, maxMs: 1_000 };
export const errors: Criterion = { kind: 'errors', maxShare: 0.01 };
export const rate200: Criterion = { kind: 'throughput', minPerSecond: 200 };
export const apdex: Criterion = { kind: 'apdex', thresholdMs: 500, min: 0.85 };
export const fast = { ok: [{ count: 300, ms: 40 }] };
export const mixed = (good: number, slow: number): WindowFacts => ({
  ok: [
    { count: good, ms: 40 },
    { count: slow, ms: 1_500 },
  ],
});
export const overloadedBy = ['threadCpu'] as const;

export const open = { plan: { load: arrivals([{ kind: 'constant', perSecond: 300, seconds: 10 }]) } };
const late = { ok: [{ count: 300, ms: 40, lateMs: 1_200 }], overloadedBy: ['scheduleLag'] } as const;
const fastInTime = { ok: [{ count: 300, ms: 40, lateMs: 0 }] };

/** Rows for an open model: arrivals start or are left out by the target or the generator. */
export const OPEN: readonly Row[] = [
  { what: 'all arrivals started and got responses', criteria: [p95, errors], each: fastInTime, ...open, outcome: 'passed' },
  {
    what: 'a full cap keeps arrivals from starting and fails p95',
    criteria: [p95],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 } },
    ...open,
    outcome: 'failed',
  },
  {
    what: 'a full cap fails an error criterion',
    criteria: [errors],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 } },
    ...open,
    outcome: 'failed',
  },
  {
    what: 'a full cap without any response',
    criteria: [errors],
    each: { notStarted: { target: 300 } },
    but: { second: 0, withoutResponse: 300 },
    ...open,
    outcome: 'failed',
  },
  {
    what: 'a few arrivals that could not start are within the allowance',
    criteria: [p95],
    each: { ok: [{ count: 297, ms: 40, lateMs: 0 }], notStarted: { target: 3 } },
    ...open,
    outcome: 'passed',
  },
  {
    what: 'a full cap while the generator is overloaded',
    criteria: [p95],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 }, overloadedBy },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'the generator could not start a few arrivals: nothing passes at a load that was not offered',
    criteria: [p95],
    each: { ok: [{ count: 299, ms: 40, lateMs: 0 }], notStarted: { generator: 1 } },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'the generator could not start many arrivals',
    criteria: [p95],
    each: { ok: [{ count: 200, ms: 40, lateMs: 0 }], notStarted: { generator: 100 }, overloadedBy },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'the generator could not start many arrivals, and the others failed by status',
    criteria: [errors],
    each: { ok: [{ count: 100, ms: 40, lateMs: 0 }], failed: { httpError: 100 }, notStarted: { generator: 100 } },
    ...open,
    outcome: 'failed',
  },
  {
    what: 'fewer arrivals than planned for an unknown reason',
    criteria: [p95],
    each: { ok: [{ count: 299, ms: 40, lateMs: 0 }] },
    ...open,
    outcome: 'inconclusive',
    because: 'notOffered',
  },
  {
    what: 'an overloaded generator starts requests late',
    criteria: [p95],
    each: late,
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'a late schedule in a second not marked as overloaded is not the target’s fault',
    criteria: [p95],
    each: { ok: late.ok },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'a late schedule with responses within the limit',
    criteria: [p95],
    each: { ok: [{ count: 300, ms: 40, lateMs: 500 }], overloadedBy: ['scheduleLag'] },
    ...open,
    outcome: 'passed',
  },
  {
    what: 'one late second, and slow service times in the others',
    criteria: [p95],
    each: {
      ok: [
        { count: 200, ms: 40, lateMs: 0 },
        { count: 100, ms: 1_500, lateMs: 0 },
      ],
    },
    but: { second: 4, ...late },
    ...open,
    outcome: 'failed',
  },
  {
    what: 'slow service times of requests sent a little late',
    criteria: [p95],
    each: {
      ok: [
        { count: 200, ms: 40, lateMs: 1 },
        { count: 100, ms: 1_500, lateMs: 1 },
      ],
    },
    ...open,
    outcome: 'failed',
  },
  { what: 'Apdex of a late schedule', criteria: [apdex], each: late, ...open, outcome: 'inconclusive', because: 'generator' },
  {
    what: 'Apdex counts arrivals that could not start as frustrated',
    criteria: [apdex],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { target: 150 } },
    ...open,
    outcome: 'failed',
  },
  { what: 'the rate of an open model is reached', criteria: [rate200], each: fastInTime, ...open, outcome: 'passed' },
  {
    what: 'the rate of an open model is missed because of outstanding responses',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { target: 150 } },
    ...open,
    outcome: 'failed',
  },
  {
    what: 'the rate of an open model is missed because the generator could not start arrivals',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { generator: 150 } },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'arrivals stopped while all criteria pass',
    criteria: [p95],
    each: fastInTime,
    ...open,
    story: { state: 'stopped' },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
];

const crowd = { plan: { load: users([{ users: 50, seconds: 10 }]) } };

/** Rows for a closed model: an overloaded generator offers less but leaves nothing out. */
export const USERS: readonly Row[] = [
  { what: 'users get responses in time', criteria: [p95], each: fastInTime, ...crowd, outcome: 'passed' },
  {
    what: 'users of an overloaded generator get responses in time',
    criteria: [p95],
    each: { ...fastInTime, overloadedBy },
    ...crowd,
    outcome: 'passed',
  },
  {
    what: 'users wait too long',
    criteria: [p95],
    each: {
      ok: [
        { count: 200, ms: 40, lateMs: 0 },
        { count: 100, ms: 1_500, lateMs: 0 },
      ],
    },
    ...crowd,
    outcome: 'failed',
  },
  {
    what: 'users of an overloaded generator wait too long',
    criteria: [p95],
    each: {
      ok: [
        { count: 200, ms: 40, lateMs: 0 },
        { count: 100, ms: 1_500, lateMs: 0 },
      ],
      overloadedBy,
    },
    ...crowd,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'users miss a rate because the generator is overloaded',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], overloadedBy },
    ...crowd,
    outcome: 'inconclusive',
    because: 'generator',
  },
];
