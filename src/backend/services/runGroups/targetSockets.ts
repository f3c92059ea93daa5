import { lookup } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import type { Plan } from '#core/plan/schema/plan.ts';
import { allTargets } from '#core/plan/targets.ts';
import { hostOf } from '../targets/targetConnection.ts';

/** Addresses and ports in the format of Linux' /proc/net/tcp and tcp6. */
export type Endpoints = ReadonlySet<string>;

/** Returns the plan's targets in that format; empty for Unix sockets and hosts that do not resolve. */
export async function endpointsOf(plan: Plan): Promise<Endpoints> {
  if (plan.connections.socketPath !== undefined) return new Set();
  const found = await Promise.all(
    allTargets(plan).map(async ({ url }) => {
      const target = new URL(url);
      const port = Number(target.port || (target.protocol === 'https:' ? 443 : 80));
      const addresses = await lookup(hostOf(target), { all: true }).catch(() => []);
      return addresses.flatMap(({ address }) => writtenForms(address).map((form) => `${form}:${hex(port, 4)}`));
    }),
  );
  return new Set(found.flat());
}

/**
 * Counts the sockets of this computer with one of these ends, on either side, except TIME_WAIT, which holds only a port. Returns null if
 * this computer cannot count them.
 */
export async function countSockets(endpoints: Endpoints): Promise<number | null> {
  if (endpoints.size === 0) return null;
  try {
    const lists = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')));
    return lists.every((list) => list === '') ? null : countIn(lists.join('\n'), endpoints);
  } catch {
    return null;
  }
}

/** TIME_WAIT and LISTEN: include/net/tcp_states.h. */
const UNCOUNTED_STATES: ReadonlySet<string> = new Set(['06', '0A']);

export function countIn(list: string, endpoints: Endpoints): number {
  let count = 0;
  for (const [, local = '', remote = '', state = ''] of list.matchAll(/^ *\d+: (\S+) (\S+) ([0-9A-F]{2}) /gm)) {
    if (!UNCOUNTED_STATES.has(state) && (endpoints.has(local) || endpoints.has(remote))) count += 1;
  }
  return count;
}

/**
 * Returns an address as 32-bit words in the machine's byte order (little-endian on all platforms of Node); IPv4 also as mapped into IPv6.
 */
export function writtenForms(address: string): string[] {
  if (isIPv4(address)) {
    const word = address
      .split('.')
      .toReversed()
      .map((part) => hex(Number(part), 2))
      .join('');
    return [word, `0000000000000000FFFF0000${word}`];
  }
  const groups = groupsOf(address);
  const words: string[] = [];
  for (let at = 0; at < 8; at += 2) words.push(swapped(`${groups[at] ?? '0000'}${groups[at + 1] ?? '0000'}`));
  return [words.join('')];
}

/** Returns the eight groups of an IPv6 address, four digits each. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const parts = (text: string): string[] => (text === '' ? [] : text.split(':').map((part) => part.padStart(4, '0').toUpperCase()));
  const left = parts(head);
  if (tail === undefined) return left;
  const right = parts(tail);
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0000'), ...right];
}

function swapped(word: string): string {
  return (word.match(/../g) ?? []).toReversed().join('');
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}
