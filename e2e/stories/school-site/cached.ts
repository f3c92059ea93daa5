import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';

/** Returns the number of responses by the status of the cache, HIT or MISS, which appears in place of a server name. */
export function countResponsesBy(results: readonly RunResult[], name: string): number {
  return results.reduce((sum, { servers }) => sum + (servers.find((server) => server.name === name)?.responded ?? 0), 0);
}

/** Returns the same number from the log. */
export function countWithCache(lines: readonly LoggedRequest[], cache: string): number {
  return lines.filter((line) => line.cache === cache).length;
}
