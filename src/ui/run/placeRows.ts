import type { PlacePoint, RunResult } from '#core/result/schema.ts';
import type { ChartData } from '#core/presentation/charts/types.ts';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import type { LiveGenerator } from '#core/result/places.ts';
import type { PlaceFacts } from '#core/result/placeWords.ts';
import { ratePoints } from '#core/result/pointSeries.ts';

/** A place and what it had at each time. */
export interface PlaceLine {
  readonly name: string;
  readonly points: readonly PlacePoint[];
}

/**
 * One line for each place, on the seconds of all of them. Places tell of the same seconds; where one was lost, or its points were joined
 * otherwise, it has a gap.
 */
export function placeData(
  lines: readonly PlaceLine[],
  valueOf: (point: PlacePoint) => number | null,
  lookOf: (index: number) => SeriesLook,
): ChartData {
  const spans = [
    ...new Map(lines.flatMap(({ points }) => points.map(({ second, width }) => [second, { second, width }] as const))).values(),
  ].toSorted((one, other) => one.second - other.second);
  const series = lines.map(({ name, points }, index) => {
    const bySecond = new Map(points.map((point) => [point.second, valueOf(point)]));
    return {
      id: name,
      name,
      label: name,
      look: lookOf(index),
      shape: 'line' as const,
      values: spans.map(({ second }) => bySecond.get(second) ?? null),
    };
  });
  return { spans, series };
}

/** One of several places, with its part of the load. */
export interface PlaceRow extends PlaceFacts {
  readonly sent: number;
  readonly ok: number;
  readonly completedPerSecond: number | null;
  readonly lost: RunResult['generators'][number]['lost'];
  readonly sickSeconds: number;
}

/** Of a run that goes: rates of the newest second, times since the start. None where one place makes all of the load. */
export function liveRows(generators: readonly LiveGenerator[]): PlaceRow[] {
  if (generators.length < 2) return [];
  return generators.map(({ name, lost, figures }) => {
    const { sent = 0, ok = 0, answered = 0, completedPerSecond = null, bytesPerSecond = null, p50 = null, p90 = null } = figures ?? {};
    const rates = lost === null ? { completedPerSecond, bytesPerSecond } : { completedPerSecond: null, bytesPerSecond: null };
    return { name, lost, sent, ok, answered, ...rates, p50, p90, sickSeconds: figures?.sickSeconds ?? 0 };
  });
}

/** Of a run that has ended: rates and times of the stages that count. */
export function resultRows(generators: RunResult['generators']): PlaceRow[] {
  return generators.flatMap(({ name, lost, sickSeconds, figures }) => {
    if (figures === null) return [];
    const { sent, ok, rates, response } = figures;
    const { completedPerSecond, bytesPerSecond } = rates;
    const { p50, p90 } = response;
    return [{ name, lost, sickSeconds, sent, ok, answered: response.count, completedPerSecond, bytesPerSecond, p50, p90 }];
  });
}

/** The lines of places over time; a last moment is too short for a rate. */
export function placeLines(names: readonly string[], points: readonly (readonly PlacePoint[])[]): PlaceLine[] {
  return names.flatMap((name, number) => {
    const own = points[number] ?? [];
    return own.length === 0 ? [] : [{ name: atStart(name), points: ratePoints(own) }];
  });
}
