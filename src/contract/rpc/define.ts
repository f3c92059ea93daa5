import type { z } from 'zod';

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
