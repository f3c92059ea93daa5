import { logAxis } from './ticks.ts';

interface RoundLevel {
  readonly ms: number;
  /** How many rows from the lowest end it lies; not always whole. */
  readonly row: number;
}

/**
 * Round times to mark rows with whose ends rise evenly on a logarithmic scale: 1, 2, 5 of each decade, of many decades 1 alone. Where there are not two of them, the ends themselves.
 * `edgesMs`: the ends of the rows, rising, one more than there are rows.
 */
export function roundLevels(edgesMs: readonly number[]): RoundLevel[] {
  const [lowest, highest] = [edgesMs[0], edgesMs.at(-1)];
  if (lowest === undefined || highest === undefined || highest <= lowest) return [];
  const rowOf = (ms: number): number => ((edgesMs.length - 1) * Math.log(ms / lowest)) / Math.log(highest / lowest);
  const round = logAxis(lowest, highest).ticks.filter((tick) => tick >= lowest * (1 - 1e-3) && tick <= highest * (1 + 1e-3));
  return (round.length < 2 ? [lowest, highest] : round).map((ms) => ({ ms, row: rowOf(ms) }));
}
