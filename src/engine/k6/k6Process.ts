import { spawn, type ChildProcess } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
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
export interface K6Exit {
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
