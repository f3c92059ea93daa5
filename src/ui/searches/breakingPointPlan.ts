import type { PlanInput } from '#core/plan/schema/plan.ts';

/** Requests at a rate, whatever the server does, or connections that wait for responses. */
export type QuickModel = 'arrivals' | 'connections';

/** Where a search of this load begins unless somebody says otherwise. */
export const FIRST_LEVEL: Readonly<Record<QuickModel, number>> = { arrivals: 10, connections: 1 };

const SECONDS = 10;
const PERCENTILE = 95;
const MOST_FAILURES = 0.01;
const LONGEST_NAME = 120;

interface BreakingPointEntries {
  readonly url: string;
  readonly model: QuickModel;
  /** What 95 % of responses have to keep to. */
  readonly limitMs: number;
  /** The first level. */
  readonly from: number;
}

/** The plan of one page whose breaking point is looked for; may be none yet, as a third of a connection is none. */
export function breakingPointPlan({ url, model, limitMs, from }: BreakingPointEntries): PlanInput {
  return {
    holdfast: 1,
    name: `Breaking point of ${new URL(url).host}`.slice(0, LONGEST_NAME),
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load:
      model === 'arrivals'
        ? { model, stages: [{ kind: 'constant', perSecond: from, seconds: SECONDS }] }
        : { model, stages: [{ connections: from, seconds: SECONDS }] },
    objectives: [
      { kind: 'responseTime', percentile: PERCENTILE, limitMs },
      { kind: 'errors', maxShare: MOST_FAILURES },
    ],
  };
}
