import { describe, expect, it } from 'vitest';
import { zeroCounters, STREAM_COUNTERS } from '#core/measurement/counters.ts';
import type { Point } from '#core/result/schema.ts';
import type { StreamPoint, StreamsResult } from '#core/result/streams.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { idsOf, findingsBy } from '../testing/found.ts';

type Figures = StreamsResult['steps'][number]['figures'];

const none = zeroCounters(STREAM_COUNTERS);
const NO_TIMES = { eventsPerSecond: null, opening: null, firstEvent: null, gaps: null, delays: null, held: null, silence: null };
const times = (changes: Partial<LatencySummary>): LatencySummary => ({ ...CALM, ...changes });

function run(figures: Partial<Figures>, windows: readonly Point[] = []) {
  const steps = [{ name: 'news', isNumbered: true, isStamped: true, figures: { ...none, ...NO_TIMES, ...figures } }];
  return facts(healthyStep(), {
    windows: [...windows],
    streams: { outcomes: { ...none, open: 0 }, mostOpen: 0, mostOpenAtSecond: null, steps, stages: [] },
  });
}

const NO_STREAMS = { open: 0, opened: 0, reopened: 0, cut: 0, events: 0, missed: 0, delayP50: null, delayP95: null, delayP99: null };

/** Returns twenty seconds with the given changes. */
function seconds(of: Readonly<Record<number, Partial<StreamPoint> & { readonly failed?: number }>>): Point[] {
  return Array.from({ length: 20 }, (_unused, second) => {
    const { failed = 0, ...streams } = of[second] ?? {};
    return point(second, { failed, ...(of[second] && { streams: { ...NO_STREAMS, ...streams } }) });
  });
}

describe('eventsBuffered', () => {
  const gathered = { events: 30, together: 15, gaps: times({ p50: 500 }), delays: times({ p50: 125, p95: 300 }) };

  it('reports events that arrive together after a wait', () => {
    const [finding] = findingsBy('eventsBuffered', run(gathered));
    expect(finding).toMatchObject({ id: 'eventsBuffered.news', level: 'problem', confidence: 'likely' });
    expect(finding?.sentence).toBe(
      'Events of “news” arrive in bursts 500 ms apart: 50 % came together with another one. Half of them were 125 ms old.',
    );
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['30', '15', '500 ms', '125 ms, 300 ms']);
  });

  it('mentions that the server may send bursts, if events have no sending time', () => {
    const [finding] = findingsBy('eventsBuffered', run({ ...gathered, delays: null }));
    expect(finding).toMatchObject({ level: 'warning', confidence: 'possible', sentence: expect.stringMatching(/another one\.$/) });
    expect([finding?.evidence.length, finding?.figures?.length]).toEqual([2, 3]);
  });

  it.each<[string, Partial<Figures>]>([
    ['too few', { events: 29 }],
    ['mostly single', { together: 14 }],
    ['close together', { gaps: times({ p50: 499 }) }],
    ['hardly delayed', { delays: times({ p50: 124 }) }],
    ['of unknown intervals', { gaps: null }],
    ['without a median', { gaps: times({ p50: 'never' }) }],
  ])('ignores events that are %s', (_name, changes) => {
    expect(findingsBy('eventsBuffered', run({ ...gathered, ...changes }))).toEqual([]);
  });
});

describe('streamTimeout', () => {
  const apart = seconds({ 10: { cut: 3 }, 13: { cut: 2 } });
  const silent = { ended: 3, lost: 2, opened: 10, silence: times({ min: 4_000, p50: 5_000, p95: 5_100, max: 5_200 }) };
  const lasting = { ...silent, silence: null, held: times({ min: 19_000, p50: 20_000, p95: 21_000, max: 22_000 }) };

  it('reports streams cut after the same silence', () => {
    const given = run(silent, apart);
    const [finding] = findingsBy('streamTimeout', given);
    expect(finding?.sentence).toBe('Streams of “news” are cut after 5 s without an event: 5 times.');
    expect(finding?.evidence).toEqual([expect.stringContaining('idle time-out'), expect.anything()]);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['3 ended, 2 lost', '4 s, 5 s, 5.2 s']);
    expect(finding?.remedy).toContain('comment line');
    expect(finding?.range).toMatchObject({ spans: [{ fromSecond: 10 }, { fromSecond: 13 }] });
    expect(idsOf(given)).toEqual(['streamTimeout.news']);
  });

  it('reports streams cut after the same duration', () => {
    const [finding] = findingsBy('streamTimeout', run(lasting, apart));
    expect(finding?.sentence).toBe('Streams of “news” are cut after 20 s, whatever they send: 5 times.');
    expect(finding?.evidence[0]).toContain('lasted the same time');
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['3 ended, 2 lost', '19 s, 20 s, 22 s']);
    expect(finding?.remedy).toContain('time limit');
  });

  it.each<[string, Partial<Figures>, Point[]]>([
    ['fewer', { lost: 1 }, apart],
    ['two seconds apart, as by one restart', {}, seconds({ 10: { cut: 3 }, 12: { cut: 2 } })],
    ['in one second after another', {}, seconds({ 10: { cut: 3 }, 12: {}, 13: {} })],
    ['after different times', { silence: times({ min: 4_000, p50: 5_000, p95: 5_101 }) }, apart],
    ['after long times that differ by more than 10 %', { silence: times({ min: 19_000, p50: 20_000, p95: 21_001 }) }, apart],
    ['within a second', { silence: times({ min: 900, p50: 999, p95: 1_100 }) }, apart],
    ['after unknown times', { silence: null }, apart],
    ['but some of them never', { silence: times({ min: 'never', p50: 5_000, p95: 5_100 }) }, apart],
    ['but half of them never', { silence: times({ min: 4_000, p50: 'never', p95: 5_100 }) }, apart],
    ['and the longest never', { silence: times({ min: 4_000, p50: 5_000, p95: 'never' }) }, apart],
  ])('ignores streams that are cut %s', (_name, changes, windows) => {
    expect(findingsBy('streamTimeout', run({ ...silent, ...changes }, windows))).toEqual([]);
  });

  it('requires a limit of at least a second', () => {
    expect(findingsBy('streamTimeout', run({ ...silent, silence: times({ min: 900, p50: 1_000, p95: 1_100 }) }, apart))).toHaveLength(1);
  });
});

describe('reconnectStorm', () => {
  /** A storm of 18 listeners and 2 new ones: 10 are cut within two seconds, and 5 reconnect within five. */
  const storm = {
    9: { open: 18, reopened: 9 },
    10: { cut: 6 },
    11: { cut: 4, opened: 4, reopened: 2 },
    12: { cut: 5 },
    15: { reopened: 3 },
    16: { reopened: 50, failed: 9 },
  };
  const makeStorm = (changes: Parameters<typeof seconds>[0]) => findingsBy('reconnectStorm', run({}, seconds({ ...storm, ...changes })))[0];

  it('reports that most listeners were cut and reconnected at once', () => {
    const finding = makeStorm({});
    expect(finding).toMatchObject({ level: 'warning', range: { fromSecond: 10, toSecond: 16 } });
    expect(finding?.sentence).toBe('10 of 20 listeners were cut at once and came back with up to 3/s.');
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['10', '5', '0']);
  });

  it('is a problem if requests fail meanwhile', () => {
    const finding = makeStorm({ 15: { reopened: 3, failed: 1 } });
    expect(finding).toMatchObject({ level: 'problem', sentence: expect.stringMatching(/3\/s; 1 requests failed\.$/) });
  });

  it('reports the rate of the busiest point, whatever its length', () => {
    const windows = seconds(storm).map((one) => (one.second === 15 ? { ...one, width: 3 } : one));
    expect(findingsBy('reconnectStorm', run({}, windows))[0]?.sentence).toContain('with up to 2/s');
  });

  it('replaces the finding about cuts', () => {
    expect(idsOf(run({ lost: 10, opened: 100 }, seconds(storm)))).toEqual(['reconnectStorm']);
  });

  it.each<[string, Parameters<typeof seconds>[0], boolean]>([
    ['nine are cut', { 10: { cut: 5 }, 12: { cut: 4 } }, false],
    ['fewer than half are cut', { 9: { open: 19 } }, false],
    ['all are cut', { 9: { open: 8 } }, true],
    ['more are cut than are open', { 9: { open: 7 } }, false],
    ['fewer than half reconnect', { 15: { reopened: 2 } }, false],
  ])('reports a storm, if %s: %s', (_name, changes, isStorm) => {
    expect(makeStorm(changes) !== undefined).toBe(isStorm);
  });

  it('is absent without streams', () => {
    expect(findingsBy('reconnectStorm', { ...run({}, seconds(storm)), streams: null })).toEqual([]);
  });
});

describe('thresholds of stream findings:', () => {
  it('streamsCut is reported for at least 0.1 % of the streams', () => {
    const [finding] = findingsBy('streamsCut', run({ lost: 1, ended: 2, opened: 3_000 }, seconds({ 4: { cut: 3 }, 6: {} })));
    expect(finding?.sentence).toBe('3 streams of “news” were cut while their listeners wanted to stay.');
    expect(finding).toMatchObject({ level: 'warning', range: { fromSecond: 4, toSecond: 5 } });
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['2', '1']);
    expect(findingsBy('streamsCut', run({ lost: 1, ended: 2, opened: 3_001 }))).toEqual([]);
    expect(findingsBy('streamsCut', run({}))).toEqual([]);
  });

  it('eventsMissed is reported for any skipped number', () => {
    const [finding] = findingsBy('eventsMissed', run({ missed: 1, events: 99, reopened: 4 }, seconds({ 7: { missed: 1 }, 8: {} })));
    expect(finding?.sentence).toBe('1 events of “news” never arrived: 1 % of those sent.');
    expect(finding).toMatchObject({ level: 'problem', range: { fromSecond: 7, toSecond: 8 } });
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['99', '4']);
    expect(findingsBy('eventsMissed', run({ missed: 0, events: 99 }))).toEqual([]);
  });

  it('clocksDiffer is reported if 1 % of events arrive before their sending time', () => {
    const [finding] = findingsBy('clocksDiffer', run({ early: 1, events: 100 }));
    expect(finding).toMatchObject({ level: 'warning', sentence: expect.stringMatching(/^1 % of events of “news” arrived before/) });
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['1 of 100']);
    expect(findingsBy('clocksDiffer', run({ early: 1, events: 101 }))).toEqual([]);
    expect(findingsBy('clocksDiffer', run({}))).toEqual([]);
  });
});
