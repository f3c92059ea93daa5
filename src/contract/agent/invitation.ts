import { z } from 'zod';
import { proposalSchema } from '#core/review/proposal.ts';

/** Version of the exchange by which an invited computer and the inviting one prove that they know the code. */
export const PAIRING_PROTOCOL = 1;

/** Minutes until an invitation ends. */
export const INVITATION_MINUTES = 10;

/** Crockford's base 32: without I, L, O and U, which are easily confused. */
export const CODE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Each character has 5 bits, so a code has 60. */
export const CODE_CHARACTERS = 12;

/** Bounds of the lines before a computer has joined. */
export const MAX_PAIRING_BYTES = { toInviter: 1_000, toInvited: 2_000_000 } as const;

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

const proofSchema = z.string().regex(/^[\w-]{43}$/);

/** Lines of an invited computer before the agent’s: the proof that it knows the code, then the decision of its person. */
export const lineToInviterSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('pair'), protocol: z.int(), proof: proofSchema }),
  z.strictObject({ type: z.literal('agreed') }),
  z.strictObject({ type: z.literal('declined') }),
]);
export type LineToInviter = z.infer<typeof lineToInviterSchema>;

/** Why an inviting computer refuses another one. */
export const PAIRING_REFUSALS = ['code', 'full', 'protocol'] as const;

/** Lines of the inviting computer before the agent’s: its own proof with what it asks for, or a refusal. */
export const lineToInvitedSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('paired'), proof: proofSchema, proposal: proposalSchema }),
  z.strictObject({ type: z.literal('refused'), reason: z.enum(PAIRING_REFUSALS) }),
]);
export type LineToInvited = z.infer<typeof lineToInvitedSchema>;

export const JOINED_STATES = ['asked', 'ready', 'running', 'declined', 'left'] as const;

/** A computer that knew the code. What it reports about itself is null until its person has agreed. */
const joinedComputerSchema = z.strictObject({
  /** Name among the load generators. */
  name: z.string(),
  address: z.string(),
  state: z.enum(JOINED_STATES),
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
  host: z.string(),
  port: z.int(),
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
