import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { OpenedFile } from './messages.ts';

/** The extension that installers register. */
const EXTENSION = '.holdfast';
/** Maximum size of a file in bytes. Plans have at most 1,000,000 characters of up to four bytes each. */
const MAX_BYTES = 4_000_000;

/** Returns the absolute path of the plan that the command line names, or undefined. */
export function findPlanArgument(words: readonly string[], workingDirectory: string): string | undefined {
  const namedText = words.slice(1).find((word) => !word.startsWith('-') && word.toLowerCase().endsWith(EXTENSION));
  return namedText === undefined ? undefined : resolve(workingDirectory, namedText);
}

/**
 * Reads a plan for the page, which checks the plan and shows errors. The file may be hostile: opening a pipe could block, and reading a
 * device might never end.
 */
export async function readPlanFile(path: string): Promise<OpenedFile> {
  const name = basename(path);
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const foundStats = await file.stat();
      if (!foundStats.isFile()) return unreadable(name, 'it is not a file');
      if (foundStats.size > MAX_BYTES) return tooLarge(name, foundStats.size);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(foundStats.size), 0, foundStats.size, 0);
      return { name, text: buffer.toString('utf8', 0, bytesRead) };
    } finally {
      await file.close();
    }
  } catch (error) {
    // Only the code is reported, because the error's message would reveal the folder.
    return unreadable(name, error instanceof Error && 'code' in error ? String(error.code) : 'it could not be opened');
  }
}

function unreadable(name: string, why: string): OpenedFile {
  const problem = {
    code: 'PLAN_UNREADABLE',
    message: `${name} could not be read: ${why}.`,
    hint: 'Probably it was moved, or belongs to somebody else.',
  };
  return { name, text: null, problem };
}

function tooLarge(name: string, bytes: number): OpenedFile {
  const problem = {
    code: 'PLAN_TOO_LARGE',
    message: `${name} has ${bytes.toLocaleString('en')} bytes, too many for a plan.`,
    hint: 'Drop recordings and documents of other tools on the first page of a new test.',
  };
  return { name, text: null, problem };
}
