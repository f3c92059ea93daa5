import type { Capacity } from '#core/judgement/capacity/capacity.ts';
import { computeHeadroom } from '#core/judgement/capacity/demand.ts';
import {
  compareCounts,
  COUNTED_LEVEL_UNITS,
  type LevelCount,
  type LevelSet,
  type LoadLevel,
  MIN_DOUBTFUL_SHARE,
  MIN_SHOWN_LEVELS,
} from '#core/judgement/capacity/levels.ts';
import { fitScaling } from '#core/judgement/capacity/scaling.ts';
import type { Demand } from '#core/plan/schema/demand.ts';
import type { SeriesResult, SeriesRow } from './result.ts';

/** Computes the capacity from the complete runs of a series. A cell failed if any of its runs failed a criterion. */
export function capacityOfSeries(
  series: Pick<SeriesResult, 'rows' | 'document'>,
  demand: Demand | undefined = series.document.plan.demand,
): Capacity {
  const loads = series.rows.flatMap(({ cell, okPerSecond, throughput, runs }) =>
    okPerSecond === null
      ? []
      : [
          {
            name: cell,
            perSecond: okPerSecond.median,
            startedPerSecond: throughput?.median ?? okPerSecond.median,
            hasFailed: runs.some(({ figures }) => figures?.outcome === 'failed'),
          },
        ],
  );
  return {
    sets: levelsOfSeries(series).map((set) => ({ set, scaling: fitScaling(set) })),
    cycles: [],
    best: null,
    headroom: computeHeadroom(demand, loads),
  };
}

/** Returns the levels of a series: one set for each variant and each value of the other fields. Only complete runs count. */
function levelsOfSeries({ rows }: Pick<SeriesResult, 'rows'>): LevelSet[] {
  return COUNTED_LEVEL_UNITS.flatMap((unit) => {
    const alike = Map.groupBy(
      rows.filter(({ level, values }) => level[unit] !== undefined && values > 0),
      ({ variant, level }) => JSON.stringify([variant, { ...level, [unit]: 0 }]),
    );
    return [...alike.values()].flatMap((group): LevelSet[] => {
      const hasPages = group.every(({ pagesPerSecond }) => pagesPerSecond !== null);
      const levels = group.flatMap((row) => levelOfRow(row, row.level[unit] ?? 0, hasPages)).toSorted(compareCounts);
      if (levels.length < MIN_SHOWN_LEVELS) return [];
      return [{ name: nameOf(group, unit, alike.size), unit, counted: hasPages ? 'pages' : 'responses', levels }];
    });
  });
}

function levelOfRow({ cell, runs }: SeriesRow, at: number, hasPages: boolean): LoadLevel[] {
  const whole = runs.flatMap(({ state, figures }) => (state === 'value' && figures !== null ? [figures] : []));
  const perSecond = whole.flatMap(({ okPerSecond, pagesPerSecond }) => (hasPages ? pagesPerSecond : okPerSecond) ?? []);
  if (perSecond.length === 0) return [];
  const sent = whole.reduce((sum, figures) => sum + figures.sent, 0);
  const ok = whole.reduce((sum, figures) => sum + figures.ok, 0);
  const seconds = whole.reduce((sum, figures) => sum + (figures.okPerSecond ? figures.ok / figures.okPerSecond : 0), 0);
  const overloaded = whole.reduce((sum, { overloadedSeconds }) => sum + overloadedSeconds, 0);
  return [
    {
      name: cell,
      at,
      perSecond,
      failedShare: sent === 0 ? 0 : (sent - ok) / sent,
      isDoubted: seconds > 0 && overloaded > MIN_DOUBTFUL_SHARE * seconds,
    },
  ];
}

/** Names a set by its variant and by its value of a second varied field. */
function nameOf([row]: readonly SeriesRow[], unit: LevelCount, sets: number): string {
  if (row === undefined || sets < 2) return '';
  const { [unit]: _own, ...others } = row.level;
  return [...(row.variant === null ? [] : [row.variant]), ...Object.entries(others).map(([field, value]) => `${value} ${field}`)].join(
    ', ',
  );
}
