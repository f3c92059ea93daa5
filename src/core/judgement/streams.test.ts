import { describe, expect, it } from 'vitest';
import type { Window } from '#core/measurement/window.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { streamWindow } from '#core/testing/streamWindows.ts';
import { buildResult } from './buildResult.ts';

const STAMPED = { sentAt: { from: 'data', path: '$.at' }, number: { from: 'id' } } as const;

function streamPlan(changes: Partial<PlanInput> = {}) {
  return planSchema.parse({
    holdfast: 1,
    name: 'Scoreboard',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'events', stream: STAMPED }],
    load: { model: 'users', stages: [{ users: 100, seconds: 30 }] },
    ...changes,
  });
}

function judgeWindows(windows: readonly Window[], changes: Partial<PlanInput> = {}): RunResult {
  const endedAtSecond = windows.length;
  return buildResult({
    head: runHead,
    plan: streamPlan(changes),
    windows,
    end: { firstBodyLengths: [0], serverSoftware: null, addresses: {}, stages: [{ startedAtSecond: 0, endedAtSecond }], endedAtSecond },
    generators: [],
    events: [],
  });
}

/** Returns a run with 100 listeners who get two events per second, 40 ms old, one read each. `more` changes a second. */
function calm(more: (second: number) => Partial<Parameters<typeof streamWindow>[0]> = () => ({}), seconds = 30): Window[] {
  return Array.from({ length: seconds }, (_, second) =>
    streamWindow({
      second,
      opened: second === 0 ? 100 : 0,
      left: second === seconds - 1 ? 100 : 0,
      events: 200,
      times: { eventDelay: [{ count: 200, ms: 40 }], eventGap: [{ count: 200, ms: 500 }] },
      ...more(second),
    }),
  );
}

const idsOf = ({ findings }: RunResult): string[] => findings.map(({ id }) => id);

describe('result of a run with streams', () => {
  it('counts streams and events, and matches its schema', () => {
    const result = judgeWindows(calm());
    expect(resultSchema.safeParse(result).error?.issues ?? []).toEqual([]);
    expect(result.streams?.outcomes).toMatchObject({ opened: 100, left: 100, ended: 0, lost: 0, open: 0, events: 6_000 });
    expect(result.streams?.mostOpen).toBe(100);
    expect(result.streams?.steps[0]?.figures).toMatchObject({ events: 6_000, eventsPerSecond: 200, missed: 0 });
    expect(result.streams?.steps[0]?.figures.delays).toMatchObject({ count: 6_000, p50: 40, max: 40 });
    expect(result.windows.map(({ streams }) => streams?.open)).toEqual([...Array.from({ length: 29 }, () => 100), 0]);
    expect(idsOf(result).filter((id) => /^(events|stream|reconnect|clocks)/.test(id))).toEqual([]);
  });

  it('has a headline about events if users listen, and about responses if the stream is in the background', () => {
    expect(judgeWindows(calm()).verdict.sentence).toBe(
      'Measured: 200 events a second at 100 users, 95 % of them within 40 ms. No pass criteria were set.',
    );
    const beside = judgeWindows(calm(), { journey: [{ name: 'events', stream: { ...STAMPED, beside: true } }] });
    expect(beside.verdict.sentence).toContain('responses a second');
  });

  it('has no streams if the plan opens none', () => {
    expect(judgeWindows([], { journey: [{ name: 'page' }] }).streams).toBeNull();
  });
});

describe('criteria about streams', () => {
  const judged = (windows: readonly Window[], criterion: NonNullable<PlanInput['criteria']>[number]) => {
    const [first] = judgeWindows(windows, { criteria: [criterion] }).criteria;
    return { outcome: first?.outcome, counted: first?.counted, over: first?.over };
  };

  it.each([
    ['within the limit passes', 100, 'passed', 0],
    ['beyond the limit fails', 30, 'failed', 6_000],
  ] as const)('judge the delay of events: %s', (_name, maxMs, outcome, over) => {
    expect(judged(calm(), { kind: 'responseTime', of: 'events', percentile: 95, maxMs })).toEqual({ outcome, counted: 6_000, over });
  });

  it.each([
    ['none', 0, 'passed'],
    ['10 %', 20, 'failed'],
  ] as const)('judge missed events: %s', (_name, missed, outcome) => {
    expect(
      judged(
        calm(() => ({ missed })),
        { kind: 'errors', of: 'events', maxShare: 0.01 },
      ),
    ).toMatchObject({ outcome, counted: 6_000 + 30 * missed, over: 30 * missed });
  });

  it.each([
    ['none', 0, 'passed'],
    ['half', 50, 'failed'],
  ] as const)('judge cut streams: %s', (_name, lost, outcome) => {
    const windows = calm((second) => (second === 29 ? { left: 100 - lost, lost } : {}));
    expect(judged(windows, { kind: 'errors', of: 'streams', maxShare: 0.1 })).toEqual({ outcome, counted: 100, over: lost });
  });
});

describe('next action after too few streams', () => {
  const suggestNext = (criteria: PlanInput['criteria'], changes: Partial<PlanInput> = {}) =>
    judgeWindows(calm(), { criteria, ...changes }).verdict.next.map(({ kind, label }) => [kind, label]);
  const streams = { kind: 'errors', of: 'streams', maxShare: 0.01 } as const;

  it('is to add users with one stream each, not to measure longer', () => {
    expect(suggestNext([streams])).toEqual([['moreUsers', 'Run it with 300 users']]);
  });

  it('is to measure longer if users return to the stream, or if only events are too few', () => {
    expect(suggestNext([streams], { journey: [{ name: 'events', stream: { ...STAMPED, seconds: 5 } }] })[0]?.[0]).toBe('measureLonger');
    expect(suggestNext([{ kind: 'errors', of: 'events', maxShare: 0.0001 }])[0]?.[0]).toBe('measureLonger');
  });
});

describe('findings about streams', () => {
  it('report a buffering proxy if events arrive in bursts and late', () => {
    const gathered = calm((second) =>
      second % 5 === 4
        ? { events: 1_000, together: 900, times: { eventDelay: [{ count: 1_000, ms: 2_500 }], eventGap: [{ count: 100, ms: 5_000 }] } }
        : { events: 0, times: {} },
    );
    const found = judgeWindows(gathered).findings.find(({ id }) => id === 'eventsBuffered.events');
    expect(found).toMatchObject({ level: 'problem', confidence: 'likely' });
    expect(found?.sentence).toContain('in bursts 5 s apart');
  });

  it('do not report a proxy if events arrive in bursts but without delay', () => {
    const fresh = calm((second) =>
      second % 5 === 4
        ? { events: 1_000, together: 900, times: { eventDelay: [{ count: 1_000, ms: 20 }], eventGap: [{ count: 100, ms: 5_000 }] } }
        : { events: 0, times: {} },
    );
    expect(idsOf(judgeWindows(fresh))).not.toContain('eventsBuffered.events');
  });

  it('report an idle time-out, not a restart, if all streams are cut repeatedly at once', () => {
    const windows = calm((second) =>
      second > 0 && second % 10 === 0
        ? {
            lost: 100,
            opened: 100,
            reopened: 100,
            times: { silence: [{ count: 100, ms: 4_000 }], streamHeld: [{ count: 100, ms: 9_000 }] },
          }
        : {},
    );
    expect(idsOf(judgeWindows(windows))).toContain('streamTimeout.events');
    expect(idsOf(judgeWindows(windows))).not.toContain('reconnectStorm');
  });

  const cutting = (silenceMs: number, heldMs: (second: number) => number): Window[] =>
    calm((second) =>
      second > 0 && second % 5 === 0
        ? {
            ended: 10,
            opened: 10,
            reopened: 10,
            times: { silence: [{ count: 10, ms: silenceMs }], streamHeld: [{ count: 10, ms: heldMs(second) }] },
          }
        : {},
    );

  it('report an idle time-out if cut streams were silent for the same time', () => {
    const found = judgeWindows(cutting(60_000, (second) => 60_000 + second * 4_000)).findings.find(
      ({ id }) => id === 'streamTimeout.events',
    );
    expect(found?.sentence).toContain('cut after 60 s without an event');
  });

  it('report a maximum duration if streams are cut at the same length while events arrive', () => {
    const windows = calm((second) =>
      second > 0 && second % 5 === 0
        ? {
            ended: 10,
            opened: 10,
            reopened: 10,
            times: { silence: [{ count: 10, ms: second * 900 }], streamHeld: [{ count: 10, ms: 30_000 }] },
          }
        : {},
    );
    const found = judgeWindows(windows).findings.find(({ id }) => id === 'streamTimeout.events');
    expect(found?.sentence).toContain('cut after 30 s, whatever they send');
  });

  it('report cuts without a pattern', () => {
    const windows = calm((second) =>
      second > 0 && second % 5 === 0
        ? {
            lost: 10,
            opened: 10,
            reopened: 10,
            times: { silence: [{ count: 10, ms: second * 900 }], streamHeld: [{ count: 10, ms: second * 2_000 }] },
          }
        : {},
    );
    expect(idsOf(judgeWindows(windows))).toContain('streamsCut.events');
    expect(idsOf(judgeWindows(windows)).some((id) => id.startsWith('streamTimeout'))).toBe(false);
  });

  it.each([
    ['with failed requests', 40, 'problem'],
    ['without failures', 0, 'warning'],
  ] as const)('report a restart if all streams reconnect at once, %s', (_name, failed, level) => {
    const windows = calm((second) => {
      if (second === 10) return { lost: 100, times: { silence: [{ count: 100, ms: 300 }], streamHeld: [{ count: 100, ms: 10_000 }] } };
      return second === 13 ? { opened: 100, reopened: 100, failed } : {};
    });
    const result = judgeWindows(windows);
    const found = result.findings.find(({ id }) => id === 'reconnectStorm');
    expect(found).toMatchObject({ level });
    expect(found?.sentence).toContain('All 100 listeners were cut at once');
    expect(idsOf(result)).not.toContain('streamsCut.events');
  });

  it('do not report a restart if each stream lasts less than a second', () => {
    const windows = calm(() => ({ ended: 300, opened: 300, reopened: 300 }));
    expect(idsOf(judgeWindows(windows))).not.toContain('reconnectStorm');
  });

  it('report events that never arrived', () => {
    const found = judgeWindows(calm((second) => (second === 7 ? { missed: 60 } : {}))).findings.find(
      ({ id }) => id === 'eventsMissed.events',
    );
    expect(found?.sentence).toContain('60 events of “events” never arrived: 0.99 %');
    expect(found?.range).toEqual({ fromSecond: 7, toSecond: 8 });
  });

  it('report clocks that differ', () => {
    expect(idsOf(judgeWindows(calm(() => ({ early: 100 }))))).toContain('clocksDiffer.events');
    expect(idsOf(judgeWindows(calm(() => ({ early: 1 }))))).not.toContain('clocksDiffer.events');
  });
});
