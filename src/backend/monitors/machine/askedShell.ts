import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { HoldfastError } from '#core/base/errors.ts';
import { MACHINE_END, MACHINE_MARK, MACHINE_SCRIPT } from '#core/machines/monitors/machine/script.ts';
import { childEnvironment } from '#engine/childEnvironment.ts';
import { shellQuoted } from '#backend/remote/host/clock.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { nowMs } from '../source.ts';
import { shellEnded, shellSaysTooMuch, shellSilent } from '../problems.ts';

/** A list of 28,000 sockets takes some megabytes. All other responses are far smaller. */
const ANSWER_LIMIT_BYTES = 8_000_000;
const ANSWER_LIMIT_SECONDS = 10;
const END = Buffer.from(`${MACHINE_END}\n`);
const LINE_FEED = 10;
const EMPTY = Buffer.alloc(0);

/** What each question asks for. Errors name it when the response is missing. */
const QUESTIONS = {
  r: 'report its state',
  p: 'look for its programs and containers',
  l: 'look for its programs',
  s: 'list its sockets',
  n: 'list its containers',
} as const;
type Question = keyof typeof QUESTIONS;
const GREETING = 'start the reading script';

export interface ShellAnswer {
  readonly text: string;
  readonly askedMs: number;
  readonly answeredMs: number;
}

interface Pipes {
  readonly input: Writable;
  readonly output: Readable;
  close(): void;
}

interface Waiting {
  readonly what: string;
  take(text: string): void;
  reject(problem: HoldfastError): void;
}

/** Runs the monitoring script on a machine and asks it questions, one after the other. */
export class AskedShell {
  private readonly label: string;
  private readonly pipes: Pipes;
  private readonly maxMs: number;
  private readonly waiting: Waiting[] = [];
  private late: NodeJS.Timeout | undefined;
  private chunks: Buffer[] = [];
  /** Last bytes received, which may hold the first part of an end marker. */
  private tail: Buffer = EMPTY;
  private bytes = 0;
  private problem: HoldfastError | null = null;

  /** `maxMs`: maximum wait for each response, from the question's turn. */
  constructor(label: string, pipes: Pipes, maxMs: number = ANSWER_LIMIT_SECONDS * 1_000) {
    this.label = label;
    this.pipes = pipes;
    this.maxMs = maxMs;
    pipes.output.on('data', (chunk: Buffer) => this.take(chunk));
    pipes.output.on('close', () => this.lose(shellEnded(label)));
    for (const pipe of [pipes.input, pipes.output]) pipe.on('error', () => this.lose(shellEnded(label)));
  }

  /** Returns the first text of the script, before any question. */
  greeting(): Promise<string> {
    return this.answer(GREETING);
  }

  async ask(question: Question): Promise<ShellAnswer> {
    const answer = this.answer(QUESTIONS[question]);
    const askedMs = nowMs();
    if (this.problem === null) this.pipes.input.write(`${question}\n`);
    const text = await answer;
    return { text, askedMs, answeredMs: nowMs() };
  }

  close(): void {
    this.lose(shellEnded(this.label));
  }

  /** Rejects this and every later question with this problem. */
  lose(problem: HoldfastError): void {
    if (this.problem !== null) return;
    this.problem = problem;
    this.chunks = [];
    clearTimeout(this.late);
    for (const { reject } of this.waiting.splice(0)) reject(problem);
    this.pipes.close();
  }

  private answer(what: string): Promise<string> {
    if (this.problem !== null) return Promise.reject(this.problem);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.waiting.push({ what, take: resolve, reject });
    if (this.waiting.length === 1) this.watchFirst();
    return promise;
  }

  /** A question's time begins when the responses before it have arrived. */
  private watchFirst(): void {
    clearTimeout(this.late);
    const [first] = this.waiting;
    if (first === undefined) return;
    // Timers run before I/O events. If the event loop was blocked, the response may already be here, so it is read first.
    this.late = setTimeout(() => {
      setImmediate(() => {
        if (this.waiting[0] === first) this.lose(shellSilent(this.label, this.maxMs / 1_000, first.what));
      });
    }, this.maxMs);
  }

  private take(chunk: Buffer): void {
    if (this.problem !== null) return;
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > ANSWER_LIMIT_BYTES) return this.lose(shellSaysTooMuch(this.label, ANSWER_LIMIT_BYTES));
    const edge = Buffer.concat([this.tail, chunk]);
    this.tail = edge.subarray(1 - END.length);
    // Joining megabytes for each chunk would take quadratic time.
    if (!edge.includes(END)) return;
    let rest: Buffer = Buffer.concat(this.chunks);
    // Several questions may be outstanding, and their responses may arrive in one chunk.
    for (let end = endOf(rest); end >= 0; end = endOf(rest)) {
      const text = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + END.length);
      this.waiting.shift()?.take(text);
      this.watchFirst();
    }
    this.chunks = rest.length === 0 ? [] : [rest];
    this.tail = rest.subarray(1 - END.length);
    this.bytes = rest.length;
  }
}

/** Returns where the line begins that ends a response, or -1. */
function endOf(bytes: Buffer): number {
  for (let at = bytes.indexOf(END); at >= 0; at = bytes.indexOf(END, at + 1)) if (at === 0 || bytes[at - 1] === LINE_FEED) return at;
  return -1;
}

/** Starts the script on this computer. */
export function shellHere(programs: readonly string[]): AskedShell {
  const child = spawn('sh', ['-c', MACHINE_SCRIPT, MACHINE_MARK, ...programs], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: childEnvironment(),
  });
  const shell = new AskedShell('This computer', { input: child.stdin, output: child.stdout, close: () => void child.kill('SIGKILL') });
  child.on('error', () => shell.lose(shellEnded('This computer')));
  return shell;
}

/** Starts the script on a host. The script ends with its channel, even if this process crashes. Throws `HOST_LOST`. */
export async function shellThere(connection: SshConnection, programs: readonly string[]): Promise<AskedShell> {
  const words = [MACHINE_SCRIPT, MACHINE_MARK, ...programs].map(shellQuoted).join(' ');
  const channel = await connection.start(`exec sh -c ${words}`);
  channel.stderr.resume();
  const shell = new AskedShell(connection.label, {
    input: channel,
    output: channel,
    close() {
      channel.end();
      channel.destroy();
    },
  });
  connection.onLost((problem) => shell.lose(problem));
  return shell;
}
