import { randomUUID } from 'node:crypto';
import type { CallHandlers } from '#contract/rpc/server.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import { countUsableRows } from '#core/work/feeds/rows.ts';
import { tryPlan, type TryReport } from '#core/work/samples/tryPlan.ts';
import { cleanSample, type Redaction } from '#backend/redaction.ts';
import { startEngine } from '#engine/startEngine.ts';
import { requireValidPlan } from '../runs/prepareRun.ts';
import { RowsOfRun, type UsedRows } from '../runs/usedRows.ts';
import { readFeeds, secretValues, openUploads } from '../runs/readFiles.ts';
import { resolveClientCertificate, resolveJob } from '../resolveJob.ts';
import type { Secrets } from '../secrets.ts';
import { requireUsable } from '../targets/certificates.ts';

export interface TryParts {
  /** Records the used rows of accounts that can be used only once; null if they are not recorded. */
  readonly usedRows: UsedRows | null;
  readonly secrets: Secrets;
  readonly redaction: Redaction;
  readonly workerEntry: URL;
  readonly version: string;
}

/**
 * Creates the call that walks a journey once with the code of a load and returns each request with its response. Counts and stores nothing.
 */
export function createTryCalls(parts: TryParts): Pick<CallHandlers, 'plans.try'> {
  return { 'plans.try': ({ plan, feedAt }) => tryOnce(plan, parts, feedAt) };
}

async function tryOnce(plan: Plan, parts: TryParts, feedAt: number): Promise<TryReport> {
  const { redaction } = parts;
  const { samples, hidden, notReached, problem } = await walkOnce(plan, parts, 'everything', {
    rowOf: ({ order, rows }) => Math.floor((countUsableRows(plan, { order, rowCount: rows.length }) - 1) * feedAt),
  });
  return {
    samples: samples.map((sample) => cleanSample(sample, hidden, redaction)),
    isGood: problem === null && notReached.length === 0 && samples.every(({ failure }) => failure === null),
    notReached,
    problem: problem && { code: problem.code, message: redaction.sentence(problem.message), hint: redaction.sentence(problem.hint) },
  };
}

interface WalkResult {
  /** Samples with secrets in clear text, which must stay in memory. */
  readonly samples: readonly Sample[];
  /** Values that must not be shown. */
  readonly hidden: readonly string[];
  readonly notReached: string[];
  readonly problem: { readonly code: string; readonly message: string; readonly hint: string } | null;
}

interface WalkOptions {
  /** Returns the index of the first row to use of a feed; default: row 0. */
  readonly rowOf?: (feed: FeedRows) => number;
  /** Stops the walk. The promise then rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** Walks a journey once and returns its samples. Uses up one row of each feed with `order: once`. */
export async function walkOnce(
  plan: Plan,
  { usedRows, secrets, workerEntry, version }: Omit<TryParts, 'redaction'>,
  sampling: 'everything' | 'whole',
  { rowOf = () => 0, signal }: WalkOptions = {},
): Promise<WalkResult> {
  requireValidPlan(plan);
  const once = hideSecrets(tryPlan(plan), secrets.keep);
  const values = await secrets.resolve(secretReferences(once));
  const clientCertificate = resolveClientCertificate(once.tls, values);
  if (clientCertificate !== null) requireUsable(clientCertificate, Date.now());
  const feeds = mapFeeds(await readFeeds(once, usedRows), rowOf);
  const { files, largeFiles } = await openUploads(once);
  const hidden = [...values.values(), ...secretValues(once, feeds)];
  const samples: Sample[] = [];
  signal?.throwIfAborted();
  usedRows?.add(new RowsOfRun(once, feeds).take({ taken: [0], refused: [] }));
  const job = { ...resolveJob(once, { runId: `try-${randomUUID()}`, version, values, feeds, files, largeFiles }), sampling };
  const engine = startEngine(
    job,
    { workerEntry },
    { onDraining() {}, onStage() {}, onWindow() {}, onEvent() {}, onSample: (sample) => void samples.push(sample) },
  );
  const stop = (): void => engine.stop();
  signal?.addEventListener('abort', stop);
  const { problem } = await engine.done;
  signal?.removeEventListener('abort', stop);
  signal?.throwIfAborted();
  const reached = new Set(samples.map(({ request }) => request));
  const notReached = once.journey.flatMap(({ name, explains }) => (reached.has(name) || explains !== undefined ? [] : [name]));
  return { samples, hidden, notReached, problem };
}

/** Rotates the rows of each feed so that they begin with the chosen row. */
function mapFeeds(feeds: Readonly<Record<string, FeedRows>>, rowOf: (feed: FeedRows) => number): Record<string, FeedRows> {
  return Object.fromEntries(
    Object.entries(feeds).map(([name, feed]) => {
      const first = feed.order === 'once' ? 0 : Math.max(0, rowOf(feed));
      return [name, { ...feed, rows: [...feed.rows.slice(first), ...feed.rows.slice(0, first)] }];
    }),
  );
}
