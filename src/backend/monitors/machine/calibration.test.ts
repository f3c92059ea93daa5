import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '#backend/testing/temporaryDirectory.ts';
import { openMachine } from './openMachine.ts';

const ID = 'c0ffee'.padEnd(64, '0');
/** /proc counts in hundredths of a second, cut off, for each of user and system. */
const TICKS_SECONDS = 0.03;

const root = ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].find((path) => existsSync(join(path, 'cgroup.controllers')));

/** Whether this machine lets us make control groups (version 2). Leaves none behind. */
function canMakeGroups(): boolean {
  if (root === undefined) return false;
  try {
    rmdirSync(mkdtempSync(join(root, 'holdfast-probe-')));
    return true;
  } catch {
    return false;
  }
}

it.skipIf(!canMakeGroups())('a container has used as much processor time as its only process', async () => {
  const parent = join(root ?? '', 'docker');
  const group = join(parent, ID);
  const isNew = !existsSync(parent);
  const directory = temporaryDirectory();
  const script = join(directory, 'holdfast-busy');
  writeFileSync(script, '#!/bin/sh\nwhile :; do :; done\n', { mode: 0o755 });
  const busy = spawn(script, { stdio: 'ignore' });
  await once(busy, 'spawn');
  try {
    // One that a run of before has left is as good.
    mkdirSync(group, { recursive: true });
    // It stands still while both are read, so that they are read at the same moment.
    busy.kill('SIGSTOP');
    writeFileSync(join(group, 'cgroup.procs'), `${busy.pid}`);
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
    for (const path of isNew ? [group, parent] : [group]) if (existsSync(path)) rmdirSync(path);
    rmSync(directory, { recursive: true });
  }
});
