import { type MonitorResult, keyParts } from '#core/machines/monitors/result.ts';
import type { Reading } from '#core/statistics/trend.ts';
import { type MeasuredRun, watchedReadings } from '../diagnosis/rule.ts';
import { MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';

/** A limited resource, its use, and the rate at which it would be used up. */
export interface Resource {
  /** Example: "the processor of “web-1”". */
  readonly words: string;
  /** Share in use while the rate was measured, 0 to 1. */
  readonly share: number;
  /** Successful responses per second at which it is full, by the utilization law. A lower bound if a part is used without load. */
  readonly fullAtPerSecond: number;
}

const MIN_READINGS = 3;
/** Smallest share in use. Less is rounding, which extrapolation would multiply. */
const MIN_USED_SHARE = 0.03;

interface SteadyLoad {
  readonly fromSecond: number;
  readonly toSecond: number;
  /** Successful responses per second in it. */
  readonly perSecond: number;
}

/**
 * Returns the resources in use while a rate was measured, the scarcest first. Utilization law (Denning and Buzen): share in use = rate × demand per request,
 * so a resource is full at rate / share. Only monitored resources are known: processors and links of machines without load generators, counts of services
 * with a limit, and watched numbers with a limit.
 */
export function resourcesOf(
  { monitors, plan, generators }: Pick<MeasuredRun, 'monitors' | 'plan' | 'generators'>,
  load: SteadyLoad,
): Resource[] {
  const found = [
    ...monitors.filter(({ role }) => role !== 'generator').flatMap((monitor) => ofMonitor(monitor, load)),
    ...(plan.watch ?? []).flatMap(({ name, limit }) =>
      limit === undefined ? [] : resource(`“${name}”`, watchedReadings(generators, name), limit, load),
    ),
  ];
  return found.toSorted((one, other) => one.fullAtPerSecond - other.fullAtPerSecond);
}

function ofMonitor(monitor: MonitorResult, load: SteadyLoad): Resource[] {
  const { name, kind, limits, quantities } = monitor;
  if (kind === 'machine') {
    const [link, ...more] = limits.filter(({ chart }) => chart === MACHINE_CHARTS.network);
    const lines =
      link === undefined || more.length > 0
        ? []
        : ['net.in', 'net.out'].flatMap((id) => resource(`the network of “${name}”`, sumOf(monitor, id), link.value, load));
    return [...resource(`the processor of “${name}”`, sumOf(monitor, 'cpu.used'), 1, load), ...lines];
  }
  return limits.flatMap(({ chart, value: limit }) => {
    // The first quantity of a chart is the sum of the others.
    const whole = quantities.find((quantity) => quantity.chart === chart && quantity.unit === 'count');
    return whole === undefined ? [] : resource(`the ${chart.toLowerCase()} of “${name}”`, sumOf(monitor, whole.id), limit, load);
  });
}

/** Returns the readings of a quantity, summed over its instances. */
function sumOf({ values, second }: MonitorResult, id: string): Reading[] {
  const columns = Object.entries(values).flatMap(([key, column]) => (keyParts(key).id === id ? [column] : []));
  return second.flatMap((at, row) => {
    const known = columns.flatMap((column) => column[row] ?? []);
    return known.length === 0 ? [] : [{ second: at, value: known.reduce((sum, value) => sum + value, 0) }];
  });
}

function resource(words: string, readings: readonly Reading[], limit: number, { fromSecond, toSecond, perSecond }: SteadyLoad): Resource[] {
  const inside = readings.filter(({ second }) => second >= fromSecond && second < toSecond);
  if (inside.length < MIN_READINGS || limit <= 0) return [];
  const share = inside.reduce((sum, { value }) => sum + value, 0) / inside.length / limit;
  return share < MIN_USED_SHARE ? [] : [{ words, share: Math.min(1, share), fullAtPerSecond: perSecond / Math.min(1, share) }];
}
