import { type RecordedRequest, listRecordedRequests } from '#core/plan/requests.ts';
import { listCountedStages } from '#core/plan/names.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { stepNumberOfStreams } from '#core/measurement/streamCell.ts';
import { formatCount } from '#core/base/units.ts';
import { type CellEvidence, WRONG_PAGE_STATUSES, WRONG_PAGES, type WrongPage } from './evidence.ts';
import type { JudgeInput } from './input.ts';
import { listBlocksOver, type TimedBlock } from './kinds/counts.ts';

/** Outcomes of the items of a step. */
export interface Items {
  /** Number of items that were due, including those that could not start or had no response. */
  readonly due: number;
  /** Number of certain failures. `maybe`: failures that an overloaded load generator may have caused. */
  readonly surely: number;
  readonly maybe: number;
  readonly blocks: readonly TimedBlock[];
}

/**
 * Returns the stages in which items of a step count: all counted stages. A step that each user takes once may be due only before the first
 * counted stage; if so, all stages count.
 */
export function stagesOfItems(step: number, { plan, evidence }: JudgeInput): readonly number[] {
  const counted = listCountedStages(plan);
  return plan.journey[step]?.once === true && counted.every((stage) => isUnused(evidence.of(stage, step)))
    ? evidence.stagesOf(step)
    : counted;
}

/**
 * Sums the items of a step over some stages. Attempts that their users repeated by a reload are one item with the last attempt. A failed
 * redirect or a cut stream fails the item that led to it.
 */
export function buildItems(step: number, stages: readonly number[], input: JudgeInput): Items {
  const { plan, evidence } = input;
  const ownBlocks = stages.flatMap((stage) => listBlocksOver(evidence.of(stage, step), null, input));
  const consequences = [...redirectSlots(plan, step), stepNumberOfStreams(step)];
  const consequenceBlocks = stages.flatMap((stage) =>
    consequences.flatMap((requestIndex) => listBlocksOver(evidence.of(stage, requestIndex), null, input)),
  );
  const blocks = [...ownBlocks, ...consequenceBlocks.map((block) => ({ ...block, counted: 0 }))];
  const reloaded = stages.reduce((sum, stage) => sum + evidence.of(stage, step).reloaded, 0);
  const due = Math.max(0, sumOf(ownBlocks, ({ counted: count }) => count) - reloaded);
  const surely = Math.min(due, Math.max(0, sumOf(blocks, (block) => block.surely) - reloaded));
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
  return listRecordedRequests(plan).flatMap((request, requestIndex) => (request.isRedirect && request.step === step ? [requestIndex] : []));
}

/** Returns the measured steps of the journey, without redirects and resources, with their indexes. */
export function listJudgedSteps(plan: Plan): (RecordedRequest & { readonly requestIndex: number })[] {
  return listRecordedRequests(plan).flatMap((request, requestIndex) =>
    request.isMeasured && !request.isRedirect && request.resource === null ? [{ ...request, requestIndex }] : [],
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

/**
 * Counts items in words: “0 of 24 solutions were evaluated”, “3 of 24 results of “evaluation” arrived”, “12 of 40 requests of “form”
 * failed”.
 */
export function formatItems(step: Pick<Step, 'name' | 'items' | 'poll'>, due: number, failed: number): string {
  const { one, many } = itemNouns(step);
  const countedItems = (count: number): string => `${formatCount(count)} of ${formatCount(due)} ${due === 1 ? one : many}`;
  if (step.items?.done !== undefined) return `${countedItems(due - failed)} ${due === 1 ? 'was' : 'were'} ${step.items.done}`;
  return step.poll === undefined ? `${countedItems(failed)} failed` : `${countedItems(due - failed)} arrived`;
}

/** A kind of request that never had a successful response, start-up and warm-up included. */
interface FailedRequestKind {
  readonly name: string;
  /** The step, unless the request is a redirect. */
  readonly step: Step | null;
  readonly sent: number;
}

/**
 * Returns the requests without a single successful response, whether or not they have a criterion. Journeys with such a request ended early
 * or continued without a result. For example, a login that always fails does not affect the criteria of earlier steps.
 */
export function listNeverWorked({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>): FailedRequestKind[] {
  return listRecordedRequests(plan).flatMap(({ name, isMeasured, isRedirect, resource, step: index }, step) => {
    // A missing image does not end a journey.
    if (!isMeasured || resource !== null) return [];
    const { sent, good } = evidence.totalOf(step);
    return sent > 0 && good === 0 ? [{ name, step: isRedirect ? null : (plan.journey[index] ?? null), sent }] : [];
  });
}

/** Example: “none of 12 requests of “login” succeeded”. */
export function formatNeverWorked({ name, step, sent }: FailedRequestKind): string {
  if (step?.poll !== undefined || step?.items !== undefined) return formatItems(step, sent, sent);
  return sent === 1 ? `the only request of “${name}” did not succeed` : `none of ${formatCount(sent)} requests of “${name}” succeeded`;
}

/** Share from which responses count as nearly all. It is below 1, because the last requests of a run may have no response. */
export const MIN_NEARLY_ALL_SHARE = 0.95;

/** Requests for a page that is missing, moved or denied: how many were sent, and how many responses reported it. */
interface UnavailablePage {
  readonly kind: WrongPage;
  readonly sent: number;
  readonly responses: number;
}

/**
 * Returns why a request's page is unavailable: no response was successful, and nearly all had the same kind of status. Returns null if the
 * page is available.
 */
export function findUnavailable({ plan, evidence }: Pick<JudgeInput, 'plan' | 'evidence'>, step: number): UnavailablePage | null {
  const written = plan.journey[listRecordedRequests(plan)[step]?.step ?? -1];
  const { sent, good, wrongPages } = evidence.totalOf(step);
  if (good > 0) return null;
  const kind = WRONG_PAGES.find((one) => wrongPages[one] > 0 && wrongPages[one] >= MIN_NEARLY_ALL_SHARE * sent);
  if (kind === undefined || WRONG_PAGE_STATUSES[kind].some((status) => written?.expectStatus?.includes(status) === true)) return null;
  // A redirect or refusal after a submitted form is a response to the form's content, for example to a wrong password.
  if (kind !== 'missing' && written?.method !== 'GET' && written?.method !== 'HEAD') return null;
  return { kind, sent, responses: wrongPages[kind] };
}

const WRONG_PAGE_WORDS: Readonly<Record<WrongPage, { readonly got: string; readonly so: string }>> = {
  missing: { got: 'got 404', so: 'the plan requests a page that does not exist' },
  redirected: { got: 'got a redirect', so: 'the plan requests a page that has moved or needs a login' },
  denied: { got: 'got 401 or 403', so: 'the plan requests a page that needs a login or other permissions' },
};

/** Example: “all 84 requests of “statement” got 404, so the plan requests a page that does not exist”. */
export function formatUnavailable(name: string, { kind, sent, responses }: UnavailablePage): string {
  const { got, so } = WRONG_PAGE_WORDS[kind];
  const [all, some] = [formatCount(sent), formatCount(responses)];
  if (sent === 1) return `the only request of “${name}” ${got}, so ${so}`;
  return `${responses === sent ? `all ${all}` : `${some} of ${all}`} requests of “${name}” ${got}, so ${so}`;
}
