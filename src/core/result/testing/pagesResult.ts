import type { PageFigures, PagesResult } from '../pages.ts';
import { sampleResult } from './sampleResult.ts';

const latency = sampleResult().latency.response;

const apdex = (value: number | null) => ({ value, satisfied: 1, tolerating: 0, frustrated: 0 }) as never;

/** Figures of 120 pages; 100 of them are complete. */
export const pageFigures = (changes: Partial<PageFigures> = {}): PageFigures => ({
  started: 120,
  complete: 100,
  incomplete: 20,
  times: { ...latency, min: 100, max: 900 },
  errorAdjusted: { ...latency, p50: 200, p95: 'never' },
  completePerSecond: 1.5,
  thresholdMs: 2_000,
  pageApdex: apdex(0.92),
  requestApdex: apdex(null),
  ...changes,
});

/** Result with the whole pages of one step and one stage. */
export const pagesResult = (changes: Partial<PagesResult> = {}): PagesResult => ({
  content: { pages: 2, resources: { css: 1, script: 2, image: 3, icon: 1, font: 1 } as never },
  all: pageFigures(),
  steps: [{ name: 'home', figures: pageFigures({ completePerSecond: null }) }],
  stages: [{ name: 'full load', figures: pageFigures() }],
  leftOut: {},
  ...changes,
});
