import { type RecordedRequest, recordedRequests } from '#core/plan/requests.ts';
import { countedStages } from '#core/plan/names.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { streamsStep } from '#core/measurement/streamCell.ts';
import { formatCount } from '#core/base/units.ts';
import type { CellEvidence } from './evidence.ts';
import type { JudgeInput } from './input.ts';
import { blocksOver, type TimedBlock } from './kinds/counts.ts';

/** Outcomes of the items of a step. */
export interface Items {
  /** Items that were due, including those that could not start or had no response. */
  readonly due: number;
  /** Failures that are certain, and those that an overloaded load generator may have caused. */
  readonly surely: number;
  readonly maybe: number;
  readonly blocks: readonly TimedBlock[];
}

/**
 * Returns the stages in which items of a step count: all counted ones. A step that each user takes once may only be due before the first of them; then all
 * stages count.
 */
export function stagesOfItems(step: number, { plan, evidence }: JudgeInput): readonly number[] {
  const counted = countedStages(plan);
  return plan.journey[step]?.once === true && counted.every((stage) => isUnused(evidence.of(stage, step)))
    ? evidence.stagesOf(step)
    : counted;
}

/** Sums the items of a step over some stages. A failed redirect and a cut stream fail the item that led to them. */
export function itemsOf(step: number, stages: readonly number[], input: JudgeInput): Items {
  const { plan, evidence } = input;
  const ownBlocks = stages.flatMap((stage) => blocksOver(evidence.of(stage, step), null, input));
  const consequences = [...redirectSlots(plan, step), streamsStep(step)];
  const led = stages.flatMap((stage) => consequences.flatMap((slot) => blocksOver(evidence.of(stage, slot), null, input)));
  const blocks = [...ownBlocks, ...led.map((block) => ({ ...block, counted: 0 }))];
  const due = sumOf(ownBlocks, ({ counted: count }) => count);
  const surely = Math.min(
    due,
    sumOf(blocks, (block) => block.surely),
  );
  return {
    due,
    surely,
    maybe: Math.min(
      due - surely,
      sumOf(blocks, (block) => block.maybe),
    ),
    blocks,
  };
}

/** Returns whether nothing of a step was due in a stage. */
export function isUnused({ started, ended, notStartedTarget, notStartedGenerator }: CellEvidence): boolean {
  return started + ended + notStartedTarget + notStartedGenerator === 0;
}

function redirectSlots(plan: Plan, step: number): number[] {
  return recordedRequests(plan).flatMap((request, slot) => (request.isRedirect && request.step === step ? [slot] : []));
}

/** Returns the measured steps of the journey, without redirects and resources, with their slots. */
export function judgedSteps(plan: Plan): (RecordedRequest & { readonly slot: number })[] {
  return recordedRequests(plan).flatMap((request, slot) =>
    request.isMeasured && !request.isRedirect && request.resource === null ? [{ ...request, slot }] : [],
  );
}

function sumOf(blocks: readonly TimedBlock[], of: (block: TimedBlock) => number): number {
  return Math.round(blocks.reduce((sum, block) => sum + of(block), 0));
}

/** Names the items of a step: “solutions”, “results of “evaluation””, “requests of “form””. */
export function itemNouns({ name, items, poll }: Pick<Step, 'name' | 'items' | 'poll'>): { readonly one: string; readonly many: string } {
  if (items !== undefined) return items;
  const [one, many] = poll === undefined ? ['request', 'requests'] : ['result', 'results'];
  return { one: `${one} of “${name}”`, many: `${many} of “${name}”` };
}

/** Counts items in words: “0 of 24 solutions were evaluated”, “3 of 24 results of “evaluation” arrived”, “12 of 40 requests of “form” failed”. */
export function itemsWords(step: Pick<Step, 'name' | 'items' | 'poll'>, due: number, failed: number): string {
  const { one, many } = itemNouns(step);
  const things = (count: number): string => `${formatCount(count)} of ${formatCount(due)} ${due === 1 ? one : many}`;
  if (step.items?.done !== undefined) return `${things(due - failed)} ${due === 1 ? 'was' : 'were'} ${step.items.done}`;
  return step.poll === undefined ? `${things(failed)} failed` : `${things(due - failed)} arrived`;
}
