import { yOf, type Plot } from '#core/presentation/charts/geometry.ts';
import type { Axis } from '#core/presentation/charts/ticks.ts';
import type { Limit } from '#core/presentation/charts/types.ts';
import { HaloText } from './HaloText.tsx';

interface LimitLinesProps {
  readonly limits: readonly Limit[];
  readonly axis: Axis;
  readonly logarithmic: boolean;
  readonly plot: Plot;
}

/** What was asked for, as lines across the data. */
export function LimitLines({ limits, axis, logarithmic, plot }: LimitLinesProps) {
  return (
    <g>
      {limits
        .filter(({ value }) => value >= axis.from && value <= axis.to)
        .map(({ value, label }) => {
          const y = yOf(value, axis, logarithmic, plot);
          const above = y - plot.top > 18;
          return (
            <g key={label}>
              <path d={`M${plot.left} ${y}H${plot.right}`} stroke="var(--text-breaks)" strokeDasharray="8 3 2 3" fill="none" />
              <HaloText x={plot.left + 4} y={above ? y - 4 : y + 14} color="var(--text-breaks)">
                {label}
              </HaloText>
            </g>
          );
        })}
    </g>
  );
}
