import { formatCount, formatNumber, formatPercent, formatRate } from '#core/base/units.ts';
import type { Demand } from '#core/plan/schema/demand.ts';
import { perHour } from './levels.ts';
import { keyParts, type MonitorResult } from '#core/machines/monitors/result.ts';
import type { Reading } from '#core/statistics/trend.ts';
import { type MeasuredRun, watchedReadings } from '../diagnosis/rule.ts';
import { MACHINE_CHARTS } from '#core/machines/monitors/machine/catalogue.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Result of a load: its throughput and whether a criterion failed. */
interface MeasuredLoad {
  readonly name: string;
  /** Successful responses per second. */
  readonly perSecond: number;
  /** Requests started per second, which show whether a load was heavier. */
  readonly startedPerSecond: number;
  readonly hasFailed: boolean;
}

/** The highest passed throughput compared with the expected demand. */
export interface Headroom {
  readonly stage: string;
  readonly perSecond: number;
  readonly demandPerSecond: number;
  readonly factor: number;
  /** The people who cause the demand, and the number of them for whom the throughput suffices; null without people in the plan. */
  readonly people: { readonly name: string; readonly expected: number; readonly enoughFor: number } | null;
  /** Name of a heavier load that failed a criterion; null if there is none. */
  readonly failedAt: string | null;
}

/** Minimum factor of a comfortable headroom: a smaller one does not cover two estimates that are 10 % too low. */
const MIN_COMFORTABLE_FACTOR = 1.25;
/** Share in use from which a resource counts as used up. */
const MAX_USED_SHARE = 0.95;

/**
 * Computes the headroom from measured loads. Without a failed load, it is a lower bound. The demand is assumed to be proportional to the
 * number of people. Returns null if there is no demand, or if no load passed.
 */
export function computeHeadroom(demand: Demand | undefined, loads: readonly MeasuredLoad[]): Headroom | null {
  const demandPerSecond = demand?.requestsPerSecond;
  if (demandPerSecond === undefined) return null;
  const [best] = loads.filter(({ hasFailed }) => !hasFailed).toSorted((one, other) => other.perSecond - one.perSecond);
  if (best === undefined || best.perSecond === 0) return null;
  const firstFailure = loads.find(({ hasFailed, startedPerSecond }) => hasFailed && startedPerSecond > best.startedPerSecond);
  const factor = best.perSecond / demandPerSecond;
  const { people } = demand ?? {};
  return {
    stage: best.name,
    perSecond: best.perSecond,
    demandPerSecond,
    factor,
    people:
      people === undefined
        ? null
        : { name: people.name, expected: people.count, enoughFor: Math.floor((people.count * best.perSecond) / demandPerSecond) },
    failedAt: firstFailure?.name ?? null,
  };
}

/** Formats the headroom: “It sustained 980/s, at least 4.9 times the expected 200/s of 750 participants: enough for 3,675 participants.” */
export function headroomSentence({ factor, perSecond, demandPerSecond, people, failedAt }: Headroom): string {
  const who = people === null ? '' : ` of ${formatCount(people.expected)} ${people.name}`;
  const expected = `${formatNumber(factor)} times the expected ${formatRate(demandPerSecond)}${who}`;
  const managed = `It sustained ${formatRate(perSecond)}`;
  const enough = people === null ? '' : ` for ${formatCount(people.enoughFor)} ${people.name}`;
  if (factor < 1)
    return `${managed}, ${expected}: that is ${people === null ? 'not enough' : `enough${enough} only`}, unless more was not tested.`;
  const bound = failedAt === null ? 'at least ' : '';
  const room = people === null ? '.' : `: enough${enough}.`;
  const tight = factor < MIN_COMFORTABLE_FACTOR ? ' That leaves little headroom if the estimate was too low.' : '';
  return `${managed}, ${bound}${expected}${room}${tight}`;
}

/**
 * Formats the headroom for a headline: “; capacity about 4,200”, rounded down to two digits. Empty without people, or if it suffices for no
 * more people than expected.
 */
export function formatHeadroom({ people }: Pick<Headroom, 'people'>, claim: string, isBounded: boolean): string {
  if (people === null || claim === '') return '';
  const digit = 10 ** Math.max(0, Math.floor(Math.log10(people.enoughFor)) - 1);
  const enoughFor = Math.floor(people.enoughFor / digit) * digit;
  if (enoughFor <= people.expected) return '';
  const who = claim.includes(people.name) ? '' : ` ${people.name}`;
  return `; capacity ${isBounded ? 'about' : 'at least'} ${formatCount(enoughFor)}${who}`;
}

/** Explains how the headroom was computed, and which resource runs out first if known. */
export function headroomEvidence(
  { stage, perSecond, demandPerSecond, people, failedAt }: Headroom,
  missed: readonly string[],
  resources: readonly Resource[],
): string[] {
  return withoutAbsent([
    `Highest sustained load: “${stage}”, ${formatRate(perSecond)} successful responses.`,
    people !== null &&
      `${formatCount(people.expected)} × ${formatNumber(perSecond)} / ${formatNumber(demandPerSecond)} = ${formatCount(people.enoughFor)} ${people.name}, if each sends as many requests as stated.`,
    `Per hour: ${formatNumber(perSecond)} × 3,600 = ${formatCount(perHour(perSecond))} successful responses.`,
    failedAt === null
      ? 'No stage with a higher load failed: the breaking point is unknown.'
      : `“${failedAt}” had a higher load and failed.`,
    missed.length > 0 && `First to fail: ${missed.join('; ')}.`,
    firstToGiveSentence(resources, perSecond),
  ]);
}

/** Names the scarcest watched resource, and when it would be used up. */
function firstToGiveSentence(resources: readonly Resource[], perSecond: number): string {
  const [scarcest, next] = resources;
  if (scarcest === undefined) return 'The first resource to run out is unknown: no machine, service or count with a limit was watched.';
  const { words, share, fullAtPerSecond } = scarcest;
  const nextText = next === undefined ? '' : ` Next: ${next.words}, ${formatPercent(next.share)} in use.`;
  const use = `${words} was ${formatPercent(share)} in use at ${formatRate(perSecond)}`;
  const full =
    share >= MAX_USED_SHARE ? 'which is nearly all of it' : `so it is full at about ${formatRate(fullAtPerSecond)} (rate / share in use)`;
  return `The scarcest resource that was watched: ${use}, ${full}.${nextText}`;
}

/** A limited resource, its use, and the rate at which it would be used up. */
interface Resource {
  /** Example: "the processor of “web-1”". */
  readonly words: string;
  /** Share that was in use while the rate was measured, 0 to 1. */
  readonly share: number;
  /**
   * Successful responses per second at which the resource is full, by the utilization law. A lower bound if a part of the resource is in
   * use without load.
   */
  readonly fullAtPerSecond: number;
}

const MIN_READINGS = 3;
/** Minimum share in use. A smaller share is mostly rounding, which extrapolation would multiply. */
const MIN_USED_SHARE = 0.03;

interface SteadyLoad {
  readonly fromSecond: number;
  readonly toSecond: number;
  /** Successful responses per second during the time of the readings. */
  readonly perSecond: number;
}

/**
 * Returns the resources in use while a rate was measured, the scarcest first. By the utilization law (Denning and Buzen), share in use =
 * rate × demand per request, so a resource is full at rate / share. Only monitored resources are known: processors and links of machines
 * without load generators, counts of services with a limit, and watched numbers with a limit.
 */
export function listResources(
  { monitors, plan, generators }: Pick<MeasuredRun, 'monitors' | 'plan' | 'generators'>,
  load: SteadyLoad,
): Resource[] {
  const found = [
    ...monitors.filter(({ role }) => role !== 'generator').flatMap((monitor) => listMonitorResources(monitor, load)),
    ...(plan.watch ?? []).flatMap(({ name, limit }) =>
      limit === undefined ? [] : resource(`“${name}”`, watchedReadings(generators, name), limit, load),
    ),
  ];
  return found.toSorted((one, other) => one.fullAtPerSecond - other.fullAtPerSecond);
}

function listMonitorResources(monitor: MonitorResult, load: SteadyLoad): Resource[] {
  const { name, kind, limits, quantities } = monitor;
  if (kind === 'machine') {
    const [link, ...more] = limits.filter(({ chart }) => chart === MACHINE_CHARTS.network);
    const lines =
      link === undefined || more.length > 0
        ? []
        : ['net.in', 'net.out'].flatMap((id) => resource(`the network of “${name}”`, sumReadings(monitor, id), link.value, load));
    return [...resource(`the processor of “${name}”`, sumReadings(monitor, 'cpu.used'), 1, load), ...lines];
  }
  return limits.flatMap(({ chart, value: limit }) => {
    // The first quantity of a chart is the sum of the others.
    const whole = quantities.find((quantity) => quantity.chart === chart && quantity.unit === 'count');
    return whole === undefined ? [] : resource(`the ${chart.toLowerCase()} of “${name}”`, sumReadings(monitor, whole.id), limit, load);
  });
}

/** Returns the readings of a quantity, summed over its instances. */
function sumReadings({ values, second }: MonitorResult, id: string): Reading[] {
  const columns = Object.entries(values).flatMap(([key, column]) => (keyParts(key).id === id ? [column] : []));
  return second.flatMap((at, row) => {
    const cells = columns.flatMap((column) => column[row] ?? []);
    return cells.length === 0 ? [] : [{ second: at, value: cells.reduce((sum, value) => sum + value, 0) }];
  });
}

function resource(words: string, readings: readonly Reading[], limit: number, { fromSecond, toSecond, perSecond }: SteadyLoad): Resource[] {
  const readingsInSpan = readings.filter(({ second }) => second >= fromSecond && second < toSecond);
  if (readingsInSpan.length < MIN_READINGS || limit <= 0) return [];
  const share = readingsInSpan.reduce((sum, { value }) => sum + value, 0) / readingsInSpan.length / limit;
  return share < MIN_USED_SHARE ? [] : [{ words, share: Math.min(1, share), fullAtPerSecond: perSecond / Math.min(1, share) }];
}
