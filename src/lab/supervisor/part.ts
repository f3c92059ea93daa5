import { createInterface } from 'node:readline';
import { z } from 'zod';
import { toProblem } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/** A server in a separate process, as part of a practice server. */
export interface Part {
  /** Facts that other parts need, especially its `url`. */
  readonly facts: Readonly<Record<string, string | number>>;
  /** Commands that the supervisor can send while the part runs, such as emptying a cache. */
  readonly commands?: Readonly<Record<string, () => Promise<unknown> | unknown>>;
  /** Stops listening and completes the log. */
  close(): Promise<void>;
}

/** Starts a part. `settings` is the supervisor's message, which the part parses itself. */
export type StartPart = (settings: unknown) => Promise<Part>;

export const partReadySchema = z.union([
  z.object({ facts: z.record(z.string(), z.union([z.string(), z.number()])) }),
  z.object({ problem: z.object({ code: z.string(), message: z.string(), hint: z.string() }) }),
]);
export const partReplySchema = z.union([z.object({ reply: z.unknown() }), z.object({ problem: z.object({ message: z.string() }) })]);

/**
 * Runs a part in its own process. Settings are read from the first line of standard input, because arguments would be visible in process
 * lists. Prints a line of JSON when the part is ready, executes commands from further lines, and ends when the input ends.
 */
export async function runPart(start: StartPart): Promise<void> {
  let part: Part | undefined;
  const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
  process.stdout.on('error', () => {});
  // Ctrl-C reaches the whole process group. It is ignored here, because the supervisor stops its parts in order.
  process.on('SIGINT', () => {});
  const lines = createInterface({ input: process.stdin });
  process.once('SIGTERM', () => lines.close());
  try {
    for await (const line of lines) {
      if (!part) {
        part = await start(JSON.parse(line));
        printJson({ facts: part.facts });
        continue;
      }
      try {
        const command = getOwn(part.commands, line);
        if (!command) throw new Error(`There is no command ${line}.`);
        printJson({ reply: (await command()) ?? null });
      } catch (thrown) {
        printJson({ problem: toProblem(thrown) });
      }
    }
  } catch (thrown) {
    printJson({ problem: toProblem(thrown) });
  }
  await part?.close();
  process.exit(0);
}
