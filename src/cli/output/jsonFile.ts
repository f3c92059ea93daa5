import { optionError } from './problems.ts';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, HoldfastError } from '#core/base/errors.ts';
import type { Output } from './stream.ts';

interface NewFileErrors {
  /** Code of the error if the file cannot be written. */
  readonly code: string;
  /** Hint if the file exists; default: a hint to choose another name. */
  readonly hintWhenThere?: string;
  /** File mode; default: the system's default mode. */
  readonly mode?: number;
}

/** Returns the `BAD_OPTION` error for two files that would both go to standard output. */
export function standardOutputTwice(): HoldfastError {
  return optionError('Standard output takes one file at a time.', 'Use - for one of them only.');
}

const CHOOSE_ANOTHER_NAME = 'Choose another name, or move it away.';

function fileExists(file: string): string {
  return `${file} exists already. It was left alone.`;
}

/** Throws `code` if the file exists. Called before work whose result would otherwise be lost. */
export async function requireNewFile(file: string, code: string): Promise<void> {
  const isThere = await stat(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new HoldfastError({ code, message: fileExists(file), hint: CHOOSE_ANOTHER_NAME });
}

/** Writes a new file. Throws `code` and changes nothing if the file exists. */
export async function writeNewFile(
  file: string,
  content: string | Uint8Array,
  { code, hintWhenThere = CHOOSE_ANOTHER_NAME, mode = 0o666 }: NewFileErrors,
): Promise<void> {
  try {
    const handle = await open(file, 'wx', mode);
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const reason = codeOf(cause) ?? String(cause);
    const isThere = reason === 'EEXIST';
    const message = isThere ? fileExists(file) : `${file} cannot be written (${reason}).`;
    throw new HoldfastError({ code, message, hint: isThere ? hintWhenThere : 'Choose another folder.' }, { cause });
  }
}

/** Destination of a JSON result. It is opened before the run, so that no result is lost because the file cannot be written. */
export interface JsonDestination {
  readonly isStandardOutput: boolean;
  /** Writes the value, and then renames the file atomically to its final name. */
  save(value: unknown): Promise<void>;
  /** Removes the temporary file; does nothing after `save`. */
  discard(): Promise<void>;
}

/** Opens a file, or standard output for `-`. Throws `JSON_FILE` if the file cannot be written. */
export async function openJsonDestination(path: string, currentDirectory: string, out: Output): Promise<JsonDestination> {
  const { isStandardOutput, save, discard } = await openTextDestination(path, currentDirectory, out);
  return { isStandardOutput, save: (value) => save(jsonText(value)), discard };
}

/** Destination of any text. It works like {@link JsonDestination}. */
export interface TextDestination {
  readonly isStandardOutput: boolean;
  save(content: string | Uint8Array): Promise<void>;
  discard(): Promise<void>;
}

/** Opens a destination for text or bytes; standard output gets bytes as UTF-8 text. See {@link openJsonDestination}. */
export async function openTextDestination(path: string, currentDirectory: string, out: Output): Promise<TextDestination> {
  if (path === '-')
    return {
      isStandardOutput: true,
      save: (content) => out.writeFile(typeof content === 'string' ? content : new TextDecoder().decode(content)),
      discard: async () => {},
    };
  const target = resolve(currentDirectory, path);
  try {
    const stats = await stat(target).catch(() => null);
    if (stats && !stats.isFile()) return await openInPlace(path, target);
  } catch (cause) {
    throw jsonFileError(path, cause);
  }
  // A symbolic link is kept; the file to which it points is replaced.
  const file = await realpath(target).catch(() => target);
  const temporary = join(dirname(file), `.${basename(file)}.${randomBytes(6).toString('hex')}.part`);
  try {
    const handle = await open(temporary, 'wx');
    return {
      isStandardOutput: false,
      async save(content) {
        try {
          await handle.writeFile(content);
          await handle.sync();
          await handle.close();
          await rename(temporary, file);
        } catch (cause) {
          throw jsonFileError(path, cause);
        }
      },
      async discard() {
        await handle.close().catch(() => {});
        await rm(temporary, { force: true });
      },
    };
  } catch (cause) {
    throw jsonFileError(path, cause);
  }
}

/** Opens a device, pipe or terminal in place, because renaming a file would replace it. A directory cannot be opened. */
async function openInPlace(path: string, file: string): Promise<TextDestination> {
  const handle = await open(file, 'w');
  return {
    isStandardOutput: false,
    async save(content) {
      try {
        await handle.writeFile(content);
        await handle.close();
      } catch (cause) {
        throw jsonFileError(path, cause);
      }
    },
    discard: () => handle.close().catch(() => {}),
  };
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function jsonFileError(path: string, cause: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'JSON_FILE',
      message: `The file ${path} cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Name a file in an existing folder with write permission and free space, or - for standard output.',
    },
    { cause },
  );
}
