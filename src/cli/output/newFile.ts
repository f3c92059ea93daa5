import { open } from 'node:fs/promises';
import { HoldfastError } from '#core/base/errors.ts';

interface NewFile {
  /** Code of the error where it cannot be written. */
  readonly code: string;
  /** What to do where a file is there already. */
  readonly hintWhenThere: string;
  /** Its permissions; left out, the system's. */
  readonly mode?: number;
}

/** Writes a file where none is yet. Throws `code`, and leaves alone what is there. */
export async function writeNewFile(
  file: string,
  content: string | Uint8Array,
  { code, hintWhenThere, mode = 0o666 }: NewFile,
): Promise<void> {
  try {
    const handle = await open(file, 'wx', mode);
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause);
    const isThere = reason === 'EEXIST';
    const message = isThere ? `${file} is there already, and was left alone.` : `${file} cannot be written (${reason}).`;
    throw new HoldfastError({ code, message, hint: isThere ? hintWhenThere : 'Choose another place.' }, { cause });
  }
}
