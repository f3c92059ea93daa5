import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';

/** Returns the number of responses by cache status, HIT or MISS. The status appears in place of a server's name. */
export function countResponsesBy(results: readonly RunResult[], name: string): number {
  return results.reduce((sum, { servers }) => sum + (servers.find((server) => server.name === name)?.responded ?? 0), 0);
}

/** Returns the number of responses with this cache status, according to the log. */
export function countWithCache(lines: readonly LoggedRequest[], cache: string): number {
  return lines.filter((line) => line.cache === cache).length;
}
