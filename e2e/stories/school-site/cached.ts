import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';

/** Answers of runs by what the proxy did, which it names where several servers would be named: HIT, MISS. */
export function answeredBy(results: readonly RunResult[], name: string): number {
  return results.reduce((sum, { servers }) => sum + (servers.find((server) => server.name === name)?.answered ?? 0), 0);
}

/** The same in its log. */
export function withCache(lines: readonly LoggedRequest[], cache: string): number {
  return lines.filter((line) => line.cache === cache).length;
}
