import { z } from 'zod';
import { proposalSchema } from '#core/review/proposalSchema.ts';
import { problemSchema } from '../rpc/frames.ts';

/** Minutes until an invitation ends. */
export const INVITATION_MINUTES = 10;

/** Crockford's base 32: without I, L, O and U, which are easily confused. */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Each character has 5 bits, so a code has 60. */
export const CODE_CHARACTERS = 12;

/** Where to connect to, the code, and the SHA-256 fingerprint of the certificate in base64url. */
export interface Invitation {
  readonly host: string;
  readonly port: number;
  readonly code: string;
  readonly fingerprint: string;
}

/** Formats an invitation as the argument of `holdfast join`. */
export function formatInvitation({ host, port, code, fingerprint }: Invitation): string {
  const groups = code.match(/.{4}/g) ?? [];
  return `${host.includes(':') ? `[${host}]` : host}:${port}/${groups.join('-')}/${fingerprint}`;
}

const INVITATION_PATTERN =
  /^(?:\[(?<ipv6>[\dA-Fa-f:.]{2,45})\]|(?<host>[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)):(?<port>\d{1,5})\/(?<code>[\dA-Za-z-]{12,17})\/(?<fingerprint>[\w-]{43})$/;

/**
 * Parses an invitation, alone or in its command line; null for any other text. The code may be in lower case, and with I, L and O for 1, 1
 * and 0.
 */
export function readInvitation(text: string): Invitation | null {
  const word = text.trim().split(/\s+/).at(-1) ?? '';
  const { ipv6, host = ipv6, port, code = '', fingerprint } = INVITATION_PATTERN.exec(word.replace(/^(['"])(.*)\1$/, '$2'))?.groups ?? {};
  const letters = code.toUpperCase().replaceAll('-', '').replaceAll(/[IL]/g, '1').replaceAll('O', '0');
  const isCode = letters.length === CODE_CHARACTERS && [...letters].every((letter) => CODE_ALPHABET.includes(letter));
  const number = Number(port);
  if (host === undefined || fingerprint === undefined || !isCode || number < 1 || number > 65_535) return null;
  return { host, port: number, code: letters, fingerprint };
}

/** A computer that knew the code. What it reports about itself is null until its person has agreed. */
const joinedComputerSchema = z.strictObject({
  /** Name among the load generators. */
  name: z.string(),
  address: z.string(),
  state: z.enum(['asked', 'ready', 'running', 'declined', 'left']),
  hostname: z.string().nullable(),
  cores: z.int().nullable(),
});
export type JoinedComputer = z.infer<typeof joinedComputerSchema>;

/** State of an invitation on the inviting computer. */
export const invitationStateSchema = z.strictObject({
  /** The argument of `holdfast join`. */
  invitation: z.string(),
  code: z.string(),
  fingerprint: z.string(),
  /** What the people are asked for. */
  proposal: proposalSchema,
  /** Other addresses of this computer. */
  otherHosts: z.array(z.string()),
  /** Number of computers that may join. */
  computers: z.int(),
  /** End of the invitation, in ms since 1970. */
  endsAtMs: z.number(),
  /** Why nobody can join any more; null while the invitation is open. */
  closed: z.enum(['withdrawn', 'expired', 'wrongCodes', 'running', 'ended']).nullable(),
  joined: z.array(joinedComputerSchema),
  wrongCodes: z.int(),
  /** Number of connections of programs that did not speak Holdfast’s protocol. */
  strangers: z.int(),
});
export type InvitationState = z.infer<typeof invitationStateSchema>;

/** The run of another computer that this one has joined, or is about to join. */
export const joinedRunSchema = z.strictObject({
  /** `asked`: the person of this computer decides; `waiting`: the inviting computer has not started the run. */
  state: z.enum(['connecting', 'asked', 'waiting', 'running', 'ended']),
  proposal: proposalSchema.nullable(),
  /** Number of requests that this computer has sent; null before the run. */
  sent: z.int().nullable(),
  /** Why joining has failed; null otherwise. */
  problem: problemSchema.nullable(),
});
export type JoinedRun = z.infer<typeof joinedRunSchema>;
