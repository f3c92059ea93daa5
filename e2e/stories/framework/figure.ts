/** A number in a story, with values from up to three sources. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** The value that follows from the drawn parameters; null if only app and log are compared. */
  readonly predicted: number | null;
  /** The value from the app; null if unknown. */
  readonly measured: number | null;
  /** The value from the servers' own logs; null if no log contains it. */
  readonly logged: number | null;
  /** Tolerance for differences from the prediction, and for the difference between app and log. */
  readonly within: number;
  /** Tolerance for the difference between app and log, if it is not `within`. */
  readonly agreeWithin?: number;
}

/** Returns why a figure is wrong, or null if the figure is right. An unknown value is always wrong. */
export function findProblem({ predicted, measured, logged, within, agreeWithin = within }: Figure): string | null {
  if (measured === null || !Number.isFinite(measured)) return 'the app does not know it';
  if (logged !== null && !Number.isFinite(logged)) return 'the log does not tell it';
  if (predicted !== null && differsBy(measured, predicted, within)) return 'the app is off the prediction';
  if (predicted !== null && logged !== null && differsBy(logged, predicted, within)) return 'the servers are off the prediction';
  if (logged !== null && differsBy(measured, logged, agreeWithin)) return 'app and log do not agree';
  return null;
}

function differsBy(value: number, from: number, within: number): boolean {
  // The relative tolerance of 1e-9 allows for rounding in sums of decimals.
  return Math.abs(value - from) > within + 1e-9 * Math.abs(from);
}

/** Returns a figure for a count that must be exactly equal in app and log. */
export function equalFigure(name: string, measured: number, logged: number): Figure {
  return { name, unit: '', predicted: null, measured, logged, within: 0 };
}

/** Returns a figure for a count that follows exactly from the plan. */
export function exactFigure(name: string, predicted: number, measured: number, logged: number | null): Figure {
  return { name, unit: '', predicted, measured, logged, within: 0 };
}
