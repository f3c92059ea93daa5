import { execFile } from 'node:child_process';
import type { Located } from './subject.ts';

/**
 * Returns the first group of the pattern in the program's output, whatever the program's exit code. Returns null if the pattern does not
 * match.
 */
export async function printedVersion({ program, before }: Located, parameters: readonly string[], pattern: RegExp): Promise<string | null> {
  const printedText = await new Promise<string>((resolve) => {
    execFile(program, [...before, ...parameters], { timeout: 10_000 }, (_, stdout, stderr) => resolve(`${stdout}\n${stderr}`));
  });
  return pattern.exec(printedText)?.[1] ?? null;
}
