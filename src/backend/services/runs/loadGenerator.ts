import { arch, availableParallelism, hostname, release, totalmem } from 'node:os';
import { readFileSync } from 'node:fs';
import type { PathReading } from '#core/machines/checks/path/schema.ts';
import { chooseEngineFor } from '#core/review/engines/engineFor.ts';
import { type ClockOffset, THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { SelfTestSummary } from '#core/measurement/selfTest/report.ts';
import { type EngineRun, type EngineSink, type LoadJob, hrtimeUs } from '#engine/engine.ts';
import { stayAwake, type Wakefulness } from '#engine/keepAwake.ts';
import { measurePath } from '#engine/path/measurePath.ts';
import { k6OnlyLocalError, sharesMachine, startEngine } from '#engine/startEngine.ts';
import { startK6 } from '#engine/k6/startK6.ts';
import { findK6 } from '#engine/k6/findK6.ts';
import type { GeneratorFacts } from '#backend/store/detailTable.ts';
import { parsePortRange, countPorts } from '#core/machines/hosts/sockets.ts';

function generatorFacts(
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
    outgoingPorts: countOutgoingPorts(),
    ...known,
    lost: null,
  };
}

/** Returns the number of ports for outgoing connections; null if the system is not Linux or the range is unknown. */
function countOutgoingPorts(): number | null {
  try {
    const range = parsePortRange(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'));
    return range === null ? null : countPorts(range);
  } catch {
    return null;
  }
}

/** A load that its generator has received, before a sink is attached. */
export interface PreparedLoad {
  attach(sink: EngineSink): EngineRun;
  facts(run: EngineRun): GeneratorFacts;
  /** Returns the offset of the generator's monotonic clock from `performance.now()` here, or null. */
  measureClock(): Promise<ClockOffset | null>;
}

/** A computer that generates load: this computer or a host. */
export interface LoadGenerator {
  readonly name: string;
  readonly cores: number;
  prepare(job: LoadJob): Promise<PreparedLoad>;
  /** Measures the path to an address by means of some traffic: see PATH_LIMITS. */
  measurePath(url: string): Promise<PathReading>;
  /** Called when the run has ended or could not start. */
  close(): void;
}

export function localGenerator(workerEntry: URL, selfTest: () => SelfTestSummary | null, keepAwake = stayAwake): LoadGenerator {
  let awake: Promise<Wakefulness> | null = null;
  return {
    name: THIS_COMPUTER,
    cores: availableParallelism(),
    async prepare(job) {
      // The request to stay awake is stored before it is granted, because the generator may be closed in the meantime if another generator
      // fails.
      awake = keepAwake();
      const k6 = chooseEngineFor(job.plan) === 'k6' ? await findK6() : null;
      if (k6 !== null && job.part !== undefined) throw k6OnlyLocalError();
      const [shares, held] = await Promise.all([sharesMachine(job.plan), awake]);
      return {
        attach: (sink) => (k6 === null ? startEngine(job, { workerEntry }, sink) : startK6(job, k6, sink)),
        facts: (run) => generatorFacts(run, { sharesMachineWithTarget: shares, keptAwake: held.isHeld, selfTest: selfTest() }),
        measureClock: async () => ({ aheadMs: hrtimeUs() / 1_000 - performance.now(), errorMs: 0, roundTripMs: 0 }),
      };
    },
    measurePath,
    close() {
      void awake?.then((hold) => hold.release());
      awake = null;
    },
  };
}

/** The seconds in which a browser took processor time from the load. */
interface VisitedSeconds {
  isTaken(second: number, width: number): boolean;
}

/**
 * Wraps a load that runs beside a browser on the same computer. Marks the seconds in which the browser took processor time as overloaded.
 */
export function markVisitedSeconds(load: PreparedLoad, visits: VisitedSeconds): PreparedLoad {
  return {
    ...load,
    attach: (sink) =>
      load.attach({
        ...sink,
        onWindow(window, reading) {
          if (!visits.isTaken(window.second, window.width)) return sink.onWindow(window, reading);
          window.overloadedBy = [...window.overloadedBy, 'browser'];
          sink.onWindow(window, { ...reading, overloadedBy: [...window.overloadedBy] });
        },
      }),
  };
}
