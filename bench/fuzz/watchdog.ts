import { writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';

/** Written by the thread that tries inputs, read by its watchdog. */
export const MAX_WATCHED_LENGTH = 1_048_576;
const INTERVAL_MS = 500;

const dataSchema = z.object({
  /** Number of inputs that were begun, and the length of the last. */
  progress: z.instanceof(SharedArrayBuffer),
  /** UTF-16 of the last input. */
  letters: z.instanceof(SharedArrayBuffer),
  hangFile: z.string(),
  mostSeconds: z.number(),
});

/** Ends a process whose input takes too long, after saving the input. */
function watch(): void {
  const { progress, letters, hangFile, mostSeconds } = dataSchema.parse(workerData);
  const counts = new Int32Array(progress);
  const text = new Uint16Array(letters);
  let last = -1;
  let since = Date.now();
  setInterval(() => {
    const begun = Atomics.load(counts, 0);
    if (begun !== last) {
      last = begun;
      since = Date.now();
    } else if (Date.now() - since > mostSeconds * 1_000) {
      const length = Atomics.load(counts, 1);
      writeFileSync(hangFile, Buffer.from(Uint16Array.from(text.subarray(0, length)).buffer).toString('utf16le'));
      process.kill(process.pid, 'SIGKILL');
    }
  }, INTERVAL_MS);
}

if (parentPort !== null) watch();
