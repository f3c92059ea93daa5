import { groupSockets, parseSocketList, type PortRange, type SocketGroup } from '#core/machines/hosts/sockets.ts';
import type { Remedy } from '../finding.ts';

/** Reads the outgoing ports of macOS and BSD; prints nothing on Linux. On Windows, the output of `netsh` takes its place. */
export const OTHER_PORTS_PROBE = 'sysctl net.inet.ip.portrange.first net.inet.ip.portrange.last net.inet.tcp.msl';

/**
 * Lists the sockets of macOS and BSD. Equal sockets are one line with their count, because sending tens of thousands of lines would be too
 * much. An outgoing port without a listener is replaced with the first port of the range.
 */
export const OTHER_SOCKETS_SCRIPT = `netstat -an -p tcp | awk -v first="$(sysctl -n net.inet.ip.portrange.first)" -v last="$(sysctl -n net.inet.ip.portrange.last)" '
function port(end) { sub(/.*\\./, "", end); return end }
function service(end,  at) {
  at = port(end)
  if (at + 0 >= first + 0 && at + 0 <= last + 0 && !(at in heard)) sub(/[^.]*$/, first, end)
  return end
}
/^tcp/ { total++; kind[total] = $1; near[total] = $4; far[total] = $5; state[total] = $6; if ($6 == "LISTEN") heard[port($4)] = 1 }
END {
  for (at = 1; at <= total; at++) {
    if (state[at] == "LISTEN") key = kind[at] " 0 0 " near[at] " " far[at] " " state[at]
    else key = kind[at] " 0 0 " service(near[at]) " " service(far[at]) " " state[at]
    count[key]++
  }
  for (key in count) print count[key], key
}'`;

export const OTHER_SOCKETS_PROBE = `[ -r /proc/net/tcp ] || ${OTHER_SOCKETS_SCRIPT}`;

/** Outgoing ports of a system other than Linux. */
export interface OtherPorts {
  readonly range: PortRange;
  readonly waitSeconds: number;
  readonly evidence: string;
  readonly remedy: Remedy | null;
}

/**
 * Time in seconds for which Windows holds a closed port: twice the maximum segment lifetime. The documentation names 2 and 4 minutes, and
 * the setting is rarely readable.
 */
const WINDOWS_WAIT_SECONDS = 120;
const MIN_WIDE_PORTS = 16_384;
const LAST_PORT = 65_535;

/** Parses the output of {@link OTHER_PORTS_PROBE}, or of `netsh int ipv4 show dynamicport tcp` in any language; null for other text. */
export function parseOtherPorts(text: string): OtherPorts | null {
  return portsOfSysctl(text) ?? portsOfNetsh(text);
}

function portsOfSysctl(text: string): OtherPorts | null {
  const value = (name: string): number =>
    Number(new RegExp(`^net\\.inet\\.${name}[:=]\\s*(\\d{1,9})\\s*$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const [from, to, segmentMs] = [value('ip\\.portrange\\.first'), value('ip\\.portrange\\.last'), value('tcp\\.msl')];
  if (Number.isNaN(from + to + segmentMs) || to < from) return null;
  const write = (port: number): string => `sudo sysctl -w net.inet.ip.portrange.first=${port} net.inet.ip.portrange.hifirst=${port}`;
  return {
    range: { from, to },
    waitSeconds: (2 * segmentMs) / 1_000,
    evidence: `net.inet.ip.portrange: ${from} to ${to}; net.inet.tcp.msl ${segmentMs} ms`,
    remedy: from <= MIN_WIDE_PORTS ? null : widerRangeRemedy(write(MIN_WIDE_PORTS), write(from)),
  };
}

function portsOfNetsh(text: string): OtherPorts | null {
  const [from, amount] = [...text.matchAll(/^[ \t]*[^\s:][^:\n]*:[ \t]*(\d{1,5})[ \t\r]*$/gm)].map(([, number]) => Number(number));
  if (/^net\./m.test(text) || from === undefined || amount === undefined || amount === 0 || from + amount - 1 > LAST_PORT) return null;
  const write = (first: number, ports: number): string => `netsh int ipv4 set dynamicport tcp start=${first} num=${ports}`;
  return {
    range: { from, to: from + amount - 1 },
    waitSeconds: WINDOWS_WAIT_SECONDS,
    evidence: `netsh int ipv4 show dynamicport tcp: ${amount} from ${from} on; a closed one is assumed to be kept for ${WINDOWS_WAIT_SECONDS} s (TcpTimedWaitDelay)`,
    remedy: from <= MIN_WIDE_PORTS ? null : widerRangeRemedy(write(MIN_WIDE_PORTS, LAST_PORT - MIN_WIDE_PORTS + 1), write(from, amount)),
  };
}

function widerRangeRemedy(command: string, undo: string): Remedy {
  return {
    text: 'Keep connections open, or widen the range.',
    command,
    undo,
    risk: 'Services on this machine that listen on one of these ports may find it in use. Needs administrator rights.',
  };
}

/**
 * Parses the output of {@link OTHER_SOCKETS_SCRIPT} or of `netstat -an` on Windows. Returns null if a state name is unknown, for example in
 * another language.
 */
export function parseOtherSockets(text: string, range: PortRange): SocketGroup[] | null {
  const lines = text.split('\n').filter((line) => /^\s*(?:\d+ )?tcp/i.test(line));
  const sockets = lines.map((line) => {
    const [, count = '1', rest = line] = /^(\d{1,7}) (tcp.*)$/i.exec(line) ?? [];
    const [socket] = parseSocketList(rest);
    return socket === undefined ? null : { ...socket, count: Number(count) };
  });
  const knownSockets = sockets.filter((socket) => socket !== null);
  return knownSockets.length === 0 || knownSockets.length < sockets.length ? null : groupSockets(knownSockets, range);
}

/** Parses `vm_stat` and `sysctl hw.memsize` of macOS, in bytes. Returns null for other text. */
export function parseOtherMemory(text: string): { readonly availableBytes: number; readonly totalBytes: number } | null {
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? Number.NaN);
  const pages = ['free', 'inactive', 'speculative'].map((kind) => number(new RegExp(`^Pages ${kind}:\\s+(\\d{1,15})\\.`, 'm')));
  const availableBytes = pages.reduce((sum, count) => sum + count, 0) * number(/page size of (\d{1,7}) bytes/);
  const totalBytes = number(/^hw\.memsize: (\d{1,18})$/m);
  return Number.isNaN(availableBytes + totalBytes) ? null : { availableBytes, totalBytes };
}
