import { requestsOnAverage } from '#core/work/journey/flow/takings.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { judgedStages } from '#core/plan/names.ts';
import { pagesInRound } from '#core/plan/watchPages.ts';
import type { Load } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { leastRequests } from '#core/statistics/bounds.ts';
import type { LevelReading } from './reading.ts';
import type { BreakingPointSettings } from './schema.ts';

/** The counted stage of the run of a level, and those of the look at its recovery. */
export const LEVEL_STAGE = 'level';
const OVERLOAD_STAGE = 'too much';
/** An objective about 19 of 20 needs 59 answers; with so many there is some room. */
const WANTED_REQUESTS = 100;
const LONGEST_SECONDS = 60;
/** A visit with its pause, roughly, with some room. */
const SECONDS_OF_VISIT = 2.5;
/** A level lasts for so many answers one after the other, where these are slow. */
const ANSWERS_LONG = 6;
/** A level that did not tell is run again for at most so many times as long as it was asked to be. */
const MOST_TIMES_LONGER = 6;
/** Of what the plan allows a run, this is planned: waiting for the last answers counts too. */
const SAFE_SHARE = 0.9;
/** A level of which more than this share fails is cut short: it says what it has to say. */
const STOP_AT_ERRORS = { stopAtErrorShare: 0.5, errorWindowSeconds: 3 };
/** What is left of the limit in the calm, and what it gets beyond it. A third of the overload is what counts as calm (docs/method.md). */
const CALM = 0.5;
const OVERLOAD = 1.5;
/** The calm afterwards is so many times as long as the overload: at half the limit a backlog takes as long to go as it took to come. */
const WATCHED = 3;

type LevelSettings = Pick<BreakingPointSettings, 'secondsEach' | 'warmUpSeconds'>;

/** The highest level of the plan's counted stages, by four: where a search begins that nobody told where to. */
export function startOf(plan: Plan, settings: Pick<BreakingPointSettings, 'from'>): number {
  if (settings.from !== undefined) return isWhole(plan.load) ? Math.max(1, Math.round(settings.from)) : settings.from;
  const highest = Math.max(
    ...judgedStages(plan).flatMap((index) => {
      const stage = plan.load.stages[index];
      return stage === undefined ? [] : [levelOf(stage).highest];
    }),
    0,
  );
  const quarter = highest > 0 ? highest / 4 : 1;
  return isWhole(plan.load) ? Math.max(1, Math.round(quarter)) : Number(quarter.toPrecision(3));
}

/** Users and connections can only be counted. */
export function isWhole(load: Load): boolean {
  return load.model !== 'arrivals';
}

/** "40 a second", "25 users". */
export function levelWords({ model }: { readonly model: Load['model'] }, level: number): string {
  switch (model) {
    case 'arrivals':
      return `${formatNumber(level)} a second`;
    case 'users':
      return `${formatCount(level)} ${level === 1 ? 'user' : 'users'}`;
    case 'connections':
      return `${formatCount(level)} ${level === 1 ? 'connection' : 'connections'}`;
    default:
      return model satisfies never;
  }
}

/**
 * How long a level is counted at most to tell a queue that grows from chance, in seconds. `before` are all readings so far, also those that did not tell.
 */
export function longestSeconds(plan: Plan, level: number, settings: LevelSettings, before: readonly LevelReading[]): number {
  const { secondsEach } = settings;
  const longest = Math.min(MOST_TIMES_LONGER * secondsEach, Math.max(LONGEST_SECONDS, 2 * secondsEach));
  return Math.max(secondsEach, Math.min(longest, allowedSeconds(plan, level, settings, before)));
}

/** For how long a level can be counted until a limit of the plan cuts it off. */
function allowedSeconds(plan: Plan, level: number, settings: LevelSettings, before: readonly LevelReading[]): number {
  const { maxSeconds = Infinity, maxRequests = Infinity } = plan.safety;
  return Math.floor(SAFE_SHARE * Math.min(maxSeconds, maxRequests / requestsPerSecond(plan, level)) - warmUpOf(settings, before));
}

/** So many requests a level asks for in a second, on average; 0 where that is for the answers to decide. */
export function requestsPerSecond(plan: Plan, level: number): number {
  if (plan.load.model !== 'arrivals') return 0;
  return level * Math.max(1, ...judgedStages(plan).map((index) => requestsOnAverage(plan, index)));
}

/** What is counted of a level, and what comes before it, in seconds. */
export function secondsOfLevel(
  plan: Plan,
  level: number,
  settings: LevelSettings,
  before: readonly LevelReading[],
): { readonly warmUp: number; readonly counted: number } {
  const { secondsEach } = settings;
  const rare = plan.load.model === 'arrivals' ? WANTED_REQUESTS / level : 0;
  const wanted = Math.max(0, ...before.flatMap((one) => (one.level === level ? (one.wantedSeconds ?? []) : [])));
  const counted = Math.max(
    secondsEach,
    Math.min(LONGEST_SECONDS, allowedSeconds(plan, level, settings, before), Math.max(rare, (ANSWERS_LONG * slowestMs(before)) / 1_000)),
    Math.min(longestSeconds(plan, level, settings, before), wanted),
    Math.min(LONGEST_SECONDS, secondsForVisits(plan)),
  );
  return { warmUp: warmUpOf(settings, before), counted: Math.ceil(counted) };
}

/** Visits come one after the other: a criterion about them takes a stage of so many. */
function secondsForVisits(plan: Plan): number {
  const counts = plan.objectives.flatMap((one) =>
    one.kind === 'responseTime' && one.of === 'visits' ? [leastRequests(1 - one.percentile / 100)] : [],
  );
  return counts.length === 0 ? 0 : Math.max(...counts) * SECONDS_OF_VISIT * Math.max(1, pagesInRound(plan));
}

/** Answers that take long need longer until as many are on their way as there will be. */
function warmUpOf({ warmUpSeconds }: LevelSettings, before: readonly LevelReading[]): number {
  return warmUpSeconds === 0 ? 0 : Math.max(warmUpSeconds, (1.5 * slowestMs(before)) / 1_000);
}

/** The longest mean time of an answer of the levels that were borne. */
function slowestMs(before: readonly LevelReading[]): number {
  return Math.max(0, ...before.filter(({ outcome }) => outcome === 'held').map(({ meanMs }) => meanMs ?? 0));
}

/** The plan of one level: the journey, targets and objectives as they are, and the load at that level alone. */
export function planOfLevel(plan: Plan, level: number, settings: BreakingPointSettings, before: readonly LevelReading[]): Plan {
  const { warmUp, counted } = secondsOfLevel(plan, level, settings, before);
  return { ...atLevels(plan), load: loadOfLevel(plan.load, level, warmUp, counted) };
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
 * Without what speaks of other levels than the one that is run: the demand, limits on a rate (no level below it could reach one), and the stages that objectives
 * were for.
 */
export function atLevels(plan: Plan): Plan {
  const { demand: _demand, ...rest } = plan;
  const objectives = plan.objectives.flatMap((objective) => {
    if (objective.kind === 'throughput') return [];
    const { stage: _stage, ...anyStage } = objective;
    return [anyStage];
  });
  const limit = plan.safety.stopAtErrorShare === undefined ? STOP_AT_ERRORS : {};
  return { ...rest, objectives, lookAt: [], safety: { ...plan.safety, ...limit } };
}

/** Calm, too much, calm: how soon is the server itself again? null for loads whose senders wait for answers, which leave nothing behind. */
export function planOfRecovery(
  plan: Plan,
  limit: number,
  { overloadSeconds, secondsEach }: Pick<BreakingPointSettings, 'overloadSeconds' | 'secondsEach'>,
): Plan | null {
  const { load } = plan;
  if (load.model !== 'arrivals') return null;
  const stage = (name: string, share: number, seconds: number) => ({
    kind: 'constant' as const,
    name,
    perSecond: Number((share * limit).toPrecision(4)),
    seconds,
    counted: false,
  });
  const { safety, ...rest } = atLevels(plan);
  const { stopAtErrorShare: _limit, ...noLimit } = safety;
  return {
    ...rest,
    safety: plan.safety.stopAtErrorShare === undefined ? noLimit : safety,
    objectives: [],
    load: {
      ...load,
      stages: [
        stage('calm', CALM, Math.max(5, secondsEach)),
        stage(OVERLOAD_STAGE, OVERLOAD, overloadSeconds),
        { ...stage('calm again', CALM, WATCHED * overloadSeconds), counted: true },
      ],
    },
  };
}

/** What the recovery of a limit is looked at with. */
export function recoveryLevels(limit: number): { readonly calm: number; readonly overload: number } {
  return { calm: Number((CALM * limit).toPrecision(4)), overload: Number((OVERLOAD * limit).toPrecision(4)) };
}
