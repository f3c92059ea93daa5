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

/**
 * What passes over a WebSocket before the first frame of the RPC: the page shows the token of this start of Holdfast, and the
 * server says that it may go on. A cookie cannot do this: browsers send it to every port of 127.0.0.1.
 */
export const helloSchema = z.strictObject({ type: z.literal('hello'), token: z.string().max(200) });
export type Hello = z.infer<typeof helloSchema>;

/** The server's answer to the right token. */
export const WELCOME = JSON.stringify({ type: 'welcome' });

/** With this code the server closes a WebSocket that showed no token, or another one. */
export const REFUSED_CODE = 4401;

/** A method: what it takes and what it gives. */
export interface CallDefinition<Input extends z.ZodType, Output extends z.ZodType> {
  readonly input: Input;
  readonly output: Output;
}

/** A stream: what opens it, what it sends, and how two items that a slow reader has not fetched yet become one. */
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

/** Why two ends do not understand each other. */
export const OTHER_VERSIONS = 'The app and its backend are probably of different versions: restart Holdfast.';
