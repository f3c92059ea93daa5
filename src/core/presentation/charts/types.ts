import type { SeriesLook } from './looks.ts';

/** The seconds [second, second + width) of a run that a value is about. */
export interface Span {
  readonly second: number;
  readonly width: number;
}

export type Unit = 'perSecond' | 'bytesPerSecond' | 'ms' | 'count' | 'share' | 'bytes' | 'cores';

export interface ChartSeries {
  readonly id: string;
  /** As the hover table and the table view call it. */
  readonly name: string;
  /** As it stands beside its line; short. */
  readonly label: string;
  readonly look: SeriesLook;
  /** Series that are `stacked` stand on each other in their order; `dots` are single values without a line. */
  readonly shape: 'line' | 'stacked' | 'dots';
  /** Of `dots` that stand far apart. */
  readonly isLarge?: boolean;
  /** One for each span; null where nothing was measured, which is drawn as a gap. */
  readonly values: readonly (number | null)[];
}

/** The area between two series of a chart, in the colour of the upper one. */
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
  /** The stretches of it that are meant, by time: what is shaded. */
  readonly spans: readonly Span[];
  /** Short, such as the number of the finding it belongs to. */
  readonly label: string;
  /** The same in a sentence, for whoever points at the label. */
  readonly sentence: string;
  readonly tone: 'breaks' | 'inconclusive' | 'info';
  /**
   * `marked`: its label stands where it begins, and nothing is shaded, for several shades over each other say nothing any more. `shown`: somebody asked where it is, so its seconds
   * stand out.
   */
  readonly look: 'marked' | 'shown';
}

/** A line across the chart: what was asked for. */
export interface Limit {
  readonly value: number;
  readonly label: string;
  /** The counted seconds beyond it, where that is known, and on which side of the line they lie. */
  readonly breaches?: { readonly side: 'above' | 'below'; readonly spans: readonly Span[] };
}

/** What a chart shows: columns of values over the same spans, in the order of time. */
export interface ChartData {
  readonly spans: readonly Span[];
  readonly series: readonly ChartSeries[];
}
