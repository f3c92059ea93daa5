import { z } from 'zod';

export const problemSchema = z.strictObject({ code: z.string(), message: z.string(), hint: z.string(), data: z.unknown().optional() });

/** Frames from the caller of a {@link Port}, as JSON text. The caller chooses `id`, which is unique per connection. */
export const requestFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('call'), id: z.int(), method: z.string(), input: z.unknown() }),
  z.strictObject({ type: z.literal('open'), id: z.int(), stream: z.string(), input: z.unknown() }),
  z.strictObject({ type: z.literal('close'), id: z.int() }),
  /** The reader has processed an item and is ready for the next. */
  z.strictObject({ type: z.literal('ready'), id: z.int() }),
]);
export type RequestFrame = z.infer<typeof requestFrameSchema>;

export const replyFrameSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('result'), id: z.int(), output: z.unknown() }),
  z.strictObject({ type: z.literal('error'), id: z.int(), problem: problemSchema }),
  z.strictObject({ type: z.literal('item'), id: z.int(), item: z.unknown() }),
  z.strictObject({ type: z.literal('end'), id: z.int() }),
]);
export type ReplyFrame = z.infer<typeof replyFrameSchema>;

/**
 * First frame on a WebSocket: the page sends the token of this backend start, and the server confirms it. A cookie would not be safe,
 * because browsers send it to every port of 127.0.0.1.
 */
export const helloSchema = z.strictObject({ type: z.literal('hello'), token: z.string().max(200) });
export type Hello = z.infer<typeof helloSchema>;

/** The server's reply to the correct token. */
export const WELCOME = JSON.stringify({ type: 'welcome' });

/** Close code of a WebSocket with a missing or wrong token. */
export const REFUSED_CODE = 4401;

export interface CallDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  readonly input: Input;
  readonly output: Output;
}

/** A stream with its input, its items, and how two unread items of a slow reader are merged. */
export interface StreamDefinition<Input extends z.ZodType, Item extends z.ZodType> {
  readonly input: Input;
  readonly item: Item;
  readonly fold: (earlier: z.output<Item>, later: z.output<Item>) => z.output<Item>;
}

export function call<Input extends z.ZodType, Output extends z.ZodType>(input: Input, output: Output): CallDefinition<Input, Output> {
  return { input, output };
}

export function stream<Input extends z.ZodType, Item extends z.ZodType>(
  input: Input,
  item: Item,
  fold: (earlier: z.output<Item>, later: z.output<Item>) => z.output<Item>,
): StreamDefinition<Input, Item> {
  return { input, item, fold };
}

export const VERSION_MISMATCH_HINT = 'The app and its backend are probably of different versions: restart Holdfast.';
