import { cpus, release, totalmem } from 'node:os';

/** The machine on which the bench runs, without its name and address. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
}

export function describeMachine(): Machine {
  const all = cpus();
  return {
    processor: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryBytes: totalmem(),
    system: `${process.platform} ${release()}`,
    node: process.version,
  };
}
