import {
  countByState,
  type Endpoint,
  parsePortRange,
  parseSocketGroups,
  type PortRange,
  SOCKET_GROUPS_SCRIPT,
  type SocketGroup,
} from '#core/machines/hosts/sockets.ts';
import { formatCount, formatPercent, formatSeconds } from '#core/base/units.ts';
import { advice, type HostCheck, settingFile, showFiles, shownFiles } from './hostCheck.ts';
import { OTHER_PORTS_PROBE, OTHER_SOCKETS_PROBE, otherPorts, type OtherPorts, otherSockets } from './otherSystems.ts';
import { TIME_WAIT_SECONDS } from './portStall.ts';
import { hostAndPort } from '#core/base/places.ts';

/** Ports held by connections from one address, to one server or, where a port serves one connection in all, to all servers. */
interface UsedPorts {
  readonly source: string;
  /** null for all servers together. */
  readonly service: Endpoint | null;
  readonly used: number;
  readonly timeWait: number;
  readonly ports: number;
}

/** Returns the ports held by connecting sockets, highest share first. */
function usedPorts(groups: readonly SocketGroup[], range: PortRange, servers: 'each server' | 'all together'): UsedPorts[] {
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

/** Default ports of services. */
const USUAL: Readonly<Record<number, string>> = { 3306: 'MySQL', 5432: 'PostgreSQL', 6379: 'Redis', 11211: 'memcached', 27017: 'MongoDB' };

/** Returns text such as `10.0.0.3:5432 (PostgreSQL)`. */
function serviceName({ address, port }: Endpoint): string {
  const place = hostAndPort(address, port);
  const usual = port === null ? undefined : USUAL[port];
  return usual === undefined ? place : `${place} (${usual})`;
}

interface Sockets {
  readonly groups: readonly SocketGroup[];
  readonly range: PortRange;
  /** null on Linux. */
  readonly other: OtherPorts | null;
}

const RANGE = settingFile('net.ipv4.ip_local_port_range');
const NOTICEABLE_SHARE = 0.25;
const NEARLY_ALL = 0.9;

/** Reports which services hold ports in TIME_WAIT. */
export const timeWait: HostCheck<Sockets> = {
  id: 'timeWait',
  about: 'Closing connections (TIME_WAIT)',
  probe: [SOCKET_GROUPS_SCRIPT, showFiles(RANGE), OTHER_SOCKETS_PROBE, OTHER_PORTS_PROBE],
  read([sockets = '', text = '', socketsElsewhere = '', portsElsewhere = '']) {
    const range = parsePortRange(shownFiles(text).get(RANGE) ?? '');
    if (range !== null) return { groups: parseSocketGroups(sockets), range, other: null };
    const other = otherPorts(portsElsewhere);
    const groups = other && otherSockets(socketsElsewhere, other.range);
    return other === null || groups === null ? null : { groups, range: other.range, other };
  },
  judge({ groups, range, other }) {
    const here = countByState(groups, 'connecting').timeWait ?? 0;
    const there = countByState(groups, 'accepting').timeWait ?? 0;
    const all = countByState(groups).timeWait ?? 0;
    const ports = range.to - range.from + 1;
    const [fullest] = portsInUse({ groups, range, other });
    const share = fullest === undefined ? 0 : fullest.used / ports;
    const heldFor = formatSeconds(other?.waitSeconds ?? TIME_WAIT_SECONDS);
    const where =
      fullest === undefined
        ? ''
        : ` Most ports are held by ${formatCount(fullest.used)} connections from ${fullest.source}${toWords(fullest)} (${formatCount(fullest.timeWait)} in TIME_WAIT): ${formatPercent(share)} of ${formatCount(ports)}.`;
    const evidence = `Connecting side ${formatCount(here)}, accepting side ${formatCount(there)}${all > here + there ? `, unknown side ${formatCount(all - here - there)}` : ''}.${where}`;
    const title = all === 1 ? '1 connection in TIME_WAIT now' : `${formatCount(all)} connections in TIME_WAIT now`;
    if (fullest !== undefined && share >= NEARLY_ALL)
      return {
        level: 'problem',
        title: `Ports${toWords(fullest)} have run out: ${formatCount(fullest.used)} of ${formatCount(ports)} are held`,
        evidence,
        matters:
          fullest.service === null
            ? 'This machine holds the ports, and on its system a port serves one connection. Further connections fail here, whatever their server.'
            : `This machine connects to ${serviceName(fullest.service)} and holds the ports. Further connections to it fail here, even if that server has capacity.`,
      };
    if (share >= NOTICEABLE_SHARE)
      return {
        level: 'warning',
        title,
        evidence,
        matters: `Each holds a port for up to ${heldFor}. With this many, the run may run out of ports. An earlier run may have left them.`,
      };
    return {
      level: 'ok',
      title,
      evidence,
      matters:
        there > here
          ? 'They wait on the accepting side, where they hold no port and need little memory.'
          : `Each holds a port for up to ${heldFor}. This few are harmless.`,
    };
  },
  explain:
    'TIME_WAIT is normal: the side that closes first keeps late packets out of later connections. On the connecting side it holds ports, on the accepting side it does not.',
  remedy: (sockets) => {
    const [fullest] = portsInUse(sockets);
    const share = fullest === undefined ? 0 : fullest.used / fullest.ports;
    return advice(
      share >= NEARLY_ALL
        ? `Keep the connections${toWords(fullest)} open: keepalive in the upstream of a proxy (with proxy_http_version 1.1 and an empty Connection header), a pool for a database.`
        : `Wait ${formatSeconds(sockets.other?.waitSeconds ?? TIME_WAIT_SECONDS)} before you start.`,
    );
  },
};

function portsInUse({ groups, range, other }: Sockets): UsedPorts[] {
  return usedPorts(groups, range, other === null ? 'each server' : 'all together');
}

function toWords(held: UsedPorts | undefined): string {
  return held === undefined || held.service === null ? '' : ` to ${serviceName(held.service)}`;
}
