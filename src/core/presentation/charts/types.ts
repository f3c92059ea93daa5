import type { SeriesLook } from './looks.ts';

/** A time span [second, second + width) of a run. */
export interface Span {
  readonly second: number;
  readonly width: number;
}

export type Unit = 'perSecond' | 'bytesPerSecond' | 'ms' | 'count' | 'share' | 'bytes' | 'cores';

export interface ChartSeries {
  readonly id: string;
  /** Name in the hover table and the table view. */
  readonly name: string;
  /** Short label beside the line. */
  readonly label: string;
  readonly look: SeriesLook;
  /** `stacked` series are stacked in their order; `dots` are single values without a line. */
  readonly shape: 'line' | 'stacked' | 'dots';
  /** Whether the dots are large, for values that are far apart. */
  readonly isLarge?: boolean;
  /** One value per span; null for a gap. */
  readonly values: readonly (number | null)[];
}

/** Area between two series, in the colour of the upper series. */
export interface ChartBand {
  readonly from: string;
  readonly to: string;
  readonly opacity: number;
}

export interface StageBand {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly counted: boolean;
}

export interface ShadedRange {
  readonly from: number;
  readonly to: number;
  /** The shaded parts. */
  readonly spans: readonly Span[];
  /** Short label, such as the number of a finding. */
  readonly label: string;
  /** Description for the tooltip. */
  readonly sentence: string;
  readonly tone: 'failed' | 'inconclusive' | 'info';
  /**
   * `marked`: labelled at its start without shading, because several shadings would overlap. `shown`: selected, with its seconds
   * highlighted.
   */
  readonly look: 'marked' | 'shown';
}

/** A limit line of a chart. */
export interface Limit {
  readonly value: number;
  readonly label: string;
  /** Counted seconds that violate the limit, if known, and their side of the line. */
  readonly breaches?: { readonly side: 'above' | 'below'; readonly spans: readonly Span[] };
}

/** Values over the time of a run, for the screen and for reports. */
export interface RunChart {
  readonly title: string;
  readonly unit: Unit;
  /** Description of the values, beside the title. */
  readonly about: string;
  readonly data: ChartData;
  readonly bands: readonly ChartBand[];
  readonly limits: readonly Limit[];
  /** Text that is shown in place of a chart without series. */
  readonly empty?: string;
}

/** Data of a chart: series over the same spans, in order of time. */
export interface ChartData {
  readonly spans: readonly Span[];
  readonly series: readonly ChartSeries[];
}
