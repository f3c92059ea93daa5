import { createWriteStream, type WriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { HoldfastError } from '#core/base/errors.ts';

/** A log that has a line of JSON for each entry. */
export class JsonLog<Entry> {
  private readonly file: WriteStream;

  private constructor(file: WriteStream) {
    this.file = file;
  }

  /** Opens a log for appending. Throws `LOG_NOT_WRITABLE` if the file cannot be opened. */
  static async open<Entry>(path: string): Promise<JsonLog<Entry>> {
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
    return new JsonLog(file);
  }

  write(entry: Entry): void {
    if (!this.file.writableEnded) this.file.write(`${JSON.stringify(entry)}\n`);
  }

  close(): Promise<void> {
    return new Promise((resolve) => void this.file.end(() => resolve()));
  }
}

/** Reads the log of a {@link JsonLog} in the order in which it was written. Skips an incomplete last line. */
export async function readJsonLog(file: string): Promise<unknown[]> {
  const text = await readFile(file, 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}
