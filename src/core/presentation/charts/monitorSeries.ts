import type { Plan } from '#core/plan/schema/plan.ts';
import type { WatchedReading } from '#core/result/readings.ts';
import { formatQuantity, keyParts, type Quantity, formatValueName } from '#core/machines/monitors/result.ts';
import type { LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { SERIES, variantLook } from './looks.ts';
import { chartNames } from './names.ts';
import { runChart } from './runSeries.ts';
import type { ChartSeries, RunChart } from './types.ts';

/** Returns one chart per watched value that has readings. A reading is valid until the next one, for at most twice the interval. */
export function buildWatchedCharts({ watch = [] }: Pick<Plan, 'watch'>, watched: readonly WatchedReading[]): RunChart[] {
  return watch.flatMap(({ name, limit, everySeconds }): RunChart[] => {
    const readings = watched.flatMap(({ second, values: { [name]: value } }) => (value === undefined ? [] : [{ second, value }]));
    if (readings.length === 0) return [];
    const spans = readings.map(({ second }, index) => ({
      second,
      width: Math.min(2 * everySeconds, (readings[index + 1]?.second ?? second + everySeconds) - second),
    }));
    const values = readings.map(({ value }) => value);
    const limits = limit === undefined ? [] : [{ value: limit, label: chartNames.limit(String(limit)) }];
    const line: ChartSeries = { id: name, name, label: name, look: SERIES.inFlight, shape: 'line', values };
    return [runChart(name, 'count', { spans, series: [line] }, { limits })];
  });
}

/** Maximum number of lines, because a chart with more is unreadable. The highest lines are drawn. */
const MAX_LINES = 8;
/** Fixed looks by key. */
const LOOK_BY_KEY: Readonly<Record<string, ChartSeries['look']>> = { 'timeWait.connecting': SERIES.timeWait };

/** Returns the charts of a monitor in catalogue order, without lines that stay at 0 and charts without lines. */
export function monitorCharts({ info, points }: LiveMonitor): RunChart[] {
  const spans = points.map(({ second, width }) => ({ second, width }));
  const keys = [...new Set(points.flatMap(({ values }) => Object.keys(values)))];
  const titles = [...new Set(info.quantities.map(({ chart }) => chart))];
  return titles.flatMap((title): RunChart[] => {
    const quantities = info.quantities.filter(({ chart }) => chart === title);
    const lines = quantities.flatMap((quantity) =>
      keys.filter((key) => keyParts(key).id === quantity.id).map((key) => buildLine(key, quantity, points)),
    );
    const shown = findHighest(lines.filter(({ highest }) => highest > 0));
    const [unit] = quantities.map((quantity) => quantity.unit);
    if (shown.length === 0 || unit === undefined) return [];
    const series = shown.map(({ key, name, values }, index): ChartSeries => {
      return { id: key, name, label: name, look: getOwn(LOOK_BY_KEY, key) ?? variantLook(index), shape: 'line', values };
    });
    const limits = info.limits.filter(({ chart }) => chart === title).map(({ value, words: label }) => ({ value, label }));
    return [runChart(title, unit, { spans, series }, { limits })];
  });
}

interface Line {
  readonly key: string;
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly highest: number;
}

function buildLine(key: string, quantity: Quantity, points: LiveMonitor['points']): Line {
  const values = points.map((point) => getOwn(point.values, key) ?? null);
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  return { key, name: formatValueName(key, quantity), values, highest };
}

/** Returns the highest lines in their original order. */
function findHighest(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= MAX_LINES) return lines;
  const kept = new Set([...lines].sort((one, other) => other.highest - one.highest).slice(0, MAX_LINES));
  return lines.filter((line) => kept.has(line));
}

/** Values in the summary of a machine. For other monitors, the summary contains the first two values. */
const SUMMARY_FIGURES: readonly { readonly id: string; readonly say: (value: string) => string }[] = [
  { id: 'cpu.used', say: (value) => `processor ${value}` },
  { id: 'timeWait.connecting', say: (value) => `${value} in TIME_WAIT on the connecting side` },
];

/** Returns a summary of the latest values; empty before the first. */
export function summarizeMonitor({ info, points }: LiveMonitor): string {
  const last = points.at(-1)?.values ?? {};
  const unitOf = (id: string): Quantity['unit'] => info.quantities.find((quantity) => quantity.id === id)?.unit ?? 'count';
  const reported =
    info.kind === 'machine'
      ? SUMMARY_FIGURES.flatMap(({ id, say }) => {
          const value = getOwn(last, id);
          return value === undefined ? [] : [say(formatQuantity(value, unitOf(id)))];
        })
      : Object.entries(last)
          .slice(0, 2)
          .map(([key, value]) => `${quantityName(key, info.quantities)} ${formatQuantity(value, unitOf(keyParts(key).id))}`);
  return reported.join(' · ');
}

function quantityName(key: string, quantities: readonly Quantity[]): string {
  const quantity = quantities.find(({ id }) => id === keyParts(key).id);
  return quantity === undefined ? key : formatValueName(key, quantity);
}
