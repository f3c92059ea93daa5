import { HoldfastError } from '#core/base/errors.ts';
import { engineFor, type OwnEngine } from '#core/review/engineFor.ts';
import type { EngineOptions, EngineRun, EngineSink, LoadJob } from './engine.ts';
import { Conductor } from './conductor.ts';

/** Of autocannon: the pinned version. Of our own: counted up when what it measures changes. */
const VERSIONS: Readonly<Record<OwnEngine, string>> = { autocannon: '9.0.0', native: '1' };

/**
 * Starts a load. It runs on worker threads; `sink` is told what happens. How it ends is data: `done` never rejects. Throws `K6_ONLY_HERE` for a
 * plan that another program is to run.
 */
export function startEngine(job: LoadJob, options: EngineOptions, sink: EngineSink): EngineRun {
  const engine = engineFor(job.plan);
  if (engine === 'k6') throw k6OnlyHere();
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

/** k6 is started by the Holdfast that the run belongs to, and only on its own computer. */
export function k6OnlyHere(): HoldfastError {
  return new HoldfastError({
    code: 'K6_ONLY_HERE',
    message: 'k6 is started on this computer only, and the load is to be made elsewhere too.',
    hint: 'Make the load here, or leave the engine out, so that Holdfast’s own makes it on every machine. docs/scale.md tells how k6 runs on many.',
  });
}
