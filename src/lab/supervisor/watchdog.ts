import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { removeRunDirectory } from './runDirectory.ts';
import { groupEnded, signalGroup } from './program.ts';

const GRACE_MS = 1_500;

type Line = { readonly pid: number } | { readonly gone: number } | { readonly directory: string } | { readonly done: true };

/** The connection from a supervisor to its clean-up process. */
export interface Watchdog {
  report(line: Line): void;
  /** Ends the watchdog after everything was stopped in order. Resolves when the watchdog has ended. */
  dismiss(): Promise<void>;
}

/**
 * Starts a process that ends leftover programs and removes the directory if this process dies (killed, crashed, out of memory). Otherwise,
 * programs such as nginx would run forever.
 */
export function startWatchdog(entry: URL): Watchdog {
  const child = spawn(process.execPath, [fileURLToPath(entry), '--watchdog'], {
    // The watchdog has its own process group, so that a signal to this process's group does not end the watchdog before its work is done.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve()).once('error', () => resolve());
  });
  child.stdin.on('error', () => {});
  const report = (line: Line): void => void child.stdin.write(`${JSON.stringify(line)}\n`);
  return {
    report,
    async dismiss() {
      report({ done: true });
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * Runs the watchdog: reads what was started, and cleans up when standard input ends without a dismissal. One watchdog runs beside every
 * practice server, so it loads little code. It parses lines without a schema, because only a supervisor sends them.
 */
export async function watch(input: NodeJS.ReadableStream): Promise<void> {
  const pids = new Set<number>();
  const directories = new Set<string>();
  for await (const text of createInterface({ input })) {
    const { pid, gone, directory }: { pid?: unknown; gone?: unknown; directory?: unknown } = JSON.parse(text);
    if (typeof pid === 'number') pids.add(pid);
    else if (typeof gone === 'number') pids.delete(gone);
    else if (typeof directory === 'string') directories.add(directory);
    else return;
  }
  const left = [...pids].filter((pid) => signalGroup(pid, 'SIGTERM'));
  await Promise.all(
    left.map(async (pid) => {
      if (!(await groupEnded(pid, GRACE_MS))) signalGroup(pid, 'SIGKILL');
      await groupEnded(pid, GRACE_MS);
    }),
  );
  for (const directory of directories) await removeRunDirectory(directory);
}
