import type { Endpoint, PortRange, SocketGroup } from '#core/machines/hosts/sockets.ts';

/** Ports that connections from one address hold: to one server, where each such pair has all ports of the range for itself, else to all together. */
export interface UsedPorts {
  readonly source: string;
  /** null: all together. */
  readonly service: Endpoint | null;
  readonly used: number;
  readonly timeWait: number;
  readonly ports: number;
}

/** Who holds ports on a machine: by the sockets at the connecting end, fullest first. `all together`: a port serves one connection of all. */
export function usedPorts(groups: readonly SocketGroup[], range: PortRange, servers: 'each server' | 'all together'): UsedPorts[] {
  const found = new Map<string, UsedPorts>();
  for (const { end, source, service: server, state, count } of groups) {
    if (end !== 'connecting' || source === null) continue;
    const service = servers === 'each server' ? server : null;
    const key = `${source} ${service?.address} ${service?.port}`;
    const known = found.get(key) ?? { source, service, used: 0, timeWait: 0, ports: range.to - range.from + 1 };
    found.set(key, { ...known, used: known.used + count, timeWait: known.timeWait + (state === 'timeWait' ? count : 0) });
  }
  return [...found.values()].sort((a, b) => b.used - a.used);
}

/** Ports that services are usually found at. */
const USUAL: Readonly<Record<number, string>> = { 3306: 'MySQL', 5432: 'PostgreSQL', 6379: 'Redis', 11211: 'memcached', 27017: 'MongoDB' };

/** `10.0.0.3:5432 (PostgreSQL)`. */
export function serviceName({ address, port }: Endpoint): string {
  const place = `${address.includes(':') ? `[${address}]` : address}:${port ?? '*'}`;
  const usual = port === null ? undefined : USUAL[port];
  return usual === undefined ? place : `${place} (${usual})`;
}
