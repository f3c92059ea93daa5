import { z } from 'zod';

/** What travels over a {@link Port}, as JSON text. `id` is chosen by the caller and unique per connection. */
export const problemSchema = z.strictObject({ code: z.string(), message: z.string(), hint: z.string(), data: z.unknown().optional() });

export const requestFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('call'), id: z.int(), method: z.string(), input: z.unknown() }),
  z.strictObject({ type: z.literal('open'), id: z.int(), stream: z.string(), input: z.unknown() }),
  z.strictObject({ type: z.literal('close'), id: z.int() }),
  /** The reader has taken an item and is ready for the next. */
  z.strictObject({ type: z.literal('ready'), id: z.int() }),
]);
export type RequestFrame = z.infer<typeof requestFrameSchema>;

export const answerFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('result'), id: z.int(), output: z.unknown() }),
  z.strictObject({ type: z.literal('error'), id: z.int(), problem: problemSchema }),
  z.strictObject({ type: z.literal('item'), id: z.int(), item: z.unknown() }),
  z.strictObject({ type: z.literal('end'), id: z.int() }),
]);
export type AnswerFrame = z.infer<typeof answerFrameSchema>;
