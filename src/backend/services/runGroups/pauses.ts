import { performance } from 'node:perf_hooks';
import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { isLoadedHere } from '#core/plan/hosts/generatorNames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listTargets } from '#core/plan/url.ts';
import type { RestRecord } from '#core/series/result.ts';
import { connectOnce, hostOf } from '../targets/targetConnection.ts';

const POLL_INTERVAL_MS = 250;
const CONNECT_LIMIT_MS = 5_000;

/** Resolves after this time, or when the signal aborts. */
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

/** Waits until every target of the plan accepts a connection; sends nothing. Returns the target that did not accept in time, or null. */
export async function untilReady(plan: Plan, seconds: number, signal: AbortSignal): Promise<string | null> {
  const deadlineMs = performance.now() + seconds * 1_000;
  for (;;) {
    const failures = await Promise.all(
      listTargets(plan).map(async ({ url }) => {
        const failure = await connectOnce(new URL(url), plan.connections, null, CONNECT_LIMIT_MS);
        return failure === null ? null : `${new URL(url).host} did not accept a connection (${failure.code}).`;
      }),
    );
    const first = failures.find((failure) => failure !== null) ?? null;
    if (first === null || signal.aborted || performance.now() >= deadlineMs) return first;
    await pause(POLL_INTERVAL_MS, signal);
  }
}

/** The targets of a load, and the number of connections to them before the first load. */
export interface TargetConnections {
  readonly endpoints: Endpoints;
  /** Number of connections before the first load; null if this computer cannot count connections. */
  readonly baseline: number | null;
}

/** Counts the current connections to the targets of a plan. Connections of hosts are not counted. */
export async function readBaseline(plan: Plan, on: readonly string[] | null | undefined): Promise<TargetConnections> {
  const endpoints: Endpoints = isLoadedHere(on) ? await readEndpoints(plan) : new Set();
  return { endpoints, baseline: await countSockets(endpoints) };
}

/**
 * Waits until the number of connections to the target is back at its baseline, but at most `baselineSeconds`, and then waits for the
 * cool-down.
 */
export async function waitForBaseline(
  { endpoints, baseline }: TargetConnections,
  { coolDownSeconds, baselineSeconds }: { readonly coolDownSeconds: number; readonly baselineSeconds: number },
  signal: AbortSignal,
): Promise<RestRecord> {
  const startedMs = performance.now();
  let sockets = await countSockets(endpoints);
  const maxValue = baseline ?? Number.POSITIVE_INFINITY;
  for (; sockets !== null && sockets > maxValue && !signal.aborted; sockets = await countSockets(endpoints)) {
    if (performance.now() - startedMs >= baselineSeconds * 1_000) break;
    await pause(POLL_INTERVAL_MS, signal);
  }
  const reached = baseline === null || sockets === null ? null : sockets <= baseline;
  await pause(coolDownSeconds * 1_000, signal);
  return { seconds: (performance.now() - startedMs) / 1_000, baselineSockets: baseline, sockets, reached };
}

/** Addresses and ports in the format of /proc/net/tcp and tcp6 on Linux. */
type Endpoints = ReadonlySet<string>;

/** Returns the plan's targets as {@link Endpoints}. The set is empty for Unix sockets and for hosts that do not resolve. */
export async function readEndpoints(plan: Plan): Promise<Endpoints> {
  if (plan.connections.socketPath !== undefined) return new Set();
  const found = await Promise.all(
    listTargets(plan).map(async ({ url }) => {
      const target = new URL(url);
      const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
      const addresses = await lookup(hostOf(target), { all: true }).catch(() => []);
      return addresses.flatMap(({ address }) => hexForms(address).map((form) => `${form}:${toHex(port, 4)}`));
    }),
  );
  return new Set(found.flat());
}

/**
 * Counts the sockets of this computer that have one of these endpoints on either side. Sockets in TIME_WAIT do not count, because they hold
 * only a port. Returns null if this computer cannot count sockets.
 */
export async function countSockets(endpoints: Endpoints): Promise<number | null> {
  if (endpoints.size === 0) return null;
  try {
    const lists = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
    return lists.every((list) => list === '') ? null : countSocketsIn(lists.join('\n'), endpoints);
  } catch {
    return null;
  }
}

/** TIME_WAIT and LISTEN, as numbered in include/net/tcp_states.h. */
const UNCOUNTED_STATES: ReadonlySet<string> = new Set(['06', '0A']);

export function countSocketsIn(list: string, endpoints: Endpoints): number {
  let count = 0;
  for (const [, local = '', remote = '', state = ''] of list.matchAll(/^ *\d+: (\S+) (\S+) ([0-9A-F]{2}) /gm)) {
    if (!UNCOUNTED_STATES.has(state) && (endpoints.has(local) || endpoints.has(remote))) count += 1;
  }
  return count;
}

/**
 * Returns an address as 32-bit words in the machine's byte order (little-endian on all platforms of Node). For an IPv4 address, also
 * returns its form that is mapped into IPv6.
 */
export function hexForms(address: string): string[] {
  if (isIPv4(address)) {
    const word = address
      .split('.')
      .toReversed()
      .map((part) => toHex(Number(part), 2))
      .join('');
    return [word, `0000000000000000FFFF0000${word}`];
  }
  const groups = ipv6Groups(address);
  const words: string[] = [];
  for (let at = 0; at < 8; at += 2) words.push(swapBytes(`${groups[at] ?? '0000'}${groups[at + 1] ?? '0000'}`));
  return [words.join('')];
}

/** Returns the eight groups of an IPv6 address with four digits each. */
function ipv6Groups(address: string): string[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const parts = (text: string): string[] => (text === '' ? [] : text.split(':').map((part) => part.padStart(4, '0').toUpperCase()));
  const remainingNames = parts(head);
  if (tail === undefined) return remainingNames;
  const right = parts(tail);
  return [...remainingNames, ...Array.from({ length: 8 - remainingNames.length - right.length }, () => '0000'), ...right];
}

function swapBytes(word: string): string {
  return (word.match(/../g) ?? []).toReversed().join('');
}

function toHex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
