import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { OpenedFile } from './messages.ts';

/** What installers register. */
const ENDING = '.holdfast';
/** Plans have at most 1,000,000 characters, which are up to four bytes each. */
const MOST_BYTES = 4_000_000;

/** The plan that the system handed over on the command line, as an absolute path; undefined without. */
export function planAmong(words: readonly string[], workingDirectory: string): string | undefined {
  const named = words.slice(1).find((word) => !word.startsWith('-') && word.toLowerCase().endsWith(ENDING));
  return named === undefined ? undefined : resolve(workingDirectory, named);
}

/** Reads a plan for the page, which checks it; what cannot be read is told to the person there. */
export async function readPlanFile(path: string): Promise<OpenedFile> {
  const name = basename(path);
  try {
    const file = await open(path);
    try {
      const { size } = await file.stat();
      if (size > MOST_BYTES) {
        const problem = {
          code: 'PLAN_TOO_LARGE',
          message: `${name} has ${size.toLocaleString('en')} bytes: that is no plan.`,
          hint: 'Recordings and documents of other tools are dropped on the first page of a new test.',
        };
        return { name, text: null, problem };
      }
      return { name, text: await file.readFile('utf8') };
    } finally {
      await file.close();
    }
  } catch (error) {
    const problem = {
      code: 'PLAN_UNREADABLE',
      message: `${name} could not be read: ${error instanceof Error ? error.message : String(error)}`,
      hint: 'It may have been moved, or belong to somebody else.',
    };
    return { name, text: null, problem };
  }
}
