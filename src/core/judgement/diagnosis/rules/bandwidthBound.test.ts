import { describe, expect, it } from 'vitest';
import { PATH_EVENT, type MeasuredPath } from '#core/machines/checks/path/schema.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import type { LatencySummary } from '#core/statistics/latency.ts';
import type { MeasuredRun } from '../rule.ts';
import { diagnose } from '../diagnose.ts';
import { facts, generatorThatReads, healthyStep, point } from '../testing/facts.ts';

type StageOfRun = MeasuredRun['stages'][number];
type GeneratorOfRun = MeasuredRun['generators'][number];

const CALM = healthyStep().latency.service;
const RESPONSE_BYTES = 32_200;

/** Returns times that all lie around `ms`. */
function around(ms: number): LatencySummary {
  return { ...CALM, mean: ms, p50: ms, p90: ms, p95: ms, p99: ms, p99_9: ms, max: ms, min: ms };
}

interface Level {
  readonly connections: number;
  readonly perSecond: number;
  readonly medianMs: number;
  /** Time from the first byte of a response to its last. */
  readonly transferMs: number;
  readonly responseBytes?: number;
}

function stage({ connections, perSecond, medianMs, transferMs, responseBytes = RESPONSE_BYTES }: Level): StageOfRun {
  const [first] = facts().stages;
  if (first === undefined) throw new Error('no stage');
  const responses = perSecond * 30;
  return {
    ...first,
    name: `${connections} connections`,
    level: { unit: 'connections', from: connections, to: connections, highest: connections },
    requests: { ...first.requests, sent: responses, ok: responses },
    latency: { service: around(medianMs), response: around(medianMs), errorAdjusted: around(medianMs) },
    phases: { ...first.phases, transfer: around(transferMs) },
    rates: { startedPerSecond: perSecond, completedPerSecond: perSecond, bytesPerSecond: perSecond * responseBytes },
    bytes: { received: responses * responseBytes, sent: 0, body: responses * (responseBytes - 200) },
  };
}

/** Levels on a link of 10 Mbit/s: 34 responses per second at any of them. */
const FULL = [
  { connections: 4, perSecond: 34, medianMs: 118, transferMs: 60 },
  { connections: 16, perSecond: 34, medianMs: 470, transferMs: 180 },
].map(stage);
/** Levels with a busy processor: they also have the same throughput, but responses are transferred at once. */
const BUSY = [
  { connections: 4, perSecond: 900, medianMs: 4.4, transferMs: 0.2, responseBytes: 9_000 },
  { connections: 16, perSecond: 905, medianMs: 17, transferMs: 0.2, responseBytes: 9_000 },
].map(stage);
/** Levels whose throughput grows. */
const GROWING = [
  { connections: 4, perSecond: 400, medianMs: 10, transferMs: 6 },
  { connections: 16, perSecond: 1_580, medianMs: 10.1, transferMs: 6 },
].map(stage);

const here = (changes: Partial<GeneratorOfRun> = {}): GeneratorOfRun => ({
  ...generatorThatReads([]),
  sharesMachineWithTarget: false,
  ...changes,
});

const ORIGIN = 'http://127.0.0.1:8888';
const measured = (changes: Partial<MeasuredPath> = {}): MeasuredRun['events'] => [
  {
    second: 0,
    kind: PATH_EVENT,
    text: '',
    data: {
      from: 'this computer',
      to: ORIGIN,
      megabits: 9.2,
      isFull: true,
      link: { name: 'eth0', megabits: 10_000, isVirtual: true },
      measuredAt: '2026-01-01T00:00:00.000Z',
      ...changes,
    },
  },
];

function linkMonitor(values: readonly (number | null)[], limit: number | null, host: string | null = null): MonitorResult {
  return {
    number: 0,
    name: host ?? 'this computer',
    kind: 'machine',
    role: 'generator',
    host,
    quantities: [],
    limits: limit === null ? [] : [{ chart: 'Network', value: limit, words: 'speed of eth0', instance: 'eth0' }],
    state: 'ended',
    problem: null,
    errorMs: 1,
    second: values.map((_, second) => second),
    width: values.map(() => 1),
    values: { 'net.in:eth0': [...values] },
  };
}

function found(changes: Partial<MeasuredRun>) {
  return diagnose(facts(healthyStep(), { generators: [here()], ...changes })).filter(({ id }) => id.startsWith('bandwidthBound'));
}

describe('a full network path', () => {
  it('is found by the bandwidth before the run, with its link speed', () => {
    const all = (events: MeasuredRun['events']): string[] =>
      diagnose(facts(healthyStep(), { generators: [here()], stages: FULL, events })).map(({ id }) => id);
    expect(all([])).toContain('saturatedBelow');
    expect(all(measured()), 'it is not the server').not.toContain('saturatedBelow');
    const [finding, ...others] = found({ stages: FULL, events: measured() });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id: 'bandwidthBound', level: 'warning', confidence: 'certain' });
    expect(finding?.sentence).toContain('responses filled 8.76 Mbit/s of its 9.2 Mbit/s');
    expect(finding?.evidence.join(' ')).toContain('eth0 reports 10,000 Mbit/s, which a virtual link invents');
    expect(finding?.evidence.join(' ')).toContain('8.76 Mbit/s at level 4 (median 118 ms), 8.76 Mbit/s at level 16 (median 470 ms)');
    expect(found({ stages: FULL.slice(0, 1), events: measured() })).toMatchObject([{ confidence: 'likely' }]);
  });

  it("is found by the speed of the generator's own link", () => {
    const monitors = [
      linkMonitor(
        Array.from({ length: 60 }, () => 11_900_000),
        12_500_000,
      ),
    ];
    const [finding] = found({ monitors, stages: [stage({ connections: 10, perSecond: 360, medianMs: 28, transferMs: 20 })] });
    expect(finding?.sentence).toContain('responses filled 92.7 Mbit/s of its 100 Mbit/s');
    expect(finding?.evidence[0]).toContain('eth0 received 95.2 Mbit/s');
  });

  it('is possible without a known bandwidth or link speed, if responses are in transfer all the time and throughput is flat', () => {
    const [finding] = found({ stages: FULL });
    expect(finding).toMatchObject({ level: 'warning', confidence: 'possible' });
    expect(finding?.remedy).toContain('--path');
    expect(found({ stages: FULL, generators: [here({ sharesMachineWithTarget: true })] })).toMatchObject([{ level: 'info' }]);
  });

  it('is found for one of several locations, with the throughput of the others', () => {
    const part = (perSecond: number): GeneratorOfRun['figures'] => ({
      sent: perSecond * 60,
      ok: perSecond * 60,
      rates: { startedPerSecond: perSecond, completedPerSecond: perSecond, bytesPerSecond: perSecond * RESPONSE_BYTES },
      service: CALM,
      response: CALM,
      notStartedGenerator: 0,
      phases: null,
      points: [],
    });
    const generators = [here({ name: 'near', figures: part(240) }), here({ name: 'far', figures: part(34) })];
    const events = [...measured({ from: 'near', megabits: 1_000, isFull: false }), ...measured({ from: 'far' })];
    const all = found({ generators, events, stages: GROWING });
    expect(all.map(({ id }) => id)).toEqual(['bandwidthBound.far']);
    expect(all[0]?.confidence).toBe('certain');
    expect(all[0]?.sentence).toContain('The network path between far and the target was full');
    expect(all[0]?.evidence.join(' ')).toContain('From near: 61.8 Mbit/s, 240 responses/s from the same target; far got 14.2 %');
    expect(found({ generators, stages: FULL }), 'nothing was measured').toEqual([]);
    const alike = [here({ name: 'near', figures: part(35) }), here({ name: 'far', figures: part(34) })];
    expect(found({ generators: alike, events, stages: GROWING }), 'no place got more').toMatchObject([
      { id: 'bandwidthBound.far', confidence: 'likely' },
    ]);
  });
});

describe('a full network path is not reported for', () => {
  it.each([
    ['an ordinary run', {}],
    ['throughput that grows with the level', { stages: GROWING }],
    ['a processor that is busy', { stages: BUSY }],
    ['a path with capacity left', { stages: GROWING, events: measured({ megabits: 900 }) }],
    ['a measured lower bound only', { stages: BUSY, events: measured({ megabits: 60, isFull: false }) }],
    ['a measured path to another target', { stages: GROWING, events: measured({ to: 'http://10.0.0.1' }) }],
    ['a measured path from another location', { stages: GROWING, events: measured({ from: 'far' }) }],
    ['another event', { stages: GROWING, events: [{ second: 0, kind: PATH_EVENT, text: '', data: { megabits: 1 } }] }],
    ['a link with capacity left', { monitors: [linkMonitor([5_000_000, 6_000_000, 12_400_000, 6_000_000, 5_000_000], 12_500_000)] }],
    ['a link of unknown speed', { monitors: [linkMonitor([12_000_000, 12_000_000], null)] }],
    ['a link of another machine', { monitors: [linkMonitor([12_400_000, 12_400_000], 12_500_000, 'web1')] }],
    [
      'a generator that was too busy to read',
      {
        stages: FULL,
        windows: Array.from({ length: 60 }, (_, second) => point(second, { overloadedBy: second % 2 ? ['threadCpu'] : [] })),
      },
    ],
    ['arrivals that all complete', { stages: FULL.map(arrivals) }],
  ] satisfies readonly (readonly [string, Partial<MeasuredRun>])[])('%s', (_, changes) => {
    expect(found(changes)).toEqual([]);
  });
});

function arrivals(one: StageOfRun): StageOfRun {
  return { ...one, level: { ...one.level, unit: 'arrivalsPerSecond' } };
}

describe('thresholds of a full network path', () => {
  const link = (values: readonly (number | null)[], changes: Partial<MonitorResult> = {}) =>
    found({ stages: BUSY.slice(0, 1), monitors: [{ ...linkMonitor(values, 10_000_000), ...changes }] });

  it('are 80 % of the measured bandwidth', () => {
    const path = (megabits: number) => found({ stages: FULL.slice(0, 1), events: measured({ megabits }) });
    // 34 × 32,200 bytes per second are 8.7584 Mbit/s.
    expect(path(10.94)).toHaveLength(1);
    expect(path(10.96)).toEqual([]);
  });

  it('are 90 % of the link for a quarter of the time', () => {
    expect(link([1, null, 9_000_000, 8_000_000, 9_000_000])).toMatchObject([{ confidence: 'certain', evidence: { length: 1 } }]);
    expect(link([1, 2, 9_000_000, 8_000_000])).toEqual([]);
    expect(link([1, 9_000_000, 8_999_999, 3])).toEqual([]);
    expect(link([9_000_000, 9_000_000], { role: 'target' })).toEqual([]);
    expect(link([9_000_000, 9_000_000], { kind: 'haproxy' })).toEqual([]);
    expect(link([], { values: { 'net.out:eth0': [9_000_000], 'net.in': [9_000_000] } })).toEqual([]);
    const [limit] = linkMonitor([], 10_000_000).limits;
    if (limit === undefined) throw new Error('no limit');
    const others = [
      { ...limit, chart: 'Other', value: 1 },
      { ...limit, instance: 'eth1', value: 1 },
    ];
    expect(link([1, 1], { limits: [...others, limit] })).toEqual([]);
  });

  it('use the counted stage with the most bytes', () => {
    const [low, high] = GROWING;
    if (low === undefined || high === undefined) throw new Error('no stage');
    const events = measured({ megabits: 600 });
    expect(found({ stages: [low, high], events })).toEqual([]);
    const [finding] = found({ stages: [high, low], events: measured({ megabits: 400 }) });
    expect(finding?.sentence).toContain('responses filled 407 Mbit/s of its 400 Mbit/s');
    expect(found({ stages: [low, { ...high, counted: false }], events: measured({ megabits: 400 }) })).toEqual([]);
    const unknown = { ...low, rates: { ...low.rates, bytesPerSecond: null } };
    expect(found({ stages: [unknown], events: measured({ megabits: 0.1 }) })).toEqual([]);
    expect(found({ stages: [unknown, high], events: measured({ megabits: 400 }) })).toHaveLength(1);
    expect(found({ stages: [high], events: measured({ megabits: 400 }).map((event) => ({ ...event, kind: 'other' })) })).toEqual([]);
  });

  it.each<[string, Partial<Level>, Partial<Level>, boolean]>([
    ['exactly at the thresholds', {}, {}, true],
    ['less than 1.5 times the connections', {}, { connections: 14.9 }, false],
    ['10 % more throughput', {}, { perSecond: 109 }, true],
    ['more than 10 % more throughput', {}, { perSecond: 112 }, false],
    ['times that grow by less than half of it', {}, { medianMs: 124 }, false],
    ['half a response in transfer at the lower level', { transferMs: 4.9 }, {}, false],
    ['less than one in transfer at the higher level', {}, { transferMs: 9 }, false],
    ['shorter responses', { responseBytes: 8_199 }, { responseBytes: 8_199 }, false],
  ])('decide whether flat throughput is reported: %s', (_name, lower, higher, isFull) => {
    const low = stage({ connections: 10, perSecond: 100, medianMs: 100, transferMs: 5, responseBytes: 8_200, ...lower });
    const high = stage({ connections: 15, perSecond: 100, medianMs: 125, transferMs: 10, responseBytes: 8_200, ...higher });
    for (const stages of [[low, high], [high, low]]) expect(found({ stages })).toHaveLength(isFull ? 1 : 0); // prettier-ignore
    expect(found({ stages: [low, { ...high, counted: false }] })).toEqual([]);
    expect(found({ stages: [low, { ...high, level: { ...high.level, from: 1 } }] })).toEqual([]);
    const without = (bytesPerSecond: number | null) => ({ ...low, rates: { ...low.rates, bytesPerSecond } });
    expect([found({ stages: [without(null), high] }), found({ stages: [without(0), high] })]).toEqual([[], []]);
  });
});
