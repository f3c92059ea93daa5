import { createWriteStream, type WriteStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { WorkerPool } from '../workerPool.ts';

/** How far the evaluation of a solution is. */
export interface Job {
  startedAtMs: number | null;
  endedAtMs: number | null;
}

export interface EvaluationSettings {
  readonly evaluators: number;
  readonly evaluationMs: number;
  /** What the first job of each evaluator takes more, since it has to fetch the data of the contest. */
  readonly coldMs: number;
  readonly log: string;
  /** What an evaluator does besides taking its time, by its number from 1 on: resolves with the processor time that it took. */
  readonly burn?: (evaluator: number) => Promise<number>;
  /** Told why a solution could not be evaluated. */
  readonly onFailed: (why: string) => void;
}

/** Evaluators that take solutions in the order in which they were handed in. Each job is a line in the log. */
export class Evaluation {
  private readonly settings: EvaluationSettings;
  private readonly pool: WorkerPool;
  /** Evaluators without work, by number. */
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

  /** Takes a solution; the job tells at any time how far it is. `onDone`: told when it was evaluated. */
  submit(path: string, bytes: number, onDone: () => void = () => {}): Job {
    const job: Job = { startedAtMs: null, endedAtMs: null };
    this.pool
      .run(async () => {
        await this.evaluate(job, path, bytes);
        onDone();
      })
      .catch((thrown: unknown) => {
        // Evaluations are cut off when the practice server stops.
        if (!this.stopping.signal.aborted) this.settings.onFailed(thrown instanceof Error ? thrown.message : String(thrown));
      });
    return job;
  }

  /** Fetches the data of the contest for every evaluator ahead of time. */
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
    // The log is closed by then.
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
