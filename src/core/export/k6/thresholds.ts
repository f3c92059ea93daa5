import { isTaken } from '#core/work/journey/flow/executions.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { secondsOf, countUncountedSeconds } from '#core/work/load/stages.ts';
import { describeCriterion, listCriteria } from '#core/plan/criteria.ts';
import { listCountedStages, stageName } from '#core/plan/names.ts';
import type { Criterion, Plan } from '#core/plan/schema/plan.ts';
import { CommentedMember, type JavaScriptValue, type JavaScriptObject } from './javaScript.ts';
import type { K6Draft } from './draft.ts';
import { duration } from './rates.ts';
import { nameOfMs } from './planHelpers.ts';

interface Threshold {
  readonly metric: string;
  readonly limit: string;
  readonly comment: string;
}

/** Returns the criteria, time budgets and safety limits of a plan as k6 thresholds. */
export function writeThresholds(draft: K6Draft): JavaScriptObject {
  const { plan } = draft;
  const found = new Map<string, { comments: string[]; limits: JavaScriptValue[] }>();
  const add = (metric: string, limit: JavaScriptValue, comment: string): void => {
    const known = found.get(metric) ?? { comments: [], limits: [] };
    known.comments.push(comment);
    known.limits.push(limit);
    found.set(metric, known);
  };
  for (const criterion of listCriteria(plan))
    for (const { metric, limit, comment } of buildThresholds(draft, criterion)) add(metric, limit, comment);
  const { stopAtErrorShare, errorWindowSeconds, stopAtResponseTime: early, maxRequests } = plan.safety;
  if (stopAtErrorShare !== undefined) {
    add(
      'failed_requests',
      { threshold: `rate<=${stopAtErrorShare}`, abortOnFail: true, delayAbortEval: duration(errorWindowSeconds) },
      'stops the load if more requests fail',
    );
    draft.note('The load stops by the error rate since its start, not of the last seconds.');
  }
  if (early !== undefined) {
    add(
      'http_req_duration',
      { threshold: `p(${early.percentile})<=${early.maxMs}`, abortOnFail: true, delayAbortEval: duration(early.seconds) },
      'stops the load if responses take longer',
    );
    draft.note('The load stops by the response times since its start, not of the last seconds.');
  }
  if (maxRequests !== undefined)
    add('http_reqs', { threshold: `count<${maxRequests}`, abortOnFail: true }, 'stops the load after this number of requests');
  return Object.fromEntries([...found].map(([metric, { comments, limits }]) => [metric, new CommentedMember(comments.join('; '), limits)]));
}

function buildThresholds(draft: K6Draft, criterion: Criterion): Threshold[] {
  const { plan } = draft;
  const stages = listCountedStages(plan).filter((stage) => criterion.stage === undefined || criterion.stage === stageName(plan, stage));
  const comment = describeCriterion(criterion);
  if (criterion.kind === 'throughput')
    return stages.flatMap((stage) => {
      const seconds = findCountedSeconds(plan, stage);
      if (seconds === null) {
        draft.note(`“${comment}” is not judged: k6 has no rate for a stage, and the duration of this stage is unknown.`);
        return [];
      }
      const minCount = Math.ceil(criterion.minPerSecond * seconds);
      const step = plan.journey.findIndex(({ name }) => name === criterion.step);
      return [
        {
          metric: `successful_responses${selector(criterion.step === undefined ? null : step, stage)}`,
          limit: `count>=${minCount}`,
          comment: `${comment}, for ${seconds} s`,
        },
      ];
    });
  if (criterion.of === 'visits') {
    draft.note(`“${comment}” is not judged: no browser visits beside the script.`);
    return [];
  }
  if (criterion.of === 'pages') {
    const step = plan.journey.findIndex(({ name }) => name === criterion.step);
    return stages.map((stage) => ({ ...pageThreshold(criterion, selector(criterion.step === undefined ? null : step, stage)), comment }));
  }
  const requests = listRecordedRequests(plan).flatMap(({ step, isMeasured, name }, requestIndex) => {
    const isAbout = criterion.step === undefined || criterion.step === plan.journey[step]?.name;
    return isMeasured && isAbout ? [{ step, requestIndex, name }] : [];
  });
  return stages.flatMap((stage) =>
    requests
      .filter(({ step }) => isTaken(plan, step, stage))
      .map(({ requestIndex, name }) => ({
        ...requestThreshold(criterion, selector(requestIndex, stage)),
        comment: describeCriterion({
          ...criterion,
          step: name,
          ...(listCountedStages(plan).length > 1 ? { stage: stageName(plan, stage) } : {}),
        }),
      })),
  );
}

function selector(requestIndex: number | null, stage: number): string {
  return `{${requestIndex === null ? '' : `holdfast_step:${requestIndex},`}holdfast_stage:${stage}}`;
}

type RequestCriterion = Exclude<Criterion, { kind: 'throughput' }>;

function requestThreshold(criterion: RequestCriterion, tags: string): { metric: string; limit: string } {
  switch (criterion.kind) {
    case 'responseTime':
      return { metric: `http_req_duration${tags}`, limit: `p(${criterion.percentile})<=${criterion.maxMs}` };
    case 'errors':
      return { metric: `failed_requests${tags}`, limit: `rate<=${criterion.maxShare}` };
    case 'apdex':
      return { metric: `apdex_${nameOfMs(criterion.thresholdMs)}${tags}`, limit: `avg>=${criterion.min}` };
    default:
      return criterion satisfies never;
  }
}

function pageThreshold(criterion: RequestCriterion, tags: string): { metric: string; limit: string } {
  switch (criterion.kind) {
    case 'responseTime':
      return { metric: `page_duration${tags}`, limit: `p(${criterion.percentile})<=${criterion.maxMs}` };
    case 'errors':
      return { metric: `incomplete_pages${tags}`, limit: `rate<=${criterion.maxShare}` };
    case 'apdex':
      return { metric: `page_apdex_${nameOfMs(criterion.thresholdMs)}${tags}`, limit: `avg>=${criterion.min}` };
    default:
      return criterion satisfies never;
  }
}

function findCountedSeconds(plan: Plan, index: number): number | null {
  const stage = plan.load.stages[index];
  const seconds = stage === undefined ? null : secondsOf(stage);
  return stage === undefined || seconds === null ? null : seconds - countUncountedSeconds(stage);
}
