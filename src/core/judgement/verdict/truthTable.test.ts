import { describe, expect, it } from 'vitest';
import type { Criterion, PlanInput } from '#core/plan/schema/plan.ts';
import type { CriterionResult, Verdict } from '#core/result/schema.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { judged, type RunStory } from './testing/judged.ts';

/** Every line of the verdict section of docs/method.md, as runs of 10 s described second by second. */
interface Row {
  readonly told: string;
  readonly criteria: readonly Criterion[];
  /** Facts of every second. */
  readonly each: WindowFacts;
  /** Facts of a single second instead. */
  readonly but?: WindowFacts & { readonly second: number };
  readonly seconds?: number;
  readonly story?: Partial<RunStory>;
  readonly plan?: Partial<PlanInput>;
  readonly outcome: Verdict['outcome'];
  readonly because?: CriterionResult['unknownBecause'];
}

const p95: Criterion = { kind: 'responseTime', percentile: 95, maxMs: 1_000 };
const errors: Criterion = { kind: 'errors', maxShare: 0.01 };
const rate200: Criterion = { kind: 'throughput', minPerSecond: 200 };
const apdex: Criterion = { kind: 'apdex', thresholdMs: 500, min: 0.85 };
const fast = { ok: [{ count: 300, ms: 40 }] };
const mixed = (good: number, slow: number): WindowFacts => ({
  ok: [
    { count: good, ms: 40 },
    { count: slow, ms: 1_500 },
  ],
});
const overloadedBy = ['threadCpu'] as const;

const open = { plan: { load: arrivals([{ kind: 'constant', perSecond: 300, seconds: 10 }]) } };
const late = { ok: [{ count: 300, ms: 40, lateMs: 1_200 }], overloadedBy: ['scheduleLag'] } as const;
const fastInTime = { ok: [{ count: 300, ms: 40, lateMs: 0 }] };

/** Open model: arrivals start or are left out by the target or the generator. */
const OPEN: readonly Row[] = [
  { told: 'all arrivals started and got responses', criteria: [p95, errors], each: fastInTime, ...open, outcome: 'passed' },
  {
    told: 'a full cap keeps arrivals from starting and fails p95',
    criteria: [p95],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 } },
    ...open,
    outcome: 'failed',
  },
  {
    told: 'a full cap fails an error criterion',
    criteria: [errors],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 } },
    ...open,
    outcome: 'failed',
  },
  {
    told: 'a full cap without any response',
    criteria: [errors],
    each: { notStarted: { target: 300 } },
    but: { second: 0, withoutResponse: 300 },
    ...open,
    outcome: 'failed',
  },
  {
    told: 'a few arrivals that could not start are within the allowance',
    criteria: [p95],
    each: { ok: [{ count: 297, ms: 40, lateMs: 0 }], notStarted: { target: 3 } },
    ...open,
    outcome: 'passed',
  },
  {
    told: 'a full cap while the generator is overloaded',
    criteria: [p95],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 }, overloadedBy },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'the generator could not start a few arrivals: nothing passes at a load that was not offered',
    criteria: [p95],
    each: { ok: [{ count: 299, ms: 40, lateMs: 0 }], notStarted: { generator: 1 } },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'the generator could not start many arrivals',
    criteria: [p95],
    each: { ok: [{ count: 200, ms: 40, lateMs: 0 }], notStarted: { generator: 100 }, overloadedBy },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'the generator could not start many arrivals, and the others failed by status',
    criteria: [errors],
    each: { ok: [{ count: 100, ms: 40, lateMs: 0 }], failed: { httpError: 100 }, notStarted: { generator: 100 } },
    ...open,
    outcome: 'failed',
  },
  {
    told: 'fewer arrivals than planned for an unknown reason',
    criteria: [p95],
    each: { ok: [{ count: 299, ms: 40, lateMs: 0 }] },
    ...open,
    outcome: 'inconclusive',
    because: 'notOffered',
  },
  { told: 'an overloaded schedule is late', criteria: [p95], each: late, ...open, outcome: 'inconclusive', because: 'generator' },
  {
    told: 'a late schedule in a second not marked as overloaded is not the target’s fault',
    criteria: [p95],
    each: { ok: late.ok },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'a late schedule with responses within the limit',
    criteria: [p95],
    each: { ok: [{ count: 300, ms: 40, lateMs: 500 }], overloadedBy: ['scheduleLag'] },
    ...open,
    outcome: 'passed',
  },
  {
    told: 'one late second, and slow service times in the others',
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
    told: 'slow service times of requests sent a little late',
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
  { told: 'Apdex of a late schedule', criteria: [apdex], each: late, ...open, outcome: 'inconclusive', because: 'generator' },
  {
    told: 'Apdex counts arrivals that could not start as frustrated',
    criteria: [apdex],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { target: 150 } },
    ...open,
    outcome: 'failed',
  },
  { told: 'the rate of an open model is reached', criteria: [rate200], each: fastInTime, ...open, outcome: 'passed' },
  {
    told: 'the rate of an open model is missed because of outstanding responses',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { target: 150 } },
    ...open,
    outcome: 'failed',
  },
  {
    told: 'the rate of an open model is missed because the generator could not start arrivals',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { generator: 150 } },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'arrivals stopped while all criteria pass',
    criteria: [p95],
    each: fastInTime,
    ...open,
    story: { state: 'stopped' },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
];

const crowd = { plan: { load: users([{ users: 50, seconds: 10 }]) } };

/** Closed model: an overloaded generator offers less but leaves nothing out. */
const USERS: readonly Row[] = [
  { told: 'users get responses in time', criteria: [p95], each: fastInTime, ...crowd, outcome: 'passed' },
  { told: 'users of an overloaded generator in time', criteria: [p95], each: { ...fastInTime, overloadedBy }, ...crowd, outcome: 'passed' },
  {
    told: 'users wait too long',
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
    told: 'users of an overloaded generator wait too long',
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
    told: 'users miss a rate because the generator is overloaded',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], overloadedBy },
    ...crowd,
    outcome: 'inconclusive',
    because: 'generator',
  },
];

const TABLE: readonly Row[] = [
  { told: 'every response is fast', criteria: [p95], each: fast, outcome: 'passed' },
  { told: 'a few are slow, well within the allowance', criteria: [p95], each: mixed(297, 3), outcome: 'passed' },
  { told: 'more are slow than allowed', criteria: [p95], each: mixed(270, 30), outcome: 'failed' },
  { told: 'just the allowed share is slow', criteria: [p95], each: mixed(285, 15), outcome: 'inconclusive', because: 'tooClose' },
  {
    told: 'all of 58 are fast',
    criteria: [p95],
    each: {},
    but: { second: 0, ok: [{ count: 58, ms: 40 }] },
    outcome: 'inconclusive',
    because: 'tooFew',
  },
  { told: 'all of 59 are fast', criteria: [p95], each: {}, but: { second: 0, ok: [{ count: 59, ms: 40 }] }, outcome: 'passed' },
  { told: 'few requests and yet most are slow', criteria: [p95], each: {}, but: { second: 0, ...mixed(2, 18) }, outcome: 'failed' },
  { told: 'nothing was counted', criteria: [p95], each: {}, outcome: 'inconclusive', because: 'notMeasured' },

  {
    told: 'requests fail by status though responses are fast',
    criteria: [p95],
    each: { ...fast, failed: { httpError: 60 } },
    outcome: 'failed',
  },
  { told: 'requests are refused', criteria: [errors], each: { ...fast, failed: { refused: 30 } }, outcome: 'failed' },
  { told: 'bodies are wrong', criteria: [errors], each: { ...fast, failed: { wrongBody: 30 } }, outcome: 'failed' },
  { told: 'requests time out', criteria: [errors], each: { ...fast, failed: { timeout: 30 } }, outcome: 'failed' },
  { told: 'no request ever fails', criteria: [errors], each: fast, outcome: 'passed' },
  {
    told: 'no failure at all is allowed, and none is there',
    criteria: [{ kind: 'errors', maxShare: 0 }],
    each: fast,
    outcome: 'passed',
  },
  {
    told: 'no failure at all is allowed, and one is there',
    criteria: [{ kind: 'errors', maxShare: 0 }],
    each: { ...fast, failed: { timeout: 1 } },
    outcome: 'failed',
  },
  {
    told: 'no failure at all is allowed, and all failures are in an overloaded second',
    criteria: [{ kind: 'errors', maxShare: 0 }],
    each: { ...fast, failed: { timeout: 1 }, overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  { told: 'responses are outstanding when the drain ends', criteria: [errors], each: { ...fast, withoutResponse: 30 }, outcome: 'failed' },
  {
    told: 'outstanding responses count against response times',
    criteria: [p95],
    each: { ...fast, withoutResponse: 60 },
    outcome: 'failed',
  },

  { told: 'an overloaded second with responses within the limit', criteria: [p95], each: { ...fast, overloadedBy }, outcome: 'passed' },
  {
    told: 'slow responses, all in overloaded seconds',
    criteria: [p95],
    each: { ...mixed(200, 100), overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'slow responses in one overloaded second, too few to matter',
    criteria: [p95],
    each: fast,
    but: { second: 4, ...mixed(295, 5), overloadedBy },
    outcome: 'passed',
  },
  {
    told: 'slow responses in healthy seconds while one second is overloaded',
    criteria: [p95],
    each: mixed(200, 100),
    but: { second: 4, ...fast, overloadedBy },
    outcome: 'failed',
  },
  {
    told: 'failures by status in overloaded seconds',
    criteria: [errors],
    each: { ...fast, failed: { httpError: 60 }, overloadedBy },
    outcome: 'failed',
  },
  { told: 'refused, all overloaded', criteria: [errors], each: { ...fast, failed: { refused: 60 }, overloadedBy }, outcome: 'failed' },
  {
    told: 'time-outs in overloaded seconds',
    criteria: [errors],
    each: { ...fast, failed: { timeout: 60 }, overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'the generator runs out of ports',
    criteria: [errors],
    each: { ...fast, failed: { noPort: 60 }, overloadedBy: ['noPort'] },
    outcome: 'inconclusive',
    because: 'generator',
  },

  {
    told: 'slow responses in one clump',
    criteria: [p95],
    each: fast,
    but: { second: 4, ...mixed(180, 120) },
    outcome: 'inconclusive',
    because: 'tooClose',
  },
  { told: 'as many slow responses, spread evenly', criteria: [p95], each: mixed(288, 12), outcome: 'passed' },

  { told: 'the rate is reached', criteria: [rate200], each: fast, outcome: 'passed' },
  { told: 'the rate is missed', criteria: [rate200], each: { ok: [{ count: 150, ms: 40 }] }, outcome: 'failed' },
  { told: 'the rate is reached by an overloaded generator', criteria: [rate200], each: { ...fast, overloadedBy }, outcome: 'passed' },
  {
    told: 'the rate is missed by an overloaded generator',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40 }], overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'failures do not count as throughput',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40 }], failed: { httpError: 150 } },
    outcome: 'failed',
  },

  { told: 'Apdex well above', criteria: [apdex], each: fast, outcome: 'passed' },
  { told: 'Apdex well below', criteria: [apdex], each: mixed(150, 150), outcome: 'failed' },
  { told: 'Apdex counts failures as frustrated', criteria: [apdex], each: { ...fast, failed: { httpError: 150 } }, outcome: 'failed' },
  { told: 'Apdex just at its limit', criteria: [apdex], each: mixed(210, 90), outcome: 'inconclusive', because: 'tooClose' },
  {
    told: 'Apdex reduced by an overloaded generator',
    criteria: [apdex],
    each: { ...mixed(150, 150), overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'Apdex from a few requests',
    criteria: [apdex],
    each: {},
    but: { second: 0, ok: [{ count: 5, ms: 40 }] },
    outcome: 'inconclusive',
    because: 'tooFew',
  },
  { told: 'Apdex without requests', criteria: [apdex], each: {}, outcome: 'inconclusive', because: 'notMeasured' },

  {
    told: 'stopped by a person while all criteria pass',
    criteria: [p95],
    each: fast,
    story: { state: 'stopped' },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'killed while all criteria pass',
    criteria: [p95],
    each: fast,
    story: { state: 'interrupted', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  { told: 'stopped after proven violation', criteria: [p95], each: mixed(200, 100), story: { state: 'stopped' }, outcome: 'failed' },
  {
    told: 'killed after proven violation',
    criteria: [p95],
    each: mixed(200, 100),
    story: { state: 'interrupted', end: null },
    outcome: 'failed',
  },
  {
    told: 'killed with requests in flight, which do not count',
    criteria: [errors],
    each: { ...fast, withoutResponse: 60 },
    story: { state: 'interrupted', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'a rate reached in a run that was stopped',
    criteria: [rate200],
    each: fast,
    story: { state: 'stopped' },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'a rate missed in a run that was stopped at once',
    criteria: [rate200],
    each: {},
    but: { second: 0, ok: [{ count: 50, ms: 40 }] },
    seconds: 1,
    story: { state: 'stopped', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'request outcomes that do not add up',
    criteria: [p95],
    each: fast,
    story: { balances: false },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'fewer requests than planned were offered',
    criteria: [p95],
    each: fast,
    plan: { load: stages({ connections: 10, requests: 5_000 }) },
    outcome: 'inconclusive',
    because: 'notOffered',
  },
  {
    told: 'fewer requests than planned were offered, and those failed',
    criteria: [errors],
    each: { ...fast, failed: { httpError: 60 } },
    plan: { load: stages({ connections: 10, requests: 5_000 }) },
    outcome: 'failed',
  },

  ...OPEN,
  ...USERS,

  { told: 'no criteria', criteria: [], each: mixed(1, 299), outcome: 'measured' },
  { told: 'no criteria and nothing succeeded', criteria: [], each: { failed: { refused: 300 } }, outcome: 'failed' },
  {
    told: 'no criteria and one request succeeded',
    criteria: [],
    each: { failed: { refused: 300 } },
    but: { second: 0, ok: [{ count: 1, ms: 9 }] },
    outcome: 'measured',
  },
  {
    told: 'no criteria, and an overloaded generator may have caused all failures',
    criteria: [],
    each: { failed: { timeout: 300 }, overloadedBy },
    outcome: 'inconclusive',
  },
  {
    told: 'no criteria, and most arrivals could not start',
    criteria: [],
    each: { notStarted: { target: 300 } },
    but: { second: 0, failed: { timeout: 300 } },
    ...open,
    outcome: 'failed',
  },
  { told: 'one passed, one is unknown', criteria: [errors, p95], each: mixed(285, 15), outcome: 'inconclusive', because: 'tooClose' },
  {
    told: 'one is unknown, one failed',
    criteria: [p95, rate200],
    each: {
      ok: [
        { count: 142, ms: 40 },
        { count: 8, ms: 1_500 },
      ],
    },
    outcome: 'failed',
  },
  { told: 'all criteria passed', criteria: [p95, errors, rate200, apdex], each: fast, outcome: 'passed' },
];

function run({ criteria, each, but, seconds = 10, story = {}, plan = {} }: Row): ReturnType<typeof judged> {
  const windows = repeatedWindows(seconds, each).map((window) => (window.second === but?.second ? windowWith(but) : window));
  return judged({
    plan: planWith({ load: stages({ connections: 10, seconds }), ...plan, criteria: [...criteria] }),
    windows,
    ...story,
  });
}

describe('verdict truth table', () => {
  it.each(TABLE.map((row) => [row.told, row] as const))('%s', (_, row) => {
    const { criteria, verdict } = run(row);
    expect(verdict.outcome).toBe(row.outcome);
    const unknown = criteria.find(({ outcome }) => outcome === 'unknown');
    expect(unknown?.unknownBecause ?? null).toBe(row.because ?? (unknown ? unknown.unknownBecause : null));
    if (row.because !== undefined) expect(unknown?.unknownBecause).toBe(row.because);
  });

  it('is monotonic: more slow responses never improve the verdict', () => {
    const rank = { failed: 0, inconclusive: 1, passed: 2, measured: 3 } as const;
    let last: number = rank.passed;
    for (let slow = 0; slow <= 60; slow += 1) {
      const { verdict } = run({ told: '', criteria: [p95], each: mixed(300 - slow, slow), outcome: 'passed' });
      expect(rank[verdict.outcome]).toBeLessThanOrEqual(last);
      last = rank[verdict.outcome];
    }
    expect(last).toBe(rank.failed);
  });

  it('is inconclusive if no counted stage has the criterion', () => {
    const plan = planWith({ load: stages({ connections: 1, seconds: 10, counted: false }), criteria: [p95] });
    expect(judged({ plan, windows: repeatedWindows(10, fast) }).verdict.outcome).toBe('inconclusive');
  });
});
