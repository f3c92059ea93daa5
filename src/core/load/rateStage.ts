import { z } from 'zod';

const MAX_RATE_PER_SECOND = 1_000_000;
const MAX_SECONDS = 7 * 24 * 3_600;
const MAX_ARRIVALS = 1_000_000_000;

const rate = z.number().min(0).max(MAX_RATE_PER_SECOND);
const seconds = z.number().positive().max(MAX_SECONDS);

/**
 * How many arrivals begin per second over a stretch of time, whether or not earlier ones are answered. Lists of these can say
 * what Artillery's phases say: `arrivalRate` is `constant`, `arrivalRate` with `rampTo` is `ramp`, `arrivalCount` is `count`.
 */
export const rateStageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('constant'), perSecond: rate, seconds }),
  /** From one rate to another on a straight line. */
  z.strictObject({ kind: z.literal('ramp'), fromPerSecond: rate, toPerSecond: rate, seconds }),
  /** So many arrivals, evenly spread. */
  z.strictObject({ kind: z.literal('count'), arrivals: z.int().min(1).max(MAX_ARRIVALS), seconds }),
  z.strictObject({ kind: z.literal('pause'), seconds }),
  /** A staircase: `steps` levels of equal height, the first at `fromPerSecond`, the last at `toPerSecond`. */
  z.strictObject({
    kind: z.literal('steps'),
    fromPerSecond: rate,
    toPerSecond: rate,
    steps: z.int().min(2).max(1_000),
    secondsEach: seconds,
  }),
  /** A base load, a peak, and the base load again; `rampSeconds` is the length of each flank. */
  z.strictObject({
    kind: z.literal('spike'),
    basePerSecond: rate,
    peakPerSecond: rate,
    secondsBefore: seconds,
    rampSeconds: z.number().min(0).max(MAX_SECONDS).default(0),
    peakSeconds: seconds,
    secondsAfter: seconds,
  }),
]);
export type RateStage = z.output<typeof rateStageSchema>;

/** A straight piece of the curve of the rate. */
export interface RateLine {
  readonly seconds: number;
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
}

/** The straight pieces that a stage consists of, in order; none of them is empty. */
export function linesOf(stage: RateStage): RateLine[] {
  switch (stage.kind) {
    case 'constant':
      return [level(stage.perSecond, stage.seconds)];
    case 'ramp':
      return [{ seconds: stage.seconds, fromPerSecond: stage.fromPerSecond, toPerSecond: stage.toPerSecond }];
    case 'count':
      return [level(stage.arrivals / stage.seconds, stage.seconds)];
    case 'pause':
      return [level(0, stage.seconds)];
    case 'steps': {
      const rise = (stage.toPerSecond - stage.fromPerSecond) / (stage.steps - 1);
      return Array.from({ length: stage.steps }, (_, step) => level(stage.fromPerSecond + rise * step, stage.secondsEach));
    }
    case 'spike': {
      const { basePerSecond: base, peakPerSecond: peak, rampSeconds } = stage;
      const flank = (fromPerSecond: number, toPerSecond: number): RateLine[] =>
        rampSeconds > 0 ? [{ seconds: rampSeconds, fromPerSecond, toPerSecond }] : [];
      return [
        level(base, stage.secondsBefore),
        ...flank(base, peak),
        level(peak, stage.peakSeconds),
        ...flank(peak, base),
        level(base, stage.secondsAfter),
      ];
    }
  }
}

function level(perSecond: number, seconds: number): RateLine {
  return { seconds, fromPerSecond: perSecond, toPerSecond: perSecond };
}
