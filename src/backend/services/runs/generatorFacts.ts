import { readFileSync } from 'node:fs';
import { arch, availableParallelism, hostname, release, totalmem } from 'node:os';
import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import { parsePortRange, portsIn } from '#core/machines/hosts/sockets.ts';
import type { EngineRun } from '#engine/engine.ts';
import type { GeneratorFacts } from '#backend/store/detailTable.ts';

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
    outgoingPorts: outgoingPorts(),
    ...known,
    lost: null,
  };
}

/** null where the system is not Linux, or does not say. */
function outgoingPorts(): number | null {
  try {
    const range = parsePortRange(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'));
    return range === null ? null : portsIn(range);
  } catch {
    return null;
  }
}
