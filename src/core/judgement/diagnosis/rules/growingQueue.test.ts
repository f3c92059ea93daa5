import { describe, expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { facts, healthyStep, point } from '../testing/facts.ts';
import { idsOf, numberOf, played, findingsBy } from '../testing/found.ts';

const run = (perSecond: number, server: { workers: number; seconds: number; patienceMs?: number }, lasts = 30) =>
  played(planWith({ load: arrivals([{ kind: 'constant', perSecond, seconds: lasts }]) }), {
    workers: server.workers,
    serviceMs: () => server.seconds * 1_000,
    ...(server.patienceMs === undefined ? {} : { patienceMs: server.patienceMs }),
  });

it.each([
  { perSecond: 3, workers: 1, seconds: 0.5 },
  { perSecond: 25, workers: 17, seconds: 0.8 },
  { perSecond: 21, workers: 4, seconds: 0.2 },
])('growingQueue: reports the growth for λ = $perSecond, m = $workers, S = $seconds s', ({ perSecond, workers, seconds }) => {
  const [finding] = findingsBy('growingQueue', run(perSecond, { workers, seconds }));
  expect(numberOf(finding, 'Completed') / (workers / seconds)).toBeCloseTo(1, 1);
  expect(numberOf(finding, 'Growth of the queue') / (perSecond - workers / seconds)).toBeGreaterThan(0.8);
  expect(numberOf(finding, 'Growth of the queue') / (perSecond - workers / seconds)).toBeLessThan(1.25);
  expect(finding).toMatchObject({ level: 'warning', range: { toSecond: 30 } });
});

it('growingQueue: replaces the finding about growing times', () => {
  expect(idsOf(run(3, { workers: 1, seconds: 0.5 }, 60)).filter((id) => id.startsWith('slowerAndSlower'))).toEqual([]);
});

it("growingQueue: finds the queue although a proxy's time-out ends its growth", () => {
  const [finding] = findingsBy('growingQueue', run(3, { workers: 1, seconds: 0.5, patienceMs: 6_000 }));
  expect(finding?.sentence).toContain('3/s against 2');
  expect(finding?.evidence.join()).toContain('only because requests timed out');
});

it.each([
  { name: 'a page of 5 s', perSecond: 10, workers: Infinity, seconds: 5, lasts: 12 },
  { name: 'a third of the capacity', perSecond: 3, workers: 3, seconds: 0.5, lasts: 30 },
  { name: 'just below the limit', perSecond: 1.9, workers: 1, seconds: 0.5, lasts: 60 },
])('growingQueue: ignores a constant queue: $name', ({ perSecond, workers, seconds, lasts }) => {
  expect(findingsBy('growingQueue', run(perSecond, { workers, seconds }, lasts))).toEqual([]);
});

describe('growingQueue at its thresholds', () => {
  /** Returns six seconds after the first responses. In each second, 100 requests begin and 96 end. */
  const seconds = (count = 7, of: (second: number) => Partial<Point> = () => ({})): Point[] =>
    Array.from({ length: count }, (_unused, second) => point(second, { completed: 96, ok: 96, inFlight: 8, ...of(second) }));
  interface Changes {
    readonly level?: { readonly from: number; readonly to: number };
    readonly model?: 'connections';
  }
  function of(windows: Point[], { level = { from: 100, to: 100 }, model }: Changes = {}) {
    const plan = planWith(model === undefined ? { load: arrivals([{ kind: 'constant', perSecond: 100, seconds: 60 }]) } : {});
    const given = facts(healthyStep(), { windows, plan });
    const stages = given.stages.map((stage) => ({ ...stage, level: { unit: 'arrivalsPerSecond' as const, highest: 100, ...level } }));
    return findingsBy('growingQueue', { ...given, stages })[0];
  }

  it('reports its figures', () => {
    const finding = of(seconds(7, (second) => (second === 3 ? { inFlight: 12 } : {})));
    expect(finding?.sentence).toContain('100/s against 96/s. The queue grew by 4 a second, up to 12 in flight');
    expect(finding?.evidence).toEqual([
      expect.stringMatching(/^ρ = 100 \/ 96 = 1\.04\./),
      'At this pace, 2,400 more are waiting after ten minutes.',
    ]);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['100/s', '96/s', '4 a second', '12', '6 s']);
    expect(finding).toMatchObject({ confidence: 'likely', range: { fromSecond: 1, toSecond: 7 } });
  });

  it.each<[string, Point[], boolean]>([
    ['five seconds', seconds(6), false],
    ['seven requests in flight at the end', seconds(7, (second) => (second === 6 ? { inFlight: 7 } : {})), false],
    ['a growth of 3 %', seconds(7, () => ({ completed: 97, ok: 97 })), false],
    ['growth by chance', seconds(7, (second) => (second % 2 === 0 ? { completed: 80, ok: 80 } : { completed: 108, ok: 108 })), false],
    ['a growth that ends', seconds(13, (second) => (second < 9 ? {} : { completed: 100, ok: 100 })), false],
    ['no ended request', seconds(7, () => ({ completed: 0, ok: 0 })), false],
    ['failures without a response that count as ended', seconds(7, () => ({ completed: 90, ok: 90, failed: 10 })), false],
    [
      'seconds before the first response',
      [...seconds(3, () => ({ completed: 0, ok: 0 })), ...seconds(7).map((one) => ({ ...one, second: one.second + 3 }))],
      true,
    ],
    [
      'a longer point in the middle',
      seconds(7, () => ({ width: 2, started: 200, completed: 192, ok: 192 })).map((one) => ({ ...one, second: 2 * one.second })),
      true,
    ],
  ])('decides by the figures whether it reports a finding: %s', (_name, windows, isReported) => {
    expect(of(windows) !== undefined).toBe(isReported);
  });

  it('requires arrivals at a constant rate', () => {
    expect(of(seconds(), { model: 'connections' })).toBeUndefined();
    expect(of(seconds(), { level: { from: 50, to: 100 } })).toBeUndefined();
    expect(of(seconds(), { level: { from: 0, to: 0 } })).toBeUndefined();
  });

  it('reduces the confidence if more than 30 % of the seconds were overloaded', () => {
    const overloaded = (until: number) =>
      of(seconds(11, (second) => (second >= 1 && second < until ? { overloadedBy: ['threadCpu'] } : {})));
    expect(overloaded(4)).toMatchObject({ confidence: 'likely', evidence: { length: 2 } });
    expect(overloaded(5)).toMatchObject({ confidence: 'possible', evidence: { length: 3 } });
  });

  it('uses the seconds without failures if there are at least three', () => {
    const failing = { completed: 90, ok: 90, failed: 4 };
    const windows = (clean: number) => seconds(13, (second) => (second <= clean ? {} : failing));
    expect(of(windows(3))?.sentence).toContain('100/s against 96/s');
    expect(of(windows(2))?.sentence).toContain('100/s against 91/s');
    const unsent = seconds(13, (second) => (second <= 3 ? {} : { notStarted: { target: 20, generator: 0 } }));
    expect(of(unsent)?.sentence).toContain('100/s against 96/s');
    expect(of(seconds(7, () => ({ notStarted: { target: 20, generator: 0 } })))?.sentence).toContain('120/s against 96/s');
  });
});
