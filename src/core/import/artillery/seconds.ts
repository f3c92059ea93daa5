import { durationSeconds } from '../commands/readValues.ts';

/** Seconds of a number or of a text like `5m`; null for anything else, and for variables. */
export function secondsOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : null;
  return typeof value === 'string' ? durationSeconds(value) : null;
}
