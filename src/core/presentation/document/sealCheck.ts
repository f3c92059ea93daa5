import { z } from 'zod';
import { VERDICT_OUTCOMES } from '#core/result/verdict.ts';

/** Maximum size of a sealed file. Usual files are much smaller; see docs/sealed.md. */
export const MAX_SEALED_BYTES = 5_000_000;

export const statedVerdictSchema = z.strictObject({ outcome: z.enum(VERDICT_OUTCOMES), sentence: z.string() });
export type StatedVerdict = z.infer<typeof statedVerdictSchema>;

const signerShape = {
  /** Fingerprint of the key in words. */
  signer: z.string(),
  /** Whether the key belongs to this installation. */
  isOwnKey: z.boolean(),
};

/** Result of the check of a sealed file. */
export const sealCheckSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('notSealed') }),
  z.strictObject({ state: z.literal('changed') }),
  z.strictObject({ state: z.literal('unreadable'), ...signerShape, reason: z.string() }),
  z.strictObject({
    state: z.literal('intact'),
    ...signerShape,
    version: z.string(),
    sealedAt: z.string(),
    run: z.strictObject({ id: z.string(), name: z.string(), startedAt: z.string(), targets: z.array(z.string()) }),
    stated: statedVerdictSchema,
    computed: statedVerdictSchema,
    /** Whether this Holdfast makes the same page from the windows; null if another version sealed the file, because its page may differ. */
    isSamePage: z.boolean().nullable(),
    windows: z.int(),
    longestWindowSeconds: z.number(),
  }),
]);
export type SealCheck = z.infer<typeof sealCheckSchema>;
