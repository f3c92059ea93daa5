import { z } from 'zod';
import { problemSchema } from '#contract/rpc/frames.ts';

/**
 * Messages between the shell and the backend process. The shell passes frames on without parsing them. Each time the page is loaded, it has
 * a new connection, whose name the page chooses. A frame of null ends the connection.
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
  /** Reports that the start failed for a reason that a restart would not change. */
  z.strictObject({ type: z.literal('failed'), problem: problemSchema }),
  /** Number of active runs of this backend. */
  z.strictObject({ type: z.literal('running'), count: z.int().min(0) }),
]);
export type FromBackend = z.infer<typeof fromBackendSchema>;

/** Requests from the page that the shell itself handles. */
export const verbSchema = z.discriminatedUnion('verb', [
  z.strictObject({ verb: z.literal('openExternal'), url: z.string().max(2_048) }),
  z.strictObject({ verb: z.literal('saveText'), suggestedName: z.string().max(255), content: z.string().max(200_000_000) }),
  z.strictObject({ verb: z.literal('savePdf'), suggestedName: z.string().max(255), html: z.string().max(50_000_000) }),
  z.strictObject({ verb: z.literal('takeFile') }),
]);
export type Verb = z.infer<typeof verbSchema>;

/** A plan that the system opened with this app. Its text is null if it could not be read. The page never learns the folder. */
const openedFileSchema = z.strictObject({ name: z.string(), text: z.string().nullable(), problem: problemSchema.optional() });
export type OpenedFile = z.infer<typeof openedFileSchema>;

/** Reply to a verb. Only the reply to `takeFile` has `file`. */
export const verbReplySchema = z.strictObject({ done: z.boolean(), problem: problemSchema.optional(), file: openedFileSchema.optional() });
export type VerbReply = z.infer<typeof verbReplySchema>;

/** Maximum length of a frame in characters: that of a plan of 1,000,000 characters with escapes and a margin. */
export const maxFrameLength = 8_000_000;
