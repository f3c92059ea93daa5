import { requestsPerJourney } from '#core/work/journey/flow/takings.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import { listensToStreams } from '#core/judgement/verdict/streams.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatMs, formatNumber, formatShare } from '#core/base/units.ts';
import { plannedRateAtSecond } from '#core/presentation/charts/limits.ts';
import { laterWords } from '../words/laterWords.ts';

/** Criteria of the plan for each of the four figures as text; empty where the plan has none. */
export interface CriterionTexts {
  readonly responses: string;
  readonly within: string;
  readonly failures: string;
  readonly waiting: string;
  /** Criteria as values for the sparklines; null where there is none. */
  readonly minPerSecond: number | null;
  readonly withinMs: number | null;
  /** Maximum share of failed requests that does not raise an alarm. */
  readonly tolerableShare: number;
}

/** Maximum share of failures without an alarm if the plan has no criterion for failures. */
const USUAL_SHARE = 0.01;

const texts = laterWords.live.tiles;

/** Returns the criteria of the plan as texts and values. `second` is the elapsed time of the run. */
export function criterionTexts(plan: Plan | undefined, stage: number | null, second: number): CriterionTexts {
  const nothing: CriterionTexts = {
    responses: '',
    within: '',
    failures: '',
    waiting: '',
    minPerSecond: null,
    withinMs: null,
    tolerableShare: USUAL_SHARE,
  };
  if (!plan) return nothing;
  const criteria = listCriteria(plan);
  const throughput = criteria.find((one) => one.kind === 'throughput');
  const isOfEvents = listensToStreams(plan);
  const time = criteria.filter((one) => one.kind === 'responseTime').find(({ of }) => of !== 'visits' && (of === 'events') === isOfEvents);
  const errors = criteria.filter((one) => one.kind === 'errors').find(({ of }) => of !== 'events' && of !== 'streams' && of !== 'visits');
  const wantedCriterionTexts: CriterionTexts = {
    ...nothing,
    ...(throughput && {
      responses: texts.wanted(texts.atLeast(`${formatNumber(throughput.minPerSecond)}/s`)),
      minPerSecond: throughput.minPerSecond,
    }),
    ...(time && {
      within: texts.wanted(`${time.percentile === 95 ? '' : `p${time.percentile} `}${texts.within1(formatMs(time.maxMs))}`),
      withinMs: time.maxMs,
    }),
    ...(errors && { failures: texts.wanted(texts.atMost(formatShare(errors.maxShare))), tolerableShare: errors.maxShare }),
  };
  const rate = stage === null ? null : plannedRateAtSecond(plan, second);
  const perJourney = stage === null ? null : requestsPerJourney(plan, stage).mean;
  const planned = rate === null || perJourney === null ? '' : texts.planned(`${formatNumber(rate * perJourney)}/s`);
  return {
    ...wantedCriterionTexts,
    responses: [planned, wantedCriterionTexts.responses].filter(Boolean).join(' · '),
    waiting: maxInFlightText(plan, stage),
  };
}

/** Returns the maximum number of requests in flight as text. */
function maxInFlightText({ load }: Plan, stage: number | null): string {
  if (load.model === 'arrivals') return texts.ofConnections(formatCount(load.maxInFlight));
  const found = stage === null ? undefined : load.stages[stage];
  if (found === undefined) return '';
  return 'users' in found ? texts.ofUsers(formatCount(found.users)) : texts.ofConnections(formatCount(found.connections));
}
