import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import type { Problem } from '#core/base/errors.ts';
import { childEnvironment } from '../childEnvironment.ts';

/** Maximum time for k6 to end after SIGINT, when it aborts running journeys and writes its remaining samples. */
const MAX_STOP_MS = 15_000;

export interface K6ProcessHandlers {
  onOutput(text: string): void;
  onLog(line: string): void;
}

/** How k6 ended. `signal` is the signal that killed it, if any. */
interface K6Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A running k6. It never outlives this process, even if this process is killed: the next sample of k6 then fails with a broken pipe. */
export class K6Process {
  readonly done: Promise<K6Exit>;
  private readonly child: ChildProcess;
  private readonly kill = (): void => {
    this.child.kill('SIGKILL');
  };
  private killTimer: NodeJS.Timeout | null = null;

  /** Never throws: `done` rejects if k6 cannot be started. `input` is its standard input; `env` contains additional variables. */
  constructor(
    path: string,
    args: readonly string[],
    place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input: string },
    handlers: K6ProcessHandlers,
  ) {
    // In a process group of its own, k6 does not get the Ctrl+C of a terminal. It reaches only Holdfast, which then stops k6 gracefully. A
    // second SIGINT would make k6 exit at once.
    const { cwd, input } = place;
    const env = { ...childEnvironment(), ...place.env };
    const child = spawn(path, args, { cwd, env, stdio: 'pipe', detached: true, windowsHide: true });
    this.child = child;
    process.once('exit', this.kill);
    // The exit of k6 shows why it did not read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const output = new StringDecoder('utf8');
    child.stdout.on('data', (piece: Buffer) => handlers.onOutput(output.write(piece)));
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      const lines = (log + piece).split('\n');
      log = (lines.pop() ?? '').slice(0, 10_000);
      for (const line of lines) if (line.trim() !== '') handlers.onLog(line);
    });
    this.done = new Promise<K6Exit>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    }).finally(() => {
      process.off('exit', this.kill);
      if (this.killTimer !== null) clearTimeout(this.killTimer);
    });
  }

  get pid(): number | null {
    return this.child.pid ?? null;
  }

  /** Asks k6 to end, and kills it if it does not end in time. */
  stop(): void {
    if (this.killTimer !== null) return;
    this.child.kill('SIGINT');
    this.killTimer = setTimeout(this.kill, MAX_STOP_MS);
  }
}

/** Meanings of k6's exit codes. The source is errext/exitcodes/codes.go. */
const EXIT_CODE_MEANINGS: Readonly<Record<number, string>> = {
  104: 'it does not accept the script’s options',
  105: 'something outside ended it',
  107: 'the script threw an exception',
  108: 'the script ended the test by itself',
  109: 'an error inside k6',
};

/** Returns the problem if k6 exited without being stopped; null for a regular end. */
export function problemOfExit({ code, signal }: K6Exit, lastError: string | null): Problem | null {
  if (code === 0) return null;
  const ending = signal === null ? `with code ${code}` : `by ${signal}`;
  const meaning = code !== null && Object.hasOwn(EXIT_CODE_MEANINGS, code) ? `: ${EXIT_CODE_MEANINGS[code]}` : '';
  return {
    code: 'K6_FAILED',
    message: `k6 ended ${ending}${meaning}.${lastError === null ? '' : ` It said: ${lastError}`}`,
    hint: 'Everything measured until then is kept. Export the script (holdfast export k6) and run it with k6 itself to see more.',
  };
}

export function k6NotStarted(thrown: unknown): Problem {
  return {
    code: 'K6_MISSING',
    message: `k6 could not be started: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    hint: 'Run “k6 version” in a terminal. If it fails, reinstall k6.',
  };
}

const lineSchema = z.object({ level: z.string(), msg: z.string(), error: z.string().optional() });

/** Maximum number of different log lines that are reported; a script may write one for each request. */
const MAX_REPORTED_LINES = 10;

/** Selects the lines of k6's log that users should see. */
export class K6Log {
  private readonly reported = new Set<string>();
  private error: string | null = null;

  /** Returns the text of a warning or error if it is new; null for every other line. */
  take(line: string): string | null {
    const { level, text } = parseLogLine(line);
    if (level === 'error' || level === 'fatal') this.error = text;
    if (!['warning', 'error', 'fatal'].includes(level) || this.reported.size >= MAX_REPORTED_LINES || this.reported.has(text)) return null;
    this.reported.add(text);
    return text;
  }

  get lastError(): string | null {
    return this.error;
  }
}

function parseLogLine(line: string): { readonly level: string; readonly text: string } {
  let value: unknown = null;
  try {
    value = JSON.parse(line);
  } catch {
    // The line is not a log line, but for example part of a panic.
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return { level: 'error', text: line.slice(0, 500) };
  const { level, msg, error } = parsed.data;
  return { level, text: (error === undefined ? msg : `${msg}: ${error}`).slice(0, 500) };
}
