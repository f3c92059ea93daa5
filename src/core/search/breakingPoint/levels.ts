import { isSingleRequest, requestsOnAverage } from '#core/work/journey/flow/executions.ts';
import { countPeople, scalePeople } from '#core/series/levels.ts';
import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { listJudgedStages } from '#core/plan/names.ts';
import { pagesInRound } from '#core/plan/watchPages.ts';
import type { Load } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { minRequests } from '#core/statistics/bounds.ts';
import type { LevelReading } from './reading.ts';
import type { BreakingPointSettings } from './schema.ts';

/** Name of the counted stage of a level's run. The next constant names the overload stage of a recovery run. */
export const LEVEL_STAGE = 'level';
const OVERLOAD_STAGE = 'too much';
/** Number of requests that each level should have. A p95 criterion needs 59. */
const WANTED_REQUESTS = 100;
const MAX_SECONDS = 60;
/** Approximate duration of a visit, including its pause, in seconds. */
const SECONDS_PER_VISIT = 2.5;
/** Minimum length of a level in mean response times, for slow responses. */
const MIN_RESPONSE_TIMES = 6;
/** Maximum factor by which an inconclusive level is extended. */
const MAX_LONGER_FACTOR = 6;
/** Maximum share of the plan's limits that is planned for, because waiting for the last responses counts, too. */
const MAX_PLANNED_SHARE = 0.9;
/** Safety limit that ends a level early when this share of its requests has failed. */
const ERROR_SAFETY = { stopAtErrorShare: 0.5, errorWindowSeconds: 3 };
/**
 * Load before and after the overload, relative to the limit; `OVERLOAD_SHARE`: during it. The calm load is at most a third of the overload
 * (docs/method.md).
 */
const CALM_SHARE = 0.5;
const OVERLOAD_SHARE = 1.5;
/**
 * Length of the calm time after the overload, relative to that of the overload. At half the limit, a backlog shrinks as fast as it grew.
 */
const RECOVERY_DURATION_FACTOR = 3;

type LevelSettings = Pick<BreakingPointSettings, 'secondsEach' | 'warmUpSeconds'>;

/** Returns the first level. By default, it is a quarter of the highest counted level of the plan. */
export function startOf(plan: Plan, settings: Pick<BreakingPointSettings, 'from'>): number {
  if (settings.from !== undefined) return isWhole(plan) ? Math.max(1, Math.round(settings.from)) : settings.from;
  if (isOfPeople(plan)) return Math.max(1, Math.round((countPeople(plan.load) ?? 1) / 4));
  const highest = Math.max(
    ...listJudgedStages(plan).flatMap((index) => {
      const stage = plan.load.stages[index];
      return stage === undefined ? [] : [levelOf(stage).highest];
    }),
    0,
  );
  const quarter = highest > 0 ? highest / 4 : 1;
  return isWhole(plan) ? Math.max(1, Math.round(quarter)) : Number(quarter.toPrecision(3));
}

/** Returns whether levels are whole numbers, as for people, users and connections. */
export function isWhole(plan: Pick<Plan, 'bells' | 'load'>): boolean {
  return plan.load.model !== 'arrivals' || isOfPeople(plan);
}

/**
 * Returns whether a level is a number of people at a bell, who come and leave as planned. No other load precedes or follows them, because
 * each has one account.
 */
export function isOfPeople({ bells, load }: Pick<Plan, 'bells' | 'load'>): boolean {
  return bells !== undefined && countPeople(load) !== null;
}

/** Examples: "40 requests/s", "40 arrivals/s" of a journey with several requests, "25 users", "120 people" at a bell. */
export function formatSearchLevel(plan: Plan, level: number): string {
  if (isOfPeople(plan)) return level === 1 ? '1 person' : `${formatCount(level)} people`;
  const { model } = plan.load;
  switch (model) {
    case 'arrivals':
      return `${formatNumber(level)} ${isSingleRequest(plan) ? 'requests/s' : 'arrivals/s'}`;
    case 'users':
      return `${formatCount(level)} ${level === 1 ? 'user' : 'users'}`;
    case 'connections':
      return `${formatCount(level)} ${level === 1 ? 'connection' : 'connections'}`;
    default:
      return model satisfies never;
  }
}

/**
 * Returns the longest counted time of a level in seconds that may be used to distinguish a growing queue from chance. `before`: all
 * readings so far, including inconclusive ones.
 */
export function computeMaxSeconds(plan: Plan, level: number, settings: LevelSettings, before: readonly LevelReading[]): number {
  const { secondsEach } = settings;
  const longest = Math.min(MAX_LONGER_FACTOR * secondsEach, Math.max(MAX_SECONDS, 2 * secondsEach));
  return Math.max(secondsEach, Math.min(longest, computeAllowedSeconds(plan, level, settings, before)));
}

/** Returns for how many seconds a level can be counted within the plan's limits. */
function computeAllowedSeconds(plan: Plan, level: number, settings: LevelSettings, before: readonly LevelReading[]): number {
  const { maxSeconds = Infinity, maxRequests = Infinity } = plan.safety;
  return Math.floor(
    MAX_PLANNED_SHARE * Math.min(maxSeconds, maxRequests / requestsPerSecond(plan, level)) - warmUpSecondsFor(settings, before),
  );
}

/** Returns the mean number of requests per second of a level; 0 if responses determine it. */
export function requestsPerSecond(plan: Plan, level: number): number {
  if (plan.load.model !== 'arrivals' || isOfPeople(plan)) return 0;
  return level * Math.max(1, ...listJudgedStages(plan).map((index) => requestsOnAverage(plan, index)));
}

/** Returns the counted time of a level and its warm-up, in seconds. */
export function secondsOfLevel(
  plan: Plan,
  level: number,
  settings: LevelSettings,
  before: readonly LevelReading[],
): { readonly warmUp: number; readonly counted: number } {
  if (isOfPeople(plan)) return { warmUp: 0, counted: Math.ceil(computePlannedSeconds(plan) ?? 0) };
  const { secondsEach } = settings;
  const rare = plan.load.model === 'arrivals' ? WANTED_REQUESTS / level : 0;
  const wanted = Math.max(0, ...before.flatMap((one) => (one.level === level ? (one.wantedSeconds ?? []) : [])));
  const counted = Math.max(
    secondsEach,
    Math.min(
      MAX_SECONDS,
      computeAllowedSeconds(plan, level, settings, before),
      Math.max(rare, (MIN_RESPONSE_TIMES * slowestMs(before)) / 1_000),
    ),
    Math.min(computeMaxSeconds(plan, level, settings, before), wanted),
    Math.min(MAX_SECONDS, secondsForVisits(plan)),
  );
  return { warmUp: warmUpSecondsFor(settings, before), counted: Math.ceil(counted) };
}

/** Returns the seconds for the visits that a criterion needs. Visits are made one after the other. */
function secondsForVisits(plan: Plan): number {
  const counts = plan.criteria.flatMap((one) =>
    one.kind === 'responseTime' && one.of === 'visits' ? [minRequests(1 - one.percentile / 100)] : [],
  );
  return counts.length === 0 ? 0 : Math.max(...counts) * SECONDS_PER_VISIT * Math.max(1, pagesInRound(plan));
}

/** Returns the length of the warm-up. Slow responses need a longer one until the number in flight is steady. */
function warmUpSecondsFor({ warmUpSeconds }: LevelSettings, before: readonly LevelReading[]): number {
  return warmUpSeconds === 0 ? 0 : Math.max(warmUpSeconds, (1.5 * slowestMs(before)) / 1_000);
}

/** Returns the longest mean response time of the passed levels. */
function slowestMs(before: readonly LevelReading[]): number {
  return Math.max(0, ...before.filter(({ outcome }) => outcome === 'passed').map(({ meanMs }) => meanMs ?? 0));
}

/** Returns the plan of one level: journey, targets and criteria are unchanged, and the load is only that level. */
export function planOfLevel(plan: Plan, level: number, settings: BreakingPointSettings, before: readonly LevelReading[]): Plan {
  const atBells = isOfPeople(plan) ? scalePeople(plan.load, level) : null;
  // The stages stay and only their numbers change, because bells and criteria refer to them.
  if (atBells !== null) return { ...plan, lookAt: [], load: atBells };
  const { warmUp, counted } = secondsOfLevel(plan, level, settings, before);
  return { ...toLevelPlan(plan), load: loadOfLevel(plan.load, level, warmUp, counted) };
}

function loadOfLevel(load: Load, level: number, warmUp: number, seconds: number): Load {
  switch (load.model) {
    case 'arrivals': {
      const stage = { kind: 'constant' as const, perSecond: level };
      const first = warmUp === 0 ? [] : [{ ...stage, name: 'warm-up', seconds: warmUp, counted: false }];
      return { ...load, stages: [...first, { ...stage, name: LEVEL_STAGE, seconds, counted: true }] };
    }
    case 'users':
      return { ...load, stages: [{ name: LEVEL_STAGE, users: level, startUpSeconds: warmUp, seconds, restSeconds: 0, counted: true }] };
    case 'connections': {
      const first = warmUp === 0 ? [] : [{ name: 'warm-up', connections: level, seconds: warmUp, counted: false }];
      return { ...load, stages: [...first, { name: LEVEL_STAGE, connections: level, seconds, counted: true }] };
    }
    default:
      return load satisfies never;
  }
}

/**
 * Removes what concerns other levels: the demand, the stages of criteria, and throughput criteria, which lower levels cannot meet. Adds an
 * error limit if the plan has none.
 */
export function toLevelPlan(plan: Plan): Plan {
  const { demand: _demand, ...rest } = plan;
  const criteria = plan.criteria.flatMap((criterion) => {
    if (criterion.kind === 'throughput') return [];
    const { stage: _stage, ...anyStage } = criterion;
    return [anyStage];
  });
  const limit = plan.safety.stopAtErrorShare === undefined ? ERROR_SAFETY : {};
  return { ...rest, criteria, lookAt: [], safety: { ...plan.safety, ...limit } };
}

/**
 * Returns a plan of calm, overload and calm, which shows how soon the server recovers. Returns null for closed loads, because their clients
 * wait for responses and leave no backlog.
 */
export function planOfRecovery(
  plan: Plan,
  limit: number,
  { overloadSeconds, secondsEach }: Pick<BreakingPointSettings, 'overloadSeconds' | 'secondsEach'>,
): Plan | null {
  const { load } = plan;
  if (load.model !== 'arrivals' || isOfPeople(plan)) return null;
  const stage = (name: string, share: number, seconds: number) => ({
    kind: 'constant' as const,
    name,
    perSecond: Number((share * limit).toPrecision(4)),
    seconds,
    counted: false,
  });
  const { safety, ...rest } = toLevelPlan(plan);
  const { stopAtErrorShare: _limit, ...noLimit } = safety;
  return {
    ...rest,
    safety: plan.safety.stopAtErrorShare === undefined ? noLimit : safety,
    criteria: [],
    load: {
      ...load,
      stages: [
        stage('calm', CALM_SHARE, Math.max(5, secondsEach)),
        stage(OVERLOAD_STAGE, OVERLOAD_SHARE, overloadSeconds),
        { ...stage('calm again', CALM_SHARE, RECOVERY_DURATION_FACTOR * overloadSeconds), counted: true },
      ],
    },
  };
}

export function recoveryLevels(limit: number): { readonly calm: number; readonly overload: number } {
  return { calm: Number((CALM_SHARE * limit).toPrecision(4)), overload: Number((OVERLOAD_SHARE * limit).toPrecision(4)) };
}
