import { fileURLToPath } from 'node:url';
import { readingSchema, type Output, type Reading, type Subject } from './subject.ts';

/** Returns a script of `bench/scripts`, which the bench's own Node runs. */
export function benchScript(name: string): Subject['origin'] {
  const file = fileURLToPath(new URL(`../scripts/${name}`, import.meta.url));
  return { kind: 'ours', located: { program: process.execPath, before: [file] } };
}

/** Our scripts print a reading in JSON as their last line. */
export function readBenchScript({ stdout }: Output): Reading {
  return readingSchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
}
