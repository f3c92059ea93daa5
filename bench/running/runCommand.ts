import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { pinned, type Command } from './pinned.ts';
import { parseChildrenCpuSeconds, parsePeakBytes } from './procStatus.ts';

export interface CommandLimits {
  /** Core that it is pinned to, null for any. */
  readonly core: number | null;
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal;
}

export interface Finished {
  readonly stdout: string;
  /** User and system time of the process with all its threads and children, its start-up included. */
  readonly cpuSeconds: number | null;
  /** Most resident memory. */
  readonly peakBytes: number | null;
}

const MEMORY_EVERY_MS = 100;
const LONGEST_OUTPUT = 4_194_304;

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
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutSeconds * 1_000);
  try {
    const memory = child.pid === undefined ? Promise.resolve(null) : peakBytes(child.pid, ended.signal);
    const [code, killedBy] = await once(child, 'close');
    ended.abort();
    if (killedBy === 'SIGKILL') throw new Error(`it had not ended after ${timeoutSeconds} s`);
    if (code !== 0) throw new Error(lastWords(stderr(), stdout()) ?? `it ended with code ${String(code ?? killedBy)}`);
    const cpuAfter = await childrenCpuSeconds();
    return {
      stdout: stdout(),
      cpuSeconds: cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore,
      peakBytes: await memory,
    };
  } finally {
    clearTimeout(timer);
    ended.abort();
  }
}

async function childrenCpuSeconds(): Promise<number | null> {
  return parseChildrenCpuSeconds(await readFile('/proc/self/stat', 'utf8').catch(() => ''));
}

async function peakBytes(pid: number, ended: AbortSignal): Promise<number | null> {
  let peak: number | null = null;
  while (!ended.aborted) {
    // Before `taskset` becomes the program it has a mark of its own, smaller than any.
    const now = parsePeakBytes(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''));
    if (now !== null) peak = Math.max(peak ?? 0, now);
    await delay(MEMORY_EVERY_MS, undefined, { signal: ended }).catch(() => {});
  }
  return peak;
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    if (text.length < LONGEST_OUTPUT) text += chunk;
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
