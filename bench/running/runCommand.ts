import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { pinCommand, type Command } from './pinned.ts';
import { parseChildrenCpuSeconds } from './procStatus.ts';
import { watchProcess, type Watched } from './watchProcess.ts';

export interface CommandLimits {
  /** Core to which the program is pinned; null means any core. */
  readonly core: number | null;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

export interface Finished extends Watched {
  readonly stdout: string;
  /** User and system time in seconds of the process with all its threads and children, including its start. */
  readonly cpuSeconds: number | null;
}

const MAX_OUTPUT_LENGTH = 4_194_304;

/**
 * Runs one program to its end and measures it. The CPU time is the kernel's sum over children that have ended, so only one program may run
 * at a time. The memory is the kernel's peak, which is read until shortly before the end. @throws if the program cannot be started, exits
 * with a code other than 0, or exceeds its time limit (it is then killed).
 */
export async function runCommand(command: Command, { core, timeoutSeconds, signal }: CommandLimits): Promise<Finished> {
  const { program, parameters } = pinCommand(command, core);
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
    return { stdout: stdout(), cpuSeconds: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore, ...(await watched) };
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

/** Returns the error of a program that failed, for a table: the line with an error, or else the last line. */
export function lastWords(...texts: readonly string[]): string | null {
  const lines = texts
    .flatMap((text) => text.split('\n'))
    .map((line) => line.trim())
    // Source positions and the version of Node do not help the reader, so they are skipped.
    .filter((line) => line !== '' && !/^(at |Node\.js v)/.test(line));
  const from =
    [/^\w*Error\b/, /\berror\b|cannot|failed/i].map((sign) => lines.findIndex((line) => sign.test(line))).find((at) => at >= 0) ?? -1;
  const lastOutput = lines.slice(from).join(' ').slice(0, 200);
  return lastOutput === '' ? null : lastOutput;
}
