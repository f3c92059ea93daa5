import { capitalize } from '#core/base/text.ts';
import {
  formatBytes,
  formatCount,
  formatMs,
  formatNumber,
  formatPercent,
  formatRate,
  formatShare,
  GOOD_PER_SECOND,
} from '#core/base/units.ts';
import type { Aspect, Comparison, FigureDifference, Judgement, Measure, Scope } from './schema.ts';

export const ASPECT_WORDS: Readonly<Record<Aspect, string>> = {
  target: 'the target',
  variant: 'the variant',
  load: 'the load',
  plan: 'the requests',
  host: 'the load generator',
  tuning: 'settings of machines',
  engine: 'the engine',
  version: 'the version of Holdfast',
};

export const MEASURE_WORDS: Readonly<Record<Measure, string>> = {
  goodPerSecond: GOOD_PER_SECOND,
  p50: 'p50',
  p95: 'p95',
  p99: 'p99',
  failedShare: 'failed',
  cpuMsPerResponse: 'processor time per response',
  cpuUsed: 'cores busy',
  memory: 'max memory',
  largestPaint: 'visitors see it after',
};

/** Returns the name of a figure at the head of a row. Percentiles stay in lower case. */
export function measureTitle(measure: Measure): string {
  return measure === 'p50' || measure === 'p95' || measure === 'p99' ? MEASURE_WORDS[measure] : capitalize(MEASURE_WORDS[measure]);
}

const JUDGEMENT_WORDS: Readonly<Record<Judgement, string>> = {
  differs: 'differs',
  withinNoise: 'smaller than noise',
  tooFew: 'too few runs',
  refused: 'not claimed',
  notKnown: 'unknown',
};

export function formatScope({ kind, name }: Scope): string {
  switch (kind) {
    case 'run':
      return 'the whole run';
    case 'step':
      return `“${name}”`;
    case 'stage':
      return `stage “${name}”`;
    case 'watched':
      return name;
    default:
      return kind satisfies never;
  }
}

const FORMATS: Readonly<Record<Measure, (value: number) => string>> = {
  goodPerSecond: formatRate,
  p50: formatMs,
  p95: formatMs,
  p99: formatMs,
  cpuMsPerResponse: formatMs,
  largestPaint: formatMs,
  failedShare: formatShare,
  cpuUsed: formatNumber,
  memory: formatBytes,
};

export function formatFigure(value: number, measure: Measure): string {
  return FORMATS[measure](value);
}

/** Formats a change: "+12 %" for a ratio; for a difference, in the unit of the figure: "+2 points", "−3/s". */
export function changeWords(change: number, { scale, measure }: Pick<FigureDifference, 'scale' | 'measure'>): string {
  const sign = change > 0 ? '+' : change < 0 ? '−' : '±';
  const amount = Math.abs(change);
  if (scale === 'ratio')
    return amount >= 9.995 ? `${sign === '+' ? '× ' : sign}${formatNumber(change + 1)}` : `${sign}${formatPercent(amount, 2)}`;
  return `${sign}${measure === 'failedShare' ? `${formatNumber(amount * 100)} points` : formatFigure(amount, measure)}`;
}

/** Formats the interval of a change: "+8 % to +13 %"; null without an interval. */
export function formatInterval(difference: Pick<FigureDifference, 'interval' | 'scale' | 'measure'>): string | null {
  const { interval } = difference;
  return interval && `${changeWords(interval.from, difference)} to ${changeWords(interval.to, difference)}`;
}

/** Formats a judgement: "worse", "smaller than noise". */
export function formatJudgement({ judgement, direction }: Pick<FigureDifference, 'judgement' | 'direction'>): string {
  return judgement === 'differs' && direction !== null ? direction : JUDGEMENT_WORDS[judgement];
}

/** Formats the median of a side with the extremes of several runs; "–" if a run lacks the figure. */
export function spreadWords({ measure, ...both }: FigureDifference, which: 'from' | 'to'): string {
  const spread = both[which];
  if (spread === null) return '–';
  const { median, least, most } = spread;
  const middle = formatFigure(median, measure);
  return least === most ? middle : `${middle} (${formatFigure(least, measure)} to ${formatFigure(most, measure)})`;
}

/** Formats the title of a comparison: "“before” (5 runs) against “after” (5 runs)". */
export function comparisonTitle({ sides }: Pick<Comparison, 'sides'>): string {
  return sides.map(({ name, runs }) => `“${name}” (${formatCount(runs.length)} ${runs.length === 1 ? 'run' : 'runs'})`).join(' against ');
}

/** A side as requested. */
interface NamedRuns {
  /** Default: taken from the runs. */
  readonly name?: string | undefined;
  readonly runs: readonly { readonly name: string }[];
}

/** Returns a distinct name for each side: its own, or that of its runs; equal names get a letter. */
export function sideNames(sides: readonly NamedRuns[]): string[] {
  const names = sides.map(({ name, runs }) => {
    if (name !== undefined) return name;
    const [only, ...others] = new Set(runs.map((run) => run.name));
    return others.length === 0 && only !== undefined ? only : `${runs.length} runs`;
  });
  return names.map((name, index) => (names.filter((other) => other === name).length > 1 ? `${sideLetter(index)}: ${name}` : name));
}

/** Returns A, B, C … */
export function sideLetter(index: number): string {
  return String.fromCodePoint(65 + index);
}
