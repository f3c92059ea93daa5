import { parsePortRange, parseSocketGroups, SOCKET_GROUPS_SCRIPT, type PortRange, type SocketGroup } from '#core/machines/hosts/sockets.ts';
import { formatCount, formatRate, formatSeconds } from '#core/base/units.ts';
import {
  numberIn,
  settingFile,
  settingRemedy,
  showFiles,
  parseShownFiles,
  type HostCheck,
  type HostFacts,
  type FindingText,
} from './hostCheck.ts';
import type { Destination, PlanLoad } from './planLoad.ts';
import { OTHER_PORTS_PROBE, OTHER_SOCKETS_PROBE, parseOtherPorts, parseOtherSockets, type OtherPorts } from './otherSystems.ts';

export interface PortBudget {
  readonly range: PortRange;
  /** Number of reserved ports within the range. */
  readonly reserved: number;
  readonly reuse: number;
  readonly groups: readonly SocketGroup[];
  /** Ports of a system other than Linux, on which a port of an address serves one connection in all, not one per server. null on Linux. */
  readonly other: OtherPorts | null;
}

const PORT_RANGE_SETTING = 'net.ipv4.ip_local_port_range';
const RESERVED_PORTS_FILE = settingFile('net.ipv4.ip_local_reserved_ports');
const PORT_REUSE_FILE = settingFile('net.ipv4.tcp_tw_reuse');
const WIDE_PORT_RANGE = '1024 65535';
const MAX_COMFORTABLE_SHARE = 0.8;
/** Time in seconds that the server has to close a connection after “Connection: close” (workers/drivers/stageLoad.ts). */
const LEFT_TO_SERVER_SECONDS = 1;

/** Checks, for each server, when the load of a plan exhausts the outgoing ports. */
export const portBudget: HostCheck<PortBudget> = {
  id: 'ephemeralPorts',
  about: 'Ports for outgoing connections',
  probe: [
    showFiles(settingFile(PORT_RANGE_SETTING), RESERVED_PORTS_FILE, PORT_REUSE_FILE),
    SOCKET_GROUPS_SCRIPT,
    OTHER_PORTS_PROBE,
    OTHER_SOCKETS_PROBE,
  ],
  read([text = '', sockets = '', portsElsewhere = '', socketsElsewhere = '']) {
    const files = parseShownFiles(text);
    const range = parsePortRange(files.get(settingFile(PORT_RANGE_SETTING)) ?? '');
    if (range === null) {
      const other = parseOtherPorts(portsElsewhere);
      if (other === null) return null;
      return { range: other.range, reserved: 0, reuse: 0, groups: parseOtherSockets(socketsElsewhere, other.range) ?? [], other };
    }
    return {
      range,
      reserved: countReserved(files.get(RESERVED_PORTS_FILE) ?? '', range),
      reuse: numberIn(files.get(PORT_REUSE_FILE)) ?? 0,
      groups: parseSocketGroups(sockets),
      other: null,
    };
  },
  judge(budget, facts) {
    const { range } = budget;
    const sources = findSources(facts);
    const addresses = sources?.length ?? 1;
    const ports = countPorts(budget) * addresses;
    const title = `${formatCount(ports)} ports for outgoing connections${addresses === 1 ? '' : ` from ${addresses} addresses`}`;
    const evidence =
      budget.other?.evidence ?? `${settingFile(PORT_RANGE_SETTING)}: ${range.from} to ${range.to}; tcp_tw_reuse ${budget.reuse}`;
    const share = { budget, ports, isShared: areShared(budget, sources) };
    return { title, evidence, ...computeRemaining(share, facts) };
  },
  explain:
    'The side that closes first keeps the connection in TIME_WAIT: 60 s on Linux, usually 30 s on macOS and 120 s on Windows. Only the side that connected holds a port for it: on Linux for the same address and port only, elsewhere for all. Sustained new connections a second = ports / that time: 28,232 / 60 = 470 with the default range of Linux.',
  remedy({ range, other }) {
    if (other !== null) return other.remedy;
    if (`${range.from} ${range.to}` === WIDE_PORT_RANGE) return null;
    return settingRemedy(
      PORT_RANGE_SETTING,
      `${range.from} ${range.to}`,
      WIDE_PORT_RANGE,
      'Keep connections open, widen the range, or spread the load over several addresses of the server.',
      'Services on this machine that listen above 1024 may find their port in use.',
    );
  },
};

export function countPorts({ range, reserved }: Pick<PortBudget, 'range' | 'reserved'>): number {
  return Math.max(0, range.to - range.from + 1 - reserved);
}

/** Returns the source addresses that the plan names, which only the generator uses. */
function findSources({ role, load }: HostFacts): PlanLoad['sources'] {
  return role === 'generator' ? (load?.sources ?? null) : null;
}

/**
 * Returns whether a port serves one connection in all instead of one per server. This is true on systems other than Linux, and for named
 * source addresses. Both bind a port before the destination is known, which also prevents the reuse of ports in TIME_WAIT.
 */
function areShared({ other }: PortBudget, sources: PlanLoad['sources']): boolean {
  return other !== null || sources !== null;
}

/** Ports of a machine: those for each server, or those that all servers share. */
interface Share {
  readonly budget: PortBudget;
  readonly ports: number;
  readonly isShared: boolean;
}

type Rest = Pick<FindingText, 'level' | 'matters' | 'stallsAtSecond'>;

function computeRemaining(share: Share, { role, load, isRemote }: HostFacts): Rest {
  const { budget, ports } = share;
  const waits = budget.other?.waitSeconds ?? TIME_WAIT_SECONDS;
  const rate = formatRate(ports / waits, 'new connections');
  const sustainable = `${rate} ${share.isShared ? 'in all' : 'to one server'}`;
  if (load === null || role !== 'generator') return judgeBehind(share, load, sustainable);
  if (!load.overNetwork) return { level: 'ok', matters: 'Connections to a Unix socket need no ports.' };
  if (load.keepsConnections || load.opened === null) return judgeKept(load, share, sustainable);
  if (load.closesFirst === 'server')
    return {
      level: 'ok',
      matters: `The target closes first, so TIME_WAIT stays on its side and ports are free here at once. Otherwise the ports would sustain ${sustainable}.`,
    };
  const stall = findFirstStall(share, load, isRemote);
  const condition = load.closesFirst === 'not known' ? 'If this side closes first, ' : '';
  if (stall === null)
    return {
      level: 'ok',
      matters: `${condition}${condition === '' ? 'T' : 't'}he ports last for the whole plan. They sustain ${sustainable}${formatReuse(share)}.`,
    };
  const instead = budget.reuse === 1 || share.isShared ? '' : ` With tcp_tw_reuse 1, a port would be free after one second.`;
  return {
    level: load.closesFirst === 'not known' ? 'warning' : 'problem',
    matters: `${condition}${condition === '' ? 'N' : 'n'}o port${share.isShared ? '' : ` to ${stall.host}:${stall.port}`} is left after ${formatSeconds(stall.second)} of load. A closed connection holds its port for ${waits} s, so the ports sustain only ${rate}. From then on, requests fail here (noPort), not on the server.${instead}`,
    stallsAtSecond: stall.second,
  };
}

function judgeKept({ connections, destinations }: PlanLoad, { ports, isShared }: Share, sustainable: string): Rest {
  const each = isShared ? connections : Math.ceil(connections / destinations.length);
  const [asMany, missing] = isShared ? ['in all', 'of them'] : ['per server', 'to each'];
  if (each <= ports * MAX_COMFORTABLE_SHARE)
    return {
      level: 'ok',
      matters: `The plan uses up to ${formatCount(each)} of them ${asMany}. If connections are closed on this side first, the ports sustain ${sustainable}.`,
    };
  return each > ports
    ? {
        level: 'problem',
        matters: `The plan needs ${formatCount(connections)} connections to ${destinations.length === 1 ? 'one server' : `${destinations.length} servers`} at once: ${formatCount(each - ports)} ${missing} would fail for lack of a port.`,
      }
    : { level: 'warning', matters: `The plan uses nearly all of them: up to ${formatCount(each)} ${asMany}.` };
}

/** Judges a machine behind the generator. How many connections it opens per request is unknown; the worst common case is one. */
function judgeBehind(share: Share, load: PlanLoad | null, sustainable: string): Rest {
  const { budget, ports } = share;
  const perSecond = load?.requestsPerSecond ?? null;
  const general = `If this machine opens a connection to an inner server for each request and closes it first, the ports sustain ${sustainable}${formatReuse(share)}.`;
  if (load === null || perSecond === null || load.requested === null || load.seconds === null) return { level: 'ok', matters: general };
  const heldSeconds = budget.other?.waitSeconds ?? waitSeconds(budget.reuse === 1);
  const second = stallSecond({ ports, heldSeconds, opened: load.requested, seconds: load.seconds });
  if (second === null) return { level: 'ok', matters: `${general} This plan sends at most ${formatRate(perSecond, 'requests')}.` };
  return {
    level: 'info',
    matters: `${general} This plan sends up to ${formatRate(perSecond, 'requests')}. With a connection for each, no port would be left after ${formatSeconds(second)}. Kept connections (keepalive of the upstream, a database pool) avoid this.`,
    stallsAtSecond: second,
  };
}

interface Stall extends Destination {
  readonly second: number;
}

/** Returns the server for which the ports run out first. Ports already in use are subtracted. */
function findFirstStall({ budget, ports, isShared }: Share, load: PlanLoad, isRemote: boolean): Stall | null {
  const { opened, destinations, sources, seconds } = load;
  if (opened === null || seconds === null) return null;
  const inUse = (load.responseSeconds ?? 0) + (load.closesFirst === 'server' ? 0 : LEFT_TO_SERVER_SECONDS);
  const stalls = destinations.flatMap((destination) => {
    const reuses = !isShared && reusesPorts(budget.reuse, destination.host) && !(isRemote && budget.reuse !== 1);
    const second = stallSecond({
      ports: Math.max(0, ports - countUsedPorts(budget, destination, sources, reuses)),
      heldSeconds: (budget.other?.waitSeconds ?? waitSeconds(reuses)) + inUse,
      opened: (until) => opened(until) / (isShared ? 1 : destinations.length),
      seconds,
    });
    return second === null ? [] : [{ ...destination, second }];
  });
  return stalls.sort((a, b) => a.second - b.second)[0] ?? null;
}

/**
 * Counts the ports that are in use for a server. Ports in TIME_WAIT do not count if they can be reused. A host name matches every address
 * with its port. With named source addresses, and on systems with one connection per port, connections to any server count.
 */
function countUsedPorts({ groups, other }: PortBudget, { host, port }: Destination, sources: PlanLoad['sources'], reuses: boolean): number {
  const isAddress = /^[\d.]+$|:/.test(host);
  const isThere = ({ service }: SocketGroup): boolean =>
    other !== null || (service.port === port && (!isAddress || service.address === host));
  return groups
    .filter((group) => group.end === 'connecting' && !(reuses && group.state === 'timeWait'))
    .filter((group) => (sources === null ? isThere(group) : group.source !== null && sources.includes(group.source)))
    .reduce((sum, { count }) => sum + count, 0);
}

function formatReuse({ budget, isShared }: Share): string {
  return budget.reuse === 1 && !isShared ? ', and 60 times as many with tcp_tw_reuse 1' : '';
}

/** Counts the ports of a list such as `8080,9148-9150` that lie within the range. */
function countReserved(list: string, { from, to }: PortRange): number {
  let sum = 0;
  for (const part of list.split(',')) {
    const [first, last = first] = part.split('-').map(Number);
    if (first === undefined || last === undefined || part === '') continue;
    sum += Math.max(0, Math.min(last, to) - Math.max(first, from) + 1);
  }
  return sum;
}

/** Time for which Linux keeps a closed port in TIME_WAIT (TCP_TIMEWAIT_LEN in include/net/tcp.h). No setting shortens it. */
export const TIME_WAIT_SECONDS = 60;
/** With tcp_tw_reuse, a port can be reused for the same server after one second in TIME_WAIT (tcp_twsk_unique in net/ipv4/tcp_ipv4.c). */
const REUSE_AFTER_SECONDS = 1;

/** Ports from one address to one server, and the time each is held. */
interface PortUse {
  /** Free ports at the start. */
  readonly ports: number;
  /** Time from opening a connection until its port can be used again. */
  readonly heldSeconds: number;
  /** Total new connections until a second of the load. */
  opened(second: number): number;
  readonly seconds: number;
}

/**
 * Returns the first second without a free port, or null if the load ends before. At time t the ports of connections opened within
 * `heldSeconds` are in use: used(t) = Λ(t) − Λ(t − held). At a constant rate r with r · held > ports, the result is ports / r.
 */
export function stallSecond({ ports, heldSeconds, opened, seconds }: PortUse): number | null {
  const countUsedAt = (second: number): number => opened(second) - (second > heldSeconds ? opened(second - heldSeconds) : 0);
  // The rate changes little between two steps. Bisection finds the exact time within the first step that exceeds the ports.
  const step = Math.min(1, seconds / 16);
  for (let second = step; second < seconds + step; second += step) {
    const until = Math.min(second, seconds);
    if (countUsedAt(until) <= ports) continue;
    let [low, high] = [until - step, until];
    for (let halving = 0; halving < 30; halving++) {
      const middle = (low + high) / 2;
      if (countUsedAt(middle) > ports) high = middle;
      else low = middle;
    }
    return high;
  }
  return null;
}

/** Returns whether a port in TIME_WAIT can be reused: tcp_tw_reuse 1 for every destination, 2 for loopback only. */
export function reusesPorts(reuse: number, destination: string): boolean {
  return reuse === 1 || (reuse === 2 && isLoopback(destination));
}

/** Returns how long a port is held after this side closed its connection. */
export function waitSeconds(reuses: boolean): number {
  return reuses ? REUSE_AFTER_SECONDS : TIME_WAIT_SECONDS;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
