import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { spawn } from 'node:child_process';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError, describeReadFailure } from '#core/base/errors.ts';
import type { CliContext } from '../context.ts';

export interface GraphOptions {
  readonly zone?: string;
  readonly name?: string;
  readonly replace?: boolean;
}

export interface AttachedGraph {
  readonly name: string;
  readonly columns: readonly string[];
  readonly leftOut: readonly string[];
  readonly rows: number;
  readonly rowsOutside: number;
}

/** Reads a graph file and attaches the graph to a finished run. Throws `GRAPH_FILE` and errors of the backend. */
export async function attachGraph(
  runId: string,
  file: string,
  { zone, name = basename(file), replace = false }: GraphOptions,
  client: Client,
  context: CliContext,
): Promise<AttachedGraph> {
  const text = await readText(resolve(context.currentDirectory, file), file);
  const attached = await client.call('monitors.attachGraph', { runId, name, text, zone: zone ?? null, replace });
  return { name, ...attached };
}

async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    throw new HoldfastError({ code: 'GRAPH_FILE', ...describeReadFailure(file, thrown) });
  }
}

export interface BesideFacts {
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Exit code after any signal: 128 + 2 (SIGINT). */
const ENDED_BY_SIGNAL = 130;

/**
 * Runs the user's command on the same terminal and resolves with its exit code. The terminal sends Ctrl-C to the command as well. Throws
 * `NOT_STARTED` if the program does not exist.
 */
export function runBeside(command: readonly string[], { directory, environment }: BesideFacts): Promise<number> {
  const [file = '', ...args] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { cwd: directory, env: { ...environment }, stdio: 'inherit' });
    child.once('error', (cause) =>
      reject(
        new HoldfastError(
          {
            code: 'NOT_STARTED',
            message: `${file} could not be started: ${cause.message}`,
            hint: 'Write the command after -- as without Holdfast, and check that it is installed.',
          },
          { cause },
        ),
      ),
    );
    child.once('exit', (code) => resolve(code ?? ENDED_BY_SIGNAL));
  });
}
