import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { tryInProcess } from './inProcess.ts';
import { SUBJECTS } from './subjects/registry.ts';

const RESULT = {
  subject: 'echo',
  inputs: 3,
  long: 0,
  seconds: 1,
  learned: 0,
  slowest: { msPerKb: 0, ms: 0, letters: 0 },
  memoryRatio: 0,
  found: [],
};

/** Tries inputs with a program that dies in its first `deaths` starts, either before or after its first input. */
async function tryBy(deaths: number, when: 'before' | 'after') {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-fuzz-child-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const starts = join(folder, 'starts');
  const child = join(folder, 'child.mjs');
  await writeFile(starts, '');
  await writeFile(
    child,
    `import { appendFileSync, readFileSync, writeSync } from 'node:fs';
    appendFileSync(${JSON.stringify(starts)}, 'x');
    const dies = readFileSync(${JSON.stringify(starts)}).length <= ${deaths};
    if (dies && ${when === 'before'}) process.kill(process.pid, 'SIGSEGV');
    writeSync(1, 'begins\\n');
    if (dies) process.kill(process.pid, 'SIGSEGV');
    writeSync(1, ${JSON.stringify(JSON.stringify(RESULT))});`,
  );
  const settings = { count: 3, seed: 1, seconds: 5, hangFile: join(folder, 'hang'), signal: new AbortController().signal, child };
  const tried = await tryInProcess({ name: 'echo', seeds: [], tokens: [], read: (input) => input }, settings);
  return { tried, starts: (await readFile(starts, 'utf8')).length };
}

it("a parser's process that dies before its first input is restarted, and the restarts are counted", async () => {
  expect(await tryBy(2, 'before')).toEqual({ tried: { ...RESULT, diedAtStart: 2 }, starts: 3 });
});

it("the death of a parser's process is reported as a fault of the parser if it happens after an input, or at every start", async () => {
  const died = [{ kind: 'died', message: expect.stringContaining('SIGSEGV'), input: '', number: 0 }];
  expect(await tryBy(1, 'after')).toMatchObject({ tried: { found: died, diedAtStart: 0 }, starts: 1 });
  expect(await tryBy(9, 'before')).toMatchObject({ tried: { found: died }, starts: 5 });
});

it('a process tries inputs of a parser of the product, with a watchdog beside it', { timeout: 60_000 }, async () => {
  const [subject] = SUBJECTS.toSorted((one, other) => one.name.localeCompare(other.name));
  if (subject === undefined) throw new Error('No parser is registered.');
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-fuzz-parser-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const settings = { count: 20, seed: 1, seconds: 30, hangFile: join(folder, 'hang'), signal: new AbortController().signal };
  expect(await tryInProcess(subject, settings)).toMatchObject({ subject: subject.name, inputs: 20, found: [] });
});
