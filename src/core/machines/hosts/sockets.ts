import { getOwn } from '#core/base/ownMembers.ts';

/** Socket states by the value of column `st` in Linux's /proc/net/tcp (include/net/tcp_states.h). */
const STATE_BY_CODE = {
  '01': 'established',
  '02': 'synSent',
  '03': 'synReceived',
  '04': 'finWait1',
  '05': 'finWait2',
  '06': 'timeWait',
  '07': 'close',
  '08': 'closeWait',
  '09': 'lastAck',
  '0A': 'listen',
  '0B': 'closing',
  '0C': 'newSynReceived',
} as const;

export type SocketState = (typeof STATE_BY_CODE)[keyof typeof STATE_BY_CODE];

/** State names in `ss` and in `netstat` of Linux, macOS, BSD and Windows. */
const STATE_BY_WORD: Readonly<Record<string, SocketState>> = {
  ESTAB: 'established',
  ESTABLISHED: 'established',
  'SYN-SENT': 'synSent',
  'SYN-RECV': 'synReceived',
  'SYN-RCVD': 'synReceived',
  'SYN-RECEIVED': 'synReceived',
  'FIN-WAIT-1': 'finWait1',
  'FIN-WAIT1': 'finWait1',
  'FIN-WAIT-2': 'finWait2',
  'FIN-WAIT2': 'finWait2',
  'TIME-WAIT': 'timeWait',
  UNCONN: 'close',
  CLOSE: 'close',
  CLOSED: 'close',
  'CLOSE-WAIT': 'closeWait',
  'LAST-ACK': 'lastAck',
  LISTEN: 'listen',
  LISTENING: 'listen',
  CLOSING: 'closing',
};

export interface Endpoint {
  readonly address: string;
  /** Port; null for any port (`*`). */
  readonly port: number | null;
}

export interface TcpSocket {
  readonly state: SocketState;
  readonly local: Endpoint;
  readonly remote: Endpoint;
}

/** Range of ports for outgoing connections, both ends included. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/**
 * The end of a connection to which a socket belongs. Only a connecting socket takes an outgoing port, even in TIME_WAIT. `unclear`: no
 * listener is known, and either both ports or neither are in the outgoing range.
 */
export type SocketEnd = 'listening' | 'connecting' | 'accepting' | 'unclear';

/** Sockets with the same state, end and service. */
export interface SocketGroup {
  readonly state: SocketState;
  readonly end: SocketEnd;
  /** Source address of connecting sockets; null for other sockets. */
  readonly source: string | null;
  /** Address and port of the accepting end, which is remote for `connecting` and local for the others. */
  readonly service: Endpoint;
  readonly count: number;
}

/** Parses Linux's /proc/sys/net/ipv4/ip_local_port_range; returns null for other text. */
export function parsePortRange(text: string): PortRange | null {
  const match = /^\s*(\d+)\s+(\d+)\s*$/.exec(text);
  return match ? { from: Number(match[1]), to: Number(match[2]) } : null;
}

export function countPorts({ from, to }: PortRange): number {
  return Math.max(0, to - from + 1);
}

/** Parses `ss -tan`, or `netstat -an` of Linux, macOS, BSD and Windows. Skips lines that are not about TCP. */
export function parseSocketList(text: string): TcpSocket[] {
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/);
    if (/^(?:udp|unix|icm|raw|sctp)/i.test(words[0] ?? '')) return [];
    const state = words.map(stateOfWord).find((found) => found !== null) ?? null;
    const endpoints = words.flatMap((word) => parseNamedEndpoint(word) ?? []);
    const [local, remote] = endpoints;
    return state === null || local === undefined || remote === undefined ? [] : [{ state, local, remote }];
  });
}

/**
 * Groups sockets. A socket whose own port has a listener is the accepting end. Without a listener, the outgoing port range decides, for
 * example after the listener closed or if it is on another machine. `count` is the number of equal sockets.
 */
export function groupSockets(sockets: readonly (TcpSocket & { readonly count?: number })[], range: PortRange): SocketGroup[] {
  const listening = new Set(sockets.flatMap(({ state, local }) => (state === 'listen' ? [local.port] : [])));
  const groups = new Map<string, { -readonly [Key in keyof SocketGroup]: SocketGroup[Key] }>();
  for (const { state, local, remote, count = 1 } of sockets) {
    const end = state === 'listen' ? 'listening' : endOf(local.port, remote.port, listening, range);
    const source = end === 'connecting' ? local.address : null;
    const service = end === 'connecting' ? remote : local;
    const key = `${state} ${end} ${source} ${service.address} ${service.port}`;
    const group = groups.get(key);
    if (group) group.count += count;
    else groups.set(key, { state, end, source, service, count });
  }
  return [...groups.values()];
}

function endOf(local: number | null, remote: number | null, listening: ReadonlySet<number | null>, range: PortRange): SocketEnd {
  if (listening.has(local)) return 'accepting';
  // The listener is on this machine, so this socket is the connecting end.
  if (listening.has(remote)) return 'connecting';
  const outgoing = isWithin(local, range);
  if (outgoing === isWithin(remote, range)) return 'unclear';
  return outgoing ? 'connecting' : 'accepting';
}

function isWithin(port: number | null, { from, to }: PortRange): boolean {
  return port !== null && port >= from && port <= to;
}

/**
 * Maximum number of printed groups. Each socket in TIME_WAIT of a server that no longer listens is a group, because neither port shows
 * which end is the server's. Groups beyond the maximum are summed up by state and end, with 0.0.0.0:0 as their service.
 */
const MAX_GROUPS = 2_000;

/**
 * A POSIX shell and awk program that prints the socket groups of a Linux machine, one per line, so that tens of thousands of sockets need
 * not be transferred. Prints nothing without /proc/net/tcp. {@link parseSocketGroups} parses the output.
 */
export const SOCKET_GROUPS_SCRIPT = `
holdfast_listening=$(for list in /proc/net/tcp /proc/net/tcp6; do
  [ -r "$list" ] && awk 'NR > 1 { if ($4 != "0A") exit; split($2, local, ":"); print local[2] }' "$list"
done | tr '\\n' ' ')
cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v listening="$holdfast_listening" \\
  -v range="$(tr '\\t' ' ' </proc/sys/net/ipv4/ip_local_port_range 2>/dev/null)" '
function number(hex,  value, at) {
  value = 0
  for (at = 1; at <= length(hex); at++) value = value * 16 + index("0123456789ABCDEF", substr(hex, at, 1)) - 1
  return value
}
function outgoing(port) { port = number(port); return port >= from && port <= to }
BEGIN {
  split(range, bounds, " "); from = bounds[1] + 0; to = bounds[2] + 0
  amount = split(listening, ports, " ")
  for (at = 1; at <= amount; at++) heard[ports[at]] = 1
}
$1 ~ /^[0-9]+:$/ {
  split($2, near, ":"); split($3, far, ":")
  if ($4 == "0A") end = "listening"
  else if (near[2] in heard) end = "accepting"
  else if (far[2] in heard) end = "connecting"
  else {
    mine = outgoing(near[2]); theirs = outgoing(far[2])
    end = mine == theirs ? "unclear" : mine ? "connecting" : "accepting"
  }
  if (end == "connecting") key = $4 " " end " " near[1] " " far[1] " " far[2]
  else key = $4 " " end " - " near[1] " " near[2]
  count[key]++
}
END {
  for (key in count) if (count[key] > 1) show(key)
  for (key in count) if (count[key] == 1) show(key)
  for (key in rest) print "sockets", key, "- 00000000 0000", rest[key]
}
function show(key,  part) {
  if (shown++ < ${MAX_GROUPS}) { print "sockets", key, count[key]; return }
  split(key, part, " ")
  rest[part[1] " " part[2]] += count[key]
}'
`;

/** Parses the output of {@link SOCKET_GROUPS_SCRIPT}. */
export function parseSocketGroups(text: string): SocketGroup[] {
  const lines = text.matchAll(
    /^sockets ([0-9A-F]{2}) (listening|connecting|accepting|unclear) (-|[0-9A-F]+) ([0-9A-F]+) ([0-9A-F]{4}) (\d{1,9})$/gm,
  );
  return [...lines].flatMap(([, code = '', end = '', source = '', address = '', port = '', count]) => {
    const state = findSocketState(code);
    if (state === null || !isEnd(end)) return [];
    const from = source === '-' ? null : kernelAddress(source);
    return [{ state, end, source: from, service: kernelEndpoint(address, port), count: Number(count) }];
  });
}

export function countByState(groups: readonly SocketGroup[], end?: SocketEnd): Partial<Record<SocketState, number>> {
  const counts: Partial<Record<SocketState, number>> = {};
  for (const group of groups) if (end === undefined || group.end === end) counts[group.state] = (counts[group.state] ?? 0) + group.count;
  return counts;
}

function isEnd(text: string): text is SocketEnd {
  return ['listening', 'connecting', 'accepting', 'unclear'].includes(text);
}

/** Returns the state for the two digits in column `st` of Linux's /proc/net/tcp; null if unknown. */
export function findSocketState(code: string): SocketState | null {
  const states: Readonly<Record<string, SocketState>> = STATE_BY_CODE;
  return getOwn(states, code) ?? null;
}

/** Returns the state for a word. macOS and Windows write `TIME_WAIT`, and `ss` writes `TIME-WAIT`. */
function stateOfWord(word: string): SocketState | null {
  return getOwn(STATE_BY_WORD, word.toUpperCase().replaceAll('_', '-')) ?? null;
}

function kernelEndpoint(address: string, port: string): Endpoint {
  return { address: kernelAddress(address), port: Number.parseInt(port, 16) };
}

/** Parses an address made of 32-bit words as a little-endian processor prints them (x86, ARM, RISC-V). */
function kernelAddress(hex: string): string {
  const bytes = (hex.match(/.{8}/g) ?? []).flatMap((word) =>
    (word.match(/../g) ?? []).toReversed().map((pair) => Number.parseInt(pair, 16)),
  );
  if (bytes.length === 4) return bytes.join('.');
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 0xff && bytes[11] === 0xff;
  if (isMapped) return bytes.slice(12).join('.');
  const groups = Array.from({ length: 8 }, (_, at) => (((bytes[at * 2] ?? 0) << 8) | (bytes[at * 2 + 1] ?? 0)).toString(16));
  return joinShortened(groups);
}

/** Joins the groups of an IPv6 address. Replaces the longest run of at least two zeros with `::` (RFC 5952). */
function joinShortened(groups: readonly string[]): string {
  let best = { start: 0, length: 1 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === '0') length++;
    if (length > best.length) best = { start, length };
  }
  if (best.length === 1) return groups.join(':');
  return `${groups.slice(0, best.start).join(':')}::${groups.slice(best.start + best.length).join(':')}`;
}

/** Parses `127.0.0.1:80`, `[::1]:80`, `*:80` and `0.0.0.0:*`; macOS and BSD write `127.0.0.1.80` and `::1.80`. */
function parseNamedEndpoint(word: string): Endpoint | null {
  const match = /^(\[[0-9A-Fa-f:.%\w]+\]|\*|[0-9A-Fa-f:.]*[0-9A-Fa-f:](?:%\w+)?)[:.](\d{1,5}|\*)$/.exec(word);
  if (!match) return null;
  const [, address = '', port = ''] = match;
  const bare = address
    .replace(/^\[|\]$/g, '')
    .replace(/%\w+$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  return { address: bare, port: port === '*' ? null : Number(port) };
}
