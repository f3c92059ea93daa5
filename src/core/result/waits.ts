import { capitalize } from '#core/base/text.ts';
import { z } from 'zod';
import { listRecordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { countOverdue, type Progress, measureWork } from '#core/statistics/backlog.ts';
import { latencySummarySchema, summarize } from '#core/statistics/latency.ts';
import { addInto, type Histogram, createTotalHistogram } from '#core/statistics/histogram.ts';
import type { Window } from '#core/measurement/window.ts';
import { formatPart, formatCount, formatNumber, formatRate } from '#core/base/units.ts';

/** Results for which a step polled, over the whole run, warm-up included. */
export const waitResultSchema = z.strictObject({
  step: z.string(),
  /** Number of awaited results. `came`: number of those that arrived. */
  begun: z.int(),
  came: z.int(),
  /** Times from the first request to the response with the result. */
  times: latencySummarySchema,
  /** Results per second while some were pending; null if too few arrived. */
  perSecond: z.number().nullable(),
  /** Whether results arrived at the rate of new work. If they did, the capacity may exceed `perSecond`. */
  keptUp: z.boolean().default(false),
  /** Maximum number of pending results at the end of a second. */
  most: z.int(),
  mostAtSecond: z.number().nullable(),
  /** Second at which the last result arrived, if none was left; otherwise null. */
  clearedAtSecond: z.number().nullable(),
  /** Number of results that were missing at the end and had been pending for longer than usual; null in older results. */
  overdue: z.int().nullable().default(null),
});
export type WaitResult = z.output<typeof waitResultSchema>;

/** Tracks awaited results. Windows must be in order of time. */
export class WaitTally {
  private readonly steps = new Map<number, { readonly times: Histogram; readonly progress: Progress[] }>();

  /** Adds a window; returns the number of pending results at its end. */
  add({ cells, second, width }: Window): number {
    for (const step of new Set(
      cells.filter(({ waitsBegun, times }) => waitsBegun > 0 || times.waited !== undefined).map(({ step }) => step),
    ))
      if (!this.steps.has(step)) this.steps.set(step, { times: createTotalHistogram(), progress: [] });
    let waiting = 0;
    for (const [step, { times, progress }] of this.steps) {
      let { begun, came } = progress.at(-1) ?? { begun: 0, came: 0 };
      for (const cell of cells) {
        if (cell.step !== step) continue;
        begun += cell.waitsBegun;
        came += cell.times.waited?.totalCount ?? 0;
        if (cell.times.waited !== undefined) addInto(times, cell.times.waited);
      }
      progress.push({ second: second + width, begun, came });
      waiting += begun - came;
    }
    return waiting;
  }

  results(plan: Plan): WaitResult[] {
    const names = listRecordedRequests(plan);
    return [...this.steps.entries()].map(([step, { times, progress }]) => {
      const last = progress.at(-1);
      const { p95, ...others } = summarize(times);
      return {
        step: names[step]?.name ?? '',
        begun: last?.begun ?? 0,
        came: last?.came ?? 0,
        times: { ...others, p95 },
        ...measureWork(progress),
        overdue: countOverdue(progress, typeof p95 === 'number' ? p95 / 1_000 : Infinity),
      };
    });
  }
}

/** Describes how many results arrived, and how fast while there was work. */
export function waitWords({ step, begun, came, perSecond, keptUp, clearedAtSecond }: WaitResult): string {
  const rate =
    perSecond === null
      ? ''
      : keptUp
        ? `, ${formatRate(perSecond)}, as fast as they were requested`
        : `, ${formatRate(perSecond)} while there was work`;
  if (came < begun)
    return `${capitalize(formatPart(begun - came, begun))} results of “${step}” were still missing when the test ended${rate}.`;
  return `All ${formatCount(begun)} results of “${step}” came${clearedAtSecond === null ? '' : ` by second ${formatNumber(clearedAtSecond)}`}${rate}.`;
}
