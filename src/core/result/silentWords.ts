import type { ServerResult } from './servers.ts';

type Silent = Pick<ServerResult, 'silent'>;

/**
 * Returns whether requests were lost while a server was silent: it was away. Otherwise all requests got a response in the end, so the server had stood
 * still.
 */
export function wasAway({ silent }: Silent): boolean {
  return silent.some(({ lost }) => lost > 0);
}

/** Wording for a silent server in findings and tables. */
export function silentWords(server: Silent): 'was away' | 'stood still' {
  return wasAway(server) ? 'was away' : 'stood still';
}
