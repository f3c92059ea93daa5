import { availableParallelism } from 'node:os';
import { k6Script } from '#core/export/k6/k6Script.ts';
import type { EngineRun, EngineSink, LoadJob } from '../engine.ts';
import type { K6Program } from './findK6.ts';
import { K6Load } from './k6Load.ts';
import { secretValues } from './secretValues.ts';

/**
 * Starts a load that k6 makes, by the script that the plan is exported as. `sink` is told what a load of Holdfast's own threads would tell it. How it
 * ends is data: `done` never rejects.
 */
export function startK6(job: LoadJob, program: K6Program, sink: EngineSink): EngineRun {
  const load = new K6Load(job, program, scriptOf(job), sink);
  return {
    // Go spreads its work over as many threads as there are cores.
    threads: availableParallelism(),
    engine: 'k6',
    engineVersion: program.version,
    done: load.run(),
    stop: () => load.stop(),
    // A load that is made in one place begins when it is ready.
    startAt: () => {},
  };
}

function scriptOf(job: LoadJob): ConstructorParameters<typeof K6Load>[2] {
  const { plan, feeds, files, userAgent } = job;
  const { script, files: beside, secrets } = k6Script(plan, { feeds, uploads: files, ...(userAgent === null ? {} : { userAgent }) });
  const known = secretValues(job);
  const values = secrets.flatMap(({ name, reference }): [string, string][] => {
    const value = known.get(reference);
    return value === undefined ? [] : [[name, value]];
  });
  return { script, files: beside, environment: Object.fromEntries(values) };
}
