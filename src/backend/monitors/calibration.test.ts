import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { openMachine } from './openMachine.ts';

const ID = 'c0ffee'.padEnd(64, '0');
/** Resolution of processor time: /proc counts user and system time in hundredths of a second, and rounds each down. */
const TICKS_SECONDS = 0.03;

/** Roots of control groups of each version, where groups can be created on this machine. */
const roots = [
  ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].filter((path) => existsSync(join(path, 'cgroup.controllers'))),
  ['/sys/fs/cgroup/cpuacct', '/sys/fs/cgroup/cpu,cpuacct'].filter((path) => existsSync(join(path, 'cpuacct.usage'))),
].flatMap(([root]) => (root !== undefined && canMakeGroups(root) ? [root] : []));

/** Returns whether a group can be created; removes it again. */
function canMakeGroups(root: string): boolean {
  try {
    rmdirSync(mkdtempSync(join(root, 'holdfast-probe-')));
    return true;
  } catch {
    return false;
  }
}

it.skipIf(roots.length === 0)('a container has used as much processor time as its only process', async () => {
  for (const root of roots) {
    const { container, program } = await measureGroupSeconds(root);
    expect(container, root).toBeGreaterThan(0.02);
    expect(Math.abs(container - program), root).toBeLessThan(TICKS_SECONDS);
  }
});

/** Returns the processor time of a busy program, in seconds, as a monitor finds it for the process and for the container around it. */
async function measureGroupSeconds(root: string): Promise<{ container: number; program: number }> {
  const parent = join(root, 'docker');
  const group = join(parent, ID);
  const isNew = !existsSync(parent);
  const directory = temporaryDirectory();
  const script = join(directory, 'holdfast-busy');
  writeFileSync(script, '#!/bin/sh\nwhile :; do :; done\n', { mode: 0o755 });
  const busyProcess = spawn(script, { stdio: 'ignore' });
  await once(busyProcess, 'spawn');
  try {
    // A group left by an earlier run can be used again.
    mkdirSync(group, { recursive: true });
    // The program is paused so that both readings are from the same time.
    busyProcess.kill('SIGSTOP');
    writeFileSync(join(group, 'cgroup.procs'), `${busyProcess.pid}`);
    const machine = await openMachine({ processes: ['holdfast-busy'], containers: 'cgroup' }, null);
    const before = (await machine.read()).counters;
    busyProcess.kill('SIGCONT');
    await sleep(400);
    busyProcess.kill('SIGSTOP');
    const after = (await machine.read()).counters;
    machine.close();
    const difference = (key: string): number => (after[key] ?? Number.NaN) - (before[key] ?? Number.NaN);
    return { container: difference(`container.cpu:${ID.slice(0, 12)}`), program: difference('process.cpu:holdfast-busy') };
  } finally {
    busyProcess.kill('SIGKILL');
    await once(busyProcess, 'exit');
    for (const path of isNew ? [group, parent] : [group]) if (existsSync(path)) rmdirSync(path);
    rmSync(directory, { recursive: true });
  }
}

it('a monitor finds a program whose name is longer than Linux keeps', async () => {
  const directory = temporaryDirectory();
  const script = join(directory, 'holdfastContestWebServer');
  writeFileSync(script, '#!/bin/sh\nwhile :; do sleep 1; done\n', { mode: 0o755 });
  const program = spawn(script, { stdio: 'ignore' });
  await once(program, 'spawn');
  try {
    const machine = await openMachine({ processes: ['holdfastContestWebServer'], containers: 'none' }, null);
    const { gauges } = await machine.read();
    machine.close();
    expect(Object.keys(gauges)).toContain('process.memory:holdfastContestWebServer');
  } finally {
    program.kill('SIGKILL');
    await once(program, 'exit');
    rmSync(directory, { recursive: true });
  }
});
