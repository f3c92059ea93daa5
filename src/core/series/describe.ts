import { placesWords } from '#core/plan/hosts/places.ts';
import { plannedRequests } from '#core/work/load/planned.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { expandSeries } from './cells.ts';
import { plannedSeriesSeconds } from './check.ts';
import { orderOf } from './order.ts';
import type { SeriesDocument } from '#core/plan/schema/series.ts';

export interface SeriesTotals {
  /** Where its runs are sent, each address once. */
  readonly urls: readonly string[];
  /** Loads and pauses together, at least; null where answers decide it. */
  readonly seconds: number | null;
  /** Of all runs; null where answers decide it. */
  readonly requests: number | null;
}

/** What all runs of a series are together; cells that cannot be are left out. */
export function seriesTotals(document: SeriesDocument): SeriesTotals {
  const { cells } = expandSeries(document);
  const runs = orderOf(document.series).flatMap(({ cell }) => cells[cell] ?? []);
  const requests = runs.filter(({ problem }) => problem === null).map(({ plan }) => plannedRequests(plan));
  return {
    urls: [...new Set(cells.flatMap(({ plan }) => plan.targets.map(({ url }) => url)))],
    seconds: plannedSeriesSeconds(document),
    requests: requests.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0),
  };
}

/** A series in words, for people who have to agree to it before it runs. */
export function describeSeries(document: SeriesDocument): string[] {
  const { series } = document;
  const { cells } = expandSeries(document);
  const runs = orderOf(series).length;
  const seconds = plannedSeriesSeconds(document);
  const several = series.repeats === 1 ? '' : `, each ${formatCount(series.repeats)} times`;
  return [
    `The plan is run ${formatCount(runs)} times, one run after the other, for ${formatCount(cells.length)} places of a table${several}.`,
    ...cells.map(
      ({ name, plan, on }) =>
        `“${name}”: ${plan.targets.map(({ url }) => url).join(', ')}${on === null ? '' : `, from ${placesWords(on)}`}.`,
    ),
    ...(seconds === null ? [] : [`All runs and the pauses between them take at least ${formatSeconds(seconds)}.`]),
  ];
}
