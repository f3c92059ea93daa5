import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Client } from '#contract/rpc/client.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { CliContext } from '../context.ts';

export interface GraphOptions {
  readonly zone?: string;
  readonly name?: string;
  readonly replace?: boolean;
}

export interface Attached {
  readonly name: string;
  readonly columns: readonly string[];
  readonly leftOut: readonly string[];
  readonly rows: number;
  readonly rowsOutside: number;
}

/** Reads the file of a graph and lays it on a run that has ended. Throws `GRAPH_FILE`, and what the backend says. */
export async function attachGraph(
  runId: string,
  file: string,
  { zone, name = basename(file), replace = false }: GraphOptions,
  client: Client,
  context: CliContext,
): Promise<Attached> {
  const text = await readText(resolve(context.currentDirectory, file), file);
  const attached = await client.call('monitors.attachGraph', { runId, name, text, zone: zone ?? null, replace });
  return { name, ...attached };
}

async function readText(path: string, file: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown);
    throw new HoldfastError({
      code: 'GRAPH_FILE',
      message: `The file ${file} cannot be read (${code}).`,
      hint: 'Check its path and its permissions.',
    });
  }
}
