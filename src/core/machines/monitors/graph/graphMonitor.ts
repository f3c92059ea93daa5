import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Quantity } from '../quantity.ts';
import type { MonitorInfo, MonitorPoint } from '../result.ts';
import type { Graph } from './readGraph.ts';

/** When a run went. */
export interface RunTime {
  /** Milliseconds since 1970 at its second 0. */
  readonly startedAtMs: number;
  /** How long it took, drain included. */
  readonly seconds: number;
}

interface LaidColumn {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly LaidPoint[];
}

interface LaidPoint {
  /** Of the run; with parts of a second, and before 0 for what was measured until the run began. */
  readonly second: number;
  readonly value: number | null;
}

interface LaidGraph {
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
  const said = `the file covers ${shown(firstMs)} to ${shown(lastMs)}, the run ${shown(startedAtMs)} to ${shown(endedAtMs)}`;
  const middleMs = (startedAtMs + endedAtMs) / 2;
  const hours = Math.round((middleMs - (firstMs + lastMs) / 2) / 3_600_000);
  const movedMs = hours * 3_600_000;
  const isZone = hours !== 0 && Math.abs(hours) <= 14 && firstMs + movedMs <= endedAtMs && lastMs + movedMs >= startedAtMs;
  return isZone ? `${said}: it would match if its times were ${Math.abs(hours)} h ${hours > 0 ? 'later' : 'earlier'}` : said;
}

interface Scale {
  readonly unit: Quantity['unit'];
  readonly factor: number;
}

const BYTES: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1_024,
  mib: 1_024 ** 2,
  gib: 1_024 ** 3,
  tib: 1_024 ** 4,
};
const OTHERS: Readonly<Record<string, Scale>> = {
  '%': { unit: 'share', factor: 0.01 },
  percent: { unit: 'share', factor: 0.01 },
  ms: { unit: 'ms', factor: 1 },
  s: { unit: 'ms', factor: 1_000 },
  '/s': { unit: 'perSecond', factor: 1 },
  'req/s': { unit: 'perSecond', factor: 1 },
  'ops/s': { unit: 'perSecond', factor: 1 },
};

/** What a graph shows, as a monitor that has ended, with a chart for each column. */
export function graphMonitor(
  laid: LaidGraph,
  { number, name }: { readonly number: number; readonly name: string },
): { readonly info: MonitorInfo; readonly points: MonitorPoint[] } {
  const columns = laid.columns.map((column, index) => ({ ...column, id: `graph.${index + 1}`, scale: scaleOf(column) }));
  const info: MonitorInfo = {
    number,
    name,
    kind: 'graph',
    role: 'target',
    host: null,
    quantities: columns.map(({ id, name: words, scale }) => ({ id, words, unit: scale.unit, chart: words })),
    limits: [],
    state: 'ended',
    problem: null,
    errorMs: null,
  };
  const bySecond = new Map<number, Record<string, number>>();
  for (const { id, points, scale } of columns)
    for (const { second, value } of points)
      if (value !== null) setOwn(bySecond.get(second) ?? fresh(bySecond, second), id, value * scale.factor);
  const points = [...bySecond]
    .toSorted(([one], [other]) => one - other)
    .map(([second, values]) => ({ second, width: laid.stepSeconds, values }));
  return { info, points: points.map((point, index) => withoutOverlap(point, points[index + 1])) };
}

function fresh(bySecond: Map<number, Record<string, number>>, second: number): Record<string, number> {
  const values = {};
  bySecond.set(second, values);
  return values;
}

/** Rows that come closer together than most end where the next begins. */
function withoutOverlap(point: MonitorPoint, next: MonitorPoint | undefined): MonitorPoint {
  return next === undefined ? point : { ...point, width: Math.min(point.width, next.second - point.second) };
}

/** By the unit behind the numbers, else by the one in brackets at the end of the name. */
function scaleOf({ unit, name }: LaidColumn): Scale {
  const [, inside = ''] = /[([]([^()[\]]{1,12})[)\]]\s*$/.exec(name) ?? [];
  const written = (unit || inside).trim().toLowerCase();
  const isRate = /\/s$|ps$/.test(written);
  const bytes = getOwn(BYTES, written.replace(/\/s$/, '')) ?? (written === 'bytes' ? 1 : undefined);
  if (bytes !== undefined) return { unit: isRate ? 'bytesPerSecond' : 'bytes', factor: bytes };
  return getOwn(OTHERS, written) ?? { unit: 'count', factor: 1 };
}
