import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';

/** Returns responses by cache status, which appears in place of a server name: HIT, MISS. */
export function countResponsesBy(results: readonly RunResult[], name: string): number {
  return results.reduce((sum, { servers }) => sum + (servers.find((server) => server.name === name)?.responded ?? 0), 0);
}

/** The same from the log. */
export function countWithCache(lines: readonly LoggedRequest[], cache: string): number {
  return lines.filter((line) => line.cache === cache).length;
}
