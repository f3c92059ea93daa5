import { writeFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { z } from 'zod';

/** Interval at which the progress is read. */
const INTERVAL_MS = 500;

const dataSchema = z.object({
  /** Two numbers: how many inputs have begun, and the length of the last one. */
  progress: z.instanceof(SharedArrayBuffer),
  /** The last input, encoded in UTF-16. */
  letters: z.instanceof(SharedArrayBuffer),
  hangFile: z.string(),
  mostSeconds: z.number(),
});

/** Stores an input that takes too long, and then ends the process. */
function watch(): void {
  const { progress, letters, hangFile, mostSeconds } = dataSchema.parse(workerData);
  const counts = new Int32Array(progress);
  const text = new Uint16Array(letters);
  let last = -1;
  let since = Date.now();
  setInterval(() => {
    const startedCount = Atomics.load(counts, 0);
    if (startedCount !== last) {
      last = startedCount;
      since = Date.now();
    } else if (Date.now() - since > mostSeconds * 1_000) {
      const length = Atomics.load(counts, 1);
      writeFileSync(hangFile, Buffer.from(Uint16Array.from(text.subarray(0, length)).buffer).toString('utf16le'));
      process.kill(process.pid, 'SIGKILL');
    }
  }, INTERVAL_MS);
}

watch();
