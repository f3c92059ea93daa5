import type { Graph } from './readGraph.ts';

/** When a run went. */
export interface RunTime {
  /** Milliseconds since 1970 at its second 0. */
  readonly startedAtMs: number;
  /** How long it took, drain included. */
  readonly seconds: number;
}

export interface LaidColumn {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly LaidPoint[];
}

export interface LaidPoint {
  /** Of the run; with parts of a second, and before 0 for what was measured until the run began. */
  readonly second: number;
  readonly value: number | null;
}

export interface LaidGraph {
  readonly columns: readonly LaidColumn[];
  readonly stepSeconds: number;
  /** Rows that lie before or after the run. */
  readonly outside: number;
}

/**
 * A graph on the clock of a run: what was measured during it, and one step to either side. null when none of it was, which
 * {@link whyOutside} says in words.
 */
export function layOnRun(graph: Graph, { startedAtMs, seconds }: RunTime): LaidGraph | null {
  const from = startedAtMs - graph.stepMs;
  const to = startedAtMs + seconds * 1_000 + graph.stepMs;
  const isInside = (atMs: number): boolean => atMs >= from && atMs <= to;
  const columns = graph.columns.map(({ name, unit, points }) => ({
    name,
    unit,
    points: points.filter(({ atMs }) => isInside(atMs)).map(({ atMs, value }) => ({ second: (atMs - startedAtMs) / 1_000, value })),
  }));
  if (!columns.some(({ points }) => points.some(({ value }) => value !== null))) return null;
  const outside = graph.timesMs.filter((atMs) => !isInside(atMs)).length;
  return { columns, stepSeconds: graph.stepMs / 1_000, outside };
}

/** Why nothing of a graph lies within a run, and by how many hours it would have to be moved: usually a time zone. */
export function whyOutside({ timesMs }: Graph, { startedAtMs, seconds }: RunTime): string {
  const [firstMs, lastMs] = [timesMs[0] ?? 0, timesMs.at(-1) ?? 0];
  const shown = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const endedAtMs = startedAtMs + seconds * 1_000;
  const said = `the file goes from ${shown(firstMs)} to ${shown(lastMs)}, the run from ${shown(startedAtMs)} to ${shown(endedAtMs)}`;
  const middleMs = (startedAtMs + endedAtMs) / 2;
  const hours = Math.round((middleMs - (firstMs + lastMs) / 2) / 3_600_000);
  const movedMs = hours * 3_600_000;
  const isZone = hours !== 0 && Math.abs(hours) <= 14 && firstMs + movedMs <= endedAtMs && lastMs + movedMs >= startedAtMs;
  return isZone ? `${said}: it would fit if its times were ${Math.abs(hours)} h ${hours > 0 ? 'later' : 'earlier'}` : said;
}
