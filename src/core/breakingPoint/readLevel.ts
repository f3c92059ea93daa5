import { pointsBetween } from '../diagnosis/rule.ts';
import type { Finding, ObjectiveResult, RunResult } from '../report/result.ts';
import { theilSen } from '../stats/theilSen.ts';
import { formatCount, formatMs, formatNumber, formatShare } from '../units.ts';
import { LEVEL_STAGE, recoveryLevels } from './levels.ts';
import type { LevelOutcome, LevelReading, LevelReason, RecoveryReading } from './reading.ts';

/** Answers that take so much longer with each second stand in a queue that grows: at a hundredth beyond the limit it is 10 ms a second. */
const GROWTH_MS_PER_SECOND = 10;
/** And over the whole level by so much of the first seconds, or it may be chance. */
const GROWTH_SHARE = 0.2;
const GROWTH_MS = 20;
/** So much of what began is not answered any more. */
const UNANSWERED_SHARE = 0.01;
const LEAST_UNANSWERED = 2;
/** Without an objective about errors, this share of failures is too many. */
const MOST_FAILED = 0.01;
/** Where this computer did not keep up for longer, a queue may be its own. */
const MOST_SICK = 0.25;
/** Failures that have nothing to do with how much is asked for: more of it would find nothing. */
const WRONG_PLACE: ReadonlySet<string> = new Set(['missingRoute', 'redirectMeasured']);
const OWN_LIMIT: ReadonlySet<string> = new Set(['portsExhausted']);

/** Ids of findings about a step end with its name. */
function isOf(rules: ReadonlySet<string>): (finding: Finding) => boolean {
  return ({ id }) => rules.has(id.split('.')[0] ?? '');
}

type Judged = Pick<LevelReading, 'outcome' | 'because' | 'text' | 'isSure'>;

/** What the run of a level says. Pure: everything is in its result. */
export function readLevel(result: RunResult, level: number): LevelReading {
  const stage = result.stages.find(({ name }) => name === LEVEL_STAGE);
  if (stage === undefined) throw new TypeError('The run of a level has its stage.');
  const { requests, rates, latency, journeys } = stage;
  const answered = requests.ok + requests.httpError + requests.wrongBody;
  const good = stage.latencyByStatusClass['2xx'] ?? latency.service;
  const growth = growthOf(result, stage);
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
    failed: requests.sent - requests.ok + journeys.notStartedTarget,
    timeouts: requests.timeout + requests.inFlight + (stage.status['504'] ?? 0),
    growthMsPerSecond: growth?.msPerSecond ?? null,
    sickSeconds: result.generators.reduce((sum, { sickSeconds }) => sum + sickSeconds, 0),
  };
}

type StageResult = RunResult['stages'][number];

function judge(result: RunResult, stage: StageResult, growth: Growth | null): Judged {
  const { requests, journeys } = stage;
  const failed = requests.sent - requests.ok;
  const failedShare = requests.sent === 0 ? 0 : failed / requests.sent;
  const wrongPlace = result.findings.find(isOf(WRONG_PLACE));
  if (wrongPlace !== undefined && failedShare > MOST_FAILED)
    return is('unclear', 'wrongPlace', `${wrongPlace.sentence} ${wrongPlace.remedy}`);
  const cut = result.run.endedBecause;
  if (cut?.code === 'safety') return is('broke', 'safety', cut.text);
  if (cut !== null) return is('unclear', 'cutOff', cut.text);
  const ownLimit = result.findings.find(isOf(OWN_LIMIT));
  if (ownLimit !== undefined || journeys.notStartedGenerator > 0)
    return is('unclear', 'generator', ownLimit?.sentence ?? 'This computer could not begin all that was due.');
  if (requests.sent === 0) return is('unclear', 'nothing', 'Nothing was sent at this level.');
  if (requests.ok === 0) return is('broke', 'errors', `None of ${formatCount(requests.sent)} requests got a good answer.`);
  const missed = result.objectives.find(({ outcome }) => outcome === 'breaks');
  if (missed !== undefined) return is('broke', 'objective', `${missed.text}: ${missed.reason}`);
  if (journeys.notStartedTarget > 0)
    return is('broke', 'owed', `${formatCount(journeys.notStartedTarget)} could not begin, since as many answers as may be were owed.`);
  if (growth !== null && growth.isGrowing && growth.sickShare > MOST_SICK)
    return is('unclear', 'generator', 'Answers took longer and longer, but so did this computer: it did not keep up either.');
  if (growth !== null && growth.isGrowing)
    return is(
      'broke',
      'queue',
      `Each second answers took ${formatMs(growth.msPerSecond)} longer: more came than was answered (${formatNumber(growth.ratio)} times), and a queue grew.`,
    );
  const byGenerator = result.objectives.find(({ unknownBecause }) => unknownBecause === 'generator' || unknownBecause === 'notOffered');
  if (byGenerator !== undefined) return is('unclear', 'generator', byGenerator.reason);
  const hasErrorLimit = result.objectives.some(({ objective }) => objective.kind === 'errors');
  if (!hasErrorLimit && failedShare > MOST_FAILED)
    return is(
      'broke',
      'errors',
      `${formatShare(failedShare)} of the requests failed (${formatCount(failed)} of ${formatCount(requests.sent)}).`,
    );
  const open = result.objectives.filter(({ outcome }) => outcome === 'unknown');
  const leaning = open.find(isOver);
  if (leaning !== undefined) return { ...is('broke', 'objective', `${leaning.text}: ${leaning.reason}`), isSure: false };
  const [doubtful] = open;
  if (doubtful !== undefined)
    return { ...is('held', 'fine', `Within its limits as far as so few answers tell: ${doubtful.reason}`), isSure: false };
  return is('held', 'fine', 'Every limit was kept, and no queue grew.');
}

function is(outcome: LevelOutcome, because: LevelReason, text: string): Judged {
  return { outcome, because, text, isSure: true };
}

/** On the wrong side by what was measured, if not proven. */
function isOver({ measured, limit, objective }: ObjectiveResult): boolean {
  if (measured === 'never') return true;
  if (measured === null) return false;
  return objective.kind === 'apdex' || objective.kind === 'throughput' ? measured < limit : measured > limit;
}

interface Growth {
  readonly msPerSecond: number;
  /** What began by what was answered. */
  readonly ratio: number;
  readonly isGrowing: boolean;
  /** Of the seconds of the level, those in which this computer did not keep up. */
  readonly sickShare: number;
}

/**
 * Whether answers take longer and longer. At ρ = λ/μ > 1 an answer that comes t seconds later has waited (1 − 1/ρ) t longer, whatever the server is, so the slope of the
 * medians of the seconds tells ρ; the slope between all pairs of them (Theil, Sen), since a second of few answers may lie anywhere. Chance lengthens queues too, so fewer
 * answers than requests have to have come besides. Only of loads at a rate: elsewhere nobody asks before the answer.
 */
function growthOf(result: RunResult, stage: StageResult): Growth | null {
  if (stage.level.unit !== 'arrivalsPerSecond') return null;
  const points = pointsBetween(result, stage.startedAtSecond, stage.endedAtSecond).filter(({ completed }) => completed > 0);
  const medians = points.flatMap(({ p50 }) => p50 ?? []);
  const slope = theilSen(medians);
  const first = medians[0];
  if (slope === null || first === undefined) return null;
  const started = points.reduce((sum, one) => sum + one.started, 0);
  const completed = points.reduce((sum, one) => sum + Math.max(one.completed, one.ok + one.failed), 0);
  const width = points[0]?.width ?? 1;
  const msPerSecond = slope.value / width;
  const rise = slope.value * (medians.length - 1);
  return {
    msPerSecond,
    ratio: started / Math.max(1, completed),
    sickShare: points.filter(({ sick }) => sick.length > 0).length / points.length,
    isGrowing:
      slope.low / width > GROWTH_MS_PER_SECOND &&
      rise > Math.max(GROWTH_MS, GROWTH_SHARE * first) &&
      started - completed >= Math.max(LEAST_UNANSWERED, UNANSWERED_SHARE * started),
  };
}

/**
 * When the times were as before. What is told by whole seconds is taken to be in the middle of the second in which it happened.
 */
export function readRecovery(result: RunResult, limit: number, overloadSeconds: number): RecoveryReading {
  const { calm, overload } = recoveryLevels(limit);
  const levels = { kind: 'recovery' as const, calmLevel: calm, overloadLevel: overload, overloadSeconds };
  const recovery = result.behaviour?.recoveries[0];
  if (recovery === undefined || result.run.endedBecause !== null)
    return {
      ...levels,
      seconds: null,
      resolutionSeconds: 1,
      watchedSeconds: 0,
      beforeMs: null,
      worstMs: null,
      reason: result.run.endedBecause?.text ?? 'Too little was answered to compare times with.',
    };
  const { seconds, resolutionSeconds, watchedSeconds, beforeMs, worstMs, reason } = recovery;
  return {
    ...levels,
    seconds: seconds === null ? null : Math.max(0, seconds - resolutionSeconds / 2),
    resolutionSeconds,
    watchedSeconds,
    beforeMs,
    worstMs,
    reason,
  };
}
