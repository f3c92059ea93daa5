import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { pinned, type Command } from './pinned.ts';
import { parseChildrenCpuSeconds } from './procStatus.ts';
import { watchProcess, type Watched } from './watchProcess.ts';

export interface CommandLimits {
  /** Core that it is pinned to, null for any. */
  readonly core: number | null;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

export interface Finished extends Watched {
  readonly stdout: string;
  /** User and system time of the process with all its threads and children, its start-up included. */
  readonly cpuSeconds: number | null;
}

const MAX_OUTPUT_LENGTH = 4_194_304;

/**
 * Runs one program to its end and accounts for it. CPU comes from the kernel's sum over children that have ended, so nothing else
 * may end in between: one at a time. Memory is the kernel's own high-water mark, read until shortly before the end.
 * @throws when it cannot be started, exits with another code than 0, or takes longer than allowed (it is then killed).
 */
export async function runCommand(command: Command, { core, timeoutSeconds, signal }: CommandLimits): Promise<Finished> {
  const { program, parameters } = pinned(command, core);
  const cpuBefore = await childrenCpuSeconds();
  const child = spawn(program, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...command.environment },
    killSignal: 'SIGKILL',
    signal,
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const ended = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, timeoutSeconds * 1_000);
  try {
    const watched = child.pid === undefined ? { peakBytes: null, midRunCores: null } : watchProcess(child.pid, ended.signal);
    const [code, killedBy] = await once(child, 'close');
    ended.abort();
    if (isLate) throw new Error(`it had not ended after ${timeoutSeconds} s`);
    if (code !== 0) throw new Error(lastWords(stderr(), stdout()) ?? `it ended with code ${String(code ?? killedBy)}`);
    const cpuAfter = await childrenCpuSeconds();
    return {
      stdout: stdout(),
      cpuSeconds: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore,
      ...(await watched),
    };
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

async function childrenCpuSeconds(): Promise<number | null> {
  return parseChildrenCpuSeconds(await readFile('/proc/self/stat', 'utf8').catch(() => ''));
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < MAX_OUTPUT_LENGTH) text += chunk;
  });
  return () => text;
}

/** What a program that failed had to say, short enough for a table: its error, else its last line. */
export function lastWords(...texts: readonly string[]): string | null {
  const lines = texts
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    // Where in its source it was is of no use to a reader, nor is Node's version.
    .filter((line) => line !== '' && !/^(at |Node\.js v)/.test(line));
  const from =
    [/^\w*Error\b/, /\berror\b|cannot|failed/i].map((sign) => lines.findIndex((line) => sign.test(line))).find((at) => at >= 0) ?? -1;
  const said = lines.slice(from).join(' ').slice(0, 200);
  return said === '' ? null : said;
}
