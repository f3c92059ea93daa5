import { DEFAULT_TIMEOUT_SECONDS, MAX_PINS } from '#core/plan/schema/plan.ts';
import { type Draft, withoutNulls } from '../draft.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import type { CommandRequest } from './commandRequest.ts';
import { durationSeconds } from './amounts.ts';
import type { GivenOption, ParsedOptions, Problem } from './parseOptions.ts';
import type { Tool } from './tools.ts';
import { isIpAddress, readPin } from '#core/plan/pins.ts';
import { describeTruncated } from '../notes.ts';
import { type ToolName, replaceMarksByNames } from '../shells/shellText.ts';
import { CONNECT_TO_NOTE } from './meaning.ts';

/** Settings of a command for certificates, time limits and connections; null if it does not set them. */
export interface CommandSettings {
  readonly isInsecure: boolean;
  readonly timeoutSeconds: number | null;
  readonly connectSeconds: number | null;
  readonly closes: boolean;
  readonly usesHttp2: boolean;
  /** Number of HTTP/2 streams on each connection. */
  readonly streams: number;
  readonly socketPath: string | null;
  readonly localAddress: string | null;
  /** Addresses that the command sets for hosts, as in a plan. */
  readonly resolve: readonly string[];
}

export function readSettings(
  draft: Draft,
  command: ToolCommand,
  tool: Tool,
  parsed: ParsedOptions,
  requests: readonly CommandRequest[],
  problems: Problem[],
): Omit<CommandSettings, 'streams'> {
  const isSecure = requests.some(({ origin }) => origin.startsWith('https:'));
  const isInsecure = parsed.has('insecure');
  if (isSecure && tool.acceptsAnyCertificate === true && !isInsecure)
    draft.noteChanged('https', `${command.tool} does not verify certificates.`, 'Holdfast does. To accept any, set tls: {verify: false}.');
  const reconnect = parsed.last('reconnect');
  const closesByHeader = parsed.all('header').some(({ value }) => /^connection\s*[:=].*close/i.test(value));
  const closes = (tool.closes === true && !parsed.has('keepAlive')) || parsed.has('closes') || closesByHeader || reconnect?.value === '1';
  if (reconnect !== undefined && reconnect.value !== '1') {
    const instead = 'The plan keeps them as long as the server allows.';
    draft.noteLeftOut(reconnect.option, 'Connections are closed after a number of requests.', instead);
  }
  const timeoutSeconds = readSeconds(draft, parsed.last('timeout'), problems, 1);
  const connectSeconds = readSeconds(draft, parsed.last('connectTimeout'), problems, 0.001);
  const local = parsed.last('localAddress');
  const localAddress = local !== undefined && /^[\d.]+$|^[\da-f:]+:[\da-f:.]*$/i.test(local.value) ? local.value : null;
  if (local !== undefined && localAddress === null) {
    const instead = 'The system chooses the interface. To select one, set its addresses in connections.localAddresses.';
    draft.noteLeftOut(local.option, 'Connections use a network interface selected by name.', instead);
  }
  const usesHttp2 = parsed.has('http2Always') || (parsed.has('http2') && isSecure) || (tool.usesHttp2 === true && !parsed.has('http1'));
  if (parsed.has('http2') && !usesHttp2)
    draft.noteLeftOut('HTTP/2', 'Without TLS, HTTP/2 is used only if the server offers an upgrade.', 'The plan uses HTTP/1.1.');
  const socketPath = parsed.value('unixSocket') ?? null;
  const origins = requests.map(({ origin }) => origin);
  const resolve = readPins(draft, command.tool, parsed, origins);
  return { isInsecure, timeoutSeconds, connectSeconds, closes, usesHttp2, socketPath, localAddress, resolve };
}

/** Notes for settings that differ between commands: the option, the difference, and what the plan does. */
const DIFFERENCE_NOTES = {
  isInsecure: ['-k', 'Only some requests accept any certificate.', 'The plan has one setting for all: tls: {verify: false}.'],
  timeoutSeconds: [
    '-m',
    'The requests have different time limits.',
    `The plan uses the longest for all. A request without one counts as Holdfast’s ${DEFAULT_TIMEOUT_SECONDS} s.`,
  ],
  connectSeconds: [
    '--connect-timeout',
    'Connections have different time limits.',
    'The plan uses the longest for all, or none if one command sets none.',
  ],
  closes: [
    'Connection: close',
    'Only some requests close the connection.',
    'The plan closes it after each request: connections: {reuse: never}.',
  ],
  usesHttp2: ['--http2', 'Only some requests use HTTP/2.', 'The plan uses it for all.'],
  localAddress: ['--interface', 'Connections start from different local addresses.', 'The plan uses the first one for all.'],
} as const;

const DIFFERENT_PINS = ['The requests set different addresses for hosts.', 'The plan uses all of them for all requests.'] as const;

/**
 * Returns the common settings for a plan of several commands. If commands differ, takes the most permissive setting and reports the
 * difference.
 */
export function mergeSettings(draft: Draft, commands: readonly CommandSettings[]) {
  const mergeSetting = <Name extends keyof typeof DIFFERENCE_NOTES>(
    name: Name,
    take: (values: readonly CommandSettings[Name][]) => CommandSettings[Name],
  ): CommandSettings[Name] => {
    const values = commands.map((command) => command[name]);
    const setting = take(values);
    const [location, what, instead] = DIFFERENCE_NOTES[name];
    if (values.some((value) => value !== setting)) draft.noteChanged(location, what, instead);
    return setting;
  };
  const anyTrue = (values: readonly boolean[]): boolean => values.includes(true);
  // Null, which means that a command does not set the value, counts as `unset`.
  const longest =
    (unset: number) =>
    (limits: readonly (number | null)[]): number | null =>
      limits.reduce((most, one) => ((one ?? unset) > (most ?? unset) ? one : most), limits[0] ?? null);
  const isInsecure = mergeSetting('isInsecure', anyTrue);
  const timeoutSeconds = mergeSetting('timeoutSeconds', longest(DEFAULT_TIMEOUT_SECONDS));
  const connectSeconds = mergeSetting('connectSeconds', longest(Infinity));
  const closes = mergeSetting('closes', anyTrue);
  const usesHttp2 = mergeSetting('usesHttp2', anyTrue);
  const localAddress = mergeSetting('localAddress', (addresses) => addresses.find((one) => one !== null) ?? null);
  const [first = [], ...others] = commands.map(({ resolve }) => resolve);
  if (others.some((pins) => pins.join() !== first.join())) draft.noteChanged('--resolve', ...DIFFERENT_PINS);
  const { socketPath = null, streams = 1 } = commands[0] ?? {};
  const connections = withoutNulls({
    protocol: usesHttp2 ? ('h2' as const) : null,
    streams: usesHttp2 && streams > 1 ? streams : null,
    reuse: closes ? ('never' as const) : null,
    connectSeconds,
    socketPath,
    localAddresses: localAddress === null ? [] : [localAddress],
    resolve: [...new Set([first, ...others].flat())].slice(0, MAX_PINS),
  });
  return withoutNulls({ tls: isInsecure ? { verify: false } : null, timeoutSeconds, connections });
}

/** Reads a time limit in seconds, from `least` to 3,600; null if there is none. */
function readSeconds(draft: Draft, given: GivenOption | undefined, problems: Problem[], least: number): number | null {
  if (given === undefined) return null;
  const limit = durationSeconds(given.value);
  if (limit === null) {
    const hint = 'Enter seconds, or a number followed by s, m or h.';
    problems.push({ option: `${given.option} ${given.value.slice(0, 20)}`, message: 'This is not a time.', hint });
    return null;
  }
  if (limit === 0) {
    draft.noteLeftOut(given.option, 'There is no time limit.', `The plan uses Holdfast’s default of ${DEFAULT_TIMEOUT_SECONDS} s.`);
    return null;
  }
  const kept = Math.min(3_600, Math.max(least, limit));
  if (kept !== limit) draft.noteChanged(given.option, `The time limit is ${limit} s.`, `The plan uses ${kept} s.`);
  return kept;
}

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
 * Returns the addresses that a command sets for its hosts, as `connections.resolve` of a plan: `--resolve` and `--connect-to` of curl, and
 * their equivalents. A pin replaces only the address, so another port is left out with a note.
 */
function readPins(draft: Draft, tool: ToolName, parsed: ParsedOptions, origins: readonly string[]): string[] {
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
  if (pins.length > MAX_PINS) draft.noteLeftOut('--resolve', `It sets ${pins.length} addresses.`, describeTruncated(MAX_PINS));
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

/**
 * Returns the addresses that `HOST:PORT:OTHER:PORT` sets for a server. An empty part is that of the server. curl uses the first option that
 * fits.
 */
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
