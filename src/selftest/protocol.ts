import { z } from 'zod';
import { truthSchema } from './server/truth.ts';

/**
 * The protocol between the engine's side and the server's process: one JSON text per line, commands on the server's standard input, replies
 * on its standard output.
 */
export const commandSchema = z.discriminatedUnion('command', [
  z.strictObject({ id: z.int(), command: z.literal('open'), behaviour: z.string() }),
  z.strictObject({ id: z.int(), command: z.literal('close'), port: z.int() }),
]);
export type Command = z.infer<typeof commandSchema>;

export const replySchema = z.union([
  z.strictObject({ id: z.int(), port: z.int() }),
  z.strictObject({ id: z.int(), truth: truthSchema }),
  z.strictObject({
    id: z.int(),
    problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string(), data: z.unknown().optional() }),
  }),
]);
export type Reply = z.infer<typeof replySchema>;
