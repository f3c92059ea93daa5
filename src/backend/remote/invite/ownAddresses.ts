import { networkInterfaces } from 'node:os';

/** Returns the addresses under which other computers may reach this one, IPv4 first. Link-local addresses are left out. */
export function listOwnAddresses(): string[] {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(?:169\.254\.|fe[89ab])/i.test(address));
  return found.sort((one, other) => one.family.localeCompare(other.family)).map(({ address }) => address);
}

/**
 * Returns the address to listen on for connections to `host`. Returns undefined (all addresses) if `host` is not an address of this
 * computer, because it may be a name or the address of a router.
 */
export function listeningAddress(host: string): string | undefined {
  const isLoopback = /^127\.\d+\.\d+\.\d+$/.test(host) || host === '::1';
  return isLoopback || listOwnAddresses().includes(host) ? host : undefined;
}
