import type { PlanInput } from '#core/plan/schema/plan.ts';

/** Load model: arrivals at a fixed rate, or connections that wait for responses. */
export type QuickModel = 'arrivals' | 'connections';

/** First level by default, for each load model. */
export const FIRST_LEVEL: Readonly<Record<QuickModel, number>> = { arrivals: 10, connections: 1 };

const SECONDS = 10;
const PERCENTILE = 95;
const MAX_FAILED_SHARE = 0.01;
const MAX_NAME_LENGTH = 120;

interface BreakingPointEntries {
  readonly url: string;
  readonly model: QuickModel;
  /** Maximum p95 response time in ms. */
  readonly maxMs: number;
  readonly from: number;
}

/**
 * Returns the plan of one page for a breaking point search. While values are being entered, the plan may be invalid, for example with half
 * a connection.
 */
export function breakingPointPlan({ url, model, maxMs, from }: BreakingPointEntries): PlanInput {
  return {
    holdfast: 1,
    name: `Breaking point of ${new URL(url).host}`.slice(0, MAX_NAME_LENGTH),
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load:
      model === 'arrivals'
        ? { model, stages: [{ kind: 'constant', perSecond: from, seconds: SECONDS }] }
        : { model, stages: [{ connections: from, seconds: SECONDS }] },
    criteria: [
      { kind: 'responseTime', percentile: PERCENTILE, maxMs },
      { kind: 'errors', maxShare: MAX_FAILED_SHARE },
    ],
  };
}
