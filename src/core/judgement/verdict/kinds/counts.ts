import { rowOf } from '#core/statistics/timeRows.ts';
import type { CellEvidence, Slower } from '../evidence.ts';
import { wasDrained, type JudgeInput } from '../input.ts';
import type { BlockCount } from '#core/statistics/clumping.ts';
import type { DoubtfulBlock, OtherLimits } from '../shareLimit.ts';

export interface TimedBlock extends DoubtfulBlock {
  readonly second: number;
}

/**
 * The blocks of a step with what is over a limit in them: every request that failed, every journey that could not begin, and good answers
 * slower than `limitMs` where there is such a limit. A busy generator only lengthens the times it reads, so in a sick second those that were
 * within the limit count as within, and those beyond are in doubt. So are, in any second, those that are beyond only because they were sent
 * late, and journeys that the generator could not begin. Requests that the drain could not bring home are over any limit, and so are waits that were still pending after it;
 * in a run that was cut off they were never given their time and do not count.
 */
export function blocksOver(cell: CellEvidence, limitMs: number | null, input: JudgeInput): TimedBlock[] {
  const blocks = cell.blocks.map((block) => {
    const { byService, byLateness } = (limitMs === null ? undefined : block.slower.get(limitMs)) ?? NONE_SLOWER;
    const target = byService + block.notStartedTarget;
    const sick = block.sick.length > 0;
    return {
      second: block.second,
      counted: block.ended + block.notStartedTarget + block.notStartedGenerator,
      surely: block.failedSurely + (sick ? 0 : target),
      maybe: block.failedMaybe + byLateness + block.notStartedGenerator + (sick ? target : 0),
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

/** A request without an answer belongs to no second: all of them are shared among the blocks in proportion, so they are no clump. */
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

/** The excess over an allowance in each block, for telling from when on a limit was missed. */
export function excessOf(blocks: readonly TimedBlock[], allowance: number): { second: number; amount: number }[] {
  return blocks.map(({ second, counted, surely, maybe }) => ({ second, amount: surely + maybe - allowance * counted }));
}

/** How many requests the blocks hold: a whole number, though single blocks may hold fractions. */
export function countedIn(blocks: readonly TimedBlock[]): number {
  return Math.round(blocks.reduce((sum, block) => sum + block.counted, 0));
}

/** So many have to be over another limit, and within it, before it says how requests clump. */
const LEAST_EVENTS = 10;

/** What is over a limit that is this much lower comes of the same causes, as a rule. */
const ALIKE = 2;
/** A part of what is over a limit has so much of it, at most. */
const PARTS = [0.75, 0.5, 0.25];
const NO_OTHERS: OtherLimits = { withMore: () => null, withFewer: () => null, parts: () => [] };

/** How many of the same requests failed, could not begin or took longer than some other times. What fails, fails for reasons of its own: it has no others. */
export function otherLimits(cell: CellEvidence, limitMs: number | null): OtherLimits {
  if (limitMs === null) return NO_OTHERS;
  const lowest = rowOf((limitMs * 1_000) / ALIKE);
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
    .filter((limit) => limit.over >= LEAST_EVENTS && counted - limit.over >= LEAST_EVENTS);
  const blocksOf = (limit: (typeof limits)[number] | undefined) => (limit === undefined ? null : blocksFrom(cell, limit.row));
  return {
    withMore: (than) => blocksOf(limits.find((limit) => limit.over > than && limit.row > lowest)),
    withFewer: (than) => blocksOf(limits.findLast((limit) => limit.over < than)),
    parts: (of) => {
      const found = new Set(PARTS.map((part) => limits.findLast((limit) => limit.over <= part * of)));
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

/** Why nothing is known of a limit. */
export function noneCounted(things: string): string {
  return `No ${things} were counted.`;
}
