import { buildResult } from '#core/judgement/buildResult.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LoadJob } from '../engine.ts';
import type { LoadResult } from './runLoad.ts';

/** Returns the result that the page of the run would show. */
export function buildRunResult(job: LoadJob, { end, windows, events }: LoadResult): RunResult {
  return buildResult({
    head: {
      id: 'r1',
      name: 'test',
      note: '',
      preset: null,
      startedAt: '2026-01-01T00:00:00Z',
      endedAt: '2026-01-01T00:01:00Z',
      state: end.reason === 'failed' ? 'failed' : 'finished',
      endedBecause: null,
      holdfastVersion: '0.1.0',
    },
    plan: job.plan,
    windows,
    end,
    generators: [],
    events: [...events],
  });
}
