import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { text as textOf } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Subject } from './subject.ts';
import { BEGIN_LINE, triedSchema, type Finding, type SubjectResult } from './tried.ts';

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));
const DEFAULT_INPUTS = 1_000_000;
/** Time limit for one input, in seconds. */
const MAX_SECONDS_PER_INPUT = 20;
const HEAP_MB = 2_048;
/**
 * Maximum number of starts. Several are allowed because, on a busy machine, a process with a thread and V8's coverage sometimes ends during
 * its start. The reason is unknown, but no parser has run at that time.
 */
const MAX_STARTS = 5;

export interface ProcessSettings {
  readonly count: number | null;
  readonly seed: number;
  readonly seconds: number;
  /** File in which the process stores the input during which it hangs. */
  readonly hangFile: string;
  readonly signal: AbortSignal;
  /** The program that tries the inputs. Default: `child.ts`. */
  readonly child?: string;
}

type Ended =
  | { readonly kind: 'tried'; readonly tried: SubjectResult }
  | { readonly kind: 'fault'; readonly hasBegun: boolean; readonly fault: Finding };

/** Tries inputs in a separate process, which is restarted if it dies before its first input. The result contains the number of restarts. */
export async function tryInProcess(subject: Subject, settings: ProcessSettings): Promise<SubjectResult> {
  for (let diedAtStart = 0; ; diedAtStart += 1) {
    const ended = await runOnce(subject, settings);
    if (ended.kind === 'tried') return { ...ended.tried, diedAtStart };
    if (ended.hasBegun || settings.signal.aborted || diedAtStart + 1 === MAX_STARTS)
      return diedBeforeInput(subject, ended.fault, diedAtStart);
  }
}

async function runOnce(
  subject: Subject,
  { count, seed, seconds, hangFile, signal, child: program = CHILD }: ProcessSettings,
): Promise<Ended> {
  const inputs = count ?? subject.inputs ?? DEFAULT_INPUTS;
  const settings = { subject: subject.name, inputs, seed, seconds, isGuided: true, hangFile, mostSeconds: MAX_SECONDS_PER_INPUT };
  const flags = ['--expose-gc', `--max-old-space-size=${HEAP_MB}`];
  const child = spawn(process.execPath, [...flags, program, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'pipe'], signal });
  const [ended, out, err] = await Promise.all([once(child, 'close'), textOf(child.stdout), textOf(child.stderr)]);
  const [code, killedBy] = z.tuple([z.number().nullable(), z.string().nullable()]).parse(ended);
  const hasBegun = out.startsWith(BEGIN_LINE);
  if (code === 0) return { kind: 'tried', tried: triedSchema.parse(JSON.parse(out.slice(BEGIN_LINE.length))) };
  const hung = await readFile(hangFile, 'utf8').catch(() => null);
  await rm(hangFile, { force: true });
  const fault: Finding =
    hung === null
      ? {
          kind: 'died',
          message: `the process ended (${killedBy ?? code}): ${err.slice(-500).replaceAll(/\s+/g, ' ')}`,
          input: '',
          number: 0,
        }
      : { kind: 'hang', message: `an input took more than ${MAX_SECONDS_PER_INPUT} s`, input: hung, number: 0 };
  return { kind: 'fault', hasBegun, fault };
}

function diedBeforeInput(subject: Subject, fault: Finding, diedAtStart: number): SubjectResult {
  return {
    subject: subject.name,
    inputs: 0,
    long: 0,
    seconds: 0,
    learned: 0,
    slowest: { msPerKb: 0, ms: 0, letters: 0 },
    memoryRatio: 0,
    found: [fault],
    diedAtStart,
  };
}
