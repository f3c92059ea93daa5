import { availableParallelism, hostname } from 'node:os';
import { problemOf } from '#core/base/errors.ts';
import { findK6 } from '#engine/k6/findK6.ts';
import type { CallHandlers } from '#contract/rpc/server.ts';

export interface AppFacts {
  readonly version: string;
  readonly dataDirectory: string;
  readonly logFile: string;
  /** What a person should put right about where the data lie; null: nothing. */
  readonly notice: string | null;
}

export function createAppCalls(facts: AppFacts): Pick<CallHandlers, 'app.info' | 'app.k6'> {
  return {
    'app.k6': async () => {
      try {
        return { version: (await findK6()).version, problem: null };
      } catch (thrown) {
        return { version: null, problem: problemOf(thrown) };
      }
    },
    'app.info': () => ({
      ...facts,
      nodeVersion: process.version,
      platform: process.platform,
      hostname: hostname(),
      cores: availableParallelism(),
    }),
  };
}
