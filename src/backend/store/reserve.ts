import { randomBytes } from 'node:crypto';
import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = 'holdfast.reserve';
/** The end of a run takes some pages of 32 kB, its result up to some hundred kB. */
const BYTES = 2_000_000;

/**
 * Room on the disk that is taken beforehand and given up when there is none left, so that a run which a full disk has ended can still be stored as ended.
 * Processes that share a store share it.
 */
export function createReserve(directory: string) {
  const path = join(directory, NAME);
  const bytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    /** Takes the room unless it is taken. Where there is too little, there is none. */
    take(): void {
      if (bytes() === BYTES) return;
      try {
        // Not zeros: file systems that compress would keep no room for them.
        writeFileSync(path, randomBytes(BYTES), { mode: 0o600, flush: true });
      } catch {
        rmSync(path, { force: true });
      }
    },
    /** False when there was none to give up. */
    giveUp(): boolean {
      const had = bytes() > 0;
      rmSync(path, { force: true });
      return had;
    },
  };
}
