import { formatMs } from '#core/base/units.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { JudgedVisit, VisitsResult } from '#core/result/visits.ts';
import { hasCourse } from './chartFrame.ts';
import { SERIES, variantLook } from './looks.ts';
import { chartNames } from './names.ts';
import { runChart } from './runSeries.ts';
import type { ChartData, ChartSeries, Limit, RunChart } from './types.ts';

/**
 * Returns the largest contentful paint of each visit during the load: a line per page, and dots for visits that the browser's computer
 * slowed down.
 */
export function visitsData({ pages, visits }: Pick<VisitsResult, 'pages' | 'visits'>): ChartData {
  const shown = visits.filter(({ when, second, largestPaintMs }) => when !== 'after' && second >= 0 && largestPaintMs !== null);
  const listValues = (isShown: (visit: JudgedVisit) => boolean): (number | null)[] =>
    shown.map((visit) => (isShown(visit) ? visit.largestPaintMs : null));
  const lines = pages.map(({ name }, page): ChartSeries => {
    const values = listValues((visit) => visit.page === page && visit.slowedBy === null);
    return { id: `page${page}`, name, label: name, look: variantLook(page), shape: 'line', values };
  });
  const slowed = listValues(({ slowedBy }) => slowedBy !== null);
  const { slowedVisits: name, slowedVisitsLabel: label } = chartNames;
  return {
    spans: shown.map(({ second, tookMs }, index) => ({
      second,
      width: Math.max(0.01, Math.min(tookMs / 1_000, (shown[index + 1]?.second ?? Number.POSITIVE_INFINITY) - second)),
    })),
    series: [
      ...lines.filter(({ values }) => values.some((value) => value !== null)),
      ...(slowed.some((value) => value !== null)
        ? [{ id: 'slowed', name, label, look: SERIES.planned, shape: 'dots' as const, isLarge: true, values: slowed }]
        : []),
    ],
  };
}

/** Returns the limits of visits, each value once. */
export function visitLimits(plan: Plan): Limit[] {
  const values = listCriteria(plan).flatMap((one) => (one.kind === 'responseTime' && one.of === 'visits' ? [one.maxMs] : []));
  return [...new Set(values)].map((value) => ({ value, label: chartNames.limit(formatMs(value)) }));
}

/** Returns the chart of the largest contentful paint of each visit, on the time axis of the load; null unless there are several visits. */
export function visitChart({ plan, visits }: Pick<RunResult, 'plan' | 'visits'>): RunChart | null {
  const data = visits === null ? null : visitsData(visits);
  if (data === null || data.series.length === 0 || !hasCourse(data.spans)) return null;
  return runChart(chartNames.titles.visits, 'ms', data, { about: chartNames.visits, limits: visitLimits(plan) });
}
