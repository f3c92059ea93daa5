import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { CrosshairContext, newCrosshair, within } from './crosshair.ts';
import type { ShadedRange, Span, StageBand } from '#core/presentation/charts/types.ts';

/** What all charts of a view have in common, so that a second stands at the same place in each. */
export interface TimeFrame {
  readonly from: number;
  readonly to: number;
  /** When second 0 was, as ISO 8601; null when that is not known. */
  readonly startedAt: string | null;
  readonly stages: readonly StageBand[];
  readonly ranges: readonly ShadedRange[];
  /** Seconds in which the generator is not to be trusted. */
  readonly sick: readonly Span[];
}

const FrameContext = createContext<TimeFrame | null>(null);

export function useTimeFrame(): TimeFrame {
  return within(useContext(FrameContext));
}

/** Charts inside share their time axis, their background and one crosshair. */
export function ChartView({ children, ...frame }: TimeFrame & { readonly children: ReactNode }) {
  const [crosshair] = useState(newCrosshair);
  const { from, to, startedAt, stages, ranges, sick } = frame;
  const value = useMemo(() => ({ from, to, startedAt, stages, ranges, sick }), [from, to, startedAt, stages, ranges, sick]);
  return (
    <CrosshairContext value={crosshair}>
      <FrameContext value={value}>{children}</FrameContext>
    </CrosshairContext>
  );
}
