import { createContext, useContext, useMemo, useState, type ReactNode } from 'react';
import { CrosshairContext, newCrosshair, within } from './crosshair.ts';
import type { ShadedRange, Span, StageBand } from '#core/presentation/charts/types.ts';

/** Time axis and background that all charts of a view share. */
export interface TimeFrame {
  readonly from: number;
  readonly to: number;
  /** Time of second 0 as ISO 8601; null if unknown. */
  readonly startedAt: string | null;
  readonly stages: readonly StageBand[];
  readonly ranges: readonly ShadedRange[];
  /** Seconds in which the load generator was overloaded. */
  readonly overloaded: readonly Span[];
}

interface SharedFrame extends TimeFrame {
  /** Shows the range with that label in all charts; null shows the page's own ranges again. */
  point(label: string | null): void;
}

const FrameContext = createContext<SharedFrame | null>(null);

export function useTimeFrame(): SharedFrame {
  return within(useContext(FrameContext));
}

/** Charts inside share their time axis, their background and one crosshair. */
export function ChartView({ children, ...frame }: TimeFrame & { readonly children: ReactNode }) {
  const [crosshair] = useState(newCrosshair);
  const [pointed, point] = useState<string | null>(null);
  const { from, to, startedAt, stages, ranges, overloaded } = frame;
  const value = useMemo(
    () => ({ from, to, startedAt, stages, ranges: pointed === null ? ranges : pointedAt(ranges, pointed), overloaded, point }),
    [from, to, startedAt, stages, ranges, overloaded, pointed],
  );
  return (
    <CrosshairContext value={crosshair}>
      <FrameContext value={value}>{children}</FrameContext>
    </CrosshairContext>
  );
}

/** Marks the range with this label as shown and all others as marked only. */
function pointedAt(ranges: readonly ShadedRange[], label: string): ShadedRange[] {
  return ranges.map((range) => ({ ...range, look: range.label === label ? 'shown' : 'marked' }));
}
