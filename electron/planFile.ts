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
  const path = words.slice(1).find((word) => !word.startsWith('-') && word.toLowerCase().endsWith(EXTENSION));
  return path === undefined ? undefined : resolve(workingDirectory, path);
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
      const stats = await file.stat();
      if (!stats.isFile()) return unreadable(name, 'it is not a file');
      if (stats.size > MAX_BYTES) return tooLarge(name, stats.size);
      const { bytesRead, buffer } = await file.read(Buffer.alloc(stats.size), 0, stats.size, 0);
      return { name, text: buffer.toString('utf8', 0, bytesRead) };
    } finally {
      await file.close();
    }
  } catch (error) {
    // Only the code is reported, because the error's message would reveal the folder.
    return unreadable(name, error instanceof Error && 'code' in error ? String(error.code) : 'it could not be opened');
  }
}

function unreadable(name: string, reason: string): OpenedFile {
  const problem = {
    code: 'PLAN_UNREADABLE',
    message: `${name} could not be read: ${reason}.`,
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
