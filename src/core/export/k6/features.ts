import { listRecordedRequests } from '#core/plan/requests.ts';
import { cookiesOf, namesOfStep } from '#core/work/journey/walked.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { K6Load } from './scenarios.ts';

/** Features of a script beyond sending requests. */
export interface Features {
  readonly load: K6Load;
  /** Whether the stage changes within a scenario. */
  readonly reportsStages: boolean;
  /** Whether a scenario ends by time while users could still continue. */
  readonly hasEnd: boolean;
  /** Whether pauses are only between steps, because an arrival ends with its last step. */
  readonly pausesBetween: boolean;
  readonly hasBackground: boolean;
  readonly hasPages: boolean;
  readonly hasSideCalls: boolean;
  readonly keeps: 'journey' | 'user' | 'ignore';
  /** Whether journeys use the number of their user. */
  readonly needsUser: boolean;
  /** Whether a journey has initial values. */
  readonly hasMemory: boolean;
  /** Apdex thresholds for requests, in milliseconds. */
  readonly apdexMs: readonly number[];
  /** Apdex thresholds for pages, in milliseconds. */
  readonly pageApdexMs: readonly number[];
  readonly countsGood: boolean;
  readonly hasOnce: boolean;
}

export function writeFeatures(plan: Plan, load: K6Load): Features {
  const { journey } = plan;
  const isArrivals = plan.load.model === 'arrivals';
  const criteria = listCriteria(plan);
  const feeds = Object.values(plan.feeds ?? {});
  const variables = Object.values(plan.variables ?? {});
  const names = new Set(journey.flatMap(namesOfStep));
  const apdex = criteria.flatMap((criterion) => (criterion.kind === 'apdex' ? [criterion] : []));
  const several = listRecordedRequests(plan).length > 1 || journey.some(({ poll }) => poll !== undefined) || plan.flow !== undefined;
  const captures = journey.some((step) => (step.captures ?? []).length > 0);
  return {
    load,
    reportsStages: (load.stageEnds.length > 0 && (!isArrivals || several)) || load.scenarios.some(({ journeys }) => journeys.length > 0),
    hasEnd: load.scenarios.some(({ ends }) => ends !== null),
    pausesBetween: isArrivals,
    hasBackground: !isArrivals && journey.some(({ background }) => background !== undefined),
    hasPages: journey.some(({ resources }) => resources !== undefined),
    hasSideCalls: journey.some(({ measured, explains }) => measured === false && explains === undefined),
    keeps: cookiesOf(plan) === 'user' && isArrivals ? 'journey' : cookiesOf(plan),
    needsUser: plan.targets.length > 1 || feeds.some(({ order }) => order !== 'random') || variables.some(({ kind }) => kind === 'number'),
    hasMemory: captures || plan.flow !== undefined || feeds.length > 0 || variables.some(({ kind }) => kind !== 'secret') || names.size > 0,
    apdexMs: [...new Set(apdex.flatMap(({ of, thresholdMs }) => (of === undefined ? [thresholdMs] : [])))],
    pageApdexMs: [...new Set(apdex.flatMap(({ of, thresholdMs }) => (of === 'pages' ? [thresholdMs] : [])))],
    countsGood: criteria.some(({ kind }) => kind === 'throughput'),
    hasOnce: journey.some(({ once }) => once === true) && cookiesOf(plan) === 'user' && !isArrivals,
  };
}
