import type { Host } from '#core/plan/schema/hosts.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { ConfigText } from './configFile.ts';
import { getSettings, type HopSettings, type WantedHop } from './hostSettings.ts';
import type { SshSurroundings } from './surroundings.ts';

const MAX_HOPS = 8;

/** Everything that decides the route of a connection. */
export interface Ways {
  readonly config: ConfigText;
  readonly surroundings: SshSurroundings;
  /** Finds a host of Holdfast's list by its name: jumps may name one. */
  readonly findHost: (name: string) => Host | null;
}

/** Returns the hosts to connect to, one through the other, ending with the target. Throws `SSH_TOO_MANY_JUMPS`. */
export function hopsTo(host: Host, ways: Ways): HopSettings[] {
  return walk({ label: host.name, ...host }, ways, 0);
}

function walk(wanted: WantedHop, ways: Ways, depth: number): HopSettings[] {
  if (depth >= MAX_HOPS) throw tooMany(wanted.label);
  const settings = getSettings(ways.config, wanted, ways.surroundings);
  // Like OpenSSH: only the first of several jumps may have its own jumps. The others are reached through the one before.
  const before = settings.jumps.flatMap((jump, position) => {
    const hop = wantedJump(jump.trim(), ways);
    return position === 0 ? walk(hop, ways, depth + 1) : [getSettings(ways.config, { ...hop, jump: 'none' }, ways.surroundings)];
  });
  const all = [...before, settings];
  if (all.length > MAX_HOPS) throw tooMany(wanted.label);
  return all;
}

function wantedJump(text: string, { findHost }: Ways): WantedHop {
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

function tooMany(label: string): HoldfastError {
  return new HoldfastError({
    code: 'SSH_TOO_MANY_JUMPS',
    message: `The path to ${label} has more than ${MAX_HOPS} hosts, or a loop.`,
    hint: 'Check the jump hosts of the host, and ProxyJump in ~/.ssh/config.',
  });
}
