import { engineFor, type EngineName } from '#core/plan/engineFor.ts';
import type { EngineOptions, EngineRun, EngineSink, LoadJob } from './engine.ts';
import { Conductor } from './conductor.ts';

/** Of autocannon: the pinned version. Of our own: counted up when what it measures changes. */
const VERSIONS: Readonly<Record<EngineName, string>> = { autocannon: '9.0.0', native: '1' };

/** Starts a load. It runs on worker threads; `sink` is told what happens. How it ends is data: `done` never rejects. */
export function startEngine(job: LoadJob, options: EngineOptions, sink: EngineSink): EngineRun {
  const engine = engineFor(job.plan);
  const conductor = new Conductor(job, options, sink);
  return {
    threads: conductor.threads,
    engine,
    engineVersion: VERSIONS[engine],
    done: conductor.run(),
    stop: () => conductor.stop(),
    startAt: (leg, atMs) => conductor.startAt(leg, atMs),
  };
}
