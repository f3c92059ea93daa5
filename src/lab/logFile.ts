import { createWriteStream, type WriteStream } from 'node:fs';
import { once } from 'node:events';
import { HoldfastError } from '#core/base/errors.ts';

/** Opens a log for appending. Throws `LOG_NOT_WRITABLE` if the file cannot be opened. */
export async function openLogFile(path: string): Promise<WriteStream> {
  const file = createWriteStream(path, { flags: 'a' });
  try {
    await once(file, 'open');
  } catch (cause) {
    throw new HoldfastError(
      {
        code: 'LOG_NOT_WRITABLE',
        message: `The access log ${path} cannot be written.`,
        hint: `${cause instanceof Error ? cause.message : String(cause)}. Name a file in an existing folder with write permission.`,
      },
      { cause },
    );
  }
  return file;
}

/** Resolves when every line is written. */
export function closeLogFile(file: WriteStream): Promise<void> {
  return new Promise((resolve) => void file.end(() => resolve()));
}
