import { studentQuantile } from './beta.ts';

/** What was counted in one block of time, and how much of it was over the limit. Blocks come in order of time. */
export interface BlockCount {
  readonly counted: number;
  readonly over: number;
}

/** The bound that is to hold: the share may be larger, or smaller, than what was seen. */
export type Side = 'high' | 'low';

/** Into how many blocks a run is cut, at least: from 10 on, more of them say little more (Schmeiser 1982). Shorter runs have one for each window. */
const BLOCKS = [60, 20, 10] as const;
/** And where neighbours of `CYCLE_BLOCKS` resemble each other still. */
const FEWER_BLOCKS = 6;
/** The fewest degrees of freedom, where a run has fewer windows or hardly a cycle. */
const LEAST_FREEDOM = 4;
/** Changes between more and less than the mean, in blocks, that stand for one degree of freedom each. */
const FREEDOM_OF_A_CYCLE = 9;
/** From so many blocks on it can be told whether neighbours resemble each other… */
const LEAST_NEIGHBOURS = 15;
/** …which they do from this correlation on; by chance 20 blocks have it once in 4 times, 60 once in 8, and the bound is a little wide. */
const RESEMBLING = 0.15;
/** More is taken for a slow change of the whole run. */
const MOST_RESEMBLING = 0.4;
/** What comes fewer times is none of what a run claims to have seen: it is what became of this run, and only how neighbours differ is chance. */
const SEEN_CYCLES = 3;
/** In blocks of this number cycles are counted: in shorter ones chance makes some. */
const CYCLE_BLOCKS = 20;
/** A block whose deviation is larger than that of independent requests by this factor, squared, is a clump. */
const CLUMP = 6;
const NORMAL_90 = 1.6449;

/**
 * How much less a clumped sample says than an independent one of the same size: the variance of the share between blocks, as a ratio estimate (Cochran,
 * Sampling Techniques, 2.11 and 9.3), by the variance of independent draws; never below 1. It cannot be told from fewer than two blocks, nor when none or
 * all are over: then 1.
 *
 * This is the effect to reckon with when a bound of the share is wanted, from single windows: the largest of blocks of several lengths, since whatever
 * lasts longer than a block makes neighbours alike and hides in short ones. What is above 1 is made larger for what a few blocks do not tell:
 *
 * - the variance between them is itself an estimate (Korn and Graubard 1998): by the square of Student's t over the normal quantile;
 * - where neighbours resemble each other still, by (1 + ρ) / (1 − ρ) (Bayley and Hammersley 1946);
 * - for an upper bound, as if there had been `moreClumps` more clumps as large as the largest: the clumps that a short run sees are small and few by chance as well.
 */
export function cautiousEffect(blocks: readonly BlockCount[], side: Side, moreClumps: number): number {
  const freedom = FREEDOM_OF_A_CYCLE * cyclesOf(blocks);
  const atLength = inBlocksOf(blocks, lengthFor(blocks, CYCLE_BLOCKS));
  const comesAgain = cyclesOf(atLength) >= SEEN_CYCLES;
  const isSlow = comesAgain && resemblance(deviationsOf(atLength)?.deviations ?? []) > 1;
  const lengths = new Set([...BLOCKS, ...(isSlow ? [FEWER_BLOCKS] : [])].map((count) => lengthFor(blocks, count)));
  return Math.max(1, ...[...lengths].map((length) => effectOf(inBlocksOf(blocks, length), { side, moreClumps, freedom, comesAgain })));
}

function lengthFor(blocks: readonly BlockCount[], count: number): number {
  return Math.max(1, Math.floor(blocks.length / count));
}

interface Wanted {
  readonly side: Side;
  readonly moreClumps: number;
  readonly freedom: number;
  /** Whether slow changes came again and again, or just once. */
  readonly comesAgain: boolean;
}

function effectOf(blocks: readonly BlockCount[], { side, moreClumps, freedom, comesAgain }: Wanted): number {
  const found = deviationsOf(blocks);
  if (found === null) return 1;
  const { deviations, independent } = found;
  const count = deviations.length;
  const scale = count / ((count - 1) * independent);
  const squares = comesAgain ? found.squares : successiveSquares(deviations);
  const largest = side === 'high' ? Math.max(...deviations) ** 2 : 0;
  const oneMore = largest > (CLUMP * independent) / count ? largest : 0;
  const effect = scale * (squares + moreClumps * oneMore);
  if (effect <= 1) return 1;
  const student = studentOf(Math.max(LEAST_FREEDOM, Math.min(freedom, count - 1))) / NORMAL_90;
  return 1 + (effect - 1) * student ** 2 * (comesAgain ? resemblance(deviations) : 1);
}

/** What the squares would sum up to by the differences of neighbours alone (von Neumann 1941): slow changes are not in it, single clumps are. */
function successiveSquares(deviations: readonly number[]): number {
  const count = deviations.length;
  const squares = deviations.slice(1).reduce((sum, deviation, index) => sum + (deviation - (deviations[index] ?? 0)) ** 2, 0);
  return (squares * count) / (2 * (count - 1));
}

interface Deviations {
  /** Of each block, how many more were over than of as many requests of the whole. */
  readonly deviations: readonly number[];
  /** What the sum of their squares would be if requests were independent. */
  readonly independent: number;
  readonly squares: number;
}

function deviationsOf(blocks: readonly BlockCount[]): Deviations | null {
  const used = blocks.filter(({ counted }) => counted > 0);
  const { counted, over } = sumOf(used);
  if (used.length < 2 || over <= 0 || over >= counted) return null;
  const share = over / counted;
  const deviations = used.map((block) => block.over - share * block.counted);
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
  const independent = share * (1 - share) * counted;
  return { deviations, independent, squares };
}

/** By how much the variance of the mean is larger because neighbours resemble each other; their correlation is 1/n too low on average (Kendall 1954). */
function resemblance(deviations: readonly number[]): number {
  const count = deviations.length;
  if (count < LEAST_NEIGHBOURS) return 1;
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
  const products = deviations.reduce((sum, deviation, index) => sum + deviation * (deviations[index + 1] ?? 0), 0);
  const correlation = Math.min(MOST_RESEMBLING, products / squares + 1 / count);
  return correlation > RESEMBLING ? (1 + correlation) / (1 - correlation) : 1;
}

/** How often it went from below its mean to above: what comes again and again is known by how often it came, however many windows that took. */
function cyclesOf(blocks: readonly BlockCount[]): number {
  const { counted, over } = sumOf(blocks);
  const isHigh = blocks.map((block) => block.over * counted > over * block.counted);
  return isHigh.filter((high, index) => high && index > 0 && isHigh[index - 1] === false).length;
}

/** Neighbours put together, `length` or some more at a time, so that all blocks are about equally long. */
function inBlocksOf(blocks: readonly BlockCount[], length: number): readonly BlockCount[] {
  if (length === 1) return blocks;
  const count = Math.floor(blocks.length / length);
  const start = (index: number): number => Math.floor((index * blocks.length) / count);
  return Array.from({ length: count }, (_, index) => sumOf(blocks.slice(start(index), start(index + 1))));
}

function sumOf(blocks: readonly BlockCount[]): { counted: number; over: number } {
  let counted = 0;
  let over = 0;
  for (const block of blocks) {
    counted += block.counted;
    over += block.over;
  }
  return { counted, over };
}

/** One-sided 95 % quantiles of Student's t that were asked for before: each takes a search. */
const students = new Map<number, number>();

function studentOf(freedom: number): number {
  const known = students.get(freedom) ?? studentQuantile(freedom, 0.1);
  students.set(freedom, known);
  return known;
}
