import { studentQuantile } from './bounds.ts';

/** Requests counted in one block of time, and how many were over the limit. Blocks are in order of time. */
export interface BlockCount {
  readonly counted: number;
  readonly over: number;
}

/** Which bound is wanted: the upper (`high`) or the lower (`low`). */
export type Side = 'high' | 'low';

/**
 * Minimum numbers of blocks into which a run is divided. More than 10 add little precision (Schmeiser 1982). A shorter run has one block
 * per window.
 */
const BLOCK_COUNTS = [60, 20, 10] as const;
/** Minimum number of blocks if neighbours among `CYCLE_BLOCK_COUNT` blocks still correlate. */
const SLOW_BLOCK_COUNT = 6;
/** Minimum degrees of freedom, for a run with few windows or hardly a cycle. */
const MIN_FREEDOM = 4;
/** Degrees of freedom that each cycle around the mean gives. */
const FREEDOM_PER_CYCLE = 9;
const MIN_CORRELATED_BLOCKS = 15;
/**
 * Minimum correlation that counts. By chance, 20 blocks reach it in 25 % of cases and 60 blocks in 12 %. The bound is then slightly
 * too wide.
 */
const MIN_CORRELATION = 0.15;
/** Maximum correlation that is used. A larger one is a slow change of the whole run. */
const MAX_CORRELATION = 0.4;
/**
 * Minimum number of cycles that make a slow change a recurring one. With fewer cycles, only differences between neighbours count as chance.
 */
const MIN_CYCLES = 3;
/** Number of blocks in which cycles are counted. Shorter blocks show random cycles. */
const CYCLE_BLOCK_COUNT = 20;
/** Minimum ratio of a block's squared deviation to the variance of independent requests at which the block is a clump. */
const CLUMP_VARIANCE_RATIO = 6;
const NORMAL_QUANTILE_90 = 1.6449;

/**
 * Returns the design effect to use for a bound of a share: the factor by which clumping reduces the effective sample size.
 * The effect is the variance of the share between blocks, as a ratio estimate (Cochran, Sampling Techniques, 2.11 and 9.3), divided by the
 * variance of independent draws. It is at least 1. It is 1 with fewer than two blocks, and if none or all requests are over the limit.
 * The given blocks are single windows. The effect is the maximum over several block lengths, because a change that lasts longer than a
 * block is invisible in short blocks. The part above 1 is increased in three ways:
 * - by (t / z)² with Student's t and the normal quantile z, because the variance is itself an estimate (Korn and Graubard 1998);
 * - by (1 + ρ) / (1 − ρ) if neighbours still correlate (Bayley and Hammersley 1946);
 * - for an upper bound, as if `moreClumps` more clumps of the largest size had occurred, because a short run may miss clumps by chance.
 */
export function cautiousEffect(blocks: readonly BlockCount[], side: Side, moreClumps: number): number {
  const freedom = FREEDOM_PER_CYCLE * findCycles(blocks);
  const atLength = groupInBlocks(blocks, chooseBlockLength(blocks, CYCLE_BLOCK_COUNT));
  const comesAgain = findCycles(atLength) >= MIN_CYCLES;
  const isSlow = comesAgain && correlationInflation(measureDeviations(atLength)?.deviations ?? []) > 1;
  const lengths = new Set([...BLOCK_COUNTS, ...(isSlow ? [SLOW_BLOCK_COUNT] : [])].map((count) => chooseBlockLength(blocks, count)));
  return Math.max(
    1,
    ...[...lengths].map((length) => measureEffect(groupInBlocks(blocks, length), { side, moreClumps, freedom, comesAgain })),
  );
}

function chooseBlockLength(blocks: readonly BlockCount[], count: number): number {
  return Math.max(1, Math.floor(blocks.length / count));
}

interface BoundOptions {
  readonly side: Side;
  readonly moreClumps: number;
  readonly freedom: number;
  /** Whether slow changes recurred or happened only once. */
  readonly comesAgain: boolean;
}

function measureEffect(blocks: readonly BlockCount[], { side, moreClumps, freedom, comesAgain }: BoundOptions): number {
  const found = measureDeviations(blocks);
  if (found === null) return 1;
  const { deviations, independent } = found;
  const count = deviations.length;
  const scale = count / ((count - 1) * independent);
  const squares = comesAgain ? found.squares : successiveSquares(deviations);
  const largest = side === 'high' ? Math.max(...deviations) ** 2 : 0;
  const oneMore = largest > (CLUMP_VARIANCE_RATIO * independent) / count ? largest : 0;
  const effect = scale * (squares + moreClumps * oneMore);
  if (effect <= 1) return 1;
  const student = studentFactor(Math.max(MIN_FREEDOM, Math.min(freedom, count - 1))) / NORMAL_QUANTILE_90;
  return 1 + (effect - 1) * student ** 2 * (comesAgain ? correlationInflation(deviations) : 1);
}

/**
 * Returns the sum of squares, estimated from differences of neighbours (von Neumann 1941): n / (2(n − 1)) × Σ(xᵢ₊₁ − xᵢ)². It includes
 * single clumps but not slow changes.
 */
function successiveSquares(deviations: readonly number[]): number {
  const count = deviations.length;
  const squares = deviations.slice(1).reduce((sum, deviation, index) => sum + (deviation - (deviations[index] ?? 0)) ** 2, 0);
  return (squares * count) / (2 * (count - 1));
}

interface Deviations {
  /** For each block: the number of requests over the limit minus the number expected from the share of the whole run. */
  readonly deviations: readonly number[];
  /** Expected sum of squares if requests were independent. */
  readonly independent: number;
  readonly squares: number;
}

function measureDeviations(blocks: readonly BlockCount[]): Deviations | null {
  const used = blocks.filter(({ counted }) => counted > 0);
  const { counted, over } = sumOf(used);
  if (used.length < 2 || over <= 0 || over >= counted) return null;
  const share = over / counted;
  const deviations = used.map((block) => block.over - share * block.counted);
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
  const independent = share * (1 - share) * counted;
  return { deviations, independent, squares };
}

/**
 * Returns the variance inflation (1 + ρ) / (1 − ρ) from the lag-1 correlation ρ of neighbours. Adds 1/n to ρ, because the estimate is too
 * low by that much (Kendall 1954).
 */
function correlationInflation(deviations: readonly number[]): number {
  const count = deviations.length;
  if (count < MIN_CORRELATED_BLOCKS) return 1;
  const squares = deviations.reduce((sum, deviation) => sum + deviation ** 2, 0);
  const sumOfProducts = deviations.reduce((sum, deviation, index) => sum + deviation * (deviations[index + 1] ?? 0), 0);
  const correlation = Math.min(MAX_CORRELATION, sumOfProducts / squares + 1 / count);
  return correlation > MIN_CORRELATION ? (1 + correlation) / (1 - correlation) : 1;
}

/**
 * Returns the number of changes from below the mean to above it. Recurring changes are known as precisely as the number of their cycles,
 * however long the run is.
 */
function findCycles(blocks: readonly BlockCount[]): number {
  const { counted, over } = sumOf(blocks);
  const isHigh = blocks.map((block) => block.over * counted > over * block.counted);
  return isHigh.filter((high, index) => high && index > 0 && isHigh[index - 1] === false).length;
}

/** Merges neighbouring blocks, at least `length` at a time, into blocks of about equal length. */
function groupInBlocks(blocks: readonly BlockCount[], length: number): readonly BlockCount[] {
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

/** Cache of one-sided 95 % quantiles of Student's t, because computing one takes a search. */
const studentFactors = new Map<number, number>();

function studentFactor(freedom: number): number {
  const known = studentFactors.get(freedom) ?? studentQuantile(freedom, 0.1);
  studentFactors.set(freedom, known);
  return known;
}
