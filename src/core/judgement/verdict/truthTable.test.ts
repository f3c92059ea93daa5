import { describe, expect, it } from 'vitest';
import type { Objective, PlanInput } from '#core/plan/schema/plan.ts';
import type { ObjectiveResult, Verdict } from '#core/result/schema.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { judged, type RunStory } from './testing/judged.ts';

/** Every line of the verdict section of docs/method.md, as runs of 10 s described second by second. */
interface Row {
  readonly told: string;
  readonly objectives: readonly Objective[];
  /** Facts of every second. */
  readonly each: WindowFacts;
  /** Facts of a single second instead. */
  readonly but?: WindowFacts & { readonly second: number };
  readonly seconds?: number;
  readonly story?: Partial<RunStory>;
  readonly plan?: Partial<PlanInput>;
  readonly outcome: Verdict['outcome'];
  readonly because?: ObjectiveResult['unknownBecause'];
}

const p95: Objective = { kind: 'responseTime', percentile: 95, limitMs: 1_000 };
const errors: Objective = { kind: 'errors', maxShare: 0.01 };
const rate200: Objective = { kind: 'throughput', minPerSecond: 200 };
const apdex: Objective = { kind: 'apdex', thresholdMs: 500, min: 0.85 };
const fast = { ok: [{ count: 300, ms: 40 }] };
const mixed = (good: number, slow: number): WindowFacts => ({
  ok: [
    { count: good, ms: 40 },
    { count: slow, ms: 1_500 },
  ],
});
const sick = ['threadCpu'] as const;

const open = { plan: { load: arrivals([{ kind: 'constant', perSecond: 300, seconds: 10 }]) } };
const late = { ok: [{ count: 300, ms: 40, lateMs: 1_200 }], sick: ['scheduleLag'] } as const;
const fastInTime = { ok: [{ count: 300, ms: 40, lateMs: 0 }] };

/** Open model: arrivals start or are left out by the target or the generator. */
const OPEN: readonly Row[] = [
  { told: 'all arrivals started and got responses', objectives: [p95, errors], each: fastInTime, ...open, outcome: 'holds' },
  {
    told: 'a full cap keeps arrivals from starting and fails p95',
    objectives: [p95],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 } },
    ...open,
    outcome: 'breaks',
  },
  {
    told: 'a full cap fails an error criterion',
    objectives: [errors],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 } },
    ...open,
    outcome: 'breaks',
  },
  {
    told: 'a full cap without any response',
    objectives: [errors],
    each: { notStarted: { target: 300 } },
    but: { second: 0, unanswered: 300 },
    ...open,
    outcome: 'breaks',
  },
  {
    told: 'a few arrivals that could not start are within the allowance',
    objectives: [p95],
    each: { ok: [{ count: 297, ms: 40, lateMs: 0 }], notStarted: { target: 3 } },
    ...open,
    outcome: 'holds',
  },
  {
    told: 'a full cap while the generator is overloaded',
    objectives: [p95],
    each: { ok: [{ count: 270, ms: 40, lateMs: 0 }], notStarted: { target: 30 }, sick },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'the generator could not start a few arrivals: nothing passes at a load that was not offered',
    objectives: [p95],
    each: { ok: [{ count: 299, ms: 40, lateMs: 0 }], notStarted: { generator: 1 } },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'the generator could not start many arrivals',
    objectives: [p95],
    each: { ok: [{ count: 200, ms: 40, lateMs: 0 }], notStarted: { generator: 100 }, sick },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'the generator could not start many arrivals, and the others failed by status',
    objectives: [errors],
    each: { ok: [{ count: 100, ms: 40, lateMs: 0 }], failed: { httpError: 100 }, notStarted: { generator: 100 } },
    ...open,
    outcome: 'breaks',
  },
  {
    told: 'fewer arrivals than planned for an unknown reason',
    objectives: [p95],
    each: { ok: [{ count: 299, ms: 40, lateMs: 0 }] },
    ...open,
    outcome: 'inconclusive',
    because: 'notOffered',
  },
  { told: 'an overloaded schedule is late', objectives: [p95], each: late, ...open, outcome: 'inconclusive', because: 'generator' },
  {
    told: 'a late schedule in a second not marked as overloaded is not the target’s fault',
    objectives: [p95],
    each: { ok: late.ok },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'a late schedule with responses within the limit',
    objectives: [p95],
    each: { ok: [{ count: 300, ms: 40, lateMs: 500 }], sick: ['scheduleLag'] },
    ...open,
    outcome: 'holds',
  },
  {
    told: 'one late second, and slow service times in the others',
    objectives: [p95],
    each: {
      ok: [
        { count: 200, ms: 40, lateMs: 0 },
        { count: 100, ms: 1_500, lateMs: 0 },
      ],
    },
    but: { second: 4, ...late },
    ...open,
    outcome: 'breaks',
  },
  {
    told: 'slow service times of requests sent a little late',
    objectives: [p95],
    each: {
      ok: [
        { count: 200, ms: 40, lateMs: 1 },
        { count: 100, ms: 1_500, lateMs: 1 },
      ],
    },
    ...open,
    outcome: 'breaks',
  },
  { told: 'Apdex of a late schedule', objectives: [apdex], each: late, ...open, outcome: 'inconclusive', because: 'generator' },
  {
    told: 'Apdex counts arrivals that could not start as frustrated',
    objectives: [apdex],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { target: 150 } },
    ...open,
    outcome: 'breaks',
  },
  { told: 'the rate of an open model is reached', objectives: [rate200], each: fastInTime, ...open, outcome: 'holds' },
  {
    told: 'the rate of an open model is missed because of outstanding responses',
    objectives: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { target: 150 } },
    ...open,
    outcome: 'breaks',
  },
  {
    told: 'the rate of an open model is missed because the generator could not start arrivals',
    objectives: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], notStarted: { generator: 150 } },
    ...open,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'arrivals stopped while all criteria pass',
    objectives: [p95],
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
  { told: 'users get responses in time', objectives: [p95], each: fastInTime, ...crowd, outcome: 'holds' },
  { told: 'users of an overloaded generator in time', objectives: [p95], each: { ...fastInTime, sick }, ...crowd, outcome: 'holds' },
  {
    told: 'users wait too long',
    objectives: [p95],
    each: {
      ok: [
        { count: 200, ms: 40, lateMs: 0 },
        { count: 100, ms: 1_500, lateMs: 0 },
      ],
    },
    ...crowd,
    outcome: 'breaks',
  },
  {
    told: 'users of an overloaded generator wait too long',
    objectives: [p95],
    each: {
      ok: [
        { count: 200, ms: 40, lateMs: 0 },
        { count: 100, ms: 1_500, lateMs: 0 },
      ],
      sick,
    },
    ...crowd,
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'users miss a rate because the generator is overloaded',
    objectives: [rate200],
    each: { ok: [{ count: 150, ms: 40, lateMs: 0 }], sick },
    ...crowd,
    outcome: 'inconclusive',
    because: 'generator',
  },
];

const TABLE: readonly Row[] = [
  { told: 'every response is fast', objectives: [p95], each: fast, outcome: 'holds' },
  { told: 'a few are slow, well within the allowance', objectives: [p95], each: mixed(297, 3), outcome: 'holds' },
  { told: 'more are slow than allowed', objectives: [p95], each: mixed(270, 30), outcome: 'breaks' },
  { told: 'just the allowed share is slow', objectives: [p95], each: mixed(285, 15), outcome: 'inconclusive', because: 'tooClose' },
  {
    told: 'all of 58 are fast',
    objectives: [p95],
    each: {},
    but: { second: 0, ok: [{ count: 58, ms: 40 }] },
    outcome: 'inconclusive',
    because: 'tooFew',
  },
  { told: 'all of 59 are fast', objectives: [p95], each: {}, but: { second: 0, ok: [{ count: 59, ms: 40 }] }, outcome: 'holds' },
  { told: 'few requests and yet most are slow', objectives: [p95], each: {}, but: { second: 0, ...mixed(2, 18) }, outcome: 'breaks' },
  { told: 'nothing was counted', objectives: [p95], each: {}, outcome: 'inconclusive', because: 'notMeasured' },

  {
    told: 'requests fail by status though responses are fast',
    objectives: [p95],
    each: { ...fast, failed: { httpError: 60 } },
    outcome: 'breaks',
  },
  { told: 'requests are refused', objectives: [errors], each: { ...fast, failed: { refused: 30 } }, outcome: 'breaks' },
  { told: 'bodies are wrong', objectives: [errors], each: { ...fast, failed: { wrongBody: 30 } }, outcome: 'breaks' },
  { told: 'requests time out', objectives: [errors], each: { ...fast, failed: { timeout: 30 } }, outcome: 'breaks' },
  { told: 'no request ever fails', objectives: [errors], each: fast, outcome: 'holds' },
  {
    told: 'no failure at all is allowed, and none is there',
    objectives: [{ kind: 'errors', maxShare: 0 }],
    each: fast,
    outcome: 'holds',
  },
  {
    told: 'no failure at all is allowed, and one is there',
    objectives: [{ kind: 'errors', maxShare: 0 }],
    each: { ...fast, failed: { timeout: 1 } },
    outcome: 'breaks',
  },
  {
    told: 'no failure at all is allowed, and all failures are in a sick second',
    objectives: [{ kind: 'errors', maxShare: 0 }],
    each: { ...fast, failed: { timeout: 1 }, sick },
    outcome: 'inconclusive',
    because: 'generator',
  },
  { told: 'responses are outstanding when the drain ends', objectives: [errors], each: { ...fast, unanswered: 30 }, outcome: 'breaks' },
  { told: 'outstanding responses count against response times', objectives: [p95], each: { ...fast, unanswered: 60 }, outcome: 'breaks' },

  { told: 'an overloaded second with responses within the limit', objectives: [p95], each: { ...fast, sick }, outcome: 'holds' },
  {
    told: 'slow responses, all in overloaded seconds',
    objectives: [p95],
    each: { ...mixed(200, 100), sick },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'slow responses in one overloaded second, too few to matter',
    objectives: [p95],
    each: fast,
    but: { second: 4, ...mixed(295, 5), sick },
    outcome: 'holds',
  },
  {
    told: 'slow responses in healthy seconds while one second is overloaded',
    objectives: [p95],
    each: mixed(200, 100),
    but: { second: 4, ...fast, sick },
    outcome: 'breaks',
  },
  {
    told: 'failures by status in overloaded seconds',
    objectives: [errors],
    each: { ...fast, failed: { httpError: 60 }, sick },
    outcome: 'breaks',
  },
  { told: 'refused, all overloaded', objectives: [errors], each: { ...fast, failed: { refused: 60 }, sick }, outcome: 'breaks' },
  {
    told: 'time-outs in overloaded seconds',
    objectives: [errors],
    each: { ...fast, failed: { timeout: 60 }, sick },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'the generator runs out of ports',
    objectives: [errors],
    each: { ...fast, failed: { noPort: 60 }, sick: ['noPort'] },
    outcome: 'inconclusive',
    because: 'generator',
  },

  {
    told: 'slow responses in one clump',
    objectives: [p95],
    each: fast,
    but: { second: 4, ...mixed(180, 120) },
    outcome: 'inconclusive',
    because: 'tooClose',
  },
  { told: 'as many slow responses, spread evenly', objectives: [p95], each: mixed(288, 12), outcome: 'holds' },

  { told: 'the rate is reached', objectives: [rate200], each: fast, outcome: 'holds' },
  { told: 'the rate is missed', objectives: [rate200], each: { ok: [{ count: 150, ms: 40 }] }, outcome: 'breaks' },
  { told: 'the rate is reached by an overloaded generator', objectives: [rate200], each: { ...fast, sick }, outcome: 'holds' },
  {
    told: 'the rate is missed by an overloaded generator',
    objectives: [rate200],
    each: { ok: [{ count: 150, ms: 40 }], sick },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'failures do not count as throughput',
    objectives: [rate200],
    each: { ok: [{ count: 150, ms: 40 }], failed: { httpError: 150 } },
    outcome: 'breaks',
  },

  { told: 'Apdex well above', objectives: [apdex], each: fast, outcome: 'holds' },
  { told: 'Apdex well below', objectives: [apdex], each: mixed(150, 150), outcome: 'breaks' },
  { told: 'Apdex counts failures as frustrated', objectives: [apdex], each: { ...fast, failed: { httpError: 150 } }, outcome: 'breaks' },
  { told: 'Apdex just at its limit', objectives: [apdex], each: mixed(210, 90), outcome: 'inconclusive', because: 'tooClose' },
  {
    told: 'Apdex reduced by an overloaded generator',
    objectives: [apdex],
    each: { ...mixed(150, 150), sick },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    told: 'Apdex from a few requests',
    objectives: [apdex],
    each: {},
    but: { second: 0, ok: [{ count: 5, ms: 40 }] },
    outcome: 'inconclusive',
    because: 'tooFew',
  },
  { told: 'Apdex without requests', objectives: [apdex], each: {}, outcome: 'inconclusive', because: 'notMeasured' },

  {
    told: 'stopped by a person while all criteria pass',
    objectives: [p95],
    each: fast,
    story: { state: 'stopped' },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'killed while all criteria pass',
    objectives: [p95],
    each: fast,
    story: { state: 'interrupted', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  { told: 'stopped after proven violation', objectives: [p95], each: mixed(200, 100), story: { state: 'stopped' }, outcome: 'breaks' },
  {
    told: 'killed after proven violation',
    objectives: [p95],
    each: mixed(200, 100),
    story: { state: 'interrupted', end: null },
    outcome: 'breaks',
  },
  {
    told: 'killed with requests in flight, which do not count',
    objectives: [errors],
    each: { ...fast, unanswered: 60 },
    story: { state: 'interrupted', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'a rate reached in a run that was stopped',
    objectives: [rate200],
    each: fast,
    story: { state: 'stopped' },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'a rate missed in a run that was stopped at once',
    objectives: [rate200],
    each: {},
    but: { second: 0, ok: [{ count: 50, ms: 40 }] },
    seconds: 1,
    story: { state: 'stopped', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'request outcomes that do not add up',
    objectives: [p95],
    each: fast,
    story: { balances: false },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    told: 'fewer requests than planned were offered',
    objectives: [p95],
    each: fast,
    plan: { load: stages({ connections: 10, requests: 5_000 }) },
    outcome: 'inconclusive',
    because: 'notOffered',
  },
  {
    told: 'fewer requests than planned were offered, and those failed',
    objectives: [errors],
    each: { ...fast, failed: { httpError: 60 } },
    plan: { load: stages({ connections: 10, requests: 5_000 }) },
    outcome: 'breaks',
  },

  ...OPEN,
  ...USERS,

  { told: 'no criteria', objectives: [], each: mixed(1, 299), outcome: 'measured' },
  { told: 'no criteria and nothing succeeded', objectives: [], each: { failed: { refused: 300 } }, outcome: 'breaks' },
  {
    told: 'no criteria and one request succeeded',
    objectives: [],
    each: { failed: { refused: 300 } },
    but: { second: 0, ok: [{ count: 1, ms: 9 }] },
    outcome: 'measured',
  },
  {
    told: 'no criteria, and an overloaded generator may have caused all failures',
    objectives: [],
    each: { failed: { timeout: 300 }, sick },
    outcome: 'inconclusive',
  },
  {
    told: 'no criteria, and most arrivals could not start',
    objectives: [],
    each: { notStarted: { target: 300 } },
    but: { second: 0, failed: { timeout: 300 } },
    ...open,
    outcome: 'breaks',
  },
  { told: 'one passed, one is unknown', objectives: [errors, p95], each: mixed(285, 15), outcome: 'inconclusive', because: 'tooClose' },
  {
    told: 'one is unknown, one failed',
    objectives: [p95, rate200],
    each: {
      ok: [
        { count: 142, ms: 40 },
        { count: 8, ms: 1_500 },
      ],
    },
    outcome: 'breaks',
  },
  { told: 'all criteria passed', objectives: [p95, errors, rate200, apdex], each: fast, outcome: 'holds' },
];

function run({ objectives, each, but, seconds = 10, story = {}, plan = {} }: Row): ReturnType<typeof judged> {
  const windows = repeatedWindows(seconds, each).map((window) => (window.second === but?.second ? windowWith(but) : window));
  return judged({
    plan: planWith({ load: stages({ connections: 10, seconds }), ...plan, objectives: [...objectives] }),
    windows,
    ...story,
  });
}

describe('verdict truth table', () => {
  it.each(TABLE.map((row) => [row.told, row] as const))('%s', (_, row) => {
    const { objectives, verdict } = run(row);
    expect(verdict.outcome).toBe(row.outcome);
    const unknown = objectives.find(({ outcome }) => outcome === 'unknown');
    expect(unknown?.unknownBecause ?? null).toBe(row.because ?? (unknown ? unknown.unknownBecause : null));
    if (row.because !== undefined) expect(unknown?.unknownBecause).toBe(row.because);
  });

  it('is monotonic: more slow responses never improve the verdict', () => {
    const rank = { breaks: 0, inconclusive: 1, holds: 2, measured: 3 } as const;
    let last: number = rank.holds;
    for (let slow = 0; slow <= 60; slow += 1) {
      const { verdict } = run({ told: '', objectives: [p95], each: mixed(300 - slow, slow), outcome: 'holds' });
      expect(rank[verdict.outcome]).toBeLessThanOrEqual(last);
      last = rank[verdict.outcome];
    }
    expect(last).toBe(rank.breaks);
  });

  it('is inconclusive if no counted stage has the criterion', () => {
    const plan = planWith({ load: stages({ connections: 1, seconds: 10, counted: false }), objectives: [p95] });
    expect(judged({ plan, windows: repeatedWindows(10, fast) }).verdict.outcome).toBe('inconclusive');
  });
});
