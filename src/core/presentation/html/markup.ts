import { bindUnits } from '#core/base/unbroken.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/** Safe markup. Foreign text must be inserted with {@link markup}, which escapes it; the constructor does not. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = string | number | Markup | readonly Part[];

/** Builds HTML or SVG: escapes texts, keeps numbers together with their units, inserts markup unchanged, and joins lists. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((all, text, index) => `${all}${partText(parts[index - 1] ?? '')}${text}`));
}

function partText(part: Part): string {
  if (part instanceof Markup) return part.text;
  return typeof part === 'object' ? part.map(partText).join('') : escapeHtml(bindUnits(String(part)));
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for content and quoted attributes. Removes characters that are invalid in documents. */
export function escapeHtml(text: string): string {
  return removeControls(text).replaceAll(/[&<>"']/g, (letter) => getOwn(ESCAPES, letter) ?? letter);
}

/** Removes control characters that are invalid in HTML and XML, C1 controls, bidirectional controls, and unpaired surrogates. */
export function removeControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are the ones that have to go
  return text.toWellFormed().replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g, '');
}

export const NO_MARKUP = new Markup('');

/**
 * Colours of data on paper: those of the light theme (src/ui/styles/series.css) in hexadecimal, which every SVG reader supports. A test
 * compares the two.
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

/** Converts `var(--series-NAME)` to a hexadecimal colour. */
export function paperColor(color: string): string {
  const name = /^var\(--series-([\w-]+)\)$/.exec(color)?.[1];
  return (name === undefined ? undefined : getOwn(SERIES_COLORS, name)) ?? color;
}

export const INK_COLOR = '#1b242a';
export const QUIET_INK_COLOR = '#4a565d';
export const LINE_COLOR = '#c4cbd0';
export const GRID_COLOR = '#e4e8ea';
export const UNCOUNTED_COLOR = '#eff1f3';

/** Colours of ranges and verdicts. */
export const TONES = { passed: '#1d6b3a', failed: '#a31f1f', inconclusive: '#7a4d00', measured: '#33546b', info: '#33546b' } as const;
