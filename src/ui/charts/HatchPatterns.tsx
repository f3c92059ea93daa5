import type { ChartSeries } from '#core/presentation/charts/types.ts';

const ANGLES = [45, 135, 0, 90, 20, 160];

/** Patterns for the areas that are hatched; several in one chart differ by their angle, so they stay apart without colour. */
export function HatchPatterns({ id, series }: { readonly id: string; readonly series: readonly ChartSeries[] }) {
  return (
    <defs>
      {series
        .filter(({ look }) => look.hatched)
        .map((one, index) => (
          <pattern
            key={one.id}
            id={patternId(id, one)}
            width={6}
            height={6}
            patternUnits="userSpaceOnUse"
            patternTransform={`rotate(${ANGLES[index % ANGLES.length]})`}
          >
            <rect width={6} height={6} fill={one.look.color} fillOpacity={0.35} />
            <path d="M0 3H6" stroke={one.look.color} strokeWidth={2.5} />
          </pattern>
        ))}
    </defs>
  );
}

/** What an area is filled with. `id` is the chart's, because ids of patterns are shared by the whole page. */
export function paintOf(id: string, series: ChartSeries): string {
  return series.look.hatched ? `url(#${patternId(id, series)})` : series.look.color;
}

function patternId(id: string, series: ChartSeries): string {
  return `${id}-${series.id.replaceAll(/[^\w-]/g, '_')}`;
}
