import { drawFor, type Draw } from '../journey/generate.ts';
import type { FeedRows } from '#core/plan/schema/feeds.ts';

/**
 * Which row a journey takes: from numbers alone, so that it does not depend on the thread. `users`: how many users walk at the same time; their
 * journeys take turns in the rows. null when the rows are used up.
 */
export function rowFor(
  name: string,
  { order, rows }: Pick<FeedRows, 'order' | 'rows'>,
  draw: Omit<Draw, 'request'>,
  users: number,
): number | null {
  switch (order) {
    case 'unique':
      return draw.user < rows.length ? draw.user : null;
    case 'sequential':
      return rows.length === 0 ? null : (draw.user + draw.journey * users) % rows.length;
    case 'random':
      return rows.length === 0
        ? null
        : Math.floor(drawFor(`feed ${name}`, { ...draw, journey: draw.journey + 1, request: 0 }, 0) * rows.length);
    default:
      return order satisfies never;
  }
}
