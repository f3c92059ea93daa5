import { rowOf } from '#core/statistics/timeRows.ts';
import type { CellEvidence, Slower } from '../evidence.ts';
import { wasDrained, type JudgeInput } from '../input.ts';
import type { BlockCount } from '#core/statistics/clumping.ts';
import type { DoubtfulBlock, OtherLimits } from '../shareLimit.ts';

export interface TimedBlock extends DoubtfulBlock {
  readonly second: number;
}

/**
 * Returns the blocks of a step with the requests over a limit: failed requests, journeys that could not start, and successful responses slower than
 * `maxMs`.
 *
 * - In an overloaded second, measured times are too long. Responses within the limit are certain, those over it are doubtful.
 * - In any second, requests over the limit only because they were sent late are doubtful, and so are journeys that the load generator could not start.
 * - Requests and waits outstanding after the drain are over any limit. In a run that was killed they had no drain and do not count.
 */
export function blocksOver(cell: CellEvidence, maxMs: number | null, input: JudgeInput): TimedBlock[] {
  const blocks = cell.blocks.map((block) => {
    const { byService, byLateness } = (maxMs === null ? undefined : block.slower.get(maxMs)) ?? NONE_SLOWER;
    const target = byService + block.notStartedTarget;
    const isOverloaded = block.overloadedBy.length > 0;
    return {
      second: block.second,
      counted: block.ended + block.notStartedTarget + block.notStartedGenerator,
      surely: block.failedSurely + (isOverloaded ? 0 : target),
      maybe: block.failedMaybe + byLateness + block.notStartedGenerator + (isOverloaded ? target : 0),
    };
  });
  const unanswered = unansweredIn(cell, input);
  return unanswered === 0 ? blocks : withUnanswered(blocks, unanswered);
}

function unansweredIn(cell: CellEvidence, input: JudgeInput): number {
  const left = Math.max(0, cell.started - cell.ended);
  if (!cell.isOfWaits) return wasDrained(input) ? left : 0;
  return input.head.state === 'finished' ? Math.min(left, input.evidence.pendingWaits(cell.step)) : 0;
}

const NONE_SLOWER: Slower = { byService: 0, byLateness: 0 };

/** A request without a response belongs to no second. They are spread over the blocks in proportion, so they form no clump. */
function withUnanswered(blocks: readonly TimedBlock[], unanswered: number): TimedBlock[] {
  const [first, ...others] = blocks;
  if (!first) return [];
  const counted = blocks.reduce((sum, block) => sum + block.counted, 0);
  if (counted === 0) return [{ ...first, counted: unanswered, surely: unanswered }, ...others];
  return blocks.map((block) => {
    const part = (unanswered * block.counted) / counted;
    return { ...block, counted: block.counted + part, surely: block.surely + part };
  });
}

/** Returns the excess over an allowance per block, for finding the start of a violation. */
export function excessOf(blocks: readonly TimedBlock[], allowance: number): { second: number; amount: number }[] {
  return blocks.map(({ second, counted, surely, maybe }) => ({ second, amount: surely + maybe - allowance * counted }));
}

/** Counts the requests of the blocks. The sum is whole, though single blocks may hold fractions. */
export function countedIn(blocks: readonly TimedBlock[]): number {
  return Math.round(blocks.reduce((sum, block) => sum + block.counted, 0));
}

/** Fewest requests over and within another limit for it to show clumping. */
const MIN_EVENTS = 10;

/** Largest ratio of the limit to a lower one whose violations are assumed to have the same causes. */
const MAX_LIMIT_RATIO = 2;
/** Largest share of the violations in each part. */
const PART_SHARES = [0.75, 0.5, 0.25];
const NO_OTHERS: OtherLimits = { withMore: () => null, withFewer: () => null, parts: () => [] };

/**
 * Returns the number of the same requests that failed, could not start or took longer, for other times than the limit. Without a time limit there are none,
 * because failures have causes of their own.
 */
export function otherLimits(cell: CellEvidence, maxMs: number | null): OtherLimits {
  if (maxMs === null) return NO_OTHERS;
  const lowest = rowOf((maxMs * 1_000) / MAX_LIMIT_RATIO);
  const rows = [...new Set(cell.blocks.flatMap(({ byTime }) => [...byTime.keys()]))].toSorted((one, other) => other - one);
  const byRow = new Map(rows.map((row) => [row, 0]));
  let counted = 0;
  let never = 0;
  for (const block of cell.blocks) {
    counted += block.ended + block.notStartedTarget + block.notStartedGenerator;
    never += neverIn(block);
    for (const [row, count] of block.byTime) byRow.set(row, (byRow.get(row) ?? 0) + count);
  }
  let over = never;
  const limits = rows
    .map((row) => ({ row, over: (over += byRow.get(row) ?? 0) }))
    .filter((limit) => limit.over >= MIN_EVENTS && counted - limit.over >= MIN_EVENTS);
  const blocksOf = (limit: (typeof limits)[number] | undefined) => (limit === undefined ? null : blocksFrom(cell, limit.row));
  return {
    withMore: (than) => blocksOf(limits.find((limit) => limit.over > than && limit.row > lowest)),
    withFewer: (than) => blocksOf(limits.findLast((limit) => limit.over < than)),
    parts: (of) => {
      const found = new Set(PART_SHARES.map((part) => limits.findLast((limit) => limit.over <= part * of)));
      return [...found].flatMap((limit) => (limit === undefined ? [] : [blocksFrom(cell, limit.row)]));
    },
  };
}

function blocksFrom({ blocks }: CellEvidence, lowest: number): BlockCount[] {
  return blocks.map((block) => {
    let over = neverIn(block);
    for (const [row, count] of block.byTime) if (row >= lowest) over += count;
    return { counted: block.ended + block.notStartedTarget + block.notStartedGenerator, over };
  });
}

function neverIn(block: CellEvidence['blocks'][number]): number {
  return block.failedSurely + block.failedMaybe + block.notStartedTarget + block.notStartedGenerator;
}

/** Reason if nothing was counted. */
export function noneCounted(things: string): string {
  return `No ${things} were counted.`;
}
