import type { EngineOptions, EngineRun, EngineSink, LoadJob } from './engine.ts';
import { Conductor } from './conductor.ts';

/** Starts a load. It runs on worker threads; `sink` is told what happens. How it ends is data: `done` never rejects. */
export function startEngine(job: LoadJob, options: EngineOptions, sink: EngineSink): EngineRun {
  const conductor = new Conductor(job, options, sink);
  return {
    threads: conductor.threads,
    engine: 'autocannon',
    engineVersion: '9.0.0',
    done: conductor.run(),
    stop: () => conductor.stop(),
  };
}
