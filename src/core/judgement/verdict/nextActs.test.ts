import { describe, expect, it } from 'vitest';
import type { Criterion, PlanInput } from '#core/plan/schema/plan.ts';
import { arrivals, planWith, stages, users } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { judge } from './judge.ts';
import { generatorWith, makeInput, judged, ownCriteria, type RunStory } from './testing/judged.ts';
import type { Verdict } from '#core/result/verdict.ts';

const p95: Criterion = { kind: 'responseTime', percentile: 95, maxMs: 1_000 };
const load = stages({ connections: 60, seconds: 10 });
const responses = (fast: number, slow = 0): WindowFacts => ({
  ok: [
    { count: fast, ms: 40 },
    { count: slow, ms: 1_500 },
  ],
});

function acts(criteria: Criterion[], facts: WindowFacts, story: Partial<RunStory> = {}, seconds = 10): Verdict['next'] {
  const plan = planWith({ load, criteria });
  return judged({ plan, windows: repeatedWindows(seconds, facts), generators: [generatorWith()], ...story }).verdict.next;
}

describe('advised length of the next run', () => {
  /** Returns the label of the advised action after one second with the given numbers of fast and slow responses. */
  const label = (criterion: Criterion, fast: number, slow = 0): string | undefined =>
    acts([criterion], responses(fast, slow), {}, 1)[0]?.label;

  it('reaches the fewest requests that can decide: 59 for 5 %, 299 for 1 %', () => {
    expect([58, 30, 20, 10, 3].map((count) => label(p95, count))).toEqual([
      'Measure twice as long',
      'Measure twice as long',
      'Measure 3 times as long',
      'Measure 6 times as long',
      'Measure 20 times as long',
    ]);
    expect(label({ kind: 'errors', maxShare: 0.01 }, 100)).toBe('Measure 3 times as long');
  });

  it('reaches the exact bounds of the same share', () => {
    // 9 of 300 may be 5.18 %, and 12 of 400 only 4.82 %. 8 of 100 may be 4.04 %, and 16 of 200 are at least 5.08 %.
    expect(label(p95, 97, 3)).toBe('Measure 4 times as long');
    expect(label(p95, 92, 8)).toBe('Measure twice as long');
    expect(label(p95, 950, 50)).toBe('Measure 20 times as long');
  });

  it('follows the strictest of several criteria', () => {
    expect(acts([p95, { kind: 'errors', maxShare: 0.01 }], responses(50), {}, 1)[0]?.label).toBe('Measure 6 times as long');
  });

  it('considers only criteria with too few requests or too close a result', () => {
    const two = stages({ name: 'a', connections: 1, seconds: 1 }, { name: 'b', connections: 1, seconds: 1 });
    const windows = [
      windowWith(responses(30)),
      windowWith({ stage: 1, second: 1, ...responses(3), overloadedBy: ['steal'], failed: { timeout: 3 } }),
    ];
    const { criteria, verdict } = judged({ plan: planWith({ load: two, criteria: [p95] }), windows });
    expect(ownCriteria(criteria).map(({ unknownBecause }) => unknownBecause)).toEqual(['tooFew', 'generator']);
    expect(verdict.next[0]?.label).toBe('Measure twice as long');
  });

  it('is longer if violations come in bursts', () => {
    const spread = planWith({ load, criteria: [p95] });
    const clumped = Array.from({ length: 10 }, (_, second) =>
      windowWith({ second, ...responses(second === 3 ? 70 : 100, second === 3 ? 30 : 0) }),
    );
    const even = judged({ plan: spread, windows: repeatedWindows(10, responses(96, 4)) }).verdict.next[0]?.label;
    const [act] = judged({ plan: spread, windows: clumped }).verdict.next;
    expect(even).toBe('Measure twice as long');
    expect(Number(/\d+/.exec(act?.label ?? '')?.[0])).toBeGreaterThan(4);
  });

  it('says whether the advised length suffices', () => {
    const explanation = (count: number, maxShare: number): string | undefined =>
      acts([{ kind: 'errors', maxShare }], responses(count), {}, 1)[0]?.explanation;
    expect(explanation(150, 0.01)).toBe('That is about the number of requests needed to decide.');
    expect(explanation(15, 0.01)).toContain('It may still be too close to call');
    expect(explanation(14, 0.01)).toContain('at least 22 times as many requests');
  });

  it('is doubled for an undecided Apdex or throughput', () => {
    expect(label({ kind: 'apdex', thresholdMs: 500, min: 0.85 }, 210, 90)).toBe('Measure twice as long');
  });
});

describe('next actions', () => {
  const kinds = (...args: Parameters<typeof acts>): string[] => acts(...args).map(({ kind }) => kind);

  it.each(['preparing', 'running', 'draining'] as const)('are empty while a run is %s', (state) => {
    expect(kinds([p95], responses(100), { state, end: null })).toEqual([]);
  });

  it('repeat a run that was cut short', () => {
    expect(acts([p95], responses(100), { state: 'stopped' })[0]).toMatchObject({ kind: 'runAgain', plan: { load } });
  });

  it('double the load of a run that passed, unless 10 % of its seconds were overloaded', () => {
    const overloaded = (count: number) => {
      const windows = [
        ...repeatedWindows(count, { ...responses(100), overloadedBy: ['steal'] }),
        ...repeatedWindows(20 - count, { second: count, ...responses(100) }),
      ];
      return judged({ plan: planWith({ load: stages({ connections: 60, seconds: 20 }), criteria: [p95] }), windows }).verdict.next[0];
    };
    expect(overloaded(1)).toMatchObject({ kind: 'goUp', plan: { load: { stages: [{ connections: 120 }] } } });
    expect(overloaded(1)?.explanation).toBe('The same test with twice the connections (120) shows whether there is headroom.');
    expect(overloaded(2)).toMatchObject({ kind: 'otherMachine', plan: null });
  });

  it('halve the load of a run that failed, if possible', () => {
    expect(kinds([p95], responses(50, 50))).toEqual(['goDown', 'runAgain']);
    const one = planWith({ load: stages({ connections: 1, seconds: 10 }), criteria: [p95] });
    expect(judged({ plan: one, windows: repeatedWindows(10, responses(50, 50)) }).verdict.next.map(({ kind }) => kind)).toEqual([
      'runAgain',
    ]);
  });

  it('try one request if pages are unavailable or nothing succeeded', () => {
    expect(kinds([p95], { failed: { httpError: 20 }, statuses: { 404: 20 } })).toEqual(['tryOnce', 'runAgain']);
    expect(kinds([p95], {})).toEqual(['probe']);
  });

  it('try one request if nothing was judged, or use another computer if a single one was overloaded', () => {
    const uncounted = planWith({ load: stages({ connections: 9, seconds: 10, counted: false }), criteria: [p95] });
    expect(judged({ plan: uncounted, windows: repeatedWindows(10, responses(100)) }).verdict.next.map(({ kind }) => kind)).toEqual([
      'probe',
    ]);
    const [other] = acts([p95], { ...responses(50, 50), overloadedBy: ['steal'] });
    expect(other).toMatchObject({ kind: 'otherMachine', label: 'Run it from another computer' });
  });

  it('list an action with two causes once', () => {
    const plan = planWith({
      load: arrivals([100, 100].map((perSecond, index) => ({ kind: 'constant', name: `s${index}`, perSecond, seconds: 10 }))),
      criteria: [p95],
    });
    const late = { ok: [{ count: 100, ms: 40, lateMs: 2_000 }] };
    const windows = [...repeatedWindows(10, responses(99)), ...repeatedWindows(10, { ...late, stage: 1, second: 10 })];
    const { criteria, verdict } = judged({ plan, windows, generators: [generatorWith()] });
    expect(ownCriteria(criteria).map(({ unknownBecause }) => unknownBecause)).toEqual(['notOffered', 'generator']);
    expect(verdict.next.map(({ kind }) => kind)).toEqual(['otherMachine', 'lowerLoad']);
  });

  it('reduce the load or add a generator if less than planned was offered', () => {
    const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 100, seconds: 10 }]), criteria: [p95] });
    const next = judged({
      plan,
      windows: repeatedWindows(10, responses(99)),
      generators: [generatorWith(), generatorWith({ name: 'web1' })],
    }).verdict.next;
    expect(next.map(({ kind, label }) => [kind, label])).toEqual([
      ['otherMachine', 'Run it from other computers'],
      ['lowerLoad', 'Run it at 50 arrivals a second'],
    ]);
    expect(next[1]?.explanation).toMatch(/^This computer and web1 can measure/);
  });
});

describe('action moreThreads', () => {
  const threads = (generators: RunStory['generators'], overloaded: WindowFacts['overloadedBy'] = ['threadCpu']) =>
    acts([p95], { ...responses(50, 50), overloadedBy: overloaded ?? [] }, { generators: generators ?? [] }).find(
      ({ kind }) => kind === 'moreThreads',
    );

  it('advises the number of cores of the weakest generator if one thread was busy and cores were idle everywhere', () => {
    const four = generatorWith({ cores: 4, threads: 1 });
    expect(threads([four])).toMatchObject({ label: 'Use 4 threads', plan: { threads: 4 } });
    expect(threads([four, generatorWith({ name: 'b', cores: 3, threads: 1 })])).toMatchObject({ label: 'Use 3 threads' });
    expect(threads([generatorWith({ cores: 2, threads: 2 })])).toBeUndefined();
    expect(threads([four, generatorWith({ name: 'b', cores: 4, threads: 4 })])).toBeUndefined();
    expect(threads([four], ['steal'])).toBeUndefined();
    expect(threads([])).toBeUndefined();
  });
});

describe('a browser that used processors of the load generator', () => {
  it('can be removed from the plan', () => {
    const own = acts([p95], { ...responses(50, 50), overloadedBy: ['browser'] });
    expect(own.map(({ kind }) => kind)).toEqual(['withoutVisits', 'otherMachine', 'lowerLoad']);
  });
});

describe('action raiseCap', () => {
  const open = (perSecond: number, maxInFlight: number, more: Partial<PlanInput> = {}) =>
    planWith({ load: arrivals([{ kind: 'constant', perSecond, seconds: 10 }], { maxInFlight }), criteria: [p95], ...more });
  const raised = (plan: ReturnType<typeof open>, facts: WindowFacts) =>
    judged({ plan, windows: repeatedWindows(10, facts) }).verdict.next.find(({ kind }) => kind === 'raiseCap');
  const full: WindowFacts = { ok: [{ count: 25, ms: 400, lateMs: 0 }], notStarted: { target: 25 } };

  it('doubles the number in flight needed by responses within their limits', () => {
    expect(raised(open(50, 49), full)).toMatchObject({ label: 'Allow 100 in flight', plan: { load: { maxInFlight: 100 } } });
    expect(raised(open(50, 50), full)).toBeUndefined();
  });

  it('uses the stage that needs the most', () => {
    const two = arrivals(
      [20, 50].map((perSecond) => ({ kind: 'constant' as const, perSecond, seconds: 10 })),
      { maxInFlight: 10 },
    );
    const windows = [0, 1].flatMap((stage) => repeatedWindows(10, { ...full, stage, second: 10 * stage }));
    const { next } = judged({ plan: planWith({ load: two, criteria: [p95] }), windows }).verdict;
    expect(next[0]).toMatchObject({ kind: 'raiseCap', plan: { load: { maxInFlight: 100 } } });
  });

  it('is absent if no arrival was left out, and in closed models', () => {
    expect(raised(open(50, 10), { ok: [{ count: 50, ms: 4_000, lateMs: 0 }] })).toBeUndefined();
    const crowd = planWith({ load: users([{ users: 5, seconds: 10 }]), criteria: [p95] });
    expect(raised(crowd, full)).toBeUndefined();
  });
});

describe('action suggestLessLoad', () => {
  const levels = [5, 8, 16];
  /** Returns the advice for a run with one stage for each number of users. From `failsFrom` users on, half of the responses are slow. */
  function lower(failsFrom: number, story: Partial<RunStory> & { readonly notOfLoad?: { readonly remedy: string } } = {}) {
    const { notOfLoad, ...rest } = story;
    const plan = planWith({ load: stages(...levels.map((connections) => ({ connections, seconds: 10 }))), criteria: [p95] });
    const windows = levels.flatMap((level, stage) =>
      Array.from({ length: 10 }, (_, second) =>
        windowWith({ stage, second: 10 * stage + second, ...(level >= failsFrom ? responses(50, 50) : responses(100)) }),
      ),
    );
    return judge({ ...makeInput({ plan, windows, generators: [generatorWith()], ...rest }), ...(notOfLoad && { notOfLoad }) }).verdict.next;
  }

  it('advises less than the lowest failed level', () => {
    const [down] = lower(5);
    expect(down).toMatchObject({ kind: 'goDown', label: 'Run it at half the load that failed: 3 connections' });
  });

  it('advises a level between the highest passed and the lowest failed one', () => {
    const [down] = lower(16);
    expect(down).toMatchObject({
      kind: 'goDown',
      label: 'Run it between the load that passed and the one that failed: 12 connections',
      explanation: 'It passed at 8 connections and failed at 16 connections.',
    });
  });

  it('is absent if load is not the cause, and so is the action to raise the load', () => {
    const notOfLoad = { remedy: 'Check the accounts.' };
    expect(lower(5, { notOfLoad }).map(({ kind, label, explanation }) => [kind, label, explanation])).toEqual([
      ['runAgain', 'Correct the cause, then run it again', 'Load is not the cause. Check the accounts.'],
    ]);
    expect(lower(99, { notOfLoad }).map(({ kind }) => kind)).toEqual(['runAgain']);
  });
});

describe('a run stopped in its warm-up', () => {
  const load = stages({ name: 'warm-up', connections: 1, seconds: 10, counted: false }, { name: 'main', connections: 1, seconds: 10 });
  const stopped = (windows: readonly ReturnType<typeof windowWith>[], endedBecause: RunStory['endedBecause'] = null) =>
    judged({ plan: planWith({ load, criteria: [p95] }), windows, state: 'stopped', endedBecause }).verdict;

  it('is reported with the advice to run it again to its end', () => {
    const { sentence, next } = stopped([windowWith({ ok: [{ count: 100, ms: 40 }] })]);
    expect(sentence).toBe('Inconclusive: stopped during the warm-up, so nothing counts. Run it again to the end.');
    expect(next.map(({ kind }) => kind)).toEqual(['runAgain']);
  });

  it('is failed if a safety limit stopped it and a step never succeeded', () => {
    const safety = { code: 'safety', text: '90 % of requests failed.' } as const;
    const { outcome, sentence } = stopped([windowWith({ failed: { httpError: 40 } })], safety);
    expect([outcome, sentence]).toEqual(['failed', expect.stringContaining('none of 40 requests of “page” succeeded')]);
    expect(stopped([windowWith({ failed: { httpError: 40 } })], { code: 'user', text: 'You stopped it.' }).outcome).toBe('inconclusive');
    expect(stopped([windowWith({ failed: { httpError: 40 }, ok: [{ count: 1, ms: 40 }] })], safety).outcome).toBe('inconclusive');
    expect(stopped([windowWith({ failed: { timeout: 40 }, overloadedBy: ['threadCpu'] })], safety).outcome).toBe('inconclusive');
  });

  it('does not include a run with counted requests or without any request', () => {
    expect(stopped([windowWith({ stage: 1, second: 10, ok: [{ count: 100, ms: 40 }] })]).sentence).not.toContain('warm-up');
    expect(stopped([]).sentence).not.toContain('warm-up');
  });
});
