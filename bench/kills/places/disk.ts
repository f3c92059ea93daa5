import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Trial, Victim } from '../trial.ts';
import { ENDS_WITHIN_MS, NO_GRACE_MS } from './commandLine.ts';
import type { KillResult, CrashPoint } from './place.ts';

const DISK_BYTES = 6_000_000;
const SHIM = fileURLToPath(new URL('../eio.c', import.meta.url));

/** A small file system for the home directory of a trial. It is visible only in its mount namespace. */
class SmallDisk {
  readonly prefix: readonly string[];
  private readonly holder: ChildProcess;
  private readonly inside: string;
  private readonly trial: Trial;

  private constructor(trial: Trial, holder: ChildProcess) {
    this.trial = trial;
    this.holder = holder;
    this.prefix = ['nsenter', `--target=${holder.pid}`, '--mount'];
    this.inside = `/proc/${holder.pid}/root${trial.home}`;
  }

  static async mount(trial: Trial): Promise<SmallDisk> {
    const script = `mount -t tmpfs -o size=${DISK_BYTES},mode=700 tmpfs '${trial.home}' && echo mounted && exec sleep 600`;
    const holder = spawn('unshare', ['--mount', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    return new SmallDisk(trial, holder);
  }

  /** Fills the disk's remaining space. */
  async fill(): Promise<void> {
    await writeFile(join(this.inside, 'filler'), Buffer.alloc(2 * DISK_BYTES)).catch(() => {});
  }

  async free(): Promise<void> {
    await rm(join(this.inside, 'filler'), { force: true });
  }

  /** Copies the files to a larger disk, and removes this one. */
  async unmount(): Promise<void> {
    await this.free();
    await cp(this.inside, this.trial.home, { recursive: true });
    this.holder.kill('SIGKILL');
    await once(this.holder, 'exit');
  }
}

/** Waits until the load has run for a while. */
async function waitForLoad(trial: Trial): Promise<void> {
  await trial.target.waitForRequest(trial.name, ENDS_WITHIN_MS / 2);
  await sleep(trial.dice.between(0, 2_500));
}

/** Waits until the process exits by itself, and checks that its output names the problem. */
async function waitForError(victim: Victim, words: RegExp): Promise<string[]> {
  if (!(await victim.ended(ENDS_WITHIN_MS))) return ['the victim hangs'];
  const isThrough = victim.child.exitCode !== null && words.test(victim.getOutput());
  return isThrough ? [] : [`code ${victim.child.exitCode}, and not what is wrong: ${victim.getOutput().slice(-400)}`];
}

const LOAD: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 400, seconds: 8 }] };

/** The crash point “disk full”: the disk becomes full during a run, and space is freed after a while or never. */
export const fullDisk: CrashPoint = {
  name: 'disk full',
  weight: 3,
  missing: () => (process.getuid?.() === 0 ? null : 'It takes a mount namespace, and so the rights of root.'),
  async strike(trial): Promise<KillResult> {
    const plan = await trial.writePlan({ load: LOAD });
    const disk = await SmallDisk.mount(trial);
    const comesBack = trial.dice.between(0, 1) < 0.5;
    try {
      const victim = trial.cli(['run', plan], { prefix: disk.prefix });
      await waitForLoad(trial);
      await disk.fill();
      if (comesBack) setTimeout(() => void disk.free(), trial.dice.between(1_000, 4_000));
      const problems = await waitForError(victim, /No room left/);
      return { where: comesBack ? 'until room is made' : 'for good', graceMs: NO_GRACE_MS, problems };
    } finally {
      await disk.unmount();
    }
  },
};

/** The crash point “disk fails”: from some time on, writes to the store fail with EIO. */
export const failingDisk: CrashPoint = {
  name: 'disk fails',
  weight: 3,
  missing: () => (existsSync('/usr/bin/cc') || existsSync('/usr/bin/gcc') ? null : 'It takes a C compiler.'),
  async strike(trial): Promise<KillResult> {
    const shim = join(trial.folder, 'eio.so');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, SHIM, '-ldl']);
    const flag = join(trial.folder, 'fails');
    const victim = trial.cli(['run', await trial.writePlan({ load: LOAD })], { environment: { LD_PRELOAD: shim, EIO_WHILE: flag } });
    await waitForLoad(trial);
    await writeFile(flag, '');
    return { where: 'EIO', graceMs: NO_GRACE_MS, problems: await waitForError(victim, /cannot be read or written/) };
  },
};
