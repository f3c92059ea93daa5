import { parseJson } from '#core/base/json.ts';
import { spawn, type ChildProcess } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { childEnvironment } from '#engine/childEnvironment.ts';

/** Calls of the Chrome DevTools Protocol to one browser. */
export interface Devtools {
  /** Rejects on an error reply or when the browser has ended. `sessionId` selects a page. */
  call(method: string, parameters?: Readonly<Record<string, unknown>>, sessionId?: string): Promise<unknown>;
  /** Asks the browser to end, and kills it if it does not. */
  close(): Promise<void>;
  /** The last text that it wrote to standard error. */
  readonly lastWords: string;
}

const answerSchema = z.object({
  id: z.int(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
});

const MAX_CLOSE_MS = 3_000;
const MAX_ERROR_CHARACTERS = 2_000;

/**
 * Starts a browser controlled over two pipes (file descriptors 3 and 4). No port is open that other users of the machine could reach.
 * Messages end with a zero byte.
 */
export function startDevtools(program: string, flags: readonly string[]): Devtools {
  const child = spawn(program, [...flags, '--remote-debugging-pipe'], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    env: childEnvironment(),
  });
  const [, , errors, commands, answers] = child.stdio;
  if (!(errors instanceof Readable && commands instanceof Writable && answers instanceof Readable))
    throw new Error('The browser has no pipes.');
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let lastWords = '';
  let gone: Error | null = null;
  let pieces: Buffer[] = [];

  const lose = (error: Error): void => {
    gone ??= error;
    const pending = [...waiting.values()];
    waiting.clear();
    for (const { reject } of pending) reject(gone);
  };
  const take = (text: string): void => {
    const answer = answerSchema.safeParse(parseJson(text));
    // Events have no id, and none is used here.
    if (!answer.success) return;
    const { id, result, error } = answer.data;
    const asked = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) asked?.resolve(result);
    else asked?.reject(new Error(error.message));
  };

  child.once('error', lose);
  child.once('exit', (code, signal) => lose(new Error(`The browser ended (${signal ?? `status ${code}`}).`)));
  errors.on('data', (data: Buffer) => (lastWords = (lastWords + data.toString()).slice(-MAX_ERROR_CHARACTERS)));
  commands.on('error', lose);
  answers.on('error', lose).on('data', (data: Buffer) => {
    for (let rest = data; ;) {
      const end = rest.indexOf(0);
      pieces.push(end < 0 ? rest : rest.subarray(0, end));
      if (end < 0) return;
      const text = Buffer.concat(pieces).toString();
      pieces = [];
      take(text);
      rest = rest.subarray(end + 1);
    }
  });

  const call: Devtools['call'] = (method, parameters = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      commands.write(`${JSON.stringify({ id: lastId, method, params: parameters, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    });
  return {
    call,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), MAX_CLOSE_MS);
      const ended = exitOf(child);
      call('Browser.close').catch(() => {});
      await ended;
      clearTimeout(timer);
    },
    get lastWords() {
      return lastWords;
    },
  };
}

function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => void child.once('exit', () => resolve()));
}
