import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Quantity } from '../quantity.ts';
import type { MonitorInfo, MonitorPoint } from '../result.ts';
import type { LaidColumn, LaidGraph } from './layOnRun.ts';

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
