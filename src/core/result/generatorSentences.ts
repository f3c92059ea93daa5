import { inARow } from '#core/plan/hosts/places.ts';
import { formatMegabits, formatMs, formatNumber, formatPortion, type TimeMs } from '#core/base/units.ts';
import type { RunResult } from './schema.ts';

/** What places are compared by. Times are response times. */
export interface GeneratorFigures {
  readonly name: string;
  readonly answered: number;
  readonly p50: TimeMs;
  readonly p90: TimeMs;
  /** Received, of the answers. */
  readonly bytesPerSecond: number | null;
}

/** Fewer answers than this from a place tell nothing about it. */
const LEAST_ANSWERS = 100;
/** A place is called slower from so many times the time of the fastest on, and so much more of it. */
const SLOWER = 1.5;
const LEAST_MS = 5;

const PERCENTILES = { p50: 50, p90: 90 } as const;

/** What of each of several places can be compared; nothing where one made all of the load. */
export function generatorFigures(generators: RunResult['generators']): GeneratorFigures[] {
  return generators.flatMap(({ name, figures }) => {
    if (figures === null) return [];
    const { response, rates } = figures;
    return [{ name, answered: response.count, p50: response.p50, p90: response.p90, bytesPerSecond: rates.bytesPerSecond }];
  });
}

/** A place from which the server is slower than from the fastest one. */
export interface SlowGenerator {
  readonly slow: GeneratorFigures;
  readonly fastest: GeneratorFigures;
  readonly at: keyof typeof PERCENTILES;
  readonly slowMs: number;
  readonly fastestMs: number;
}

/** Those places from which the middle answer, or where that is alike the ninth of ten, takes far longer; the slowest first. */
export function slowGenerators(generators: readonly GeneratorFigures[]): SlowGenerator[] {
  const known = generators.filter(({ answered }) => answered >= LEAST_ANSWERS);
  const found = slowerAt(known, 'p50');
  return found.length > 0 ? found : slowerAt(known, 'p90');
}

function slowerAt(generators: readonly GeneratorFigures[], at: SlowGenerator['at']): SlowGenerator[] {
  const timed = generators
    .flatMap((generator) => {
      const ms = generator[at];
      return typeof ms === 'number' ? [{ generator, ms }] : [];
    })
    .toSorted((one, other) => one.ms - other.ms);
  const [first, ...others] = timed;
  if (first === undefined) return [];
  return others
    .filter(({ ms }) => ms >= SLOWER * first.ms && ms - first.ms >= LEAST_MS)
    .map(({ generator, ms }) => ({ slow: generator, fastest: first.generator, at, slowMs: ms, fastestMs: first.ms }))
    .toReversed();
}

/** "From sp4, 50 % of responses came within 480 ms, from sp1 within 52 ms: 9.23 times as long." */
export function slowWords({ slow, fastest, at, slowMs, fastestMs }: SlowGenerator): string {
  const factor = fastestMs > 0 ? `: ${formatNumber(slowMs / fastestMs)} times as long` : '';
  return `From ${slow.name}, ${formatPortion(PERCENTILES[at])} of responses came within ${formatMs(slowMs)}, from ${fastest.name} within ${formatMs(fastestMs)}${factor}.`;
}

/** How the places compare, in sentences; none before there is enough to compare. */
export function generatorSentences(generators: readonly GeneratorFigures[]): string[] {
  const slow = slowGenerators(generators);
  if (slow.length > 0) return slow.map(slowWords);
  const middles = generators.flatMap(({ answered, p50 }) => (answered >= LEAST_ANSWERS && typeof p50 === 'number' ? [p50] : []));
  if (middles.length < 2 || middles.length < generators.length) return [];
  const [least, most] = [Math.min(...middles), Math.max(...middles)];
  const within = formatMs(least) === formatMs(most) ? formatMs(most) : `${formatMs(least)} to ${formatMs(most)}`;
  return [
    `From ${inARow(generators.map(({ name }) => name))} the server looks alike: ${formatPortion(50)} of responses came within ${within}.`,
  ];
}

/** What comes through a line, as its speed is told: 1,250,000 bytes a second are "10 Mbit/s". */
export function lineWords(bytesPerSecond: number | null): string {
  return formatMegabits(bytesPerSecond === null ? null : (bytesPerSecond * 8) / 1e6);
}
