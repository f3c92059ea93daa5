import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE_NAME = 'holdfast.reserve';
/** The end of a run takes some pages of 32 kB, its result up to some hundred kB. */
const RESERVED_BYTES = 2_000_000;

/**
 * A file that reserves disk space. It is deleted when the disk is full, so a run that a full disk ended can still be stored. Processes with
 * the same store share it.
 */
export function createReserve(directory: string) {
  const path = join(directory, FILE_NAME);
  const bytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    /** Creates the file unless it exists. Leaves none if there is too little space. */
    take(): void {
      if (bytes() === RESERVED_BYTES) return;
      try {
        // Random data: compressing file systems would reserve no space for zeros.
        writeFileSync(path, randomBytes(RESERVED_BYTES), { mode: 0o600, flush: true });
      } catch {
        rmSync(path, { force: true });
      }
    },
    /** Returns false if there was no reserve. */
    giveUp(): boolean {
      const had = bytes() > 0;
      rmSync(path, { force: true });
      return had;
    },
  };
}
