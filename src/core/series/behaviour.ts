import type { SeriesRow } from './result.ts';

/** How the server of a cell behaved: as the first whole run of it tells. */
export function behaviourOfRow({ runs }: SeriesRow): readonly string[] {
  return runs.find(({ state, figures }) => state === 'value' && figures !== null)?.figures?.behaviour ?? [];
}
