import { unsteadyAmong, type LevelTimes } from '#core/statistics/unsteady.ts';
import { formatMs } from '#core/base/units.ts';
import type { SeriesRow } from './result.ts';

const AT_THE_SAME_TIME = ['users', 'connections'] as const;

/** A sentence for each variant of which a cell was slower than another with more users or connections and everything else alike. */
export function steadinessNotes(rows: readonly SeriesRow[]): string[] {
  return AT_THE_SAME_TIME.flatMap((field) => {
    const alike = Map.groupBy(
      rows.filter(({ level }) => level[field] !== undefined),
      ({ variant, level }) => JSON.stringify([variant, { ...level, [field]: 0 }]),
    );
    return [...alike.values()].flatMap((group) => noteOf(group, field));
  });
}

function noteOf(rows: readonly SeriesRow[], field: (typeof AT_THE_SAME_TIME)[number]): string[] {
  const found = unsteadyAmong(rows.flatMap((row) => timesOf(row, row.level[field] ?? 0)));
  if (found === null) return [];
  const { lighter, heavier } = found;
  return [
    `Not steady: at “${lighter.name}” 1 in 20 answers took ${formatMs(lighter.leastP95)} or more, and at “${heavier.name}”, with more load, 99 of 100 took ${formatMs(heavier.mostP99)} at most. A cache was cold, or something else ran: warm it up and repeat the series before you believe either.`,
  ];
}

function timesOf({ cell, p95, p99, runs }: SeriesRow, level: number): LevelTimes[] {
  if (p95 === null || p99 === null) return [];
  const answers = runs.flatMap(({ state, figures }) => (state === 'value' && figures !== null ? [figures.ok] : []));
  return [{ name: cell, level, answers: Math.min(...answers), leastP95: p95.least, mostP99: p99.most }];
}
