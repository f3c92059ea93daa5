import { spawn, type ChildProcess } from 'node:child_process';
import { HoldfastError } from '#core/base/errors.ts';

/** Maximum number of characters of output that are kept to explain a failure. */
const KEPT_CHARACTERS = 4_000;
const KILL_WAIT_MS = 2_000;

export interface ProgramOptions {
  /** Name in messages, such as "nginx". */
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly directory: string;
  /** User that runs the program if root starts it. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** Signal for a quick and clean stop. The default is SIGTERM. */
  readonly stopSignal?: NodeJS.Signals;
  /** Time in ms for a clean stop. After that, the process is killed. */
  readonly graceMs?: number;
}

/** A process and its process group. */
export interface Program {
  readonly name: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** Returns the last part of the program's standard output and standard error. */
  getOutput(): string;
  hasEnded(): boolean;
  readonly ended: Promise<void>;
  /**
   * Resolves at the first output for which `test`, given all output so far, returns true. Rejects when the process ends, or after `maxMs`.
   */
  until(test: (statedText: string) => boolean, maxMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a program. Throws `PART_FAILED` if the program does not exist. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const { name, file, args, environment, directory, user, stopSignal = 'SIGTERM', graceMs = 3_000 } = options;
  const child = spawn(file, [...args], {
    cwd: directory,
    env: environment,
    // In its own process group, the program does not receive Ctrl-C from the terminal, and can be ended in order together with its
    // children.
    detached: process.platform !== 'win32',
    stdio: ['pipe', 'pipe', 'pipe'],
    ...user,
  });
  let output = '';
  const listeners = new Set<() => void>();
  const notify = (): void => listeners.forEach((listener) => listener());
  const collect = (text: unknown): void => {
    output = (output + String(text)).slice(-KEPT_CHARACTERS);
    notify();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.stdin.on('error', () => {});
  const ended = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  void ended.then(notify);
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('spawn', () => resolve(child.pid ?? 0));
    child.once('error', (cause) => reject(partFailed(name, cause.message)));
  });
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    name,
    pid,
    child,
    getOutput: () => output,
    hasEnded,
    ended,
    until: (test, maxMs) =>
      new Promise<void>((resolve, reject) => {
        const settle = (act: () => void): void => {
          clearTimeout(timer);
          listeners.delete(check);
          act();
        };
        const check = (): void => {
          if (test(output)) settle(resolve);
          else if (hasEnded())
            settle(() => reject(partFailed(name, `It ended with ${child.exitCode ?? child.signalCode}. ${output.trim()}`)));
        };
        const timer = setTimeout(
          () => settle(() => reject(partFailed(name, `It was not ready after ${maxMs / 1_000} s. ${output.trim()}`))),
          maxMs,
        );
        listeners.add(check);
        check();
      }),
    async stop() {
      child.stdin.end();
      if (!hasEnded()) child.kill(stopSignal);
      const inTime = await Promise.race([ended.then(() => true), falseAfter(graceMs)]);
      if (!inTime || !(await groupEnded(pid, graceMs))) signalGroup(pid, 'SIGKILL');
      await groupEnded(pid, KILL_WAIT_MS);
    },
  };
}

function falseAfter(ms: number): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), ms).unref();
  });
}

export function partFailed(name: string, reason: string): HoldfastError {
  return new HoldfastError({
    code: 'PART_FAILED',
    message: `The part ${name} of the practice server did not start.`,
    hint: reason.slice(-1_500),
  });
}

const POLL_MS = 20;

/** Sends a signal to a process group. Returns whether any process received it. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    // Windows has no process groups, so only the process itself is ended.
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
    return true;
  } catch (thrown) {
    // EPERM means that the process exists but runs as another user.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Waits until a process group has ended, but at most `maxMs`. Returns whether it has ended. */
export async function groupEnded(pid: number, maxMs: number): Promise<boolean> {
  const until = Date.now() + maxMs;
  while (signalGroup(pid, 0)) {
    if (Date.now() > until) return false;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return true;
}
