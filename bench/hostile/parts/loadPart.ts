import { setTimeout as sleep } from 'node:timers/promises';
import { type LiveSnapshot, RUN_FORMATS } from '#contract/replies.ts';
import { countResponses, OUTCOMES } from '#core/measurement/requestOutcomes.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { WatchedApp } from '../app/watchedApp.ts';
import type { ServerCounts } from '../server/hostileServer.ts';
import { findHarm } from './harm.ts';
import { earlyReadingSecond, describeThrown, type Findings, type PartContext } from './part.ts';

/** Maximum delay of the end of a run, in seconds. */
const MAX_END_DELAY_SECONDS = 60;
const MAX_STARTS = 50;

/** Runs a plan against the hostile server until its end, and saves the result in every format. */
export async function runLoad(plan: Plan, { app, server, seconds, signal, notify }: PartContext): Promise<Findings> {
  await app.begin();
  const wrong: string[] = [];
  const before = await server.counts();
  const memory: Findings['memory'] = { early: null, late: null };
  let result: RunResult | null = null;
  let hasEnded = false;
  let finished: Findings['memory'] = memory;
  try {
    const runId = await startWithRetries(app, plan);
    const ended = watchToEnd(app, runId);
    const stop = (): void => void app.client.call('runs.stop', { runId }).catch(() => {});
    signal.addEventListener('abort', stop);
    finished = await measureMemory(app, seconds, ended);
    await Promise.race([
      ended,
      sleep(MAX_END_DELAY_SECONDS * 1_000, undefined, { ref: false }).then(() => {
        throw new Error(`The run had not ended ${MAX_END_DELAY_SECONDS} s after its end.`);
      }),
    ]);
    signal.removeEventListener('abort', stop);
    hasEnded = true;
    result = await app.client.call('runs.result', { runId });
    wrong.push(...describeImbalances(result, before, await server.counts()), ...(await findHarmInExports(app, runId)));
    await app.client.call('runs.samples', { runId });
    await app.client.call('runs.distribution', { runId });
  } catch (thrown) {
    wrong.push(describeThrown(thrown));
  }
  const after = await server.counts();
  notify(`${result?.outcomes.requests.sent ?? 0} requests, ${after.requests - before.requests} by the server's count`);
  return {
    requests: result?.outcomes.requests.sent ?? 0,
    serverRequests: after.requests - before.requests,
    hasMemory: true,
    memory: finished,
    seen: app.seen,
    resultBytes: result === null ? 0 : Buffer.byteLength(JSON.stringify(result)),
    storeBytes: await app.storeBytes(),
    hasEnded,
    wrong,
  };
}

/** Starts a run. Retries if a request before the load has failed, because the server behaves differently each time. */
async function startWithRetries(app: WatchedApp, plan: Plan): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return (await app.client.call('runs.start', { plan })).runId;
    } catch (thrown) {
      if (attempt === MAX_STARTS || !isRefusal(thrown)) throw thrown;
    }
  }
}

function watchToEnd(app: WatchedApp, runId: string): Promise<LiveSnapshot | null> {
  return new Promise((resolve, reject) => {
    let last: LiveSnapshot | null = null;
    app.client.open(
      'runs.watch',
      { runId },
      {
        onItem: (item) => {
          last = item;
        },
        onEnd: (problem) => (problem === undefined ? resolve(last) : reject(problem)),
      },
    );
  });
}

/** Reads the memory early and late in the load. Both readings must be during the load, because threads that have ended hold no memory. */
async function measureMemory(app: WatchedApp, seconds: number, ended: Promise<unknown>): Promise<Findings['memory']> {
  const over = ended.then(
    () => true,
    () => true,
  );
  const hasEndedBy = (atSecond: number): Promise<boolean> => Promise.race([over, sleep(atSecond * 1_000, false, { ref: false })]);
  const early = earlyReadingSecond(seconds);
  if (await hasEndedBy(early)) return { early: null, late: null };
  const first = await app.memory();
  if (await hasEndedBy(seconds - early - 1)) return { early: first, late: null };
  return { early: first, late: await app.memory() };
}

/** The parts of a result that are needed to check the result's request outcomes. */
interface RequestReport extends Pick<RunResult, 'balances' | 'status' | 'requestsResent'> {
  readonly plan: Pick<Plan, 'monitors' | 'watch'>;
  readonly outcomes: Pick<RunResult['outcomes'], 'requests'>;
}

/**
 * Checks that every request is accounted for, and that the server has seen the requests that are reported. Returns the problems as
 * sentences.
 */
export function describeImbalances(
  { plan, outcomes, balances, status, requestsResent }: RequestReport,
  before: ServerCounts,
  after: ServerCounts,
): string[] {
  const { requests } = outcomes;
  const withOutcome = OUTCOMES.reduce((sum, outcome) => sum + requests[outcome], 0);
  const read = after.requests - before.requests;
  const responded = countResponses(requests);
  const withoutResponse = requests.sent - responded;
  const ours = Object.values(status).reduce((sum, count) => sum + count, 0);
  return [
    ...(balances ? [] : ['the result says that its outcomes do not balance']),
    ...(requests.sent === withOutcome + requests.inFlight
      ? []
      : [`${requests.sent} sent, ${withOutcome} with an outcome and ${requests.inFlight} without`]),
    ...(!hasOtherRequests(plan) && read > requests.sent + requestsResent
      ? [`the server has read ${read} requests, more than the ${requests.sent + requestsResent} that were sent`]
      : []),
    ...(requests.sent - read > withoutResponse
      ? [`${requests.sent - read} requests never reached the server, and only ${withoutResponse} had no response`]
      : []),
    ...(ours > responded ? [`${ours} responses by status, and ${responded} by outcome`] : []),
  ];
}

/** Returns whether the server gets requests other than those of the load. */
function hasOtherRequests({ monitors, watch }: RequestReport['plan']): boolean {
  return monitors !== undefined || watch !== undefined;
}

async function findHarmInExports(app: WatchedApp, runId: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const format of RUN_FORMATS) {
    try {
      const { content } = await app.client.call('runs.export', { runId, format });
      wrong.push(...findHarm(format, content));
    } catch (thrown) {
      if (!isRefusal(thrown)) wrong.push(`${format}: ${describeThrown(thrown)}`);
    }
  }
  return wrong;
}

/** Returns whether an error is a documented refusal, for example of a format that this kind of run does not support. */
function isRefusal(thrown: unknown): boolean {
  return (
    thrown instanceof Error && 'code' in thrown && thrown.code !== 'INTERNAL' && thrown.code !== 'BAD_OUTPUT' && thrown.code !== 'GONE'
  );
}
