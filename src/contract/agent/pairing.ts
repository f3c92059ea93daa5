import { z } from 'zod';
import { proposalSchema } from '#core/review/proposalSchema.ts';

/** Version of the exchange by which an invited computer and the inviting one prove that they know the code. */
export const PAIRING_PROTOCOL = 2;

/** Bounds of the lines before a computer has joined. */
export const MAX_PAIRING_BYTES = { toInviter: 1_000, toInvited: 2_000_000 } as const;

const proofSchema = z.string().regex(/^[\w-]{43}$/);

/** Lines that an invited computer sends before the agent protocol starts: proof that it knows the code, then its person's decision. */
export const lineToInviterSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('pair'), protocol: z.int(), proof: proofSchema }),
  z.strictObject({ type: z.literal('agreed') }),
  z.strictObject({ type: z.literal('declined') }),
]);
export type LineToInviter = z.infer<typeof lineToInviterSchema>;

/** Why an inviting computer refuses another one. */
export const PAIRING_REFUSALS = ['code', 'full', 'protocol'] as const;

/** Lines that the inviting computer sends before the agent protocol starts: its own proof and its proposal, or a refusal. */
export const lineToInvitedSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('paired'), proof: proofSchema, proposal: proposalSchema }),
  z.strictObject({ type: z.literal('refused'), reason: z.enum(PAIRING_REFUSALS) }),
]);
export type LineToInvited = z.infer<typeof lineToInvitedSchema>;
