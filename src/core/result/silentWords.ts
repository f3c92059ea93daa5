import type { ServerResult } from './servers.ts';

type Silent = Pick<ServerResult, 'silent'>;

/**
 * Whether requests were lost while a server answered nothing: it was away. What nobody refused or gave up was answered in the end, by a server that
 * had stood still.
 */
export function wasAway({ silent }: Silent): boolean {
  return silent.some(({ lost }) => lost > 0);
}

/** The one way to say that a server answered nothing for some time: in findings and in tables. */
export function silentWords(server: Silent): 'was away' | 'stood still' {
  return wasAway(server) ? 'was away' : 'stood still';
}
