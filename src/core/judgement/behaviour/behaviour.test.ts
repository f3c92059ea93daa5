import { buildPlan } from './testing/arrivalPlan.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Histogram, createTotalHistogram, record } from '#core/statistics/histogram.ts';
import type { EarlyResponse } from '#core/measurement/window.ts';
import { type FirstResponses } from '#core/result/behaviour.ts';
import { burstPositions, findBursts, estimateCapacity, type CapacityStage, compareFirstResponses, findQueue } from './behaviour.ts';
import {
  behaviourSentences,
  burstsSentence,
  capacitySentence,
  firstResponsesSentence,
  queueSentences,
  chooseFirstResponses,
} from './sentences.ts';

const names = { stage: 'burst', step: 'page' };

/**
 * Returns the requests of a server that serves first come, first served, with `workers` that take `serviceMs` each. Requests come `gapMs`
 * apart.
 */
function served({
  count,
  gapMs,
  serviceMs,
  workers,
}: {
  count: number;
  gapMs: number;
  serviceMs: number;
  workers: number;
}): EarlyResponse[] {
  const free = Array.from({ length: workers }, () => 0);
  return Array.from({ length: count }, (_, place) => {
    const start = place * gapMs;
    const next = free.indexOf(Math.min(...free));
    const done = Math.max(start, free[next] ?? 0) + serviceMs;
    free[next] = done;
    return { startUs: Math.round(start * 1_000), responseUs: Math.round((done - start) * 1_000), ok: true };
  });
}

function makeHistogram(times: readonly number[]): Histogram {
  const histogram = createTotalHistogram();
  for (const time of times) record(histogram, time);
  return histogram;
}

describe('findQueue', () => {
  it('finds growth by service time minus gap, and responses one service time apart', () => {
    const queue = findQueue(names, served({ count: 13, gapMs: 77, serviceMs: 500, workers: 1 }), 13);
    expect(queue).toMatchObject({ responses: 13, sent: 13, queues: true, reason: null });
    expect(queue.growthMs?.value).toBeCloseTo(423, 6);
    expect(queue.intervalMs?.value).toBeCloseTo(500, 6);
  });

  it('finds service time / workers for any number of workers, as long as there is a queue', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 50, max: 2_000 }),
        fc.integer({ min: 0, max: 4 }),
        (workers, serviceMs, gapTenths) => {
          const gapMs = (serviceMs / workers) * (gapTenths / 10);
          const { queues, intervalMs } = findQueue(names, served({ count: 60, gapMs, serviceMs, workers }), 60);
          expect(queues).toBe(true);
          expect((intervalMs?.value ?? 0) / (serviceMs / workers)).toBeGreaterThan(0.9);
          expect((intervalMs?.value ?? 0) / (serviceMs / workers)).toBeLessThan(1.1);
        },
      ),
    );
  });

  it('finds no queue if requests arrive more slowly than they are served, or are all served at once', () => {
    for (const workers of [1, 100]) {
      const early = served({ count: 40, gapMs: workers === 1 ? 600 : 10, serviceMs: 500, workers });
      expect(findQueue(names, early, 40).queues).toBe(false);
    }
  });

  it('finds no queue if responses are as far apart as requests and each takes slightly longer than the gap', () => {
    const early = Array.from({ length: 40 }, (_, place) => ({ startUs: place * 500_000, responseUs: 60_000 + place * 2_000, ok: true }));
    expect(findQueue(names, early, 40).queues).toBe(false);
    // One worker that takes 500 ms, with a request every 400 ms.
    expect(findQueue(names, served({ count: 40, gapMs: 400, serviceMs: 500, workers: 1 }), 40).queues).toBe(true);
  });

  it('ignores responses of a proxy that gave up, and a single slow response', () => {
    const early = served({ count: 30, gapMs: 0, serviceMs: 500, workers: 1 }).map((response, place) => ({
      ...response,
      ok: place < 12,
      responseUs: place < 12 ? response.responseUs + (place === 5 ? 200_000 : 0) : 6_000_000,
    }));
    const queue = findQueue(names, early, 30);
    expect(queue.responses).toBe(12);
    expect(queue.intervalMs?.value).toBeGreaterThan(480);
    expect(queue.intervalMs?.value).toBeLessThan(520);
  });

  it('returns unknown for fewer than five responses', () => {
    const queue = findQueue(names, served({ count: 4, gapMs: 0, serviceMs: 500, workers: 1 }), 9);
    expect(queue).toMatchObject({ queues: null, growthMs: null, intervalMs: null, responses: 4, sent: 9 });
    expect(queueSentences([queue])[0]).toContain('unknown');
  });
});

describe('compareFirstResponses', () => {
  const early = (times: readonly number[]): EarlyResponse[] =>
    times.map((ms, index) => ({ startUs: index, responseUs: ms * 1_000, ok: true }));
  const usual = Array.from({ length: 200 }, (_, index) => 4_000 + (index % 10) * 100);

  it('finds the first responses slow if the server still initializes itself', () => {
    const first = [900, 300, 40, 30, 20, 10, 9, 4, 4, 4];
    const found = compareFirstResponses('page', early(first), makeHistogram([...first.map((ms) => ms * 1_000), ...usual]));
    expect(found).toMatchObject({ first, slower: 7, isSlowAtFirst: true, reason: null });
    expect(found.restMedian).toBeGreaterThan(4);
    expect(found.restMedian).toBeLessThan(5);
    expect(firstResponsesSentence(found)).toContain('7 of them were slower than the later p90');
  });

  it('does not find the first responses slow because of a single slow one', () => {
    for (const first of [
      [900, 4, 4, 4, 4, 4, 4, 4, 4, 4],
      [4, 4, 4, 4, 4, 4, 4, 4, 4, 4],
      // Opening connections made the first responses slower.
      [34, 22, 14, 12, 11, 10, 10, 9, 9, 8],
    ])
      expect(compareFirstResponses('page', early(first), makeHistogram([...first.map((ms) => ms * 1_000), ...usual])).isSlowAtFirst).toBe(
        false,
      );
  });

  it('does not find the first responses slow if the difference is small compared with the usual time', () => {
    const first = [60_300, 60_310, 60_305, 60_320, 60_300, 60_310, 60_300, 60_330, 60_310, 60_300];
    const times = makeHistogram([...first.map((ms) => ms * 1_000), ...Array.from({ length: 60 }, () => 60_200_000)]);
    expect(compareFirstResponses('page', early(first), times).isSlowAtFirst).toBe(false);
  });

  it('compares the first responses with successful ones only, not with refusals', () => {
    const first = Array.from({ length: 12 }, (_, index) => ({ startUs: index, responseUs: index < 2 ? 300 : 4_500, ok: index >= 2 }));
    const found = compareFirstResponses('page', first, makeHistogram(usual));
    expect(found).toMatchObject({ first: Array.from({ length: 10 }, () => 4.5), isSlowAtFirst: false });
  });

  it('returns unknown if there are few other responses', () => {
    const found = compareFirstResponses('page', early([1, 2, 3]), makeHistogram([1_000, 2_000, 3_000]));
    expect(found).toMatchObject({ first: [1, 2, 3], isSlowAtFirst: null, firstMedian: null });
    expect(found.reason).toContain('at least 40');
    expect(compareFirstResponses('page', [], undefined).isSlowAtFirst).toBeNull();
  });
});

describe('findBursts', () => {
  it('requires at least three stages, each with a pause that is at least as long', () => {
    const burst = { kind: 'count', arrivals: 5, seconds: 1 };
    const pause = { kind: 'pause', seconds: 2 };
    expect(burstPositions(buildPlan([burst, pause, burst, pause, burst]))).toEqual([0, 2, 4]);
    expect(burstPositions(buildPlan([burst, pause, burst, pause, burst, pause]))).toEqual([0, 2, 4]);
    expect(burstPositions(buildPlan([burst, pause, burst]))).toEqual([]);
    expect(burstPositions(buildPlan([burst, burst, pause, burst]))).toEqual([]);
    const long = { kind: 'constant', perSecond: 5, seconds: 15 };
    expect(burstPositions(buildPlan([long, pause, long, pause, long]))).toEqual([]);
  });

  it('counts bursts as good up to the first bad one and ignores the rest', () => {
    const stage = (sent: number, failed: number, leftOver = 0) => ({ sent, failed, leftOver });
    const found = findBursts([stage(12, 0), stage(13, 0), stage(14, 1, 3), stage(15, 0)]);
    expect(found).toEqual({ largestGood: 13, smallestBad: 14, drained: true });
    expect(findBursts([stage(1, 0), stage(2, 0, 1), stage(3, 0)])).toEqual({ largestGood: 3, smallestBad: null, drained: false });
    expect(findBursts([stage(4, 4)])).toEqual({ largestGood: null, smallestBad: 4, drained: true });
    expect(findBursts([stage(0, 0)])).toBeNull();
    expect(found && burstsSentence(found)).toBe('Bursts of up to 13 requests had no failures; the one of 14 had.');
  });
});

describe('estimateCapacity', () => {
  const stages: CapacityStage[] = [
    { fromSecond: 0, toSecond: 10, fromPerSecond: 2, toPerSecond: 2, p50: 800 },
    { fromSecond: 10, toSecond: 70, fromPerSecond: 5, toPerSecond: 150, p50: 2_000 },
  ];
  const run = (p50: (second: number) => number, okPerSecond: number, failed = 0) =>
    Array.from({ length: 75 }, (_, second) => ({
      second,
      width: 1,
      started: 20,
      ok: okPerSecond,
      failed,
      inFlight: second,
      p50: p50(second),
    }));

  it('computes workers = rate × time if responses wait for each other: 21.25 × 0.8 s = 17', () => {
    const found = estimateCapacity(
      stages,
      run((second) => (second < 20 ? 800 : 3_000), 21.25),
    );
    expect(found).toMatchObject({ aloneMs: 800, isLimited: true, saturatedPerSecond: 21.25, highestPerSecond: 150 });
    expect(found?.workers).toBeCloseTo(17, 9);
    expect(found && capacitySentence(found)).toContain('17 at a time');
    for (const workers of [1.08, 0.4])
      expect(found && capacitySentence({ ...found, workers })).toContain('a server of a single blocking worker.');
  });

  it('finds no limit if times stay the same', () => {
    const found = estimateCapacity(
      stages,
      run(() => 820, 100),
    );
    expect(found).toMatchObject({ isLimited: false, workers: null, saturatedPerSecond: null, reason: null });
    expect(found && capacitySentence(found)).toContain('no limit of workers was found');
  });

  it('names the rates between which the server starts to fall behind', () => {
    const step = (perSecond: number, p50: number, from: number): CapacityStage => ({
      fromSecond: from,
      toSecond: from + 15,
      fromPerSecond: perSecond,
      toPerSecond: perSecond,
      p50,
    });
    const found = estimateCapacity(
      [stages[0] ?? step(1, 1, 0), step(20, 810, 10), step(25, 1_900, 30), step(30, 1_900, 50)],
      run((second) => (second < 30 ? 800 : 2_000), 21),
    );
    expect(found).toMatchObject({ keptUpPerSecond: 20, fellBehindPerSecond: 25 });
  });

  it('returns unknown if requests fail or the load was too short, and null for other loads', () => {
    expect(
      estimateCapacity(
        stages,
        run(() => 3_000, 10, 5),
      ),
    ).toMatchObject({ isLimited: null, workers: null });
    expect(
      estimateCapacity(
        stages,
        run((second) => (second === 69 ? 3_000 : 800), 10),
      )?.reason,
    ).toContain('too few seconds');
    expect(estimateCapacity(stages.slice(0, 1), [])).toBeNull();
    expect(
      estimateCapacity(
        stages.map((stage) => ({ ...stage, p50: 3 })),
        run(() => 3, 10),
      ),
    ).toBeNull();
    expect(
      estimateCapacity(
        stages.map((stage) => ({ ...stage, p50: null })),
        run(() => 3, 10),
      )?.reason,
    ).toContain('before the load rose');
  });
});

describe('behaviourSentences', () => {
  it('returns one sentence per finding, and none about what was not examined', () => {
    expect(behaviourSentences({ firstResponses: [], queues: [], bursts: null, recoveries: [], capacity: null, groups: null })).toEqual([]);
    const queues = [1, 3].map((workers) =>
      findQueue({ stage: `of ${workers}`, step: 'page' }, served({ count: 40, gapMs: 0, serviceMs: 600, workers }), 40),
    );
    const [sentence, ...others] = behaviourSentences({
      firstResponses: [],
      queues,
      bursts: null,
      recoveries: [],
      capacity: null,
      groups: null,
    });
    expect(others).toEqual([]);
    expect(sentence).toContain('queued');
  });

  it('merges sentences that are the same for many steps', () => {
    const of = (step: number, isSlowAtFirst: boolean | null): FirstResponses => ({
      step: `page ${step}`,
      first: [20],
      firstMedian: 20,
      restMedian: 10,
      restP90: 12,
      slower: isSlowAtFirst === true ? 8 : 0,
      isSlowAtFirst,
      reason: isSlowAtFirst === null ? 'Too few.' : null,
    });
    const firstResponses = [of(0, true), ...[1, 2, 3, 4].map((step) => of(step, false)), ...[5, 6, 7, 8, 9].map((step) => of(step, null))];
    const rest = { queues: [], bursts: null, recoveries: [], capacity: null, groups: null };
    expect(behaviourSentences({ firstResponses, ...rest })).toEqual([
      'The first 10 successful responses of “page 0” were slower than the rest: their median of 20 ms is 2 times that of the rest, and 8 of them were slower than the later p90.',
      'The first 10 successful responses of 4 steps were not slower than later ones, except for opening connections.',
      'First responses of 5 steps: unknown. They had too few successful responses.',
    ]);
    expect(chooseFirstResponses(firstResponses).map(({ step }) => step)).toEqual(['page 0', 'page 1', 'page 2', 'page 3', 'page 4']);
    expect(behaviourSentences({ firstResponses: [of(1, false), of(2, null)], ...rest })).toHaveLength(2);
    expect(chooseFirstResponses([of(1, false), of(2, null)])).toHaveLength(2);
    const many = (count: number) => [of(0, true), ...Array.from({ length: count - 1 }, (_, step) => of(step + 1, false))];
    expect(chooseFirstResponses(many(20))).toHaveLength(20);
    expect(chooseFirstResponses(many(21)).map(({ step }) => step)).toEqual(['page 0']);
  });
});
