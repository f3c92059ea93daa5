import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '#backend/testing/temporaryDirectory.ts';
import { openMachine } from './openMachine.ts';

const ID = 'c0ffee'.padEnd(64, '0');
/** /proc counts in hundredths of a second, cut off, for each of user and system. */
const TICKS_SECONDS = 0.03;

/** A control group (version 2) of a container of our own, where this machine lets us make one. */
function makeGroup(): { readonly path: string; remove(): void } | null {
  const root = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((path) => existsSync(join(path, 'cgroup.controllers')));
  if (root === undefined) return null;
  const parent = join(root, 'docker');
  const isNew = !existsSync(parent);
  try {
    if (isNew) mkdirSync(parent);
    mkdirSync(join(parent, ID));
  } catch {
    return null;
  }
  return {
    path: join(parent, ID),
    remove() {
      rmdirSync(join(parent, ID));
      if (isNew) rmdirSync(parent);
    },
  };
}

const group = makeGroup();

it.skipIf(group === null)('a container has used as much processor time as its only process', async () => {
  const directory = temporaryDirectory();
  const script = join(directory, 'holdfast-busy');
  writeFileSync(script, '#!/bin/sh\nwhile :; do :; done\n', { mode: 0o755 });
  const busy = spawn(script, { stdio: 'ignore' });
  await once(busy, 'spawn');
  try {
    // It stands still while both are read, so that they are read at the same moment.
    busy.kill('SIGSTOP');
    writeFileSync(join(group?.path ?? '', 'cgroup.procs'), `${busy.pid}`);
    const machine = await openMachine({ processes: ['holdfast-busy'], containers: 'cgroup' }, null);
    const before = (await machine.read()).counters;
    busy.kill('SIGCONT');
    await sleep(400);
    busy.kill('SIGSTOP');
    const after = (await machine.read()).counters;
    machine.close();
    const used = (key: string): number => (after[key] ?? Number.NaN) - (before[key] ?? Number.NaN);
    const container = used(`container.cpu:${ID.slice(0, 12)}`);
    expect(container).toBeGreaterThan(0.02);
    expect(Math.abs(container - used('process.cpu:holdfast-busy'))).toBeLessThan(TICKS_SECONDS);
  } finally {
    busy.kill('SIGKILL');
    await once(busy, 'exit');
    group?.remove();
    rmSync(directory, { recursive: true });
  }
});
