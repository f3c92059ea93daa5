import { build, type Histogram as HdrHistogram } from 'hdr-histogram-js';
export type Histogram = HdrHistogram;
export const newHistogram = (): Histogram => build();
