import { describe, expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import { samplePoint } from '#core/testing/points.ts';
import { exponential, randomFrom } from '#core/testing/queueRun.ts';
import { growthOf } from './growth.ts';

const ONE = { perSecond: 100, requestsPerJourney: 1 };

/** Seconds in which so many began and so many were answered. */
function secondsOf(count: number, of: (second: number) => Partial<Point>): Point[] {
  return Array.from({ length: count }, (_, second) => {
    const changes = of(second);
    return samplePoint(second, { ok: changes.completed ?? 100, ...changes });
  });
}

/** A server that is asked 100 times a second and answers so many. */
const overloaded = (answers: number, seconds = 10): Point[] =>
  secondsOf(seconds, (second) => ({ completed: answers, p50: 100 + 1_000 * (1 - answers / 100) * second }));

describe('the growth of a queue', () => {
  it('is told within seconds where all is like clockwork, at 2 in 100 beyond the limit', () => {
    const growth = growthOf(overloaded(98), ONE);
    expect(growth).toMatchObject({ isGrowing: true, wantedSeconds: null, sickShare: 0 });
    expect(growth?.msPerSecond).toBeCloseTo(20, 6);
    expect(growth?.ratio).toBeCloseTo(100 / 98, 6);
    expect(growthOf(overloaded(100), ONE)).toMatchObject({ isGrowing: false, wantedSeconds: null });
  });

  it('is none where as much is answered as is asked for, though more came for a while', () => {
    const lucky = secondsOf(20, (second) => ({ started: 104 + (second % 2), completed: 100 + (second % 2), p50: 100 + 40 * second }));
    expect(growthOf(lucky, ONE)).toMatchObject({ isGrowing: false, wantedSeconds: null });
  });

  it('is none where less came, of which all was answered; but what was not asked for was not borne', () => {
    const less = secondsOf(10, () => ({ started: 92, completed: 92, p50: 100 }));
    const growth = growthOf(less, ONE);
    expect(growth?.isGrowing).toBe(false);
    expect(growth?.wantedSeconds, 'watched again').toBeGreaterThanOrEqual(20);
  });

  it('takes a second that stood still for what it is, and asks to be watched for longer', () => {
    const halted = secondsOf(10, (second) => ({ completed: second === 9 ? 60 : 100, p50: second === 9 ? 300 : 100 }));
    const growth = growthOf(halted, ONE);
    expect(growth?.wantedSeconds).toBeGreaterThan(20);
    const early = secondsOf(10, (second) => ({ completed: second === 0 ? 140 : 97, p50: second === 0 ? 500 : 100 + 30 * second }));
    expect(growthOf(early, ONE)?.wantedSeconds, 'what was made up for at its beginning hides a queue').toBeGreaterThan(10);
  });

  it('is told by the seconds in which this computer kept up, where these are enough', () => {
    // It halts in every third second, in which it makes a queue of 30, and catches up with what it owes in the next one.
    const halting = (answers: number, perSecond: number) =>
      secondsOf(30, (second) => {
        const isHalted = second % 3 === 1;
        const left = Math.floor((second + 2) / 3) * 30;
        return {
          sick: isHalted ? ['steal'] : [],
          started: perSecond,
          completed: isHalted ? answers - 30 : answers,
          p50: 100 + 10 * left + 1_000 * (1 - answers / perSecond) * second,
        };
      });
    expect(growthOf(halting(100, 100), ONE), 'the queue is its own').toMatchObject({ isGrowing: false, sickShare: 0 });
    expect(growthOf(halting(96, 100), ONE)).toMatchObject({ isGrowing: true, wantedSeconds: null, sickShare: 0 });
    const mostly = halting(96, 100).map((one, second): Point => ({ ...one, sick: second % 3 === 0 ? [] : ['steal'] }));
    expect(growthOf(mostly, ONE)?.sickShare).toBeCloseTo(2 / 3, 6);
  });

  it('counts journeys where each makes several requests', () => {
    // 105 journeys of three requests begin where 100 end: 5 more wait with each second, and as many requests.
    const journeys = secondsOf(10, () => ({ started: 305, completed: 300, p50: 20 }));
    expect(growthOf(journeys, { perSecond: 105, requestsPerJourney: 2.9 })).toMatchObject({ isGrowing: true, wantedSeconds: null });
  });

  it('is not told by fewer than five seconds, nor by seconds before the first answer', () => {
    expect(growthOf(overloaded(90, 4), ONE)).toBeNull();
    expect(growthOf([], ONE)).toBeNull();
    const slow = secondsOf(12, (second) => (second < 6 ? { completed: 0, p50: null } : { p50: 6_000 }));
    expect(growthOf(slow, ONE)).toMatchObject({ isGrowing: false, wantedSeconds: null });
  });

  it('is none where answers take no longer, though more begins than is answered', () => {
    expect(
      growthOf(
        secondsOf(10, () => ({ completed: 97, p50: 100 })),
        ONE,
      )?.isGrowing,
    ).toBe(false);
  });

  it('counts what failed without a response as no longer waited for', () => {
    const givenUp = secondsOf(10, (second) => ({ completed: 60, failed: 40, p50: 100 + 20 * second }));
    expect(growthOf(givenUp, ONE)).toMatchObject({ isGrowing: false, ratio: 1 });
  });

  it('is the same in windows of two seconds', () => {
    const wide = secondsOf(10, (at) => ({ second: 2 * at, width: 2, started: 200, completed: 196, p50: 100 + 40 * at }));
    const growth = growthOf(wide, ONE);
    expect(growth).toMatchObject({ isGrowing: true, wantedSeconds: null });
    expect(growth?.msPerSecond).toBeCloseTo(20, 9);
    expect(growth?.share.low).toBeGreaterThan(0.019);
    expect(growth?.share.high).toBeLessThan(0.021);
  });

  it('of levels at the limit is said to be sure, and wrong, at most once in 20 times', () => {
    const random = randomFrom(4);
    // A random walk of the answers: 97 a second, 2 below what matters, in an exponential world.
    const told = Array.from({ length: 400 }, () => {
      let waiting = 50;
      return growthOf(
        secondsOf(20, () => {
          const answers = poisson(97, random);
          waiting += 100 - answers;
          return { completed: answers, p50: 100 + 10 * waiting };
        }),
        ONE,
      );
    });
    const wrong = told.filter((growth) => growth?.wantedSeconds === null && !growth.isGrowing).length;
    expect(wrong).toBeLessThanOrEqual(20);
    expect(told.filter((growth) => growth?.isGrowing === true).length).toBeGreaterThan(240);
  });
});

describe('the share by which a queue grows', () => {
  /** Of Student’s t, with 9 degrees of freedom: 95 % lie within. */
  const T9 = 2.262;
  const expectShare = (growth: ReturnType<typeof growthOf>, share: number, error: number): void => {
    expect(growth?.share.low).toBeCloseTo(share - T9 * error, 6);
    expect(growth?.share.high).toBeCloseTo(share + T9 * error, 6);
  };

  it('is that of the view that is known best: of times where all is like clockwork, which are known to a thousandth', () => {
    // The median of 100 to 280 ms is 190 ms, and there are 9 steps.
    expectShare(growthOf(overloaded(98), ONE), 0.02, (0.001 * 190) / Math.sqrt(9) / 1_000);
  });

  it('is that of the answers where arrivals and times are uneven', () => {
    const uneven = secondsOf(10, (second) => ({
      started: 97 + 6 * (second % 2),
      completed: 98,
      p50: 100 + 20 * second + 30 * (second % 2),
    }));
    expectShare(growthOf(uneven, ONE), 0.02, 0.29 / Math.sqrt(10) / 100);
  });

  it('is that of the journeys that began, where each makes several requests', () => {
    const journeys = secondsOf(10, () => ({ started: 305, completed: 300, p50: 20 }));
    expectShare(growthOf(journeys, { perSecond: 105, requestsPerJourney: 2.9 }), 5 / 105, 0.29 / Math.sqrt(10) / 105);
  });

  it('follows from steps between seconds that count: none to or from one without a response, or one in which this computer was overloaded', () => {
    const silent = secondsOf(12, (second) => ({
      completed: second === 4 ? 0 : second === 5 ? 196 : 98,
      p50: second === 4 ? null : 100 + 20 * second + (second > 4 ? 500 : 0),
    }));
    const late = overloaded(98, 12).map((one): Point => (one.second === 4 ? { ...one, p50: 900, sick: ['steal'] } : one));
    for (const growth of [growthOf(silent, ONE), growthOf(late, ONE)]) {
      expect(growth?.share.low).toBeGreaterThan(0.019);
      expect(growth?.share.high).toBeLessThan(0.021);
    }
  });

  it('takes as long to tell as its scatter says, and twice as long at least', () => {
    // 90 or 110 of 100: ± 10.54 in 10 s, so an error of 0.0333, and (2.262 × 0.0333 / 0.01)² times as long tells a hundredth.
    const scattered = secondsOf(10, (second) => ({ completed: 90 + 20 * (second % 2), p50: 100 + 30 * second }));
    expect(growthOf(scattered, ONE)).toMatchObject({ isGrowing: false, wantedSeconds: 569 });
  });
});

describe('the seconds in which this computer kept up', () => {
  const sickShare = (sick: string): number | undefined =>
    growthOf(
      [...sick].map((mark, second) => samplePoint(second, { sick: mark === 'x' ? ['steal'] : [] })),
      ONE,
    )?.sickShare;

  it('are enough where they are half of them, with four steps between neighbours', () => {
    expect(sickShare('.....xxxxx')).toBe(0);
    expect(sickShare('.....xxxxxx')).toBeCloseTo(6 / 11, 9);
    expect(sickShare('....xxxx')).toBe(0.5);
    expect(sickShare('.x.x.x.x.x')).toBe(0.5);
  });
});

/** How many of exponential gaps fit into a second. */
function poisson(mean: number, random: () => number): number {
  let count = 0;
  for (let at = exponential(1 / mean, random); at < 1; at += exponential(1 / mean, random)) count += 1;
  return count;
}
