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
import { hostAndPort } from '#core/base/hostAndPort.ts';
import { buildRemedy, type HostCheck, settingFile, showFiles, parseShownFiles, numberIn, settingRemedy } from './hostCheck.ts';
import { OTHER_PORTS_PROBE, OTHER_SOCKETS_PROBE, parseOtherPorts, type OtherPorts, parseOtherSockets } from './otherSystems.ts';
import { TIME_WAIT_SECONDS } from './portBudget.ts';

/** Ports held by connections from one address to one server. If a port serves one connection in all: to all servers. */
interface UsedPorts {
  readonly source: string;
  /** The server; null for all servers together. */
  readonly service: Endpoint | null;
  readonly used: number;
  readonly timeWait: number;
  readonly ports: number;
}

/** Returns the ports held by connecting sockets, with the highest share first. */
function findUsedPorts(groups: readonly SocketGroup[], range: PortRange, servers: 'each server' | 'all together'): UsedPorts[] {
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
const SERVICE_BY_PORT: Readonly<Record<number, string>> = {
  3306: 'MySQL',
  5432: 'PostgreSQL',
  6379: 'Redis',
  11211: 'memcached',
  27017: 'MongoDB',
};

/** Returns text such as `10.0.0.3:5432 (PostgreSQL)`. */
function serviceName({ address, port }: Endpoint): string {
  const place = hostAndPort(address, port);
  const usual = port === null ? undefined : SERVICE_BY_PORT[port];
  return usual === undefined ? place : `${place} (${usual})`;
}

interface Sockets {
  readonly groups: readonly SocketGroup[];
  readonly range: PortRange;
  /** Ports of a system other than Linux; null on Linux. */
  readonly other: OtherPorts | null;
}

const PORT_RANGE_FILE = settingFile('net.ipv4.ip_local_port_range');
const NOTICEABLE_SHARE = 0.25;
const NEARLY_ALL_SHARE = 0.9;

/** Reports which services hold ports in TIME_WAIT. */
export const timeWait: HostCheck<Sockets> = {
  id: 'timeWait',
  about: 'Closing connections (TIME_WAIT)',
  probe: [SOCKET_GROUPS_SCRIPT, showFiles(PORT_RANGE_FILE), OTHER_SOCKETS_PROBE, OTHER_PORTS_PROBE],
  read([sockets = '', text = '', socketsElsewhere = '', portsElsewhere = '']) {
    const range = parsePortRange(parseShownFiles(text).get(PORT_RANGE_FILE) ?? '');
    if (range !== null) return { groups: parseSocketGroups(sockets), range, other: null };
    const other = parseOtherPorts(portsElsewhere);
    const groups = other && parseOtherSockets(socketsElsewhere, other.range);
    return other === null || groups === null ? null : { groups, range: other.range, other };
  },
  judge({ groups, range, other }) {
    const connectingCount = countByState(groups, 'connecting').timeWait ?? 0;
    const acceptingCount = countByState(groups, 'accepting').timeWait ?? 0;
    const all = countByState(groups).timeWait ?? 0;
    const ports = range.to - range.from + 1;
    const [fullest] = portsInUse({ groups, range, other });
    const share = fullest === undefined ? 0 : fullest.used / ports;
    const heldFor = formatSeconds(other?.waitSeconds ?? TIME_WAIT_SECONDS);
    const where =
      fullest === undefined
        ? ''
        : ` Most ports are held by ${formatCount(fullest.used)} connections from ${fullest.source}${toWords(fullest)} (${formatCount(fullest.timeWait)} in TIME_WAIT): ${formatPercent(share)} of ${formatCount(ports)}.`;
    const evidence = `Connecting side ${formatCount(connectingCount)}, accepting side ${formatCount(acceptingCount)}${all > connectingCount + acceptingCount ? `, unknown side ${formatCount(all - connectingCount - acceptingCount)}` : ''}.${where}`;
    const title = all === 1 ? '1 connection in TIME_WAIT now' : `${formatCount(all)} connections in TIME_WAIT now`;
    if (fullest !== undefined && share >= NEARLY_ALL_SHARE)
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
        acceptingCount > connectingCount
          ? 'They wait on the accepting side, where they hold no port and need little memory.'
          : `Each holds a port for up to ${heldFor}. This few are harmless.`,
    };
  },
  explain:
    'TIME_WAIT is normal: the side that closes first keeps late packets out of later connections. On the connecting side it holds ports, on the accepting side it does not.',
  remedy: (sockets) => {
    const [fullest] = portsInUse(sockets);
    const share = fullest === undefined ? 0 : fullest.used / fullest.ports;
    return buildRemedy(
      share >= NEARLY_ALL_SHARE
        ? `Keep the connections${toWords(fullest)} open: keepalive in the upstream of a proxy (with proxy_http_version 1.1 and an empty Connection header), a pool for a database.`
        : `Wait ${formatSeconds(sockets.other?.waitSeconds ?? TIME_WAIT_SECONDS)} before you start.`,
    );
  },
};

function portsInUse({ groups, range, other }: Sockets): UsedPorts[] {
  return findUsedPorts(groups, range, other === null ? 'each server' : 'all together');
}

function toWords(usedPorts: UsedPorts | undefined): string {
  return usedPorts === undefined || usedPorts.service === null ? '' : ` to ${serviceName(usedPorts.service)}`;
}

const REUSE_SETTING = 'net.ipv4.tcp_tw_reuse';
const RECYCLE_SETTING = 'net.ipv4.tcp_tw_recycle';
const FIN_TIMEOUT_SETTING = 'net.ipv4.tcp_fin_timeout';
const BUCKETS_SETTING = 'net.ipv4.tcp_max_tw_buckets';

const REUSE_MEANINGS: Readonly<Record<number, string>> = {
  0: 'A port is reused only after the full 60 s.',
  1: 'A port is reused for the same server after one second if both sides send timestamps.',
  2: 'As 1, but only for loopback connections. To other machines, a port is reused only after the full 60 s. The default since Linux 4.19.',
};

export const timeWaitReuse: HostCheck<number> = {
  id: 'timeWaitReuse',
  about: 'Reuse of ports in TIME_WAIT (tcp_tw_reuse)',
  probe: [showFiles(settingFile(REUSE_SETTING))],
  read: ([text = '']) => numberIn(parseShownFiles(text).get(settingFile(REUSE_SETTING))),
  judge: (value) => ({
    level: 'ok',
    title: `tcp_tw_reuse is ${value}`,
    evidence: `${settingFile(REUSE_SETTING)}: ${value}`,
    matters: REUSE_MEANINGS[value] ?? 'The meaning of this value is unknown.',
  }),
  explain: 'It affects only the connecting side. It has no effect on a server that accepts connections.',
};

/** Warns about a setting that Linux removed in 4.12, because it broke clients behind NAT. It is never recommended. */
export const timeWaitRecycle: HostCheck<number | 'gone'> = {
  id: 'timeWaitRecycle',
  about: 'tcp_tw_recycle',
  probe: [`uname -s; ${showFiles(settingFile(RECYCLE_SETTING))}`],
  read: ([text = '']) => (text.startsWith('Linux') ? (numberIn(parseShownFiles(text).get(settingFile(RECYCLE_SETTING))) ?? 'gone') : null),
  judge: (value) => {
    const evidence = value === 'gone' ? 'The kernel has no such setting since 4.12.' : `${settingFile(RECYCLE_SETTING)}: ${value}`;
    if (value === 'gone' || value === 0)
      return {
        level: 'ok',
        title: value === 'gone' ? 'tcp_tw_recycle no longer exists' : 'tcp_tw_recycle is off',
        evidence,
        matters: 'Old guides recommend it. It should stay off.',
      };
    return {
      level: 'problem',
      title: 'tcp_tw_recycle is on',
      evidence,
      matters:
        'Connections of users behind one address (an office, a mobile network) are dropped silently. The more users, the more drops.',
    };
  },
  explain: 'It treats the timestamps of all machines behind one address as those of one machine. It solves no problem.',
  remedy: (value) => (value === 'gone' ? null : settingRemedy(RECYCLE_SETTING, String(value), '0', 'Disable it.', 'None.')),
};

const USUAL_FIN_SECONDS = 60;

export const finTimeout: HostCheck<number> = {
  id: 'finTimeout',
  about: 'tcp_fin_timeout',
  probe: [showFiles(settingFile(FIN_TIMEOUT_SETTING))],
  read: ([text = '']) => numberIn(parseShownFiles(text).get(settingFile(FIN_TIMEOUT_SETTING))),
  judge: (seconds) => ({
    level: seconds === USUAL_FIN_SECONDS ? 'ok' : 'info',
    title: `tcp_fin_timeout is ${seconds} s`,
    evidence: `${settingFile(FIN_TIMEOUT_SETTING)}: ${seconds}`,
    matters: `TIME_WAIT still lasts ${TIME_WAIT_SECONDS} s${seconds === USUAL_FIN_SECONDS ? '' : '. The changed value does not free ports sooner'}.`,
  }),
  explain:
    'It limits FIN_WAIT_2: how long a connection without a program waits for the other side to close. It does not shorten TIME_WAIT, whose 60 s are fixed in the kernel.',
};

interface Buckets {
  readonly most: number;
  readonly overflows: number;
}

export const timeWaitBuckets: HostCheck<Buckets> = {
  id: 'timeWaitBuckets',
  about: 'Capacity for connections in TIME_WAIT',
  probe: [showFiles(settingFile(BUCKETS_SETTING)), 'cat /proc/net/netstat'],
  read([text = '', counters = '']) {
    const maxBuckets = numberIn(parseShownFiles(text).get(settingFile(BUCKETS_SETTING)));
    return maxBuckets === null ? null : { most: maxBuckets, overflows: netstatCounter(counters, 'TCPTimeWaitOverflow') ?? 0 };
  },
  judge({ most, overflows }, { load }) {
    const rate = load === null || load.keepsConnections ? null : load.requestsPerSecond;
    const wanted = rate === null ? 0 : Math.ceil(rate * TIME_WAIT_SECONDS);
    const short = wanted > most;
    return {
      level: short || overflows > 0 ? 'warning' : 'ok',
      title: `Up to ${formatCount(most)} connections in TIME_WAIT`,
      evidence: `${settingFile(BUCKETS_SETTING)}: ${most}; closed early so far for lack of room: ${formatCount(overflows)}`,
      matters: short
        ? `This plan can cause up to ${formatCount(wanted)}. Beyond the limit, connections skip TIME_WAIT, and late packets may disturb later connections.`
        : 'Beyond it, connections skip TIME_WAIT.',
    };
  },
  explain: 'The limit protects against attacks. Lowering it to avoid TIME_WAIT removes the protection that TIME_WAIT gives.',
  remedy: ({ most }) => settingRemedy(BUCKETS_SETTING, String(most), String(most * 4), 'Allow more.', 'Up to 250 bytes of memory each.'),
};

/** Returns a counter of Linux's /proc/net/netstat (a line of names above a line of values); null if it is missing. */
export function netstatCounter(text: string, name: string): number | null {
  const lines = text.split('\n');
  for (let index = 0; index + 1 < lines.length; index += 1) {
    const names = lines[index]?.split(' ') ?? [];
    const values = lines[index + 1]?.split(' ') ?? [];
    const at = names.indexOf(name);
    if (at > 0 && names[0] === values[0]) return numberIn(values[at]);
  }
  return null;
}
