import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QueueFull, WorkerPool } from './workerPool.ts';

describe('WorkerPool', () => {
  it('runs at most one job per worker, in order of arrival, and refuses jobs beyond its queue', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 0, max: 6 }),
        fc.integer({ min: 1, max: 20 }),
        async (workers, queue, jobs) => {
          const pool = new WorkerPool(workers, queue);
          const finish: (() => void)[] = [];
          const begun: number[] = [];
          const runs = Array.from({ length: jobs }, (_, job) =>
            pool
              .run(async () => {
                begun.push(job);
                await new Promise<void>((resolve) => finish.push(resolve));
                return job;
              })
              .catch((thrown: unknown) => thrown),
          );
          expect([pool.busy, pool.queued]).toEqual([Math.min(jobs, workers), Math.min(Math.max(0, jobs - workers), queue)]);
          const taken = Math.min(jobs, workers + queue);
          for (let done = 0; done < taken; done += 1) {
            while (finish.length === 0) await Promise.resolve();
            expect(pool.busy).toBeLessThanOrEqual(workers);
            finish.shift()?.();
          }
          const results = await Promise.all(runs);
          expect(begun).toEqual(Array.from({ length: taken }, (_, job) => job));
          expect(results.filter((result) => result instanceof QueueFull)).toHaveLength(jobs - taken);
          expect([pool.busy, pool.queued]).toEqual([0, 0]);
        },
      ),
    );
  });

  it('frees the worker of a failed job', async () => {
    const pool = new WorkerPool(1);
    await expect(pool.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await pool.run(() => Promise.resolve('yes'))).toBe('yes');
  });
});
