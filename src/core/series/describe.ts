import { placesWords } from '../hosts/places.ts';
import { formatCount, formatSeconds } from '../units.ts';
import { expandSeries } from './cells.ts';
import { plannedSeriesSeconds } from './check.ts';
import { orderOf } from './order.ts';
import type { SeriesDocument } from './schema.ts';

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
