import { describe, expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import { samplePoint } from '#core/testing/points.ts';
import { exponential, randomFrom } from '#core/testing/queueRun.ts';
import { measureGrowth } from './readLevel.ts';

const ONE = { perSecond: 100, requestsPerJourney: 1 };

/** Returns seconds of a load at a rate, with changes by second. */
function secondsOf(count: number, of: (second: number) => Partial<Point>): Point[] {
  return Array.from({ length: count }, (_, second) => {
    const changes = of(second);
    return samplePoint(second, { ok: changes.completed ?? 100, ...changes });
  });
}

/** Returns seconds of a server that receives 100 requests per second and responds to `responses` of them. */
const overloaded = (responses: number, seconds = 10): Point[] =>
  secondsOf(seconds, (second) => ({ completed: responses, p50: 100 + 1_000 * (1 - responses / 100) * second }));

describe('measureGrowth', () => {
  it('detects growth within seconds for constant times, 2 % above the limit', () => {
    const growth = measureGrowth(overloaded(98), ONE);
    expect(growth).toMatchObject({ isGrowing: true, wantedSeconds: null, overloadedShare: 0 });
    expect(growth?.msPerSecond).toBeCloseTo(20, 6);
    expect(growth?.ratio).toBeCloseTo(100 / 98, 6);
    expect(measureGrowth(overloaded(100), ONE)).toMatchObject({ isGrowing: false, wantedSeconds: null });
  });

  it('detects no growth if as much completes as arrives on average, despite a temporary excess', () => {
    const lucky = secondsOf(20, (second) => ({ started: 104 + (second % 2), completed: 100 + (second % 2), p50: 100 + 40 * second }));
    expect(measureGrowth(lucky, ONE)).toMatchObject({ isGrowing: false, wantedSeconds: null });
  });

  it('detects no growth if less arrived and all completed, but does not count that as sustained', () => {
    const less = secondsOf(10, () => ({ started: 92, completed: 92, p50: 100 }));
    const growth = measureGrowth(less, ONE);
    expect(growth?.isGrowing).toBe(false);
    expect(growth?.wantedSeconds, 'watched again').toBeGreaterThanOrEqual(20);
  });

  it('treats a frozen second as an outlier, and asks for a longer run', () => {
    const halted = secondsOf(10, (second) => ({ completed: second === 9 ? 60 : 100, p50: second === 9 ? 300 : 100 }));
    const growth = measureGrowth(halted, ONE);
    expect(growth?.wantedSeconds).toBeGreaterThan(20);
    const early = secondsOf(10, (second) => ({ completed: second === 0 ? 140 : 97, p50: second === 0 ? 500 : 100 + 30 * second }));
    expect(measureGrowth(early, ONE)?.wantedSeconds, 'what was made up for at its beginning hides a queue').toBeGreaterThan(10);
  });

  it('uses the seconds in which this computer was not overloaded, if there are enough', () => {
    // The server pauses in every third second, which builds a queue of 30, and catches up in the next second.
    const halting = (responses: number, perSecond: number) =>
      secondsOf(30, (second) => {
        const isHalted = second % 3 === 1;
        const left = Math.floor((second + 2) / 3) * 30;
        return {
          overloadedBy: isHalted ? ['steal'] : [],
          started: perSecond,
          completed: isHalted ? responses - 30 : responses,
          p50: 100 + 10 * left + 1_000 * (1 - responses / perSecond) * second,
        };
      });
    expect(measureGrowth(halting(100, 100), ONE), 'the queue is its own').toMatchObject({ isGrowing: false, overloadedShare: 0 });
    expect(measureGrowth(halting(96, 100), ONE)).toMatchObject({ isGrowing: true, wantedSeconds: null, overloadedShare: 0 });
    const mostly = halting(96, 100).map((one, second): Point => ({ ...one, overloadedBy: second % 3 === 0 ? [] : ['steal'] }));
    expect(measureGrowth(mostly, ONE)?.overloadedShare).toBeCloseTo(2 / 3, 6);
  });

  it('counts journeys if each has several requests', () => {
    // If 105 journeys of three requests start and 100 end, 5 more wait with each second.
    const journeys = secondsOf(10, () => ({ started: 305, completed: 300, p50: 20 }));
    expect(measureGrowth(journeys, { perSecond: 105, requestsPerJourney: 2.9 })).toMatchObject({ isGrowing: true, wantedSeconds: null });
  });

  it('needs five seconds after the first response', () => {
    expect(measureGrowth(overloaded(90, 4), ONE)).toBeNull();
    expect(measureGrowth([], ONE)).toBeNull();
    const slow = secondsOf(12, (second) => (second < 6 ? { completed: 0, p50: null } : { p50: 6_000 }));
    expect(measureGrowth(slow, ONE)).toMatchObject({ isGrowing: false, wantedSeconds: null });
  });

  it('detects no growth if response times stay constant, although more starts than completes', () => {
    expect(
      measureGrowth(
        secondsOf(10, () => ({ completed: 97, p50: 100 })),
        ONE,
      )?.isGrowing,
    ).toBe(false);
  });

  it('counts failures without a response as ended', () => {
    const givenUp = secondsOf(10, (second) => ({ completed: 60, failed: 40, p50: 100 + 20 * second }));
    expect(measureGrowth(givenUp, ONE)).toMatchObject({ isGrowing: false, ratio: 1 });
  });

  it('gives the same result for windows of two seconds', () => {
    const wide = secondsOf(10, (at) => ({ second: 2 * at, width: 2, started: 200, completed: 196, p50: 100 + 40 * at }));
    const growth = measureGrowth(wide, ONE);
    expect(growth).toMatchObject({ isGrowing: true, wantedSeconds: null });
    expect(growth?.msPerSecond).toBeCloseTo(20, 9);
    expect(growth?.share.low).toBeGreaterThan(0.019);
    expect(growth?.share.high).toBeLessThan(0.021);
  });

  it('is certain and wrong about levels at the limit in at most 5 % of cases', () => {
    const random = randomFrom(4);
    // The waiting requests are a random walk with exponential times: 97 responses per second, 2 below the growth that matters.
    const reported = Array.from({ length: 400 }, () => {
      let waiting = 50;
      return measureGrowth(
        secondsOf(20, () => {
          const responses = poisson(97, random);
          waiting += 100 - responses;
          return { completed: responses, p50: 100 + 10 * waiting };
        }),
        ONE,
      );
    });
    const wrong = reported.filter((growth) => growth?.wantedSeconds === null && !growth.isGrowing).length;
    expect(wrong).toBeLessThanOrEqual(20);
    expect(reported.filter((growth) => growth?.isGrowing === true).length).toBeGreaterThan(240);
  });
});

describe('share of growth', () => {
  /** Two-sided 95 % quantile of Student’s t with 9 degrees of freedom. */
  const T9 = 2.262;
  const expectShare = (growth: ReturnType<typeof measureGrowth>, share: number, error: number): void => {
    expect(growth?.share.low).toBeCloseTo(share - T9 * error, 6);
    expect(growth?.share.high).toBeCloseTo(share + T9 * error, 6);
  };

  it('uses the most precise estimate: times with a precision of 0.1 % for constant times', () => {
    // The median of 100 to 280 ms is 190 ms, with 9 steps.
    expectShare(measureGrowth(overloaded(98), ONE), 0.02, (0.001 * 190) / Math.sqrt(9) / 1_000);
  });

  it('uses the responses for irregular arrivals and times', () => {
    const uneven = secondsOf(10, (second) => ({
      started: 97 + 6 * (second % 2),
      completed: 98,
      p50: 100 + 20 * second + 30 * (second % 2),
    }));
    expectShare(measureGrowth(uneven, ONE), 0.02, 0.29 / Math.sqrt(10) / 100);
  });

  it('uses the started journeys if each has several requests', () => {
    const journeys = secondsOf(10, () => ({ started: 305, completed: 300, p50: 20 }));
    expectShare(measureGrowth(journeys, { perSecond: 105, requestsPerJourney: 2.9 }), 5 / 105, 0.29 / Math.sqrt(10) / 105);
  });

  it('excludes steps to or from seconds without a response or with overload of this computer', () => {
    const silent = secondsOf(12, (second) => ({
      completed: second === 4 ? 0 : second === 5 ? 196 : 98,
      p50: second === 4 ? null : 100 + 20 * second + (second > 4 ? 500 : 0),
    }));
    const late = overloaded(98, 12).map((one): Point => (one.second === 4 ? { ...one, p50: 900, overloadedBy: ['steal'] } : one));
    for (const growth of [measureGrowth(silent, ONE), measureGrowth(late, ONE)]) {
      expect(growth?.share.low).toBeGreaterThan(0.019);
      expect(growth?.share.high).toBeLessThan(0.021);
    }
  });

  it('needs a duration that follows from the variance, and at least twice the first one', () => {
    // 90 or 110 of 100 means ± 10.54 in 10 s, a standard error of 0.0333. Detecting 1 % takes (2.262 × 0.0333 / 0.01)² times as long.
    const scattered = secondsOf(10, (second) => ({ completed: 90 + 20 * (second % 2), p50: 100 + 30 * second }));
    expect(measureGrowth(scattered, ONE)).toMatchObject({ isGrowing: false, wantedSeconds: 569 });
  });
});

describe('seconds in which this computer was not overloaded', () => {
  const overloadedShare = (overloadedBy: string): number | undefined =>
    measureGrowth(
      [...overloadedBy].map((mark, second) => samplePoint(second, { overloadedBy: mark === 'x' ? ['steal'] : [] })),
      ONE,
    )?.overloadedShare;

  it('suffice if they are half of all seconds, with four steps between neighbours', () => {
    expect(overloadedShare('.....xxxxx')).toBe(0);
    expect(overloadedShare('.....xxxxxx')).toBeCloseTo(6 / 11, 9);
    expect(overloadedShare('....xxxx')).toBe(0.5);
    expect(overloadedShare('.x.x.x.x.x')).toBe(0.5);
  });
});

/** Draws a Poisson number: counts the exponential gaps that fit into a second. */
function poisson(mean: number, random: () => number): number {
  let count = 0;
  for (let at = exponential(1 / mean, random); at < 1; at += exponential(1 / mean, random)) count += 1;
  return count;
}
