import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Number of characters of a child's standard error that are kept for an explanation. */
const KEPT_ERROR_CHARACTERS = 2_000;

export interface SpeakingChild {
  readonly process: ChildProcessWithoutNullStreams;
  /** Returns the next line. Rejects if the child ends or prints nothing for `timeoutMs`. One caller at a time. */
  nextLine(timeoutMs: number): Promise<string>;
}

/**
 * Runs an entry file in a child process. Its standard input stays open as long as this process lives; the child ends when it closes, so it
 * never outlives this process.
 */
export function startChild(entry: string, args: readonly string[]): SpeakingChild {
  const child = spawn(process.execPath, [entry, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // In Electron, the executable is Electron's own; this makes it plain Node.
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  child.stdin.on('error', () => {});
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-KEPT_ERROR_CHARACTERS);
  });
  const lines: string[] = [];
  let ended: Error | undefined;
  let wake: () => void = () => {};
  const end = (error: Error): void => {
    ended ??= error;
    wake();
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    wake();
  });
  child.once('error', end);
  child.once('close', (code) => end(new Error(`It ended with ${code ?? 'a signal'} before it was ready. ${said}`.trim())));
  const nextLine = (timeoutMs: number): Promise<string> =>
    new Promise((resolve, reject) => {
      const silent = new Error(`It printed nothing for ${timeoutMs / 1_000} s. ${said}`.trim());
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        wake = () => {};
        act();
      };
      const timer = setTimeout(() => settle(() => reject(silent)), timeoutMs);
      wake = () => {
        const line = lines.shift();
        if (line !== undefined) settle(() => resolve(line));
        else if (ended) settle(() => reject(ended));
      };
      wake();
    });
  return { process: child, nextLine };
}

/** Asks the child to end, and kills it after `graceMs`. Resolves when it has ended. */
export function endChild(child: ChildProcessWithoutNullStreams, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve();
      return;
    }
    const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.stdin.end();
    child.kill('SIGTERM');
  });
}
