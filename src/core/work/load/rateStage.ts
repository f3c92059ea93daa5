/** Arrival rate over a period, independent of responses, as in the stages of a plan (src/core/plan/schema/load.ts). */
export type RateStage =
  | { readonly kind: 'constant'; readonly perSecond: number; readonly seconds: number }
  | { readonly kind: 'ramp'; readonly fromPerSecond: number; readonly toPerSecond: number; readonly seconds: number }
  | { readonly kind: 'count'; readonly arrivals: number; readonly seconds: number }
  | { readonly kind: 'pause'; readonly seconds: number }
  | {
      readonly kind: 'steps';
      readonly fromPerSecond: number;
      readonly toPerSecond: number;
      readonly steps: number;
      readonly secondsEach: number;
    }
  | {
      readonly kind: 'spike';
      readonly basePerSecond: number;
      readonly peakPerSecond: number;
      readonly secondsBefore: number;
      readonly rampSeconds: number;
      readonly peakSeconds: number;
      readonly secondsAfter: number;
    };

/** A linear part of the rate curve. */
export interface RateLine {
  readonly seconds: number;
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
}

/** Returns the linear parts of a stage, in order and never empty. */
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
