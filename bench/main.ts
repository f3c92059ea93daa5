import { readCommand } from './commands.ts';

/*
 * Compares Holdfast with other load generators. Its campaigns test Holdfast against servers with known properties, or against hostile ones.
 * Exit code 1 means that a requirement was not met; 2 means that the measurement failed.
 */

const print = (line: string): void => console.error(line);

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
try {
  if (process.platform !== 'linux') throw new Error('The bench reads /proc and pins with taskset: it runs on Linux.');
  const measure = await readCommand(process.argv.slice(2));
  await measure(stopping.signal, print);
} catch (error) {
  print(stopping.signal.aborted ? 'Stopped.' : error instanceof Error ? error.message : String(error));
  process.exitCode = stopping.signal.aborted ? 130 : 2;
}
