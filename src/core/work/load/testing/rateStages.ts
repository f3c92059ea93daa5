import * as fc from 'fast-check';
import type { RateStage } from '../rateCurve.ts';

const rate = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 50 }), fc.double({ min: 0.001, max: 200, noNaN: true }));
const seconds = fc.oneof(fc.integer({ min: 1, max: 20 }), fc.double({ min: 0.01, max: 20, noNaN: true }));

export const rateStage: fc.Arbitrary<RateStage> = fc.oneof(
  fc.record({ kind: fc.constant('constant' as const), perSecond: rate, seconds }),
  fc.record({ kind: fc.constant('ramp' as const), fromPerSecond: rate, toPerSecond: rate, seconds }),
  fc.record({ kind: fc.constant('count' as const), arrivals: fc.integer({ min: 1, max: 500 }), seconds }),
  fc.record({ kind: fc.constant('pause' as const), seconds }),
  fc.record({
    kind: fc.constant('steps' as const),
    fromPerSecond: rate,
    toPerSecond: rate,
    steps: fc.integer({ min: 2, max: 6 }),
    secondsEach: seconds,
  }),
  fc.record({
    kind: fc.constant('spike' as const),
    basePerSecond: rate,
    peakPerSecond: rate,
    secondsBefore: seconds,
    rampSeconds: fc.oneof(fc.constant(0), seconds),
    peakSeconds: seconds,
    secondsAfter: seconds,
  }),
);

export const rateStages: fc.Arbitrary<RateStage[]> = fc.array(rateStage, { minLength: 1, maxLength: 5 });
