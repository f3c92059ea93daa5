import { isIpAddress, readPin } from '#core/plan/pins.ts';
import { MAX_PINS } from '#core/plan/schema/plan.ts';
import type { Draft } from '../draft.ts';
import { noteTruncated } from '../notes.ts';
import type { ToolName } from '../shells/shellText.ts';
import { replaceMarksByNames } from '../shells/shellText.ts';
import { CONNECT_TO_NOTE } from './meaning.ts';
import type { ParsedOptions } from './parseOptions.ts';

/** Matches a host, or an IPv6 address in brackets. */
const HOST_PATTERN = String.raw`\[[\da-f:.%]+\]|[^\s:[\]/]*`;
const RESOLVE_PATTERN = new RegExp(String.raw`^[+]?(${HOST_PATTERN}):(?:(\d{1,5}):)?([^]+)$`, 'i');
const CONNECT_TO_PATTERN = new RegExp(String.raw`^(${HOST_PATTERN}):(\d{0,5}):(${HOST_PATTERN}):(\d{0,5})$`, 'i');
const CONNECT_TO_ALL_PATTERN = new RegExp(String.raw`^(${HOST_PATTERN})(?::(\d{1,5}))?$`, 'i');

const OTHER_PORT_NOTE = [
  'It connects to another port than that of the URL.',
  'Requests are sent to the port of the URL. For another one, write it into the URL, and the name as the Host header.',
] as const;

/** The addresses that options set, by host and port as in a URL. The host `*` stands for every other host. */
type Addresses = Map<string, readonly string[]>;

/**
 * Returns the addresses that a command sets for its hosts, as `connections.resolve` of a plan: `--resolve` and `--connect-to` of curl, and their
 * equivalents. A pin replaces only the address, so another port is left out with a note.
 */
export function readPins(draft: Draft, tool: ToolName, parsed: ParsedOptions, origins: readonly string[]): string[] {
  const servers = [...new Set(origins)].map((origin) => {
    const { protocol, hostname, port } = new URL(origin);
    return { hostname, port: port === '' ? (protocol === 'https:' ? '443' : '80') : port };
  });
  const resolved = readResolve(draft, parsed, servers);
  for (const { hostname, port } of servers) {
    const every = resolved.get(`*:${port}`);
    if (every !== undefined && !resolved.has(`${hostname}:${port}`)) resolved.set(`${hostname}:${port}`, every);
    const connected = readConnectTo(draft, tool, parsed, { hostname, port }, resolved);
    if (connected.length > 0) resolved.set(`${hostname}:${port}`, connected);
  }
  const pins = [...resolved].flatMap(([server, addresses]) =>
    server.startsWith('*') ? [] : addresses.map((one) => `${server}:${one.includes(':') ? `[${one}]` : one}`),
  );
  if (pins.length > MAX_PINS) draft.noteLeftOut('--resolve', `It sets ${pins.length} addresses.`, noteTruncated(MAX_PINS));
  return pins.slice(0, MAX_PINS);
}

interface Server {
  readonly hostname: string;
  readonly port: string;
}

/** Reads `HOST:PORT:ADDRESS[,ADDRESS]…`, or `HOST:ADDRESS` of xh. As in curl, the last option for a host and port counts. */
function readResolve(draft: Draft, parsed: ParsedOptions, servers: readonly Server[]): Addresses {
  const resolved: Addresses = new Map();
  for (const { option, value } of parsed.all('resolve')) {
    const [, host = '', port, list = ''] = RESOLVE_PATTERN.exec(value) ?? [];
    const addresses = list.split(',').map(withoutBrackets);
    const ports = port === undefined ? new Set(servers.map((server) => server.port)) : [String(Number(port))];
    const isPin = [...ports].every((one) =>
      addresses.every((address) => readPin(`${host.replace('*', 'any')}:${one}:${address}`) !== null),
    );
    if (isPin) for (const one of ports) resolved.set(`${host.toLowerCase()}:${one}`, addresses);
    else
      draft.noteLeftOut(
        `${option} ${replaceMarksByNames(value)}`.slice(0, 60),
        'It sets no IP address for a host and a port.',
        CONNECT_TO_NOTE[1],
      );
  }
  return resolved;
}

/** Returns the addresses that `HOST:PORT:OTHER:PORT` sets for a server. An empty part is that of the server. curl uses the first option that fits. */
function readConnectTo(draft: Draft, tool: ToolName, parsed: ParsedOptions, { hostname, port }: Server, resolved: Addresses): string[] {
  const found: string[] = [];
  for (const { option, value } of parsed.all('connectTo')) {
    const [, everyHost, everyPort = ''] = tool === 'h2load' ? (CONNECT_TO_ALL_PATTERN.exec(value) ?? []) : [];
    const read = everyHost === undefined ? CONNECT_TO_PATTERN.exec(value)?.slice(1) : ['', '', everyHost, everyPort];
    const location = `${option} ${replaceMarksByNames(value)}`.slice(0, 60);
    if (read === undefined) draft.noteLeftOut(location, ...CONNECT_TO_NOTE);
    const [fromHost = '-', fromPort = '', toHost = '', toPort = ''] = read ?? [];
    if ((fromHost !== '' && fromHost.toLowerCase() !== hostname) || (fromPort !== '' && Number(fromPort) !== Number(port))) continue;
    const other = toHost === '' ? hostname : toHost.toLowerCase();
    const address = withoutBrackets(other === 'localhost' ? '127.0.0.1' : other);
    const addresses = isIpAddress(address) ? [address] : (resolved.get(`${other}:${toPort === '' ? port : toPort}`) ?? []);
    if (toPort !== '' && Number(toPort) !== Number(port)) draft.noteLeftOut(location, ...OTHER_PORT_NOTE);
    else if (addresses.length === 0 && other !== hostname) draft.noteLeftOut(location, ...CONNECT_TO_NOTE);
    else found.push(...addresses);
    if (tool === 'curl') break;
  }
  return [...new Set(found)];
}

function withoutBrackets(address: string): string {
  return address.trim().replace(/^\[(.*)\]$/, '$1');
}
