import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Cores to which the user wants programs to be pinned. */
export interface WantedCores {
  readonly target: number;
  readonly generator: number;
}

/** Cores to which programs are pinned. With null, a program is not pinned. */
export interface Cores {
  readonly target: number | null;
  readonly generator: number | null;
}

/** The option with the cores of target and generator. Its value is null if nothing is pinned. */
export const WANTED_CORES = {
  shape: 'TARGET,GENERATOR',
  help: 'cores of target and generator (0,1); --cores free pins nothing',
  read([text]: readonly string[]): WantedCores | null {
    if (text === 'free') return null;
    const [, target, generator] = /^(\d+),(\d+)$/.exec(text ?? '0,1') ?? [];
    if (generator === undefined || target === generator) throw new TypeError('write two different numbers, as 0,1, or free.');
    return { target: Number(target), generator: Number(generator) };
  },
};

/** Returns the cores to which programs are pinned. If `taskset` or these cores are missing, nothing is pinned, and a message is printed. */
export function coresFor(wantedCores: WantedCores | null, print: (line: string) => void): Cores {
  const free: Cores = { target: null, generator: null };
  if (wantedCores === null) return free;
  const canPinTo = (core: number): boolean => spawnSync('taskset', ['-c', String(core), 'true']).status === 0;
  if (canPinTo(wantedCores.target) && canPinTo(wantedCores.generator)) return wantedCores;
  print(
    `Nothing is pinned: that takes taskset (util-linux) and the cores ${wantedCores.target} and ${wantedCores.generator}; here are ${availableParallelism()}.`,
  );
  return free;
}

/** Pins this process with all its threads to one core. Does nothing if the core is null. */
export function pinThisProcess(core: number | null): void {
  if (core === null) return;
  const { status, stderr } = spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', String(core), String(process.pid)], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`This process could not be pinned to core ${core}: ${stderr}`);
}
