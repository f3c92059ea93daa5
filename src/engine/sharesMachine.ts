import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import type { Plan } from '#core/plan/schema/plan.ts';

const LOOKUP_TIMEOUT_MS = 2_000;

/** True when a target of the plan runs on this machine. A name that cannot be looked up in time counts as elsewhere. */
export async function sharesMachine(plan: Plan): Promise<boolean> {
  if (plan.connections.socketPath !== undefined) return true;
  const own = new Set(
    Object.values(networkInterfaces())
      .flat()
      .map((entry) => entry?.address),
  );
  const hosts = new Set(plan.targets.map(({ url }) => new URL(url).hostname.replaceAll(/[[\]]/g, '')));
  const found = await Promise.all([...hosts].map(addressesOf));
  return found.flat().some((address) => own.has(address) || isLoopback(address));
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}

async function addressesOf(host: string): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LOOKUP_TIMEOUT_MS);
  });
  const found = lookup(host, { all: true }).then(
    (entries) => entries.map(({ address }) => address),
    () => [],
  );
  const addresses = await Promise.race([found, late]);
  clearTimeout(timer);
  return addresses;
}
