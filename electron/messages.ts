import { z } from 'zod';
import { problemSchema } from '#contract/rpc/frames.ts';

/**
 * What the shell and the backend's process tell each other. The shell only passes frames on and never looks into them. Each
 * load of the page is a connection of its own, named by the page; a frame that is null says that the connection is over.
 */
export const relayedSchema = z.strictObject({
  type: z.literal('frame'),
  connection: z.string().min(1).max(64),
  frame: z.string().nullable(),
});
export type Relayed = z.infer<typeof relayedSchema>;

export const toBackendSchema = z.discriminatedUnion('type', [relayedSchema, z.strictObject({ type: z.literal('close') })]);
export type ToBackend = z.infer<typeof toBackendSchema>;

export const fromBackendSchema = z.discriminatedUnion('type', [
  relayedSchema,
  z.strictObject({ type: z.literal('ready') }),
  /** Starting failed for a reason that starting again will not change. */
  z.strictObject({ type: z.literal('failed'), problem: problemSchema }),
  /** How many runs are going now in this backend. */
  z.strictObject({ type: z.literal('running'), count: z.int().min(0) }),
]);
export type FromBackend = z.infer<typeof fromBackendSchema>;

/** What the page asks of the shell itself. */
export const verbSchema = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.literal('openExternal'), url: z.string().max(2_048) }),
  z.strictObject({ verb: z.literal('saveText'), suggestedName: z.string().max(255), content: z.string().max(200_000_000) }),
  z.strictObject({ verb: z.literal('savePdf'), suggestedName: z.string().max(255), html: z.string().max(50_000_000) }),
  z.strictObject({ verb: z.literal('takeFile') }),
]);
export type Verb = z.infer<typeof verbSchema>;

/** A plan that the system opened with this app; no text where it could not be read. The page never learns its folder. */
const openedFileSchema = z.strictObject({ name: z.string(), text: z.string().nullable(), problem: problemSchema.optional() });
export type OpenedFile = z.infer<typeof openedFileSchema>;

/** `file` answers `takeFile` only. */
export const verbAnswerSchema = z.strictObject({
  done: z.boolean(),
  problem: problemSchema.optional(),
  file: openedFileSchema.optional(),
});
export type VerbAnswer = z.infer<typeof verbAnswerSchema>;

/** A plan of 1,000,000 characters, escaped, with room to spare. */
export const maxFrameLength = 8_000_000;
