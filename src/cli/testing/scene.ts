import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { cliProgram } from '#tools/testing/threads.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

export interface Scene {
  /** Response time of the server in ms. */
  readonly delayMs: number;
  readonly plan: Omit<PlanInput, 'holdfast' | 'name' | 'targets' | 'journey'>;
  /** Shell commands that set up the private network. */
  readonly network?: string;
  /**
   * Shell commands that run in the load generator's shell before the generator starts, for example to set limits. The file $LOADED exists
   * once the load has begun.
   */
  readonly generator?: string;
}

const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/**
 * Runs a plan with the command line in a private network (`unshare`). The server process runs on the first core, and the load generator
 * runs on the last. Throws if the system does not allow private networks or the run left no result.
 */
export async function playScene({ delayMs, plan, network = '', generator = '' }: Scene): Promise<RunResult> {
  const directory = temporaryDirectory();
  const planFile = join(directory, 'plan.json');
  const base = { holdfast: 1, name: 'scene', targets: [{ url: 'http://127.0.0.1/' }], journey: [{ name: 'page' }] };
  await writeFile(planFile, JSON.stringify({ ...base, ...plan }));
  const script = `
    set -e
    ip link set lo up
    ${network}
    mkfifo "$DIRECTORY/life" "$DIRECTORY/port"
    taskset -c 0 "$NODE" "$SERVER" ${delayMs} "$LOADED" < "$DIRECTORY/life" > "$DIRECTORY/port" &
    exec 3> "$DIRECTORY/life"
    read -r port < "$DIRECTORY/port"
    last=$(($(nproc) - 1))
    ${generator}
    taskset -c "$last" "$NODE" "$CLI" run "$PLAN" --set "targets[0].url=http://127.0.0.1:$port/" --json -
  `;
  const child = spawn('unshare', ['--user', '--map-root-user', '--net', '--pid', '--fork', 'bash', '-c', script], {
    env: {
      ...process.env,
      HOLDFAST_HOME: directory,
      DIRECTORY: directory,
      LOADED: join(directory, 'loaded'),
      NODE: process.execPath,
      SERVER: pathOf('slowServer.ts'),
      CLI: cliProgram,
      PLAN: planFile,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [, out, err] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  try {
    return resultSchema.parse(JSON.parse(out));
  } catch (error) {
    throw new Error(`The scene left no result: ${err.slice(0, 2_000)}`, { cause: error });
  }
}

/** Returns the reasons of the verdict and the ids of findings as text. */
export function reportText({ verdict, findings }: RunResult): string {
  return [...verdict.reasons.map(({ text }) => text), ...findings.map(({ id }) => id)].join('\n');
}
