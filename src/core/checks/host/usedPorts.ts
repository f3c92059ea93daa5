import type { Endpoint, PortRange, SocketGroup } from '#core/hosts/sockets.ts';

/** Ports that connections from one address to one server hold. Each such pair has all ports of the range for itself. */
export interface UsedPorts {
  readonly source: string;
  readonly service: Endpoint;
  readonly used: number;
  readonly timeWait: number;
  readonly ports: number;
}

/** Who holds ports on a machine: by the sockets at the connecting end, fullest first. */
export function usedPorts(groups: readonly SocketGroup[], range: PortRange): UsedPorts[] {
  const found = new Map<string, UsedPorts>();
  for (const { end, source, service, state, count } of groups) {
    if (end !== 'connecting' || source === null) continue;
    const key = `${source} ${service.address} ${service.port}`;
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
