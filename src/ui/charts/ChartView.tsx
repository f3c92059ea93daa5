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

interface SharedFrame extends TimeFrame {
  /** Shows the seconds of the range of that label in all charts; null: of none but those that the page shows. */
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
  const { from, to, startedAt, stages, ranges, sick } = frame;
  const value = useMemo(
    () => ({ from, to, startedAt, stages, ranges: pointed === null ? ranges : pointedAt(ranges, pointed), sick, point }),
    [from, to, startedAt, stages, ranges, sick, pointed],
  );
  return (
    <CrosshairContext value={crosshair}>
      <FrameContext value={value}>{children}</FrameContext>
    </CrosshairContext>
  );
}

/** One range is shown at most: that of this label. */
function pointedAt(ranges: readonly ShadedRange[], label: string): ShadedRange[] {
  return ranges.map((range) => ({ ...range, look: range.label === label ? 'shown' : 'marked' }));
}
