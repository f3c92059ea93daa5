import type { SelfTestSummary } from '#core/selfTest/report.ts';
import type { EngineRun, EngineSink, LoadJob } from '#engine/engine.ts';
import { sharesMachine } from '#engine/sharesMachine.ts';
import { startEngine } from '#engine/startEngine.ts';
import type { GeneratorFacts } from '#backend/store/detailTable.ts';
import { generatorFacts } from './generatorFacts.ts';

/** A load whose job has been handed over, and that nobody listens to yet. */
export interface BegunLoad {
  attach(sink: EngineSink): EngineRun;
  facts(run: EngineRun): GeneratorFacts;
}

/** Where a load runs: this computer, or a host. */
export interface LoadPlace {
  begin(job: LoadJob): Promise<BegunLoad>;
  /** The run has ended, or will not be. */
  close(): void;
}

export function thisComputer(workerEntry: URL, selfTest: () => SelfTestSummary | null): LoadPlace {
  return {
    async begin(job) {
      const shares = await sharesMachine(job.plan);
      return {
        attach: (sink) => startEngine(job, { workerEntry }, sink),
        facts: (run) => generatorFacts(run, shares, selfTest()),
      };
    },
    close() {},
  };
}
