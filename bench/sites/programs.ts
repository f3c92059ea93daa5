import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs a program to its end. @throws with its output */
export async function perform(program: string, parameters: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<string> {
  const { stdout } = await run(program, [...parameters], { env: { ...process.env, ...environment }, maxBuffer: 64 * 1_024 * 1_024 });
  return stdout;
}
