import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { subjectsNamed } from './subjects/registry.ts';
import { BEGIN_LINE } from './tried.ts';
import { tryInputs } from './tryInputs.ts';

/** Maximum length of an input that the parser's thread shares with its watchdog. */
const MAX_WATCHED_LENGTH = 1_048_576;

/*
 * Fuzzes one subject in a separate process, so that a hang or a crash affects only that subject. The argument is a JSON text. Prints the
 * result.
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

// The limit is low, because stack traces for a million errors take longer than the parsers.
Error.stackTraceLimit = 3;
const progress = new SharedArrayBuffer(8);
const inputUnits = new SharedArrayBuffer(2 * MAX_WATCHED_LENGTH);
const counts = new Int32Array(progress);
const text = new Uint16Array(inputUnits);
const { hangFile, mostSeconds: maxSeconds } = settings;
const watchdog = new Worker(new URL('watchdog.ts', import.meta.url), {
  workerData: { progress, letters: inputUnits, hangFile, mostSeconds: maxSeconds },
});
watchdog.unref();

const [subject] = subjectsNamed([settings.subject]);
if (subject === undefined) throw new Error(`There is no subject ${settings.subject}.`);
let hasBegun = false;
const result = tryInputs(subject, {
  ...settings,
  judgesTimes: true,
  begin(input) {
    if (!hasBegun) writeSync(1, BEGIN_LINE);
    hasBegun = true;
    const length = Math.min(input.length, MAX_WATCHED_LENGTH);
    for (let index = 0; index < length; index += 1) text[index] = input.charCodeAt(index);
    Atomics.store(counts, 1, length);
    Atomics.add(counts, 0, 1);
  },
});
// The process exits only after the output was written, because the output can be larger than the buffer of a pipe.
process.stdout.write(JSON.stringify(result), () => process.exit(0));
