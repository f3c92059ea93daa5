import type { CellRun, SeriesRow } from '#core/series/result.ts';

/** The run that stands for a cell: of its whole ones the one whose throughput is nearest to their median, else one that was cut off. */
export function typicalRun({ runs, throughput }: Pick<SeriesRow, 'runs' | 'throughput'>): CellRun | null {
  const made = runs.filter(({ runId, state }) => runId !== null && state !== 'running');
  const whole = made.filter(({ state }) => state === 'value');
  const distance = ({ figures }: CellRun): number => Math.abs((figures?.completedPerSecond ?? 0) - (throughput?.median ?? 0));
  return [...(whole.length > 0 ? whole : made)].sort((a, b) => distance(a) - distance(b))[0] ?? null;
}
