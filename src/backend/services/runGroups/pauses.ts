import { performance } from 'node:perf_hooks';
import { loadsHere } from '#core/plan/hosts/places.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { allTargets } from '#core/plan/targets.ts';
import type { RestRecord } from '#core/series/result.ts';
import { connectOnce } from '../targets/targetConnection.ts';
import { countSockets, endpointsOf, type Endpoints } from './targetSockets.ts';

const POLL_INTERVAL_MS = 250;
const CONNECT_LIMIT_MS = 5_000;

/** Resolves after that time, or when the signal aborts. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || milliseconds <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });
}

/** Waits until every target of the plan accepts a connection; sends nothing. Returns the reason if one did not in time, otherwise null. */
export async function untilReady(plan: Plan, seconds: number, signal: AbortSignal): Promise<string | null> {
  const deadlineMs = performance.now() + seconds * 1_000;
  for (;;) {
    const failures = await Promise.all(
      allTargets(plan).map(async ({ url }) => {
        const failure = await connectOnce(new URL(url), plan.connections, null, CONNECT_LIMIT_MS);
        return failure === null ? null : `${new URL(url).host} did not accept a connection (${failure.code}).`;
      }),
    );
    const first = failures.find((failure) => failure !== null) ?? null;
    if (first === null || signal.aborted || performance.now() >= deadlineMs) return first;
    await pause(POLL_INTERVAL_MS, signal);
  }
}

/** The targets of loads, and the number of connections before the first load. */
export interface RestingPlace {
  readonly endpoints: Endpoints;
  /** null if this computer cannot count them. */
  readonly baseline: number | null;
}

/** Counts the present connections to the targets of a plan. Connections of hosts are not counted. */
export async function placeAtRest(plan: Plan, on: readonly string[] | null | undefined): Promise<RestingPlace> {
  const endpoints: Endpoints = loadsHere(on) ? await endpointsOf(plan) : new Set();
  return { endpoints, baseline: await countSockets(endpoints) };
}

/** Waits until the number of connections to the target is back at its baseline, at most `baselineSeconds`, and then for the cool-down. */
export async function rest(
  { endpoints, baseline }: RestingPlace,
  { coolDownSeconds, baselineSeconds }: { readonly coolDownSeconds: number; readonly baselineSeconds: number },
  signal: AbortSignal,
): Promise<RestRecord> {
  const startedMs = performance.now();
  let sockets = await countSockets(endpoints);
  const most = baseline ?? Number.POSITIVE_INFINITY;
  for (; sockets !== null && sockets > most && !signal.aborted; sockets = await countSockets(endpoints)) {
    if (performance.now() - startedMs >= baselineSeconds * 1_000) break;
    await pause(POLL_INTERVAL_MS, signal);
  }
  const reached = baseline === null || sockets === null ? null : sockets <= baseline;
  await pause(coolDownSeconds * 1_000, signal);
  return { seconds: (performance.now() - startedMs) / 1_000, baselineSockets: baseline, sockets, reached };
}
