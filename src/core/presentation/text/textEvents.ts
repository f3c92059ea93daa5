import { formatCount, formatNumber } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';

const MOST_EVENTS = 12;

/** What happened beside the load, for a terminal: monitors that were lost and came back, changes of a machine, notes of the person. */
export function textEvents({ events }: Pick<RunResult, 'events'>): string[] {
  if (events.length === 0) return [];
  const rest = events.length - MOST_EVENTS;
  return [
    'What happened meanwhile',
    ...events.slice(0, MOST_EVENTS).map(({ second, text }) => `  second ${formatNumber(Math.floor(second))}: ${text}`),
    ...(rest > 0 ? [`  and ${formatCount(rest)} more`] : []),
  ];
}
