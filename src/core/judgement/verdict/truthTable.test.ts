import { describe, expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith } from '#core/testing/windows.ts';
import { apdex, errors, fast, mixed, OPEN, open, overloadedBy, p95, rate200, type Row, USERS } from './testing/truths.ts';
import { judged } from './testing/judged.ts';

const TABLE: readonly Row[] = [
  { what: 'every response is fast', criteria: [p95], each: fast, outcome: 'passed' },
  { what: 'a few are slow, well within the allowance', criteria: [p95], each: mixed(297, 3), outcome: 'passed' },
  { what: 'more are slow than allowed', criteria: [p95], each: mixed(270, 30), outcome: 'failed' },
  { what: 'just the allowed share is slow', criteria: [p95], each: mixed(285, 15), outcome: 'inconclusive', because: 'tooClose' },
  {
    what: 'all of 58 are fast',
    criteria: [p95],
    each: {},
    but: { second: 0, ok: [{ count: 58, ms: 40 }] },
    outcome: 'inconclusive',
    because: 'tooFew',
  },
  { what: 'all of 59 are fast', criteria: [p95], each: {}, but: { second: 0, ok: [{ count: 59, ms: 40 }] }, outcome: 'passed' },
  { what: 'few requests and yet most are slow', criteria: [p95], each: {}, but: { second: 0, ...mixed(2, 18) }, outcome: 'failed' },
  { what: 'nothing was counted', criteria: [p95], each: {}, outcome: 'inconclusive', because: 'notMeasured' },

  {
    what: 'requests fail by status though responses are fast',
    criteria: [p95],
    each: { ...fast, failed: { httpError: 60 } },
    outcome: 'failed',
  },
  { what: 'requests are refused', criteria: [errors], each: { ...fast, failed: { refused: 30 } }, outcome: 'failed' },
  { what: 'bodies are wrong', criteria: [errors], each: { ...fast, failed: { wrongBody: 30 } }, outcome: 'failed' },
  { what: 'requests time out', criteria: [errors], each: { ...fast, failed: { timeout: 30 } }, outcome: 'failed' },
  { what: 'no request ever fails', criteria: [errors], each: fast, outcome: 'passed' },
  { what: 'no failure at all is allowed, and none is there', criteria: [{ kind: 'errors', maxShare: 0 }], each: fast, outcome: 'passed' },
  {
    what: 'no failure at all is allowed, and one is there',
    criteria: [{ kind: 'errors', maxShare: 0 }],
    each: { ...fast, failed: { timeout: 1 } },
    outcome: 'failed',
  },
  {
    what: 'no failure at all is allowed, and all failures are in an overloaded second',
    criteria: [{ kind: 'errors', maxShare: 0 }],
    each: { ...fast, failed: { timeout: 1 }, overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  { what: 'responses are outstanding when the drain ends', criteria: [errors], each: { ...fast, withoutResponse: 30 }, outcome: 'failed' },
  {
    what: 'outstanding responses count against response times',
    criteria: [p95],
    each: { ...fast, withoutResponse: 60 },
    outcome: 'failed',
  },

  { what: 'an overloaded second with responses within the limit', criteria: [p95], each: { ...fast, overloadedBy }, outcome: 'passed' },
  {
    what: 'slow responses, all in overloaded seconds',
    criteria: [p95],
    each: { ...mixed(200, 100), overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'slow responses in one overloaded second, too few to matter',
    criteria: [p95],
    each: fast,
    but: { second: 4, ...mixed(295, 5), overloadedBy },
    outcome: 'passed',
  },
  {
    what: 'slow responses in healthy seconds while one second is overloaded',
    criteria: [p95],
    each: mixed(200, 100),
    but: { second: 4, ...fast, overloadedBy },
    outcome: 'failed',
  },
  {
    what: 'failures by status in overloaded seconds',
    criteria: [errors],
    each: { ...fast, failed: { httpError: 60 }, overloadedBy },
    outcome: 'failed',
  },
  { what: 'refused, all overloaded', criteria: [errors], each: { ...fast, failed: { refused: 60 }, overloadedBy }, outcome: 'failed' },
  {
    what: 'time-outs in overloaded seconds',
    criteria: [errors],
    each: { ...fast, failed: { timeout: 60 }, overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'the generator runs out of ports',
    criteria: [errors],
    each: { ...fast, failed: { noPort: 60 }, overloadedBy: ['noPort'] },
    outcome: 'inconclusive',
    because: 'generator',
  },

  {
    what: 'slow responses in one clump',
    criteria: [p95],
    each: fast,
    but: { second: 4, ...mixed(180, 120) },
    outcome: 'inconclusive',
    because: 'tooClose',
  },
  { what: 'as many slow responses, spread evenly', criteria: [p95], each: mixed(288, 12), outcome: 'passed' },

  { what: 'the rate is reached', criteria: [rate200], each: fast, outcome: 'passed' },
  { what: 'the rate is missed', criteria: [rate200], each: { ok: [{ count: 150, ms: 40 }] }, outcome: 'failed' },
  { what: 'the rate is reached by an overloaded generator', criteria: [rate200], each: { ...fast, overloadedBy }, outcome: 'passed' },
  {
    what: 'the rate is missed by an overloaded generator',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40 }], overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'failures do not count as throughput',
    criteria: [rate200],
    each: { ok: [{ count: 150, ms: 40 }], failed: { httpError: 150 } },
    outcome: 'failed',
  },

  { what: 'Apdex well above', criteria: [apdex], each: fast, outcome: 'passed' },
  { what: 'Apdex well below', criteria: [apdex], each: mixed(150, 150), outcome: 'failed' },
  { what: 'Apdex counts failures as frustrated', criteria: [apdex], each: { ...fast, failed: { httpError: 150 } }, outcome: 'failed' },
  { what: 'Apdex just at its limit', criteria: [apdex], each: mixed(210, 90), outcome: 'inconclusive', because: 'tooClose' },
  {
    what: 'Apdex reduced by an overloaded generator',
    criteria: [apdex],
    each: { ...mixed(150, 150), overloadedBy },
    outcome: 'inconclusive',
    because: 'generator',
  },
  {
    what: 'Apdex from a few requests',
    criteria: [apdex],
    each: {},
    but: { second: 0, ok: [{ count: 5, ms: 40 }] },
    outcome: 'inconclusive',
    because: 'tooFew',
  },
  { what: 'Apdex without requests', criteria: [apdex], each: {}, outcome: 'inconclusive', because: 'notMeasured' },

  {
    what: 'stopped by a person while all criteria pass',
    criteria: [p95],
    each: fast,
    story: { state: 'stopped' },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    what: 'killed while all criteria pass',
    criteria: [p95],
    each: fast,
    story: { state: 'interrupted', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  { what: 'stopped after proven violation', criteria: [p95], each: mixed(200, 100), story: { state: 'stopped' }, outcome: 'failed' },
  {
    what: 'killed after proven violation',
    criteria: [p95],
    each: mixed(200, 100),
    story: { state: 'interrupted', end: null },
    outcome: 'failed',
  },
  {
    what: 'killed with requests in flight, which do not count',
    criteria: [errors],
    each: { ...fast, withoutResponse: 60 },
    story: { state: 'interrupted', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    what: 'a rate reached in a run that was stopped',
    criteria: [rate200],
    each: fast,
    story: { state: 'stopped' },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    what: 'a rate missed in a run that was stopped at once',
    criteria: [rate200],
    each: {},
    but: { second: 0, ok: [{ count: 50, ms: 40 }] },
    seconds: 1,
    story: { state: 'stopped', end: null },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    what: 'request outcomes that do not add up',
    criteria: [p95],
    each: fast,
    story: { balances: false },
    outcome: 'inconclusive',
    because: 'interrupted',
  },
  {
    what: 'fewer requests than planned were offered',
    criteria: [p95],
    each: fast,
    plan: { load: stages({ connections: 10, requests: 5_000 }) },
    outcome: 'inconclusive',
    because: 'notOffered',
  },
  {
    what: 'fewer requests than planned were offered, and those failed',
    criteria: [errors],
    each: { ...fast, failed: { httpError: 60 } },
    plan: { load: stages({ connections: 10, requests: 5_000 }) },
    outcome: 'failed',
  },

  ...OPEN,
  ...USERS,

  { what: 'no criteria', criteria: [], each: mixed(1, 299), outcome: 'measured' },
  { what: 'no criteria and nothing succeeded', criteria: [], each: { failed: { refused: 300 } }, outcome: 'failed' },
  {
    what: 'no criteria and one request succeeded',
    criteria: [],
    each: { failed: { refused: 300 } },
    but: { second: 0, ok: [{ count: 1, ms: 9 }] },
    outcome: 'measured',
  },
  {
    what: 'no criteria, and an overloaded generator may have caused all failures',
    criteria: [],
    each: { failed: { timeout: 300 }, overloadedBy },
    outcome: 'inconclusive',
  },
  {
    what: 'no criteria, and most arrivals could not start',
    criteria: [],
    each: { notStarted: { target: 300 } },
    but: { second: 0, failed: { timeout: 300 } },
    ...open,
    outcome: 'failed',
  },
  { what: 'one passed, one is unknown', criteria: [errors, p95], each: mixed(285, 15), outcome: 'inconclusive', because: 'tooClose' },
  {
    what: 'one is unknown, one failed',
    criteria: [p95, rate200],
    each: {
      ok: [
        { count: 142, ms: 40 },
        { count: 8, ms: 1_500 },
      ],
    },
    outcome: 'failed',
  },
  { what: 'all criteria passed', criteria: [p95, errors, rate200, apdex], each: fast, outcome: 'passed' },
];

function run({ criteria, each, but, seconds = 10, story = {}, plan = {} }: Row): ReturnType<typeof judged> {
  const windows = repeatedWindows(seconds, each).map((window) => (window.second === but?.second ? windowWith(but) : window));
  return judged({ plan: planWith({ load: stages({ connections: 10, seconds }), ...plan, criteria: [...criteria] }), windows, ...story });
}

describe('verdict truth table', () => {
  it.each(TABLE.map((row) => [row.what, row] as const))('%s', (_, row) => {
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
      const { verdict } = run({ what: '', criteria: [p95], each: mixed(300 - slow, slow), outcome: 'passed' });
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
