import { codeOf, HoldfastError } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { HopSettings } from './hostSettings.ts';
import { hostAndPort } from '#core/base/hostAndPort.ts';

/** Returns a text from a host in a form that is safe to show: one line, no control characters, limited length. */
export function plainText(text: string, limit = 200): string {
  // oxlint-disable-next-line no-control-regex -- [control characters and marks of direction are what is taken out]
  const plain = text.slice(0, limit * 4).replaceAll(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]+/g, ' ');
  const short = plain.replaceAll(/ +/g, ' ').trim();
  return short.length > limit ? `${short.slice(0, limit)}…` : short;
}

type HopAddress = Pick<HopSettings, 'label' | 'address' | 'port'>;

/** Returns a connection's target as text. */
function placeOf({ label, address, port }: HopAddress): string {
  const place = hostAndPort(address, port);
  return label === address ? place : `${label} (${place})`;
}

const NO_ROUTE = 'No route to it from here. Probably it needs a VPN or a jump host.';

/** Returns the problem of a failed connection, from the network error. */
export function unreachable(place: HopAddress, thrown: unknown): HoldfastError {
  const code = codeOf(thrown) ?? '';
  const hints: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Nothing listens there. Check that the SSH server runs, and its port.',
    ENOTFOUND: 'The name is unknown. Check the spelling, or define the alias in ~/.ssh/config.',
    EAI_AGAIN: 'The name server did not respond. Check the network of this computer.',
    ETIMEDOUT: 'Usual causes: a firewall in between, or a host that is off.',
    EHOSTUNREACH: NO_ROUTE,
    ENETUNREACH: NO_ROUTE,
    ECONNRESET: 'It closed the connection at once. Usual causes: a firewall, a connection limit, or no SSH server.',
  };
  return new HoldfastError(
    {
      code: 'HOST_UNREACHABLE',
      message: `Cannot connect to ${placeOf(place)}${code === '' ? '' : ` (${code})`}.`,
      hint: getOwn(hints, code) ?? 'Check its address, its port and the network of this computer.',
    },
    { cause: thrown },
  );
}

export function hostTimeout(place: HopAddress, seconds: number): HoldfastError {
  return new HoldfastError({
    code: 'HOST_TIMEOUT',
    message: `${placeOf(place)} did not complete the login within ${seconds} s.`,
    hint: 'Usual causes: a firewall in between, an overloaded host, or no SSH server.',
  });
}

/** Returns the problem of a peer that does not speak SSH. */
export function notSshError(place: HopAddress, thrown: unknown): HoldfastError {
  const message = plainText(thrown instanceof Error ? thrown.message : String(thrown));
  return new HoldfastError(
    {
      code: 'HOST_NOT_SSH',
      message: `${placeOf(place)} did not respond as an SSH server does: ${message}.`,
      hint: 'Check the port. If it is right, the SSH server is probably too old: it must support curve25519 or ECDH, AES, and keys without SHA-1 signatures.',
    },
    { cause: thrown },
  );
}

export function closedEarly(place: HopAddress): HoldfastError {
  return new HoldfastError({
    code: 'HOST_CLOSED',
    message: `${placeOf(place)} closed the connection during the login.`,
    hint: 'Usual causes: too many failed attempts, a connection limit (MaxStartups), or a ban of this address.',
  });
}

export function connectionLost(label: string, thrown: unknown): HoldfastError {
  const detail = thrown instanceof Error ? `: ${plainText(thrown.message)}` : '';
  return new HoldfastError(
    {
      code: 'HOST_LOST',
      message: `The connection to ${label} was lost${detail}.`,
      hint: 'Probably the host was switched off or restarted, or the network in between failed.',
    },
    { cause: thrown },
  );
}

export function tooMuchOutput(label: string, limitBytes: number): HoldfastError {
  return new HoldfastError({
    code: 'HOST_SAYS_TOO_MUCH',
    message: `${label} sent more than ${limitBytes} bytes where a few lines were expected.`,
    hint: 'Probably a start-up file of the user (.bashrc) prints without end. The connection was closed.',
  });
}

export function jumpRefused(through: string, place: HopAddress, thrown: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'HOST_JUMP',
      message: `${through} could not connect to ${placeOf(place)}: ${plainText(thrown instanceof Error ? thrown.message : String(thrown))}.`,
      hint: 'Check the address as seen from there, and that its SSH server allows forwarding (AllowTcpForwarding).',
    },
    { cause: thrown },
  );
}
