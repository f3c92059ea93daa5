/** A number of a story, from up to three sides. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** By the formula, from the parameters that were drawn; null where only app and log are compared. */
  readonly predicted: number | null;
  /** What the app says; null: it does not know. */
  readonly measured: number | null;
  /** What the servers themselves logged; null where no log can tell. */
  readonly logged: number | null;
  /** How far each may be from the prediction, and app and log from each other. */
  readonly within: number;
  /** How far app and log may be from each other, where that is not the same. */
  readonly agreeWithin?: number;
}

/** Why a figure is wrong; null when it is right. What the app does not know is never right. */
export function wrong({ predicted, measured, logged, within, agreeWithin = within }: Figure): string | null {
  if (measured === null || !Number.isFinite(measured)) return 'the app does not know it';
  if (logged !== null && !Number.isFinite(logged)) return 'the log does not tell it';
  if (predicted !== null && isOff(measured, predicted, within)) return 'the app is off the prediction';
  if (predicted !== null && logged !== null && isOff(logged, predicted, within)) return 'the servers are off the prediction';
  if (logged !== null && isOff(measured, logged, agreeWithin)) return 'app and log do not agree';
  return null;
}

function isOff(value: number, from: number, within: number): boolean {
  // A billionth: sums of decimals are not exact.
  return Math.abs(value - from) > within + 1e-9 * Math.abs(from);
}

/** A count that the app and the servers' log must agree on to the last one. */
export function same(name: string, measured: number, logged: number): Figure {
  return { name, unit: '', predicted: null, measured, logged, within: 0 };
}

/** A count that follows exactly from what was asked for. */
export function exactly(name: string, predicted: number, measured: number, logged: number | null): Figure {
  return { name, unit: '', predicted, measured, logged, within: 0 };
}
