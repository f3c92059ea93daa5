import { type ChildProcess, spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import type { Problem } from '#core/base/errors.ts';
import { childEnvironment } from '../childEnvironment.ts';

/** How long k6 may take to end after it was asked to: it breaks off what is going, and writes what it still has. */
const ENDS_WITHIN_MS = 15_000;

export interface K6ProcessHandlers {
  /** Some of its standard output. */
  onOutput(text: string): void;
  /** A line of its log. */
  onLog(line: string): void;
}

/** How k6 ended. `signal`: what killed it, if anything did. */
interface K6Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A k6 that is going. It never outlives this process: not even one that is killed, for then its next sample has nowhere to go. */
export class K6Process {
  readonly done: Promise<K6Exit>;
  private readonly child: ChildProcess;
  private readonly kill = (): void => {
    this.child.kill('SIGKILL');
  };
  private patience: NodeJS.Timeout | null = null;

  /** Throws nothing: that it cannot be started is told by `done` rejecting. `input`: what it reads; `env`: beside what every program needs. */
  constructor(
    path: string,
    args: readonly string[],
    place: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly input: string },
    handlers: K6ProcessHandlers,
  ) {
    // A group of its own: Ctrl+C in a terminal reaches Holdfast, which stops k6 in good order; twice is what k6 takes for impatience.
    const { cwd, input } = place;
    const env = { ...childEnvironment(), ...place.env };
    const child = spawn(path, args, { cwd, env, stdio: 'pipe', detached: true, windowsHide: true });
    this.child = child;
    process.once('exit', this.kill);
    // Why it did not read it, its end says.
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
      if (this.patience !== null) clearTimeout(this.patience);
    });
  }

  get pid(): number | null {
    return this.child.pid ?? null;
  }

  /** Asks k6 to end, and makes it when it does not. */
  stop(): void {
    if (this.patience !== null) return;
    this.child.kill('SIGINT');
    this.patience = setTimeout(this.kill, ENDS_WITHIN_MS);
  }
}

/** k6's exit codes: errext/exitcodes/codes.go in its source. */
const MEANINGS: Readonly<Record<number, string>> = {
  104: 'it does not accept the script’s options',
  105: 'something outside ended it',
  107: 'the script threw an exception',
  108: 'the script ended the test by itself',
  109: 'an error inside k6',
};

/** What it means that k6 ended like this although nobody asked it to; null when it is how a run ends that is through. */
export function problemOfExit({ code, signal }: K6Exit, lastError: string | null): Problem | null {
  if (code === 0) return null;
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  const meaning = code !== null && Object.hasOwn(MEANINGS, code) ? `: ${MEANINGS[code]}` : '';
  return {
    code: 'K6_FAILED',
    message: `k6 ended ${how}${meaning}.${lastError === null ? '' : ` It said: ${lastError}`}`,
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

/** So many different lines of k6's log are told; a script may write one for each request. */
const MOST_TOLD = 10;

/** Keeps of k6's log what a person should see. */
export class K6Log {
  private readonly told = new Set<string>();
  private error: string | null = null;

  /** A warning or an error that was not told yet, in words; null for everything else. */
  take(line: string): string | null {
    const { level, text } = wordsOf(line);
    if (level === 'error' || level === 'fatal') this.error = text;
    if (!['warning', 'error', 'fatal'].includes(level) || this.told.size >= MOST_TOLD || this.told.has(text)) return null;
    this.told.add(text);
    return text;
  }

  /** The last error; null when there was none. */
  get lastError(): string | null {
    return this.error;
  }
}

function wordsOf(line: string): { readonly level: string; readonly text: string } {
  let value: unknown = null;
  try {
    value = JSON.parse(line);
  } catch {
    // Not of its log: what a program writes that ends for want of something.
  }
  const parsed = lineSchema.safeParse(value);
  if (!parsed.success) return { level: 'error', text: line.slice(0, 500) };
  const { level, msg, error } = parsed.data;
  return { level, text: (error === undefined ? msg : `${msg}: ${error}`).slice(0, 500) };
}
