import { join } from 'node:path';
import SshConfig from 'ssh-config';
import { HoldfastError } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Host } from '#core/plan/schema/hosts.ts';
import type { ConfigText } from './configFile.ts';
import type { SshSurroundings } from './surroundings.ts';

/**
 * Settings of a connection to one host. Requested values take precedence over the configuration, and the configuration over OpenSSH's
 * defaults.
 */
export interface HopSettings {
  /** The name that the user has given to the host. */
  readonly label: string;
  readonly address: string;
  readonly port: number;
  readonly user: string;
  /** Name of the host in known_hosts. */
  readonly keyName: string;
  /** Private keys in the order in which they are tried. */
  readonly identityFiles: readonly string[];
  /** Whether the user or the configuration named the keys. Missing files are then reported. */
  readonly areIdentitiesNamed: boolean;
  readonly identitiesOnly: boolean;
  readonly agentSocket: string | null;
  readonly knownHostsFiles: readonly string[];
  /** Jump hosts as configured; empty for none. */
  readonly jumps: readonly string[];
}

/** Requested settings. Settings that are missing or null come from the configuration. */
interface WantedHop {
  readonly label: string;
  readonly address: string;
  readonly user: string | null;
  readonly port: number | null;
  readonly keyPath: string | null;
  readonly jump: string | null;
}

const DEFAULT_KEYS = ['id_ed25519', 'id_ecdsa', 'id_rsa'];

/** Reads the settings of a host. Runs no program: `Match exec` never matches, and names are not looked up. */
export function readHopSettings(config: ConfigText, hop: WantedHop, surroundings: SshSurroundings): HopSettings {
  const found = lookUp(config, hop);
  const firstOf = (name: string): string | null => found.get(name)?.[0] ?? null;
  const user = hop.user ?? firstOf('user') ?? surroundings.userName;
  const address = (firstOf('hostname') ?? hop.address).replaceAll('%h', hop.address).replaceAll('%%', '%');
  const port = hop.port ?? portOf(firstOf('port'), hop.label);
  const expandTokens = (path: string): string => expandPath(path, { address, user, port }, surroundings);
  const keyFiles = [...(hop.keyPath === null ? [] : [hop.keyPath]), ...(found.get('identityfile') ?? []).filter((file) => file !== 'none')];
  const jump = hop.jump ?? firstOf('proxyjump');
  if (jump === null && (firstOf('proxycommand') ?? 'none') !== 'none') throw proxyCommand(hop.label);
  const agent = firstOf('identityagent');
  const knownHosts = found.get('userknownhostsfile');
  return {
    label: hop.label,
    address,
    port,
    user,
    keyName: firstOf('hostkeyalias') ?? address,
    identityFiles: (keyFiles.length > 0 ? keyFiles : DEFAULT_KEYS.map((name) => join(surroundings.home, '.ssh', name))).map(expandTokens),
    areIdentitiesNamed: keyFiles.length > 0,
    identitiesOnly: (firstOf('identitiesonly') ?? 'no').toLowerCase() === 'yes',
    agentSocket: agent === null || agent === 'SSH_AUTH_SOCK' ? surroundings.agentSocket : agent === 'none' ? null : expandTokens(agent),
    knownHostsFiles:
      knownHosts === undefined
        ? [join(surroundings.home, '.ssh', 'known_hosts'), join(surroundings.home, '.ssh', 'known_hosts2')]
        : knownHosts.filter((file) => file !== 'none').map(expandTokens),
    jumps: jump === null || jump.toLowerCase() === 'none' ? [] : jump.split(','),
  };
}

/** Returns the settings that apply, with lower-case names. */
function lookUp(config: ConfigText, { address, user }: WantedHop): ReadonlyMap<string, readonly string[]> {
  const computed = computeSettings(config, { Host: address, ...(user === null ? {} : { User: user }) });
  return new Map(
    Object.entries(computed).map(([name, value]) => [
      name.toLowerCase(),
      (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string').flatMap((text) => splitValues(name, text)),
    ]),
  );
}

/** Throws `SSH_CONFIG` for an invalid configuration, such as a Match line without a value. */
function computeSettings({ text }: ConfigText, host: Readonly<Record<'Host', string>>): Record<string, string | string[]> {
  try {
    const parsed = SshConfig.parse(text);
    disableLookups(parsed);
    return parsed.compute(host, { ignoreCase: true, matchExec: false });
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'SSH_CONFIG',
        message: `The SSH configuration cannot be read: ${cause instanceof Error ? cause.message.slice(0, 200) : 'it is damaged'}.`,
        hint: 'Correct it in ~/.ssh/config; ssh -G HOST shows how OpenSSH reads it.',
      },
      { cause },
    );
  }
}

/** Removes a setting that would make ssh-config start another program to look up names. */
function disableLookups(config: SshConfig): void {
  for (const line of config) {
    if (!('param' in line)) continue;
    if (/^canonicalizehostname$/i.test(line.param)) line.value = 'no';
    if ('config' in line) disableLookups(line.config);
  }
}

function splitValues(name: string, text: string): string[] {
  return /^userknownhostsfile$/i.test(name) ? text.split(/\s+/).filter(Boolean) : [text];
}

function portOf(text: string | null, label: string): number {
  if (text === null) return 22;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new HoldfastError({
    code: 'SSH_CONFIG',
    message: `The SSH configuration names “${text.slice(0, 40)}” as the port of ${label}, which is not a valid port.`,
    hint: 'Correct it in ~/.ssh/config, or enter the port of the host.',
  });
}

/** Expands the tokens of ssh_config(5) whose values are known here. */
function expandPath(
  path: string,
  { address, user, port }: { address: string; user: string; port: number },
  { home, userName }: SshSurroundings,
): string {
  const tokens: Readonly<Record<string, string>> = {
    '%%': '%',
    '%d': home,
    '%h': address,
    '%p': String(port),
    '%r': user,
    '%u': userName,
  };
  const whole = path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;
  return whole.replaceAll(/%[%dhpru]/g, (token) => getOwn(tokens, token) ?? token);
}

function proxyCommand(label: string): HoldfastError {
  return new HoldfastError({
    code: 'SSH_PROXY_COMMAND',
    message: `The SSH configuration connects to ${label} through a command (ProxyCommand), which Holdfast does not run.`,
    hint: 'Name its jump host instead: ProxyJump in ~/.ssh/config, or --jump when you add the host.',
  });
}

const MAX_HOPS = 8;

/** Everything that decides a connection's route. */
interface RouteParts {
  readonly config: ConfigText;
  readonly surroundings: SshSurroundings;
  /** Finds a host in Holdfast's list by its name, because a jump may refer to one. */
  readonly findHost: (name: string) => Host | null;
}

/** Returns the hosts to connect to, ending with the target. Each is reached through the one before it. Throws `SSH_TOO_MANY_JUMPS`. */
export function hopsTo(host: Host, ways: RouteParts): HopSettings[] {
  return walkHops({ label: host.name, ...host }, ways, 0);
}

function walkHops(wantedHop: WantedHop, ways: RouteParts, depth: number): HopSettings[] {
  if (depth >= MAX_HOPS) throw tooManyError(wantedHop.label);
  const settings = readHopSettings(ways.config, wantedHop, ways.surroundings);
  // As in OpenSSH, only the first of several jump hosts may have jump hosts of its own. Each of the others is reached through the one
  // before it.
  const before = settings.jumps.flatMap((jump, position) => {
    const hop = resolveJump(jump.trim(), ways);
    return position === 0 ? walkHops(hop, ways, depth + 1) : [readHopSettings(ways.config, { ...hop, jump: 'none' }, ways.surroundings)];
  });
  const all = [...before, settings];
  if (all.length > MAX_HOPS) throw tooManyError(wantedHop.label);
  return all;
}

function resolveJump(text: string, { findHost }: RouteParts): WantedHop {
  const own = findHost(text);
  if (own !== null) return { label: own.name, ...own };
  const { user, address, port } = parseJump(text);
  return { label: text, address, user, port, keyPath: null, jump: null };
}

/** Parses [user@]host[:port] or [user@][host]:port. */
function parseJump(text: string): { user: string | null; address: string; port: number | null } {
  const match =
    /^(?:ssh:\/\/)?(?:(?<user>[^@\s]+)@)?(?:\[(?<inside>[^\]]+)\]|(?<plain>[^:@\s[\]-][^:@\s[\]]*))(?::(?<port>\d{1,5}))?$/.exec(text);
  const address = match?.groups?.['inside'] ?? match?.groups?.['plain'];
  if (address === undefined)
    throw new HoldfastError({
      code: 'SSH_CONFIG',
      message: `“${text.slice(0, 80)}” is not a jump host.`,
      hint: 'Enter jump hosts as [user@]host[:port], separated by commas.',
    });
  const port = match?.groups?.['port'];
  return { user: match?.groups?.['user'] ?? null, address, port: port === undefined ? null : Number(port) };
}

function tooManyError(label: string): HoldfastError {
  return new HoldfastError({
    code: 'SSH_TOO_MANY_JUMPS',
    message: `The path to ${label} has more than ${MAX_HOPS} hosts, or a loop.`,
    hint: 'Check the jump hosts of the host, and ProxyJump in ~/.ssh/config.',
  });
}
