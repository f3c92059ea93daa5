import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { readTruth, type Truth, truthSchema } from './server/truth.ts';

type WithoutId<Kind> = Kind extends Command ? Omit<Kind, 'id'> : never;
type PendingReply = { resolve(reply: Reply): void; reject(error: Error): void };

const REPLY_WITHIN_MS = 30_000;
const KEPT_ERROR_CHARACTERS = 2_000;

export interface OpenBehaviour {
  readonly url: string;
  /** Closes the behaviour's port and returns the server's record. The process continues. */
  close(): Promise<Truth>;
}

/** The self-test's server in a separate process, so that it does not share its event loop and garbage collector with the engine. */
export class ServerProcess {
  private readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, PendingReply>();
  private readonly gone: Promise<void>;
  private errorOutput = '';
  private lastId = 0;

  constructor(entry: URL) {
    this.child = spawn(process.execPath, [fileURLToPath(entry)], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // In Electron, the executable is Electron's own. This variable makes it run as plain Node.
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    this.child.stdin.on('error', () => {});
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.errorOutput = (this.errorOutput + text).slice(-KEPT_ERROR_CHARACTERS);
    });
    createInterface({ input: this.child.stdout }).on('line', (line) => this.take(line));
    this.gone = new Promise((resolve) => {
      const end = (reason: string): void => {
        this.failAll(reason);
        resolve();
      };
      this.child.once('error', (error) => end(error.message));
      this.child.once('close', (code) => end(`It ended with ${code ?? 'a signal'}. ${this.errorOutput}`.trim()));
    });
  }

  /** Throws `SELF_TEST_SERVER` if the process fails. */
  async open(behaviour: string): Promise<OpenBehaviour> {
    const reply = await this.ask({ command: 'open', behaviour });
    if (!('port' in reply)) throw serverFailed('It reported no port.');
    const { port } = reply;
    return {
      url: `http://127.0.0.1:${port}/`,
      close: async () => {
        const closed = await this.ask({ command: 'close', port });
        if (!('truth' in closed)) throw serverFailed('It did not send its log.');
        return readTruth(closed.truth);
      },
    };
  }

  /** Ends the process; resolves when it has ended. */
  end(): Promise<void> {
    this.child.stdin.end();
    this.child.kill('SIGKILL');
    return this.gone;
  }

  private ask(command: WithoutId<Command>): Promise<Reply> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((resolve, reject) => {
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        reject(serverFailed(`It has ended. ${this.errorOutput}`.trim()));
        return;
      }
      const timer = setTimeout(() => this.settle(id, ({ reject }) => reject(serverFailed('It does not respond.'))), REPLY_WITHIN_MS);
      const settled = <Value>(act: (value: Value) => void) => {
        return (value: Value): void => {
          clearTimeout(timer);
          act(value);
        };
      };
      this.waiting.set(id, { resolve: settled(resolve), reject: settled(reject) });
      this.child.stdin.write(`${JSON.stringify({ id, ...command })}\n`);
    });
  }

  private take(line: string): void {
    const reply = replySchema.parse(JSON.parse(line));
    this.settle(reply.id, ({ resolve, reject }) => ('problem' in reply ? reject(new HoldfastError(reply.problem)) : resolve(reply)));
  }

  private settle(id: number, act: (waiting: PendingReply) => void): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (waiting) act(waiting);
  }

  private failAll(reason: string): void {
    for (const id of this.waiting.keys()) this.settle(id, ({ reject }) => reject(serverFailed(reason)));
  }
}

function serverFailed(reason: string): HoldfastError {
  return new HoldfastError({
    code: 'SELF_TEST_SERVER',
    message: `The self-test's own server failed. ${reason}`,
    hint: 'Start the self-test again. If it fails again, see the log file named in Settings.',
  });
}

/**
 * The protocol between the engine's side and the server's process: one JSON text per line, commands on the server's standard input, replies
 * on its standard output.
 */
export const commandSchema = z.discriminatedUnion('command', [
  z.strictObject({ id: z.int(), command: z.literal('open'), behaviour: z.string() }),
  z.strictObject({ id: z.int(), command: z.literal('close'), port: z.int() }),
]);
export type Command = z.infer<typeof commandSchema>;

const replySchema = z.union([
  z.strictObject({ id: z.int(), port: z.int() }),
  z.strictObject({ id: z.int(), truth: truthSchema }),
  z.strictObject({
    id: z.int(),
    problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string(), data: z.unknown().optional() }),
  }),
]);
export type Reply = z.infer<typeof replySchema>;
