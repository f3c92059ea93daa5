import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { outcomeSchema, type Ending } from './outcome.ts';
import { shiftFor, type Mutation } from './scene.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
const reportSchema = z.object({ outcomes: z.array(outcomeSchema).length(1) });

/**
 * Plays one story in a private network (`unshare`) that the story's commands set up. For this, this program is started again there with the
 * same seed. With `asRoot`, it has root rights, which an OpenSSH server requires. Otherwise, it has rights only over its network, which any
 * user can have. @throws if there is no output.
 */
export async function playInNetwork(
  id: string,
  network: (hidden: (reportedValue: number) => number) => string,
  { seed, mutation, asRoot }: { readonly seed: number; readonly mutation: Mutation | null; readonly asRoot: boolean },
): Promise<Ending> {
  const script = `set -e\nip link set lo up\n${network(shiftFor(mutation))}\nexec "$NODE" "$MAIN" "$STORY" --seed ${seed} --json --in-network${mutation === null ? '' : ` --${mutation}`}`;
  const child = spawn('unshare', [...(asRoot ? [] : ['--user', '--map-root-user']), '--net', 'bash', '-c', script], {
    env: { ...process.env, NODE: process.execPath, MAIN: main, STORY: id },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  try {
    const [outcome] = reportSchema.parse(JSON.parse(out)).outcomes;
    if (outcome) return outcome.ending;
  } catch (cause) {
    throw new Error(`In its network the story said nothing. ${err.slice(0, 2_000)}${out.slice(0, 500)}`, { cause });
  }
  throw new Error('In its network the story had no outcome.');
}
