import { getOwn } from '#core/base/ownMembers.ts';
/**
 * The colours of data on paper: those of the light theme (src/ui/styles/series.css), as numbers that every reader of SVG knows. A test
 * holds the two together.
 */
export const SERIES_COLORS: Readonly<Record<string, string>> = {
  started: '#788288',
  planned: '#98a0a5',
  completed: '#00696a',
  'in-flight': '#4a6297',
  bytes: '#277c99',
  p50: '#8c89cd',
  p90: '#6b62bf',
  p99: '#4e3da5',
  max: '#352180',
  service: '#536067',
  'not-started-target': '#b64700',
  'not-started-generator': '#845738',
  'status-1xx': '#788288',
  'status-2xx': '#348f4f',
  'status-3xx': '#3275b4',
  'status-4xx': '#c38300',
  'status-5xx': '#c52c2a',
  'socket-error': '#80369e',
  'time-wait': '#845738',
  'variant-1': '#00696a',
  'variant-2': '#b64700',
  'variant-3': '#4e3da5',
  'variant-4': '#3b7a2c',
  'variant-5': '#a42c71',
  'variant-6': '#38444c',
};

/** A look's `var(--series-NAME)` as a plain colour. */
export function paperColor(color: string): string {
  const name = /^var\(--series-([\w-]+)\)$/.exec(color)?.[1];
  return (name === undefined ? undefined : getOwn(SERIES_COLORS, name)) ?? color;
}

export const INK = '#1b242a';
export const QUIET_INK = '#4a565d';
export const LINE = '#c4cbd0';
export const GRID = '#e4e8ea';
export const UNCOUNTED = '#eff1f3';

/** Of ranges and verdicts. */
export const TONES = { holds: '#1d6b3a', breaks: '#a31f1f', inconclusive: '#7a4d00', measured: '#33546b', info: '#33546b' } as const;
