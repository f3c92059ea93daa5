import { readCommand } from './commands.ts';

/**
 * Measures Holdfast beside other load generators; the campaigns with names of their own hold it against servers of which the truth is known, or which mean it harm. Exit code 1: something required was missed; 2: it could not be measured.
 */
const say = (line: string): void => console.error(line);

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
try {
  if (process.platform !== 'linux') throw new Error('The bench reads /proc and pins with taskset: it runs on Linux.');
  const measure = await readCommand(process.argv.slice(2));
  await measure(stopping.signal, say);
} catch (error) {
  say(stopping.signal.aborted ? 'Stopped.' : error instanceof Error ? error.message : String(error));
  process.exitCode = stopping.signal.aborted ? 130 : 2;
}
