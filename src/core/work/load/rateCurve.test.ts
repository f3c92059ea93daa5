import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountBefore, linesOf, rateAt, rateCurve, type RateStage, secondOf, stageAt } from './rateCurve.ts';
import { arrivalsStageSchema } from '#core/plan/schema/load.ts';
import { rateStages } from './testing/rateStages.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });

describe('rate curve:', () => {
  it('has the area of rectangles and triangles', () => {
    const curve = rateCurve([
      { kind: 'constant', perSecond: 5, seconds: 10 },
      { kind: 'ramp', fromPerSecond: 0, toPerSecond: 10, seconds: 4 },
      { kind: 'pause', seconds: 3 },
      { kind: 'steps', fromPerSecond: 10, toPerSecond: 30, steps: 3, secondsEach: 2 },
      { kind: 'spike', basePerSecond: 1, peakPerSecond: 11, secondsBefore: 2, rampSeconds: 1, peakSeconds: 3, secondsAfter: 4 },
      { kind: 'count', arrivals: 7, seconds: 3 },
    ]);
    expect(curve.seconds).toBe(10 + 4 + 3 + 6 + 11 + 3);
    expect(curve.amount).toBeCloseTo(50 + 20 + 0 + 120 + (2 + 6 + 33 + 6 + 4) + 7, 9);
  });

  it('has the rate of the line at every second, and of the later line where two meet', () => {
    const curve = rateCurve([
      { kind: 'ramp', fromPerSecond: 10, toPerSecond: 20, seconds: 10 },
      { kind: 'constant', perSecond: 3, seconds: 5 },
    ]);
    expect([-1, 0, 5, 10, 14.9, 15].map((second) => rateAt(curve, second))).toEqual([0, 10, 15, 3, 3, 0]);
    expect([0, 9.99, 10, 15].map((second) => stageAt(curve, second))).toEqual([0, 0, 1, 1]);
  });

  it('equals the sum of thin slices of its rate', () => {
    fc.assert(
      fc.property(rateStages, share, (stages, part) => {
        const curve = rateCurve(stages);
        const until = curve.seconds * part;
        const slices = 20_000;
        const width = until / slices;
        let sum = 0;
        for (let slice = 0; slice < slices; slice += 1) sum += rateAt(curve, (slice + 0.5) * width) * width;
        // A slice that spans a jump is wrong by at most the jump × the slice's width.
        const jumps = stages.flatMap(linesOf).length * 200 * width;
        expect(Math.abs(amountBefore(curve, until) - sum)).toBeLessThanOrEqual(jumps + 1e-6);
      }),
      { numRuns: 40 },
    );
  });

  it('secondOf is the inverse of amountBefore', () => {
    fc.assert(
      fc.property(rateStages, share, (stages, part) => {
        const curve = rateCurve(stages);
        const amount = curve.amount * part;
        const second = secondOf(curve, amount);
        expect(second).toBeGreaterThanOrEqual(0);
        expect(second).toBeLessThanOrEqual(curve.seconds);
        expect(amountBefore(curve, second)).toBeCloseTo(amount, 6);
      }),
    );
  });

  it('secondOf is monotonic', () => {
    fc.assert(
      fc.property(rateStages, share, share, (stages, one, other) => {
        const curve = rateCurve(stages);
        const [low, high] = [Math.min(one, other) * curve.amount, Math.max(one, other) * curve.amount];
        expect(secondOf(curve, low)).toBeLessThanOrEqual(secondOf(curve, high));
      }),
    );
  });

  it('secondOf returns Infinity beyond the total', () => {
    const curve = rateCurve([{ kind: 'constant', perSecond: 2, seconds: 3 }]);
    expect(secondOf(curve, 6)).toBe(3);
    expect(secondOf(curve, 6.001)).toBe(Number.POSITIVE_INFINITY);
  });

  it('stays exact on a nearly level ramp of a week, on which the textbook formula loses digits', () => {
    const seconds = 604_800;
    const curve = rateCurve([{ kind: 'ramp', fromPerSecond: 1_000, toPerSecond: 1_000.000_001, seconds }]);
    expect(amountBefore(curve, secondOf(curve, 302_400_000))).toBeCloseTo(302_400_000, 6);
    expect(secondOf(curve, 302_400_000)).toBeCloseTo(302_400, 3);
  });
});

describe('rate stages', () => {
  it('have defaults, and reject invalid values', () => {
    const spike = { kind: 'spike', basePerSecond: 1, peakPerSecond: 9, secondsBefore: 5, peakSeconds: 1, secondsAfter: 5 };
    expect(linesOf(arrivalsStageSchema.parse(spike))).toHaveLength(3);
    const wrong: unknown[] = [
      { kind: 'constant', perSecond: -1, seconds: 1 },
      { kind: 'constant', perSecond: 1, seconds: 0 },
      { kind: 'count', arrivals: 1.5, seconds: 1 },
      { kind: 'steps', fromPerSecond: 1, toPerSecond: 2, steps: 1, secondsEach: 1 },
    ];
    expect(wrong.map((stage) => arrivalsStageSchema.safeParse(stage).success)).toEqual([false, false, false, false]);
  });

  it('divide a staircase into steps of equal height', () => {
    const stairs: RateStage = { kind: 'steps', fromPerSecond: 10, toPerSecond: 40, steps: 4, secondsEach: 1 };
    expect(linesOf(stairs).map((line) => line.fromPerSecond)).toEqual([10, 20, 30, 40]);
  });
});
