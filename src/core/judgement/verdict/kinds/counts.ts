import { sumOf } from '#core/base/lists.ts';
import { type Bounds, CONFIDENCE, minRequests, shareBounds } from '#core/statistics/bounds.ts';
import { type BlockCount, cautiousEffect } from '#core/statistics/clumping.ts';
import { rowOf } from '#core/statistics/timeRows.ts';
import type { CellEvidence, SlowResponses } from '../evidence.ts';
import { type JudgeInput, wasDrained } from '../input.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

/**
 * Requests of one block: how many count, how many are certainly over the limit, and how many more are over it unless the load generator
 * caused that.
 */
export interface DoubtfulBlock {
  readonly counted: number;
  readonly surely: number;
  readonly maybe: number;
}

export interface ShareTest {
  readonly counted: number;
  readonly surely: number;
  readonly maybe: number;
  /** Effective sample size: the number of independent requests with the same precision. */
  readonly independent: number;
  /** Lowest and highest possible share over the limit, if doubtful requests are counted either way. */
  readonly bounds: Bounds;
  readonly outcome: CriterionResult['outcome'];
  readonly unknownBecause: CriterionResult['unknownBecause'];
}

/** The same requests, counted by other limits. These show clumping better if more requests are over them. */
export interface OtherLimits {
  /**
   * Blocks by the next limit that more, or fewer, than `over` requests exceed; null if there is none. Only limits with enough requests
   * within and over count.
   */
  readonly withMore: (over: number) => readonly BlockCount[] | null;
  readonly withFewer: (over: number) => readonly BlockCount[] | null;
  /** Blocks by limits that at most three quarters, half and a quarter of `over` requests exceed. */
  readonly parts: (over: number) => readonly (readonly BlockCount[])[];
}

/**
 * Tests whether at most `allowance` of all requests are over a limit, as docs/method.md defines: exact binomial bounds of the share with
 * counts deflated by the design effect. Doubtful requests of an overloaded generator are judged both ways.
 */
export function testShare(blocks: readonly DoubtfulBlock[], allowance: number, others: OtherLimits): ShareTest {
  const counted = Math.round(sumOf(blocks, (block) => block.counted));
  const surely = Math.round(sumOf(blocks, (block) => block.surely));
  const maybe = sumOf(blocks, (block) => block.maybe);
  const lenient = reading(blocks, (block) => block.surely, CONFIDENCE, others);
  const strict = maybe === 0 ? lenient : reading(blocks, (block) => block.surely + block.maybe, CONFIDENCE, others);
  const facts = { counted, surely, maybe, independent: strict.independent, bounds: { low: lenient.bounds.low, high: strict.bounds.high } };
  if (counted === 0) return { ...facts, outcome: 'unknown', unknownBecause: 'notMeasured' };
  // “No failure at all” is a statement about this run, so counting alone decides.
  if (allowance === 0 && surely === 0 && maybe > 0) return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  if (allowance === 0) return { ...facts, outcome: surely > 0 ? 'failed' : 'passed', unknownBecause: null };
  const outcomes = [lenient, strict].map(({ bounds }) => decideOutcome(bounds, allowance));
  const [first = 'unknown', second = 'unknown'] = outcomes;
  if (first !== second) return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  if (first !== 'unknown') return { ...facts, outcome: first, unknownBecause: null };
  const certain = splitDoubtful(blocks, others);
  if (
    maybe > 0 &&
    decideOutcome(reading(certain.blocks, (block) => block.surely, CONFIDENCE, certain.others).bounds, allowance) === 'passed'
  )
    return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  const isTooFew = (surely + maybe === 0 ? strict.independent : counted) < minRequests(allowance);
  return { ...facts, outcome: 'unknown', unknownBecause: isTooFew ? 'tooFew' : 'tooClose' };
}

/**
 * Returns only the blocks without doubtful requests, also by the other limits. Requests that an overloaded generator delayed exceed other
 * limits, too, and look like a clump. This may make both readings of all blocks undecided.
 */
export function splitDoubtful(blocks: readonly DoubtfulBlock[], others: OtherLimits) {
  const isCertain = (_block: unknown, index: number): boolean => blocks[index]?.maybe === 0;
  const keepCertain = (found: readonly BlockCount[] | null): readonly BlockCount[] | null => found?.filter(isCertain) ?? null;
  return {
    blocks: blocks.filter(isCertain),
    others: {
      withMore: (over: number) => keepCertain(others.withMore(over)),
      withFewer: (over: number) => keepCertain(others.withFewer(over)),
      parts: (over: number) => others.parts(over).map((part) => part.filter(isCertain)),
    },
  };
}

interface Reading {
  readonly bounds: Bounds;
  readonly independent: number;
}

/**
 * Computes the bounds of one reading of the blocks, with counts deflated by the design effect. The design effect of few events is
 * uncertain, and too small if chance kept them few. The upper bound therefore uses the larger of two effects: that of this limit, and that
 * of the next limit that more requests exceed. The lower bound also considers the effect of the next limit that fewer requests exceed.
 * Without another limit, the effect assumes one more clump instead of 0.35. A mix of single violations and a few clumps looks like many
 * well-known events. The upper bound is therefore at least that of each part, plus the rest as measured.
 */
export function reading(
  blocks: readonly DoubtfulBlock[],
  over: (block: DoubtfulBlock) => number,
  confidence: number,
  others: OtherLimits,
): Reading {
  const own = blocks.map((block): BlockCount => ({ counted: block.counted, over: over(block) }));
  const counted = sumOf(own, (block) => block.counted);
  const sum = sumOf(own, (block) => block.over);
  const more = others.withMore(sum);
  const fewer = others.withFewer(sum);
  const low = Math.max(...[own, more, fewer].map((each) => (each === null ? 1 : cautiousEffect(each, 'low', 0))));
  const whole = findHighest(own, more, confidence);
  const parts = others.parts(sum).map((part) => findHighest(part, null, confidence));
  return {
    bounds: {
      low: shareBounds(sum / low, counted / low, confidence).low,
      high: Math.min(1, Math.max(whole.high, ...parts.map((part) => part.high + (sum - part.over) / counted))),
    },
    independent: counted / whole.effect,
  };
}

/**
 * Returns the upper bound of the share over one limit, and its design effect. `more`: blocks by the next limit that more requests exceed.
 */
function findHighest(blocks: readonly BlockCount[], more: readonly BlockCount[] | null, confidence: number) {
  const counted = sumOf(blocks, (block) => block.counted);
  const over = sumOf(blocks, (block) => block.over);
  const moreClumps = more === null ? 1 : 0.35;
  const effect = Math.max(...[blocks, more].map((each) => (each === null ? 1 : cautiousEffect(each, 'high', moreClumps))));
  return { over, effect, high: shareBounds(over / effect, counted / effect, confidence).high };
}

function decideOutcome({ low, high }: Bounds, allowance: number): CriterionResult['outcome'] {
  if (high <= allowance) return 'passed';
  return low > allowance ? 'failed' : 'unknown';
}

export interface TimedBlock extends DoubtfulBlock {
  readonly second: number;
}

/**
 * Returns the blocks of a step with the requests over a limit: failed requests, journeys that could not start, and successful responses
 * slower than `maxMs`.
 * - In an overloaded second, measured times are too long. Responses within the limit are certain, and those over it are doubtful.
 * - In any second, requests that are over the limit only because they were sent late are doubtful. So are journeys that the load generator
 * could not start.
 * - Requests and waits that are outstanding after the drain are over any limit. In a run that was killed, they had no drain and do not
 * count.
 */
export function listBlocksOver(cell: CellEvidence, maxMs: number | null, input: JudgeInput): TimedBlock[] {
  const blocks = cell.blocks.map((block) => {
    const { byService, byLateness } = (maxMs === null ? undefined : block.slower.get(maxMs)) ?? NO_SLOWER_RESPONSES;
    const target = byService + block.notStartedTarget;
    const isOverloaded = block.overloadedBy.length > 0;
    return {
      second: block.second,
      counted: block.ended + block.notStartedTarget + block.notStartedGenerator,
      surely: block.failedSurely + (isOverloaded ? 0 : target),
      maybe: block.failedMaybe + byLateness + block.notStartedGenerator + (isOverloaded ? target : 0),
    };
  });
  const withoutResponse = countWithoutResponse(cell, input);
  return withoutResponse === 0 ? blocks : addWithoutResponse(blocks, withoutResponse);
}

function countWithoutResponse(cell: CellEvidence, input: JudgeInput): number {
  const left = Math.max(0, cell.started - cell.ended);
  if (!cell.isOfWaits) return wasDrained(input) ? left : 0;
  return input.head.state === 'finished' ? Math.min(left, input.evidence.pendingWaits(cell.step)) : 0;
}

const NO_SLOWER_RESPONSES: SlowResponses = { byService: 0, byLateness: 0 };

/**
 * Spreads the requests without a response over the blocks in proportion to their counts. They belong to no second. Spread out, they form no
 * clump.
 */
function addWithoutResponse(blocks: readonly TimedBlock[], withoutResponse: number): TimedBlock[] {
  const [first, ...others] = blocks;
  if (!first) return [];
  const counted = blocks.reduce((sum, block) => sum + block.counted, 0);
  if (counted === 0) return [{ ...first, counted: withoutResponse, surely: withoutResponse }, ...others];
  return blocks.map((block) => {
    const part = (withoutResponse * block.counted) / counted;
    return { ...block, counted: block.counted + part, surely: block.surely + part };
  });
}

/** Returns the excess over an allowance per block, which shows where a violation starts. */
export function computeExcess(blocks: readonly TimedBlock[], allowance: number): { second: number; amount: number }[] {
  return blocks.map(({ second, counted, surely, maybe }) => ({ second, amount: surely + maybe - allowance * counted }));
}

/** Returns the number of requests in the blocks. It is a whole number, although single blocks may hold fractions. */
export function countRequests(blocks: readonly TimedBlock[]): number {
  return Math.round(blocks.reduce((sum, block) => sum + block.counted, 0));
}

/** Minimum number of requests within and over another limit for the limit to show clumping. */
const MIN_EVENTS = 10;

/** Maximum ratio of the limit to a lower one whose violations are assumed to have the same causes. */
const MAX_LIMIT_RATIO = 2;
/** Maximum share of the violations in each part. */
const PART_SHARES = [0.75, 0.5, 0.25];
const NO_OTHER_LIMITS: OtherLimits = { withMore: () => null, withFewer: () => null, parts: () => [] };

/**
 * Returns, for other times than the limit, the number of the same requests that failed, could not start or took longer. Without a time
 * limit, there are none, because failures have causes of their own.
 */
export function findOtherLimits(cell: CellEvidence, maxMs: number | null): OtherLimits {
  if (maxMs === null) return NO_OTHER_LIMITS;
  const lowest = rowOf((maxMs * 1_000) / MAX_LIMIT_RATIO);
  const rows = [...new Set(cell.blocks.flatMap(({ byTime }) => [...byTime.keys()]))].toSorted((one, other) => other - one);
  const byRow = new Map(rows.map((row) => [row, 0]));
  let counted = 0;
  let withoutResponse = 0;
  for (const block of cell.blocks) {
    counted += block.ended + block.notStartedTarget + block.notStartedGenerator;
    withoutResponse += countNever(block);
    for (const [row, count] of block.byTime) byRow.set(row, (byRow.get(row) ?? 0) + count);
  }
  let over = withoutResponse;
  const limits = rows
    .map((row) => ({ row, over: (over += byRow.get(row) ?? 0) }))
    .filter((limit) => limit.over >= MIN_EVENTS && counted - limit.over >= MIN_EVENTS);
  const selectBlocks = (limit: (typeof limits)[number] | undefined) => (limit === undefined ? null : listBlocks(cell, limit.row));
  return {
    withMore: (than) => selectBlocks(limits.find((limit) => limit.over > than && limit.row > lowest)),
    withFewer: (than) => selectBlocks(limits.findLast((limit) => limit.over < than)),
    parts: (of) => {
      const found = new Set(PART_SHARES.map((part) => limits.findLast((limit) => limit.over <= part * of)));
      return [...found].flatMap((limit) => (limit === undefined ? [] : [listBlocks(cell, limit.row)]));
    },
  };
}

function listBlocks({ blocks }: CellEvidence, lowest: number): BlockCount[] {
  return blocks.map((block) => {
    let over = countNever(block);
    for (const [row, count] of block.byTime) if (row >= lowest) over += count;
    return { counted: block.ended + block.notStartedTarget + block.notStartedGenerator, over };
  });
}

function countNever(block: CellEvidence['blocks'][number]): number {
  return block.failedSurely + block.failedMaybe + block.notStartedTarget + block.notStartedGenerator;
}

/** Returns the reason for a criterion for which no request was counted. */
export function formatNoneCounted(things: string): string {
  return `No ${things} were counted.`;
}
