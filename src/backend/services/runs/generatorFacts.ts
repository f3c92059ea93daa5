import { arch, availableParallelism, hostname, release, totalmem } from 'node:os';
import { THIS_COMPUTER } from '#core/hosts/schema.ts';
import type { EngineRun } from '#engine/engine.ts';
import type { GeneratorFacts } from '#backend/store/generatorTable.ts';

/** What is worth knowing of the machine that makes the load. */
export function generatorFacts(
  { threads, engine, engineVersion }: EngineRun,
  known: Pick<GeneratorFacts, 'sharesMachineWithTarget' | 'keptAwake' | 'selfTest'>,
): GeneratorFacts {
  return {
    name: THIS_COMPUTER,
    hostname: hostname(),
    platform: `${process.platform} ${release()} ${arch()}`,
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    nodeVersion: process.version,
    threads,
    engine,
    engineVersion,
    ...known,
    lost: null,
  };
}
