import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { formatMegabits, formatMs, formatNumber, formatPercentile, type TimeMs } from '#core/base/units.ts';
import type { RunResult } from './schema.ts';

/** Figures by which locations are compared. Times are response times. */
export interface GeneratorFigures {
  readonly name: string;
  readonly responded: number;
  readonly p50: TimeMs;
  readonly p90: TimeMs;
  /** Received bytes of responses per second. */
  readonly bytesPerSecond: number | null;
}

const MIN_RESPONSES = 100;
/** Minimum ratio to the fastest location, and minimum difference in ms, that count as slower. */
const MIN_SLOWDOWN_RATIO = 1.5;
const MIN_SLOWDOWN_MS = 5;

const PERCENTILES = { p50: 50, p90: 90 } as const;

/** Returns the figures of several locations for a comparison; empty for a single load generator. */
export function generatorFigures(generators: RunResult['generators']): GeneratorFigures[] {
  return generators.flatMap(({ name, figures }) => {
    if (figures === null) return [];
    const { response, rates } = figures;
    return [{ name, responded: response.count, p50: response.p50, p90: response.p90, bytesPerSecond: rates.bytesPerSecond }];
  });
}

/** A load generator that measured a slower server than the fastest generator did. */
export interface SlowGenerator {
  readonly slow: GeneratorFigures;
  readonly fastest: GeneratorFigures;
  readonly at: keyof typeof PERCENTILES;
  readonly slowMs: number;
  readonly fastestMs: number;
}

/** Returns the locations with a much higher median, or else a much higher p90; the slowest first. */
export function findSlowGenerators(generators: readonly GeneratorFigures[]): SlowGenerator[] {
  const usableGenerators = generators.filter(({ responded }) => responded >= MIN_RESPONSES);
  const found = findSlowerAt(usableGenerators, 'p50');
  return found.length > 0 ? found : findSlowerAt(usableGenerators, 'p90');
}

function findSlowerAt(generators: readonly GeneratorFigures[], at: SlowGenerator['at']): SlowGenerator[] {
  const timed = generators
    .flatMap((generator) => {
      const ms = generator[at];
      return typeof ms === 'number' ? [{ generator, ms }] : [];
    })
    .toSorted((one, other) => one.ms - other.ms);
  const [first, ...others] = timed;
  if (first === undefined) return [];
  return others
    .filter(({ ms }) => ms >= MIN_SLOWDOWN_RATIO * first.ms && ms - first.ms >= MIN_SLOWDOWN_MS)
    .map(({ generator, ms }) => ({ slow: generator, fastest: first.generator, at, slowMs: ms, fastestMs: first.ms }))
    .toReversed();
}

/** Returns a sentence: "From sp4, 50 % of responses came within 480 ms, from sp1 within 52 ms: 9.23 times as long." */
export function formatSlow({ slow, fastest, at, slowMs, fastestMs }: SlowGenerator): string {
  const factor = fastestMs > 0 ? `: ${formatNumber(slowMs / fastestMs)} times as long` : '';
  return `From ${slow.name}, ${formatPercentile(PERCENTILES[at])} of responses came within ${formatMs(slowMs)}, from ${fastest.name} within ${formatMs(fastestMs)}${factor}.`;
}

/** Describes how the locations compare; empty with too few responses. */
export function generatorSentences(generators: readonly GeneratorFigures[]): string[] {
  const slow = findSlowGenerators(generators);
  if (slow.length > 0) return slow.map(formatSlow);
  const middles = generators.flatMap(({ responded, p50 }) => (responded >= MIN_RESPONSES && typeof p50 === 'number' ? [p50] : []));
  if (middles.length < 2 || middles.length < generators.length) return [];
  const [shortest, longest] = [Math.min(...middles), Math.max(...middles)];
  const within = formatMs(shortest) === formatMs(longest) ? formatMs(longest) : `${formatMs(shortest)} to ${formatMs(longest)}`;
  return [
    `From ${joinNames(generators.map(({ name }) => name))} the server looks alike: ${formatPercentile(50)} of responses came within ${within}.`,
  ];
}

/** Formats a transfer rate as the speed of a line: 1,250,000 bytes per second are "10 Mbit/s". */
export function formatLine(bytesPerSecond: number | null): string {
  return formatMegabits(bytesPerSecond === null ? null : (bytesPerSecond * 8) / 1e6);
}
