import { answeredRequests, failedShareOf, wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { pointsBetween, ruleOf } from '#core/judgement/diagnosis/rule.ts';
import { refusedOf } from '#core/judgement/diagnosis/rules/refusals.ts';
import { overloadOf } from '#core/result/overload.ts';
import type { Finding, CriterionResult, RunResult } from '#core/result/schema.ts';
import { formatPart, formatCount, formatMs, formatNumber, formatSeconds, formatShare } from '#core/base/units.ts';
import { freezeIn } from '../freeze.ts';
import { growthOf, type Growth } from './growth.ts';
import { LEVEL_STAGE } from './levels.ts';
import type { LevelOutcome, LevelReading, LevelReason } from './reading.ts';

/** Largest share of failures without an error criterion. */
const MAX_FAILED_SHARE = 0.01;
/** Largest share of overloaded seconds with which a queue counts as the server's. */
const MAX_OVERLOADED_SHARE = 0.25;
/** Findings about failures that do not depend on the load. */
const WRONG_PLACE: ReadonlySet<string> = new Set(['missingRoute', 'redirectMeasured']);
const OWN_LIMIT: ReadonlySet<string> = new Set(['portsExhausted']);

function isOf(rules: ReadonlySet<string>): (finding: Finding) => boolean {
  return (finding) => rules.has(ruleOf(finding));
}

type Judged = Pick<LevelReading, 'outcome' | 'because' | 'text' | 'isSure'>;

/** Reads the result of a level. Pure: uses only the result. */
export function readLevel(result: RunResult, level: number): LevelReading {
  const stage = result.stages.find(({ name }) => name === LEVEL_STAGE);
  if (stage === undefined) throw new TypeError('The run of a level has its stage.');
  const { rates, latency, journeys } = stage;
  // A server that is frozen from the beginning receives all requests in the warm-up.
  const requests = stage.requests.sent > 0 ? stage.requests : result.outcomes.requests;
  const answered = answeredRequests(requests);
  const good = stage.latencyByStatusClass['2xx'] ?? latency.service;
  const growth = growthIn(result, stage);
  const judged = judge(result, stage, growth);
  return {
    kind: 'level',
    level,
    ...judged,
    sent: requests.sent,
    okPerSecond: rates.completedPerSecond === null || answered === 0 ? null : (rates.completedPerSecond * requests.ok) / answered,
    meanMs: requests.ok > 0 && typeof good.mean === 'number' ? good.mean : null,
    p50: latency.response.p50,
    p95: latency.response.p95,
    failed: wantedRequests(requests) - requests.ok + journeys.notStartedTarget,
    timeouts: timeoutsIn(result),
    growthMsPerSecond: growth?.msPerSecond ?? null,
    growthShare: growth?.share ?? null,
    seconds: Math.round((stage.endedAtSecond ?? 0) - (stage.startedAtSecond ?? 0)),
    wantedSeconds: judged.because === 'queue' || judged.because === 'fine' ? (growth?.wantedSeconds ?? null) : null,
    freeze: judged.outcome === 'failed' ? freezeIn(result) : null,
    ...refusedIn(stage),
    overloadedSeconds: overloadOf(result).seconds,
    isShared: result.generators.some(({ sharesMachineWithTarget }) => sharesMachineWithTarget),
  };
}

function refusedIn({ steps }: StageResult): Pick<LevelReading, 'refused'> {
  const all = steps.map((step) => ({ step: step.name, ...refusedOf(step, 0) }));
  if (all.every(({ refused }) => refused === 0)) return {};
  return { refused: all.map(({ step, refused, complete }) => ({ step, refused, complete })) };
}

/** Time-outs of the warm-up count, because a proxy skips servers after them. */
function timeoutsIn({ stages, outcomes: { requests } }: RunResult): number {
  return requests.timeout + requests.inFlight + stages.reduce((sum, { status }) => sum + (status['504'] ?? 0), 0);
}

type StageResult = RunResult['stages'][number];

function judge(result: RunResult, stage: StageResult, growth: Growth | null): Judged {
  const { requests, journeys } = stage;
  const failed = wantedRequests(requests) - requests.ok;
  const failedShare = failedShareOf(requests) ?? 0;
  const wrongPlace = result.findings.find(isOf(WRONG_PLACE));
  if (wrongPlace !== undefined && failedShare > MAX_FAILED_SHARE)
    return is('unclear', 'wrongPlace', `${wrongPlace.sentence} ${wrongPlace.remedy}`);
  const ownLimit = result.findings.find(isOf(OWN_LIMIT));
  if (ownLimit !== undefined || journeys.notStartedGenerator > 0)
    return is('unclear', 'generator', ownLimit?.sentence ?? 'This computer could not start all scheduled requests.');
  const waited = warmUpSeconds(result, stage);
  if (waited !== null && waited.took - waited.planned >= waited.level)
    return is('failed', 'owed', `Responses to the first requests took ${formatSeconds(waited.took)}, longer than a level lasts.`);
  const cut = result.run.endedBecause;
  if (cut?.code === 'safety' && wasTooMuch(stage, growth)) return is('failed', 'safety', cut.text);
  if (cut !== null) return is('unclear', 'cutOff', cut.text);
  const { sent } = result.outcomes.requests;
  if (requests.sent === 0 && sent > 0)
    return is('failed', 'owed', `None of the first ${formatCount(sent)} requests got a response before the level ended.`);
  if (requests.sent === 0) return is('unclear', 'nothing', 'No request was sent at this level.');
  if (requests.ok === 0) return is('failed', 'errors', `None of ${formatCount(requests.sent)} requests succeeded.`);
  const failedCriterion = result.criteria.find(({ outcome }) => outcome === 'failed');
  if (failedCriterion !== undefined) return is('failed', 'criterion', `${failedCriterion.text}: ${failedCriterion.reason}`);
  if (journeys.notStartedTarget > 0)
    return is(
      'failed',
      'owed',
      `${formatCount(journeys.notStartedTarget)} could not start: the maximum of outstanding responses was reached.`,
    );
  if (growth !== null && growth.isGrowing && growth.overloadedShare > MAX_OVERLOADED_SHARE)
    return is('unclear', 'generator', 'Response times kept growing, but this computer was overloaded too.');
  if (growth !== null && growth.isGrowing) return is('failed', 'queue', growsWords(growth));
  const byGenerator = result.criteria.find(({ unknownBecause }) => unknownBecause === 'generator' || unknownBecause === 'notOffered');
  if (byGenerator !== undefined) return is('unclear', 'generator', byGenerator.reason);
  const hasErrorLimit = result.criteria.some(({ criterion }) => criterion.kind === 'errors');
  if (!hasErrorLimit && failedShare > MAX_FAILED_SHARE)
    return is('failed', 'errors', `${formatShare(failedShare)} of requests failed (${formatPart(failed, wantedRequests(requests))}).`);
  const open = result.criteria.filter(({ outcome }) => outcome === 'unknown');
  const leaning = open.find(isOver);
  if (leaning !== undefined) return { ...is('failed', 'criterion', `${leaning.text}: ${leaning.reason}`), isSure: false };
  const [doubtful] = open;
  if (doubtful !== undefined) return { ...is('passed', 'fine', `Counted as passed: ${doubtful.reason}`), isSure: false };
  // As in the history, a criterion that was not judged leaves the run inconclusive.
  if (result.verdict.outcome === 'inconclusive')
    return { ...is('passed', 'fine', `Counted as passed: ${result.verdict.sentence.replace(/^Inconclusive: /, '')}`), isSure: false };
  return is(
    'passed',
    'fine',
    result.criteria.length === 0
      ? `The queue did not grow during the level, and ${failed === 0 ? 'no request failed' : `${formatShare(failedShare)} of requests failed`}. No pass criteria were set.`
      : 'All pass criteria passed, and no queue grew.',
  );
}

/**
 * Returns how long the warm-up of connections took, which ends with the last response, with its planned length and that of the level; null for other loads,
 * which do not wait.
 */
function warmUpSeconds(
  { plan: { load } }: RunResult,
  { startedAtSecond }: StageResult,
): { readonly took: number; readonly planned: number; readonly level: number } | null {
  if (load.model !== 'connections' || startedAtSecond === null) return null;
  const [warmUp, level] = load.stages;
  if (warmUp?.seconds === undefined || level?.seconds === undefined) return null;
  return { took: startedAtSecond, planned: warmUp.seconds, level: level.seconds };
}

/**
 * Returns whether a level that was cut off by a limit of the plan failed. Requests in flight at that time say nothing by themselves. A server without any
 * response, and a growing number in flight, do.
 */
function wasTooMuch({ requests: { sent, ok, inFlight } }: StageResult, growth: Growth | null): boolean {
  if (sent === 0) return false;
  return (
    ok === 0 ||
    (sent - ok - inFlight) / sent > MAX_FAILED_SHARE ||
    (growth !== null && growth.isGrowing && growth.overloadedShare <= MAX_OVERLOADED_SHARE)
  );
}

function is(outcome: LevelOutcome, because: LevelReason, text: string): Judged {
  return { outcome, because, text, isSure: true };
}

/** Returns whether the measured value violates the criterion, proven or not. */
function isOver({ measured, limit, criterion }: CriterionResult): boolean {
  if (measured === 'never') return true;
  if (measured === null) return false;
  return criterion.kind === 'apdex' || criterion.kind === 'throughput' ? measured < limit : measured > limit;
}

/** Only for arrivals; closed loads wait for responses. */
function growthIn(result: RunResult, { level, requests, journeys, startedAtSecond, endedAtSecond }: StageResult): Growth | null {
  if (level.unit !== 'arrivalsPerSecond') return null;
  const points = pointsBetween(result, startedAtSecond, endedAtSecond);
  return growthOf(points, { perSecond: level.to, requestsPerJourney: requests.sent / Math.max(1, journeys.started) });
}

function growsWords({ msPerSecond, ratio, wantedSeconds }: Growth): string {
  const longer = msPerSecond > 0 ? `Responses slowed down by ${formatMs(msPerSecond)} each second: more` : 'More';
  const chance = wantedSeconds === null ? '' : ` That may be chance: about ${formatSeconds(wantedSeconds)} would decide.`;
  return `${longer} requests arrived than were completed (${formatNumber(ratio)} times), and a queue grew.${chance}`;
}
