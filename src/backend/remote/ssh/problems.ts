import { HoldfastError } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { HopSettings } from './hostSettings.ts';

/** What a host said, fit to be shown: in one line, without control characters, and not longer than a sentence can carry. */
export function plainText(text: string, limit = 200): string {
  // oxlint-disable-next-line no-control-regex -- [control characters and marks of direction are what is taken out]
  const plain = text.slice(0, limit * 4).replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ');
  const short = plain.replaceAll(/ +/g, ' ').trim();
  return short.length > limit ? `${short.slice(0, limit)}…` : short;
}

type Place = Pick<HopSettings, 'label' | 'address' | 'port'>;

/** Where a connection was to go, in words. */
function placeOf({ label, address, port }: Place): string {
  const host = address.includes(':') ? `[${address}]` : address;
  return label === address ? `${host}:${port}` : `${label} (${host}:${port})`;
}

const NO_WAY = 'There is no way to it from here: is a VPN or a jump host needed?';

/** Why no connection came about, from what the network said. */
export function unreachable(place: Place, thrown: unknown): HoldfastError {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  const hints: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Nothing listens there: is the SSH server running, and is this its port?',
    ENOTFOUND: 'The name is unknown: is it spelled right, or is it an alias that ~/.ssh/config should explain?',
    EAI_AGAIN: 'The name server did not answer: is this computer connected?',
    ETIMEDOUT: 'A firewall in between, or a host that is off, are the usual causes.',
    EHOSTUNREACH: NO_WAY,
    ENETUNREACH: NO_WAY,
    ECONNRESET: 'It closed the connection at once: a firewall, a limit of connections, or no SSH server at all.',
  };
  return new HoldfastError(
    {
      code: 'HOST_UNREACHABLE',
      message: `${placeOf(place)} cannot be connected to${code === '' ? '' : ` (${code})`}.`,
      hint: getOwn(hints, code) ?? 'Check its address, its port and the network of this computer.',
    },
    { cause: thrown },
  );
}

export function tooSlow(place: Place, seconds: number): HoldfastError {
  return new HoldfastError({
    code: 'HOST_TIMEOUT',
    message: `${placeOf(place)} did not let us in within ${seconds} s.`,
    hint: 'A firewall in between, a host that is overloaded, or something else than an SSH server are the usual causes.',
  });
}

/** What answers there does not behave as an SSH server does. */
export function notSsh(place: Place, thrown: unknown): HoldfastError {
  const said = plainText(thrown instanceof Error ? thrown.message : String(thrown));
  return new HoldfastError(
    {
      code: 'HOST_NOT_SSH',
      message: `${placeOf(place)} did not answer as an SSH server does: ${said}.`,
      hint: 'Is the port right? If it is, its SSH server may be too old: it must know curve25519 or ECDH, AES and keys that are not signed with SHA-1.',
    },
    { cause: thrown },
  );
}

export function closedEarly(place: Place): HoldfastError {
  return new HoldfastError({
    code: 'HOST_CLOSED',
    message: `${placeOf(place)} closed the connection before it let us in.`,
    hint: 'Too many wrong attempts, a limit of connections (MaxStartups), or a ban of this address are the usual causes.',
  });
}

export function connectionLost(label: string, thrown: unknown): HoldfastError {
  const said = thrown instanceof Error ? `: ${plainText(thrown.message)}` : '';
  return new HoldfastError(
    {
      code: 'HOST_LOST',
      message: `The connection to ${label} was lost${said}.`,
      hint: 'The host was switched off or restarted, or the network in between failed.',
    },
    { cause: thrown },
  );
}

export function saysTooMuch(label: string, limitBytes: number): HoldfastError {
  return new HoldfastError({
    code: 'HOST_SAYS_TOO_MUCH',
    message: `${label} sent more than ${limitBytes} bytes where a few lines were expected.`,
    hint: 'Does a start-up file of the user (.bashrc) print something without end? The connection was closed.',
  });
}

export function jumpRefused(through: string, place: Place, thrown: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'HOST_JUMP',
      message: `${through} could not connect us on to ${placeOf(place)}: ${plainText(thrown instanceof Error ? thrown.message : String(thrown))}.`,
      hint: 'Is the address right as seen from there, and does its SSH server allow forwarding (AllowTcpForwarding)?',
    },
    { cause: thrown },
  );
}
