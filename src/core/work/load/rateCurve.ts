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
      return [constantLine(stage.perSecond, stage.seconds)];
    case 'ramp':
      return [{ seconds: stage.seconds, fromPerSecond: stage.fromPerSecond, toPerSecond: stage.toPerSecond }];
    case 'count':
      return [constantLine(stage.arrivals / stage.seconds, stage.seconds)];
    case 'pause':
      return [constantLine(0, stage.seconds)];
    case 'steps': {
      const rise = (stage.toPerSecond - stage.fromPerSecond) / (stage.steps - 1);
      return Array.from({ length: stage.steps }, (_, step) => constantLine(stage.fromPerSecond + rise * step, stage.secondsEach));
    }
    case 'spike': {
      const { basePerSecond: base, peakPerSecond: peak, rampSeconds } = stage;
      const flank = (fromPerSecond: number, toPerSecond: number): RateLine[] =>
        rampSeconds > 0 ? [{ seconds: rampSeconds, fromPerSecond, toPerSecond }] : [];
      return [
        constantLine(base, stage.secondsBefore),
        ...flank(base, peak),
        constantLine(peak, stage.peakSeconds),
        ...flank(peak, base),
        constantLine(base, stage.secondsAfter),
      ];
    }
  }
}

function constantLine(perSecond: number, seconds: number): RateLine {
  return { seconds, fromPerSecond: perSecond, toPerSecond: perSecond };
}

/*
 * The rate of arrivals is a piecewise linear function λ(t). Its integral Λ(t) is the number of arrivals until t. Arrival k happens
 * where Λ reaches a given amount, so errors do not add up in long runs.
 *
 *   rate λ                          A piece of length d from rate a to rate b has the slope s = (b − a) / d.
 *    b ┤        ╱│                  After τ seconds of it
 *      │     ╱   │                        Λ(τ) = a·τ + s·τ²/2                      (area of the rectangle and the triangle)
 *    a ┤  ╱      │                  To find τ for an amount c, solve s/2·τ² + a·τ − c = 0. The textbook's root
 *      │  │ Λ(τ) │                        τ = (−a + √(a² + 2·s·c)) / s
 *      └──┴──────┴─ t               divides by zero on a level piece and subtracts nearly equal numbers on a nearly level
 *         0   τ  d                  one. Multiplied above and below by (a + √…) it becomes
 *                                         τ = 2·c / (a + √(a² + 2·s·c))
 * which is c/a on a level piece and √(2·c/s) on a piece that starts at 0. It also holds for falling pieces: a² + 2·s·c is the square
 * of the rate at τ, so it is negative only by rounding errors, hence the max with 0.
 */

interface Piece extends RateLine {
  readonly stage: number;
  readonly startSecond: number;
  /** Λ at the start of the piece. `endAmount`: Λ at its end. */
  readonly startAmount: number;
  readonly endAmount: number;
}

export interface RateCurve {
  readonly pieces: readonly Piece[];
  /** Total duration in seconds. */
  readonly seconds: number;
  /** Λ at the end, which is the total number of arrivals with a fraction. */
  readonly amount: number;
}

/** Returns the curve of consecutive stages. */
export function rateCurve(stages: readonly RateStage[]): RateCurve {
  const pieces: Piece[] = [];
  let startSecond = 0;
  let startAmount = 0;
  for (const [stage, description] of stages.entries()) {
    for (const line of linesOf(description)) {
      const endAmount = startAmount + amountWithin(line, line.seconds);
      pieces.push({ ...line, stage, startSecond, startAmount, endAmount });
      startSecond += line.seconds;
      startAmount = endAmount;
    }
  }
  return { pieces, seconds: startSecond, amount: startAmount };
}

/** Returns λ(t) in arrivals per second. Where two pieces meet, it is the later rate; outside the curve, it is 0. */
export function rateAt(curve: RateCurve, second: number): number {
  const piece = curve.pieces[pieceAt(curve, second)];
  if (piece === undefined || second < 0) return 0;
  return piece.fromPerSecond + ((piece.toPerSecond - piece.fromPerSecond) * (second - piece.startSecond)) / piece.seconds;
}

/** Returns Λ(t): the number of arrivals before `second`, with a fraction. */
export function amountBefore(curve: RateCurve, second: number): number {
  if (second <= 0) return 0;
  const piece = curve.pieces[pieceAt(curve, second)];
  return piece === undefined ? curve.amount : piece.startAmount + amountWithin(piece, second - piece.startSecond);
}

/** Returns the first second at which Λ reaches `amount`; Infinity if it never does. */
export function secondOf(curve: RateCurve, amount: number): number {
  if (amount <= 0) return 0;
  return secondOfAmount(curve, amount, pieceReaching(curve, amount));
}

/** Returns the index of the piece in which Λ reaches `amount` (> 0), by binary search; the number of pieces if none does. */
function pieceReaching(curve: RateCurve, amount: number): number {
  return findFirstPiece(curve, (piece) => piece.endAmount >= amount);
}

/** Returns {@link secondOf} within a known piece. */
export function secondOfAmount(curve: RateCurve, amount: number, index: number): number {
  const piece = curve.pieces[index];
  if (piece === undefined) return Number.POSITIVE_INFINITY;
  const { fromPerSecond: from, toPerSecond: to, seconds, startSecond, startAmount } = piece;
  const outstanding = amount - startAmount;
  const slope = (to - from) / seconds;
  const reachedRate = Math.sqrt(Math.max(0, from * from + 2 * slope * outstanding));
  // Both rates are 0 if the amount is 0 or its square underflows.
  const rates = from + reachedRate;
  return rates === 0 ? startSecond : startSecond + Math.min(seconds, (2 * outstanding) / rates);
}

/** Returns the index of the stage at `second`. Where two stages meet, it is the later one. */
export function stageAt(curve: RateCurve, second: number): number {
  return curve.pieces[Math.min(pieceAt(curve, second), curve.pieces.length - 1)]?.stage ?? 0;
}

/** Returns the number of arrivals in the first `second` seconds of a line, with a fraction. */
export function amountWithin(line: RateLine, second: number): number {
  const slope = (line.toPerSecond - line.fromPerSecond) / line.seconds;
  return second * (line.fromPerSecond + (slope * second) / 2);
}

function pieceAt(curve: RateCurve, second: number): number {
  return findFirstPiece(curve, (piece) => piece.startSecond + piece.seconds > second);
}

/**
 * Returns the index of the first piece for which `matches` is true, by binary search; the number of pieces if there is none. `matches` must
 * be monotonic.
 */
function findFirstPiece(curve: RateCurve, matches: (piece: Piece) => boolean): number {
  let low = 0;
  let high = curve.pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const piece = curve.pieces[middle];
    if (piece !== undefined && matches(piece)) high = middle;
    else low = middle + 1;
  }
  return low;
}
