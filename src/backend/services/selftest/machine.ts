import { arch, availableParallelism, cpus, hostname } from 'node:os';
import type { SelfTestMachine } from '#core/measurement/selfTest/report.ts';

/** This machine and installation, by facts that a restart does not change. */
export function thisMachine(holdfastVersion: string): SelfTestMachine {
  return {
    hostname: hostname(),
    platform: `${process.platform} ${arch()}`,
    processor: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    nodeVersion: process.version,
    holdfastVersion,
  };
}
