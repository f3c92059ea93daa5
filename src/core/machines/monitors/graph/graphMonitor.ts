import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Quantity, MonitorInfo, MonitorPoint } from '../result.ts';
import type { Graph } from './readGraph.ts';

export interface RunTime {
  /** Unix time of second 0 of the run, in milliseconds. */
  readonly startedAtMs: number;
  /** Duration including the drain. */
  readonly seconds: number;
}

interface AlignedColumn {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly AlignedPoint[];
}

interface AlignedPoint {
  /** Second of the run, with fractions. Negative before the run. */
  readonly second: number;
  readonly value: number | null;
}

interface AlignedGraph {
  readonly columns: readonly AlignedColumn[];
  readonly stepSeconds: number;
  /** Number of rows that lie before or after the run. */
  readonly outside: number;
}

/**
 * Converts the times of a graph to seconds of a run. Keeps readings during the run, and one step before and after. Returns null if there
 * are none, which {@link explainOutside} explains.
 */
export function layOnRun(graph: Graph, { startedAtMs, seconds }: RunTime): AlignedGraph | null {
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

/** Explains why no reading lies within a run, and by how many hours to shift the graph. The usual cause is a time zone. */
export function explainOutside({ timesMs }: Graph, { startedAtMs, seconds }: RunTime): string {
  const [firstMs, lastMs] = [timesMs[0] ?? 0, timesMs.at(-1) ?? 0];
  const formatUtc = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  const endedAtMs = startedAtMs + seconds * 1_000;
  const coverageText = `the file covers ${formatUtc(firstMs)} to ${formatUtc(lastMs)}, the run ${formatUtc(startedAtMs)} to ${formatUtc(endedAtMs)}`;
  const middleMs = (startedAtMs + endedAtMs) / 2;
  const hours = Math.round((middleMs - (firstMs + lastMs) / 2) / 3_600_000);
  const movedMs = hours * 3_600_000;
  const isZone = hours !== 0 && Math.abs(hours) <= 14 && firstMs + movedMs <= endedAtMs && lastMs + movedMs >= startedAtMs;
  return isZone
    ? `${coverageText}: it would match if its times were ${Math.abs(hours)} h ${hours > 0 ? 'later' : 'earlier'}`
    : coverageText;
}

interface Scale {
  readonly unit: Quantity['unit'];
  readonly factor: number;
}

const BYTE_UNITS: Readonly<Record<string, number>> = {
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
const OTHER_UNITS: Readonly<Record<string, Scale>> = {
  '%': { unit: 'share', factor: 0.01 },
  percent: { unit: 'share', factor: 0.01 },
  ms: { unit: 'ms', factor: 1 },
  s: { unit: 'ms', factor: 1_000 },
  '/s': { unit: 'perSecond', factor: 1 },
  'req/s': { unit: 'perSecond', factor: 1 },
  'ops/s': { unit: 'perSecond', factor: 1 },
};

/** Converts a graph to an ended monitor with one chart per column. */
export function graphMonitor(
  laid: AlignedGraph,
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
      if (value !== null) setOwn(bySecond.get(second) ?? addSecond(bySecond, second), id, value * scale.factor);
  const points = [...bySecond]
    .toSorted(([one], [other]) => one - other)
    .map(([second, values]) => ({ second, width: laid.stepSeconds, values }));
  return { info, points: points.map((point, index) => trimOverlap(point, points[index + 1])) };
}

function addSecond(bySecond: Map<number, Record<string, number>>, second: number): Record<string, number> {
  const values = {};
  bySecond.set(second, values);
  return values;
}

/** Ends a point where the next one begins. */
function trimOverlap(point: MonitorPoint, next: MonitorPoint | undefined): MonitorPoint {
  return next === undefined ? point : { ...point, width: Math.min(point.width, next.second - point.second) };
}

/** Returns the scale for the unit of the values, or else for the unit in brackets in the column name. */
function scaleOf({ unit, name }: AlignedColumn): Scale {
  const [, unitText = ''] = /[([]([^()[\]]{1,12})[)\]]\s*$/.exec(name) ?? [];
  const written = (unit || unitText).trim().toLowerCase();
  const isRate = /\/s$|ps$/.test(written);
  const bytes = getOwn(BYTE_UNITS, written.replace(/\/s$/, '')) ?? (written === 'bytes' ? 1 : undefined);
  if (bytes !== undefined) return { unit: isRate ? 'bytesPerSecond' : 'bytes', factor: bytes };
  return getOwn(OTHER_UNITS, written) ?? { unit: 'count', factor: 1 };
}
