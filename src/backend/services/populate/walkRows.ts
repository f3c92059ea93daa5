import { performance } from 'node:perf_hooks';
import { listUsedColumns } from '#core/work/feeds/rows.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { walkPlan } from '#core/work/populate/plan.ts';
import { CREATED_FEED, type PopulateMode } from '#core/plan/schema/populate.ts';
import { type WalkOutcome, Walks } from '#core/work/populate/walks.ts';
import { startEngine } from '#engine/startEngine.ts';
import { resolveJob } from '../resolveJob.ts';
import { openUploads } from '../runs/readFiles.ts';
import type { Secrets } from '../secrets.ts';
import type { Row, Rows } from './rows.ts';

export interface WalkParts {
  readonly secrets: Secrets;
  readonly workerEntry: URL;
  readonly version: string;
}

/** Number of rows per load: few enough to limit memory, and enough that the time to start threads hardly matters. */
const ROWS_AT_ONCE = 2_000;
const MIN_ROWS_PER_SECOND = 0.1;

/**
 * Runs the steps once per row, with the same code as a load. `onOutcome` is called for each finished row. Rows that could not begin because
 * the target had outstanding requests begin in another round. Resolves with the reason for an early end, or null.
 */
export async function walkRows(
  plan: Plan,
  { populate, feeds, columns, todo }: Rows,
  { steps, mode }: { readonly steps: readonly Step[]; readonly mode: PopulateMode },
  parts: WalkParts,
  { onOutcome, signal }: { readonly onOutcome: (row: Row, outcome: WalkOutcome) => void; readonly signal: AbortSignal },
): Promise<string | null> {
  let left = [...todo];
  let { perSecond } = populate;
  for (let round = 0; left.length > 0 && !signal.aborted; round += 1) {
    const batch = left.slice(0, ROWS_AT_ONCE);
    // Generated values depend on the seed and the row's number in its round. Each round has its own seed, because values would otherwise
    // repeat.
    const seed = (plan.seed + (batch[0]?.index ?? 0) * 7_919 + round) % 4_294_967_296;
    const walked = { ...walkPlan(plan, { ...populate, perSecond }, steps, mode, batch.length), seed };
    const begunMs = performance.now();
    const fed: Record<string, FeedRows> = {
      ...feeds,
      [populate.feed]: { columns: [...columns], rows: batch.map(({ values }) => [...values]), order: 'unique' },
      ...(mode === 'remove' ? { [CREATED_FEED]: createdRows(walked, batch) } : {}),
    };
    const { begun, problem } = await walkBatch(walked, fed, batch, parts, onOutcome, signal);
    if (problem !== null) return problem;
    // A slow target gets the remaining rows at the observed rate. Otherwise most rows would need another round.
    const took = begun.size / ((performance.now() - begunMs) / 1_000);
    perSecond = begun.size < batch.length ? Math.min(populate.perSecond, Math.max(took, MIN_ROWS_PER_SECOND)) : populate.perSecond;
    left = [...batch.filter((_, index) => !begun.has(index)), ...left.slice(batch.length)];
    if (begun.size === 0 && !signal.aborted) return 'No row could be started.';
  }
  return null;
}

async function walkBatch(
  plan: Plan,
  feeds: Readonly<Record<string, FeedRows>>,
  batch: readonly Row[],
  { secrets, workerEntry, version }: WalkParts,
  onOutcome: (row: Row, outcome: WalkOutcome) => void,
  signal: AbortSignal,
): Promise<{ readonly begun: ReadonlySet<number>; readonly problem: string | null }> {
  const values = await secrets.resolve(secretReferences(plan));
  const { files, largeFiles } = await openUploads(plan);
  const walks = new Walks(plan.journey);
  const job = { ...resolveJob(plan, { runId: 'populate', version, values, feeds, files, largeFiles }), sampling: 'journeys' as const };
  const engine = startEngine(
    job,
    { workerEntry },
    {
      onDraining() {},
      onStage() {},
      onWindow() {},
      onEvent() {},
      onSample(sample) {
        const outcome = walks.take(sample);
        const row = batch[sample.user ?? -1];
        if (outcome !== null && row !== undefined) onOutcome(row, outcome);
      },
    },
  );
  const stop = (): void => engine.stop();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const { problem } = await engine.done;
  signal.removeEventListener('abort', stop);
  const begun = new Set<number>();
  for (const [index, row] of batch.entries()) {
    if (walks.hasBegun(index)) begun.add(index);
    const rest = walks.rest(index);
    if (rest !== null) onOutcome(row, rest);
  }
  return { begun, problem: problem === null ? null : `${problem.message} ${problem.hint}`.trim() };
}

/** Returns the values that were captured when the rows were created, as a feed with the same rows. */
function createdRows(plan: Plan, batch: readonly Row[]): FeedRows {
  const columns = [...listUsedColumns(plan, CREATED_FEED)];
  return { columns, rows: batch.map(({ created }) => columns.map((column) => getOwn(created, column) ?? '')), order: 'unique' };
}
