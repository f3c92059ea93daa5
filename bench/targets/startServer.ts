import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { partReadySchema } from '#lab/supervisor/part.ts';
import { pinCommand } from '../running/pinned.ts';

export interface StartedServer {
  readonly url: string;
  /** Resolves when the server's log is complete and its process has ended. */
  stop(): Promise<void>;
}

interface ServerCommand {
  readonly script: URL;
  readonly parameters?: readonly string[];
  /** Settings that are sent to the server's standard input, because arguments are visible in process lists. */
  readonly settings: unknown;
  /** Core to which the server is pinned; null means any core. */
  readonly core: number | null;
}

const STOP_WITHIN_MS = 5_000;

/**
 * Starts a server in a separate process, like a part of a practice server (`runPart`). The server ends with its standard input, and
 * therefore with this process.
 */
export async function startServer({ script, parameters = [], settings, core }: ServerCommand): Promise<StartedServer> {
  const command = pinCommand({ program: process.execPath, parameters: [fileURLToPath(script), ...parameters] }, core);
  const child = spawn(command.program, command.parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.stdin.end();
    const inTime = await Promise.race([exited.then(() => true), delay(STOP_WITHIN_MS, false, { ref: false })]);
    if (!inTime) child.kill('SIGKILL');
    await exited;
  };
  try {
    child.stdin.on('error', () => {});
    child.stdin.write(`${JSON.stringify(settings)}\n`);
    const gone = exited.then(() => {
      throw new Error('A server of the bench ended by itself.');
    });
    gone.catch(() => {});
    const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), gone]);
    const ready = partReadySchema.parse(JSON.parse(String(line)));
    if ('problem' in ready) throw new Error(`A server of the bench did not start: ${ready.problem.message} ${ready.problem.hint}`);
    return { url: String(ready.facts['url']), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
