import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { canary, filesUnder, findCanaries, startEcho } from '#backend/testing/canaries.ts';
import { cliProgram } from '#tools/testing/threads.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';

/** Reads from the /proc folder of a process. Returns null if the process has ended. */
function readProcess<Value>(pid: string, read: (folder: string) => Value): Value | null {
  try {
    return read(`/proc/${pid}`);
  } catch {
    return null;
  }
}

/** Records the command line and environment of every descendant process, from /proc. */
function noteDescendants(root: number, places: Map<string, Buffer>): void {
  const parents = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const status = readProcess(pid, (folder) => readFileSync(`${folder}/stat`, 'utf8'));
    if (status !== null) parents.set(pid, status.slice(status.lastIndexOf(')') + 2).split(' ')[1] ?? '');
  }
  const isBelow = (pid: string): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (parent === String(root) || isBelow(parent));
  };
  const getCommand = (pid: string) => readProcess(pid, (folder) => readFileSync(`${folder}/cmdline`, 'latin1'));
  for (const [pid, parent] of parents) {
    // Between fork and exec, a process still shows the command and the environment of its parent, so it is skipped.
    if (!isBelow(pid) || getCommand(pid) === getCommand(parent)) continue;
    for (const file of ['cmdline', 'environ'] as const) {
      const bytes = readProcess(pid, (folder) => readFileSync(`${folder}/${file}`));
      if (bytes !== null) places.set(`${file} of process ${pid}`, bytes);
    }
  }
}

it('secrets of a plan stay out of the terminal, files and child processes', { timeout: 60_000 }, async () => {
  const directory = temporaryDirectory();
  const home = temporaryDirectory();
  const echo = await startEcho();
  onTestFinished(() => void echo.server.close());
  const [inEnvironment, inFile] = [canary(), canary()];
  await writeFile(join(directory, 'secret.txt'), inFile);
  const plan = {
    holdfast: 1,
    name: 'Canaries',
    targets: [
      {
        url: `${echo.url}?token=${canary()}`,
        headers: { 'X-Auth': canary(), 'X-Key': { secret: 'env:HOLDFAST_CANARY' }, 'X-File': { secret: `file:${directory}/secret.txt` } },
      },
    ],
    journey: [
      { name: 'login', method: 'POST', path: '/login', form: { user: 'ada', password: canary() } },
      { name: 'page', json: { token: canary() }, method: 'POST' },
    ],
    load: { model: 'users', stages: [{ users: 1, seconds: 2 }] },
    safety: { maxRequests: 200 },
  };
  await writeFile(join(directory, 'plan.json'), JSON.stringify(plan));
  const places = new Map<string, Buffer>();
  const playCommand = async (name: string, args: readonly string[]): Promise<void> => {
    const child = spawn(process.execPath, ['--no-warnings', cliProgram, ...args], {
      cwd: directory,
      env: { ...process.env, HOLDFAST_HOME: home, HOLDFAST_CANARY: inEnvironment },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const timer = setInterval(() => noteDescendants(child.pid ?? 0, places), 25);
    const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr), once(child, 'close')]);
    clearInterval(timer);
    places.set(`${name}: standard output`, out).set(`${name}: standard error`, err);
  };
  const allow = ['--allow', 'env:HOLDFAST_CANARY', '--allow', `file:${directory}/secret.txt`];
  await playCommand('try', ['try', 'plan.json', ...allow]);
  await playCommand('run', ['run', 'plan.json', '--no-trial', ...allow, '--json', 'result.json', '--junit', 'limits.xml']);
  await playCommand('show', ['show', 'last']);
  const writtenTexts = filesUnder(directory).filter((file) => !/(plan\.json|secret\.txt)$/.test(file));
  for (const file of [...writtenTexts, ...filesUnder(home)]) places.set(file, readFileSync(file));

  for (const secret of [inEnvironment, inFile]) expect(echo.received(), 'it was sent').toContain(secret);
  expect(places.get('show: standard output')?.toString()).toContain('login');
  expect(writtenTexts.length).toBe(2);
  if (process.platform === 'linux') expect([...places.keys()].some((place) => place.startsWith('environ of'))).toBe(true);
  expect(findCanaries(places)).toEqual([]);
});
