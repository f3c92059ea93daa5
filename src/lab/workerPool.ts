/**
 * Calculates until this process has used this many ms of processor time. Returns the time that was actually used. The time of other
 * processes does not count.
 */
export function burnCpu(ms: number): number {
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    const used = (user + system) / 1_000;
    if (used >= ms) return used;
    for (let value = 0; value < 20_000; value += 1) Math.sqrt(value);
  }
}

/** Thrown when all workers are busy and the queue is full. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
}

/**
 * A fixed number of workers that take jobs in order, like a server with blocking workers. If `queueLength` jobs are waiting, further jobs
 * are refused.
 */
export class WorkerPool {
  private readonly workers: number;
  private readonly queueLength: number;
  private readonly waiting: (() => void)[] = [];
  private busyWorkers = 0;

  constructor(workers: number, queueLength = Infinity) {
    this.workers = workers;
    this.queueLength = queueLength;
  }

  get busy(): number {
    return this.busyWorkers;
  }

  get queued(): number {
    return this.waiting.length;
  }

  /** Runs the job when a worker is free. Throws `QueueFull` at once if the queue is full. */
  async run<Result>(job: () => Promise<Result>): Promise<Result> {
    if (this.busyWorkers >= this.workers) {
      if (this.waiting.length >= this.queueLength) throw new QueueFull('Every worker is busy and the queue is full.');
      // A finished job passes its worker directly on to the next waiting job.
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    } else this.busyWorkers += 1;
    try {
      return await job();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.busyWorkers -= 1;
    }
  }
}
