import { performance } from 'node:perf_hooks';
import { loadsHere } from '#core/plan/hosts/places.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { allTargets } from '#core/plan/targets.ts';
import type { RestRecord } from '#core/series/result.ts';
import { connectOnce } from '../targets/targetConnection.ts';
import { countSockets, endpointsOf, type Endpoints } from './targetSockets.ts';

const ASK_EVERY_MS = 250;
const CONNECT_LIMIT_MS = 5_000;

/** Resolves after that time, or as soon as the signal is given. */
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

/** Waits until every target of the plan accepts a connection; sends nothing. The reason in words when one did not in time, else null. */
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
    await pause(ASK_EVERY_MS, signal);
  }
}

/** Where loads go, and how many connections there were before the first. */
export interface RestingPlace {
  readonly endpoints: Endpoints;
  /** null where this computer cannot tell. */
  readonly baseline: number | null;
}

/** What a target of this plan has of connections now. Hosts have connections of their own, which nobody counts here. */
export async function placeAtRest(plan: Plan, on: readonly string[] | null | undefined): Promise<RestingPlace> {
  const endpoints: Endpoints = loadsHere(on) ? await endpointsOf(plan) : new Set();
  return { endpoints, baseline: await countSockets(endpoints) };
}

/** Waits until connections to the target are as few as before, at most `baselineSeconds`, and then for the cool-down. */
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
    await pause(ASK_EVERY_MS, signal);
  }
  const reached = baseline === null || sockets === null ? null : sockets <= baseline;
  await pause(coolDownSeconds * 1_000, signal);
  return { seconds: (performance.now() - startedMs) / 1_000, baselineSockets: baseline, sockets, reached };
}
