import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Invocation, Reading } from '../subjects/subject.ts';
import type { Found } from './findSubjects.ts';
import { runCommand, type CommandLimits } from './runCommand.ts';

/**
 * The measurement of one test with one subject. Missing values are null. If a subject fails, `problem` states why, and the bench continues.
 */
export interface Measurement {
  readonly reading: Reading | null;
  readonly problem: string | null;
  readonly cpuSeconds: number | null;
  readonly peakBytes: number | null;
  /** Number of busy cores in the middle of the test. */
  readonly midRunCores: number | null;
}

export async function measureSubject(
  { subject, located }: Found,
  invoke: (folder: string) => Invocation,
  limits: CommandLimits,
): Promise<Measurement> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  try {
    const { parameters, files = {}, resultFile } = invoke(folder);
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    // The subject writes temporary files here. They are removed together with the folder.
    const environment = { TMPDIR: folder };
    const command = { program: located.program, parameters: [...located.before, ...parameters], environment };
    const { stdout, ...costs } = await runCommand(command, limits);
    const file = resultFile === undefined ? '' : await readFile(join(folder, resultFile), 'utf8');
    return { reading: subject.read({ stdout, file }), problem: null, ...costs };
  } catch (error) {
    limits.signal.throwIfAborted();
    const problem = error instanceof Error ? error.message : String(error);
    return { reading: null, problem: problem.replaceAll(/\s+/g, ' ').slice(0, 200), cpuSeconds: null, peakBytes: null, midRunCores: null };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
