import type { Part } from '../supervisor/part.ts';
import { z } from 'zod';
import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerPool, burnCpu } from '../workerPool.ts';

/** The progress of an evaluation. */
export interface Job {
  startedAtMs: number | null;
  endedAtMs: number | null;
}

export interface EvaluationSettings {
  readonly evaluators: number;
  readonly evaluationMs: number;
  /** Extra time for the first job of each evaluator, in which the evaluator loads the data of the contest. */
  readonly coldMs: number;
  readonly log: string;
  /** Uses processor time in place of an evaluator (numbered from 1) and resolves to that time in ms. */
  readonly burn?: (evaluator: number) => Promise<number>;
  /** Called with the reason when an evaluation fails. */
  readonly onFailed: (why: string) => void;
}

/** Evaluators that process solutions in the order of submission. Each job becomes a line of the log. */
export class Evaluation {
  private readonly settings: EvaluationSettings;
  private readonly pool: WorkerPool;
  /** Numbers of idle evaluators. */
  private readonly free: number[];
  private readonly warm = new Set<number>();
  private readonly log: WriteStream;
  private readonly stopping = new AbortController();

  constructor(settings: EvaluationSettings) {
    this.settings = settings;
    this.pool = new WorkerPool(settings.evaluators);
    this.free = Array.from({ length: settings.evaluators }, (_, index) => index + 1);
    this.log = createWriteStream(settings.log, { flags: 'a' });
  }

  get state(): { readonly evaluating: number; readonly queued: number } {
    return { evaluating: this.pool.busy, queued: this.pool.queued };
  }

  /** Queues a solution and returns the solution's job, whose fields show the progress. `onDone` is called after the evaluation. */
  submit(path: string, bytes: number, onDone: () => void = () => {}): Job {
    const job: Job = { startedAtMs: null, endedAtMs: null };
    this.pool
      .run(async () => {
        await this.evaluate(job, path, bytes);
        onDone();
      })
      .catch((thrown: unknown) => {
        // Stopping the practice server aborts evaluations, which is not reported as a failure.
        if (!this.stopping.signal.aborted) this.settings.onFailed(thrown instanceof Error ? thrown.message : String(thrown));
      });
    return job;
  }

  /** Loads the data of the contest for every evaluator in advance. */
  warmUp(): void {
    for (let evaluator = 1; evaluator <= this.settings.evaluators; evaluator += 1) this.warm.add(evaluator);
  }

  async close(): Promise<void> {
    this.stopping.abort();
    await new Promise<void>((resolve) => void this.log.end(() => resolve()));
  }

  private async evaluate(job: Job, path: string, bytes: number): Promise<void> {
    this.stopping.signal.throwIfAborted();
    const evaluator = this.free.shift() ?? 0;
    try {
      await this.evaluateOn(evaluator, job, path, bytes);
    } finally {
      this.free.push(evaluator);
    }
  }

  private async evaluateOn(evaluator: number, job: Job, path: string, bytes: number): Promise<void> {
    const { evaluationMs, coldMs, burn } = this.settings;
    job.startedAtMs = Date.now();
    const [cpuMs] = await Promise.all([
      burn?.(evaluator),
      sleep(evaluationMs + (this.warm.has(evaluator) ? 0 : coldMs), undefined, { signal: this.stopping.signal }),
    ]);
    // Throws if the practice server has stopped, because the log is closed then.
    this.stopping.signal.throwIfAborted();
    job.endedAtMs = Date.now();
    this.warm.add(evaluator);
    const at = new Date(job.startedAtMs).toISOString();
    const ms = job.endedAtMs - job.startedAtMs;
    this.log.write(
      `${JSON.stringify({ at, server: `evaluator-${evaluator}`, method: 'EVALUATE', path, status: 200, bytes, ms, complete: true, cpuMs })}\n`,
    );
  }
}

const settingsSchema = z.object({ cpuMs: z.number() });

/** The process title. Monitors find the process by the first 15 characters. */
const NAME = 'cms-evaluator';

/** Starts an evaluator. The evaluator's command `burn` uses the processor time of one evaluation and returns it. */
export function startEvaluator(input: unknown): Promise<Part> {
  const { cpuMs } = settingsSchema.parse(input);
  process.title = NAME;
  return Promise.resolve({ facts: {}, commands: { burn: () => ({ cpuMs: burnCpu(cpuMs) }) }, close: () => Promise.resolve() });
}
