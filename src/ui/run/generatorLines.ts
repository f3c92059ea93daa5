import type { GeneratorPoint } from '#core/result/schema.ts';
import type { ChartData } from '#core/presentation/charts/types.ts';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { ratePoints } from '#core/result/pointSeries.ts';

/** A load generator with its points over time. */
export interface GeneratorLine {
  readonly name: string;
  readonly points: readonly GeneratorPoint[];
}

/**
 * Returns one line per load generator, over the seconds of all generators. A line has a gap where its generator was lost, or where its
 * points were merged differently.
 */
export function generatorData(
  lines: readonly GeneratorLine[],
  valueOf: (point: GeneratorPoint) => number | null,
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

/** Returns the points of each load generator. The last point is left out if it is too short to compute a rate. */
export function generatorLines(names: readonly string[], points: readonly (readonly GeneratorPoint[])[]): GeneratorLine[] {
  return names.flatMap((name, number) => {
    const own = points[number] ?? [];
    return own.length === 0 ? [] : [{ name: capitalizeStart(name), points: ratePoints(own) }];
  });
}
