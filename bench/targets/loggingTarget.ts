import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { pinCommand } from '../running/pinned.ts';

/** The target's log. Arrivals are times on the target's clock, in ascending order. Durations are those of completed responses. */
export interface ServerLog {
  readonly arrivedMs: Float64Array;
  readonly tookMs: Float64Array;
}

export interface LoggingTarget {
  readonly url: string;
  /** Empties the log. */
  start(): Promise<void>;
  take(): Promise<ServerLog>;
  stop(): Promise<void>;
}

const floats = z.custom<Float64Array>((value) => value instanceof Float64Array);
const messageSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), url: z.url() }),
  z.strictObject({ kind: z.literal('started') }),
  z.strictObject({ kind: z.literal('log'), arrivedMs: floats, tookMs: floats }),
]);
type Message = z.infer<typeof messageSchema>;

/** Starts `loggingServer.ts` in a separate process. `delay` has the format that `parseDelay` accepts. */
export async function startLoggingTarget(delay: string, core: number | null): Promise<LoggingTarget> {
  const script = fileURLToPath(new URL('loggingServer.ts', import.meta.url));
  const { program, parameters } = pinCommand({ program: process.execPath, parameters: [script, delay] }, core);
  // With 'advanced' serialization, the log is transferred as binary numbers.
  const child = spawn(program, parameters, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' });
  try {
    const { url } = await next(child, 'ready');
    return {
      url,
      start: async () => {
        child.send('start');
        await next(child, 'started');
      },
      take: async () => {
        child.send('take');
        const { arrivedMs, tookMs } = await next(child, 'log');
        return { arrivedMs, tookMs };
      },
      stop: () => stop(child),
    };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

async function next<Kind extends Message['kind']>(child: ChildProcess, kind: Kind): Promise<Extract<Message, { kind: Kind }>> {
  const ended = new AbortController();
  const gone = once(child, 'exit', { signal: ended.signal }).then(() => {
    throw new Error('The target of the bench ended by itself.');
  });
  try {
    const [received] = await Promise.race([once(child, 'message', { signal: ended.signal }), gone]);
    const message = messageSchema.parse(received);
    const isExpected = (candidate: Message): candidate is Extract<Message, { kind: Kind }> => candidate.kind === kind;
    if (!isExpected(message)) throw new Error(`The target of the bench said "${message.kind}" where "${kind}" was due.`);
    return message;
  } finally {
    ended.abort();
    gone.catch(() => {});
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}
