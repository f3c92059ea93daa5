import { fileURLToPath } from 'node:url';
import { readingSchema, type Output, type Reading, type Subject } from './subject.ts';

/** Returns a script from `bench/scripts`. It is run by the same Node as the bench. */
export function benchScript(name: string): Subject['origin'] {
  const file = fileURLToPath(new URL(`../scripts/${name}`, import.meta.url));
  return { kind: 'ours', located: { program: process.execPath, before: [file] } };
}

/** Parses the output of one of the bench's scripts, whose last line is a reading in JSON. */
export function readBenchScript({ stdout }: Output): Reading {
  return readingSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}
