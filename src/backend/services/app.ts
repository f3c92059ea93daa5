import { availableParallelism, hostname } from 'node:os';
import type { CallHandlers } from '#contract/rpc/server.ts';

export interface AppFacts {
  readonly version: string;
  readonly dataDirectory: string;
  readonly logFile: string;
}

export function createAppCalls(facts: AppFacts): Pick<CallHandlers, 'app.info'> {
  return {
    'app.info': () => ({
      ...facts,
      nodeVersion: process.version,
      platform: process.platform,
      hostname: hostname(),
      cores: availableParallelism(),
    }),
  };
}
