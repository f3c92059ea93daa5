import { describe, expect, it } from 'vitest';
import { httpServer } from '#workers/testing/servers.ts';
import { buildRunResult } from './testing/resultOf.ts';
import { buildJob, runLoad } from './testing/runLoad.ts';

describe('the throughput of users', () => {
  it('is N / (R + Z), even if a stage begins or ends within a second', async () => {
    const slow = await httpServer((_, response) => setTimeout(() => response.end('hello'), 250));
    try {
      const stages = [
        { users: 6, startUpSeconds: 0.3, seconds: 1.25 },
        { users: 12, startUpSeconds: 0.4, seconds: 1.5 },
      ];
      const job = buildJob([slow.url], { threads: 2, load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0.05 }, stages } });
      const result = buildRunResult(job, await runLoad(job));
      for (const [index, { users, seconds }] of stages.entries()) {
        const { rates, startedAtSecond, endedAtSecond } = result.stages[index] ?? {};
        expect((endedAtSecond ?? 0) - (startedAtSecond ?? 0)).toBeGreaterThanOrEqual(seconds - 0.005);
        const expected = users / 0.3;
        expect((rates?.completedPerSecond ?? 0) / expected).toBeGreaterThan(0.8);
        expect((rates?.completedPerSecond ?? 0) / expected).toBeLessThan(1.1);
      }
    } finally {
      await slow.close();
    }
  });
});
