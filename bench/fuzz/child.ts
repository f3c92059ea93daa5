import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { subjectsNamed } from './subjects/registry.ts';
import { BEGINS } from './tried.ts';
import { tryInputs } from './tryInputs.ts';
import { MAX_WATCHED_LENGTH } from './watchdog.ts';

/*
 * Tries one subject in a process of its own, so that a hang or the end of the process is one subject's fault. Arguments: one text of JSON. The result goes to
 * standard output.
 */
const settings = z
  .object({
    subject: z.string(),
    inputs: z.int(),
    seed: z.int(),
    seconds: z.number(),
    isGuided: z.boolean(),
    hangFile: z.string(),
    mostSeconds: z.number(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

// A stack for each of a million errors takes longer than the parsers.
Error.stackTraceLimit = 3;
const progress = new SharedArrayBuffer(8);
const letters = new SharedArrayBuffer(2 * MAX_WATCHED_LENGTH);
const counts = new Int32Array(progress);
const text = new Uint16Array(letters);
const { hangFile, mostSeconds } = settings;
const watchdog = new Worker(new URL('watchdog.ts', import.meta.url), { workerData: { progress, letters, hangFile, mostSeconds } });
watchdog.unref();

const [subject] = subjectsNamed([settings.subject]);
if (subject === undefined) throw new Error(`There is no subject ${settings.subject}.`);
let hasBegun = false;
const tried = tryInputs(subject, {
  ...settings,
  judgesTimes: true,
  begin(input) {
    if (!hasBegun) writeSync(1, BEGINS);
    hasBegun = true;
    const length = Math.min(input.length, MAX_WATCHED_LENGTH);
    for (let index = 0; index < length; index += 1) text[index] = input.charCodeAt(index);
    Atomics.store(counts, 1, length);
    Atomics.add(counts, 0, 1);
  },
});
// A pipe takes no more at once than it holds, and an input that was found may be longer.
process.stdout.write(JSON.stringify(tried), () => process.exit(0));
