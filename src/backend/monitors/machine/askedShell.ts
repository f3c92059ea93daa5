import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { HoldfastError } from '#core/errors.ts';
import { MACHINE_END, MACHINE_MARK, MACHINE_SCRIPT } from '#core/monitors/machine/script.ts';
import { shellQuoted } from '#backend/remote/host/shellQuoted.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { nowMs } from '../clock.ts';
import { shellEnded, shellSaysTooMuch, shellSilent } from '../problems.ts';

/** 28,000 sockets to as many destinations are some megabytes; nothing else is near. */
const ANSWER_LIMIT_BYTES = 8_000_000;
const ANSWER_LIMIT_SECONDS = 10;
const END = `${MACHINE_END}\n`;
const LINE_FEED = 10;

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

/** The script, running on a machine, as long as it lives. Questions are answered one after the other. */
export class AskedShell {
  private readonly label: string;
  private readonly pipes: Pipes;
  private readonly waiting: { take(text: string): void; reject(problem: HoldfastError): void }[] = [];
  private chunks: Buffer[] = [];
  private bytes = 0;
  private problem: HoldfastError | null = null;

  constructor(label: string, pipes: Pipes) {
    this.label = label;
    this.pipes = pipes;
    pipes.output.on('data', (chunk: Buffer) => this.take(chunk));
    pipes.output.on('close', () => this.lose(shellEnded(label)));
    for (const pipe of [pipes.input, pipes.output]) pipe.on('error', () => this.lose(shellEnded(label)));
  }

  /** What it says before it is asked anything. */
  greeting(): Promise<string> {
    return this.answer();
  }

  async ask(question: 'r' | 'p' | 'l' | 's' | 'n'): Promise<ShellAnswer> {
    const answer = this.answer();
    const askedMs = nowMs();
    if (this.problem === null) this.pipes.input.write(`${question}\n`);
    const text = await answer;
    return { text, askedMs, answeredMs: nowMs() };
  }

  close(): void {
    this.lose(shellEnded(this.label));
  }

  /** From now on every question is answered with this problem. */
  lose(problem: HoldfastError): void {
    if (this.problem !== null) return;
    this.problem = problem;
    this.chunks = [];
    for (const { reject } of this.waiting.splice(0)) reject(problem);
    this.pipes.close();
  }

  private answer(): Promise<string> {
    if (this.problem !== null) return Promise.reject(this.problem);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const late = setTimeout(() => this.lose(shellSilent(this.label, ANSWER_LIMIT_SECONDS)), ANSWER_LIMIT_SECONDS * 1_000);
    this.waiting.push({ take: resolve, reject });
    return promise.finally(() => clearTimeout(late));
  }

  private take(chunk: Buffer): void {
    if (this.problem !== null) return;
    this.bytes += chunk.length;
    this.chunks.push(chunk);
    if (this.bytes > ANSWER_LIMIT_BYTES) return this.lose(shellSaysTooMuch(this.label, ANSWER_LIMIT_BYTES));
    // The end is looked for only where it can be: joining megabytes at each chunk would take long.
    if (chunk.at(-1) !== LINE_FEED) return;
    const text = Buffer.concat(this.chunks).toString('utf8');
    if (!text.endsWith(END)) return;
    this.chunks = [];
    this.bytes = 0;
    this.waiting.shift()?.take(text.slice(0, -END.length));
  }
}

/** Starts the script on this computer, where a shell is. */
export function shellHere(programs: readonly string[]): AskedShell {
  const child = spawn('sh', ['-c', MACHINE_SCRIPT, MACHINE_MARK, ...programs], { stdio: ['pipe', 'pipe', 'ignore'] });
  const shell = new AskedShell('This computer', { input: child.stdin, output: child.stdout, close: () => void child.kill('SIGKILL') });
  child.on('error', () => shell.lose(shellEnded('This computer')));
  return shell;
}

/** Starts the script on a host. It ends with its channel, whatever happens to us. Throws `HOST_LOST`. */
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
