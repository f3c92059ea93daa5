import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';
import type { SearchRun } from '../run.ts';
import { atLevels, LEVEL_STAGE } from './levels.ts';
import type { LevelReading, ProbeReading } from './reading.ts';

/** How long one visitor asks. A server that answers nothing holds him up for longer by itself. */
export const PROBE_SECONDS = 2;
/** After each answer of the one visitor: the least that a server can be asked for, whatever its load is. */
const BREATH = { kind: 'fixed', seconds: 0.1 } as const;
/** For so long a server may take to be itself again. */
export const LONGEST_AFTERMATH_SECONDS = 300;
/**
 * A proxy asks no server for a while that did not answer in time, 10 s of nginx (fail_timeout), and one visitor is answered well by the others, which would have all of the next level to bear. So long it is looked
 * after a level at which requests were given up.
 */
const LEFT_OUT_SECONDS = 12;
/**
 * What half of a look's answers, and 9 in 10 of them, may take beside what is usual: so many times as long, and longer by this. A slow server answers few times in a look, so chance moves the medians of its looks
 * further apart: by about e^(c/√answers). Where times scatter as the exponential distribution has it, at most 1 look in 15 is beyond that without any aftermath, of whatever server from 20 to 1,600 ms
 * (`aftermath.test.ts`); a server that is not itself is slower by far more.
 */
const AS_USUAL = { times: 3, scatter: 4.5, ms: 10 };
const SLOWEST_AS_USUAL = { times: 4, scatter: 3.2, ms: 100 };
/** However few answers a look has, more than so many times as long is not as usual. */
const MOST_TIMES = 12;

/** What a level left behind: until when the server was not itself. */
export interface Aftermath {
  /** The one after which it was looked. */
  readonly level: number;
  /** From the end of the level until it was itself again, or until the last look; 0 where it was so at once. */
  readonly seconds: number;
  readonly isOver: boolean;
}

/** The plan of a look at the server by itself: one visitor who takes a breath, also where levels are connections, of which a single one asks a quick server 26,000 times a second. */
export function planOfProbe(plan: Plan): Plan {
  const { safety, ...rest } = atLevels(plan);
  const { stopAtErrorShare: _limit, ...noLimit } = safety;
  return {
    ...rest,
    // autocannon cannot pace; looks are compared with nothing but each other.
    engine: plan.engine === 'k6' ? 'k6' : 'auto',
    objectives: [],
    // Levels end by a limit on failures of their own. One visitor's failures are what a look is to see, so it ends by none but that of the plan itself.
    safety: plan.safety.stopAtErrorShare === undefined ? noLimit : safety,
    load: {
      model: 'users',
      thinkTime: BREATH,
      stages: [{ name: LEVEL_STAGE, seconds: PROBE_SECONDS, counted: true, users: 1, startUpSeconds: 0, restSeconds: 0 }],
    },
  };
}

/** What a look at the lightest level has shown. */
export function readProbe(result: RunResult): ProbeReading {
  const [stage] = result.stages;
  if (stage === undefined) throw new TypeError('The look at the lightest level has its stage.');
  const { p50, p90 } = stage.latency.service;
  const { sent, ok } = stage.requests;
  return { kind: 'probe', sent, failed: sent - ok, p50Ms: timeOf(p50), p90Ms: timeOf(p90) };
}

function timeOf(time: TimeMs): number | null {
  return typeof time === 'number' ? time : null;
}

/** What each level left behind after which it was looked, in their order. */
export function aftermathsOf(runs: readonly SearchRun[]): Aftermath[] {
  const asUsual: GoodLook[] = [];
  const found: { level: number; seconds: number; isOver: boolean }[] = [];
  let calmSeconds = 0;
  let wantedSeconds = 0;
  for (const { purpose, reading, spentSeconds } of runs) {
    if (reading?.kind === 'level') {
      calmSeconds = 0;
      wantedSeconds = reading.timeouts > 0 ? LEFT_OUT_SECONDS : 0;
      if (mayLeaveSomething(reading)) found.push({ level: reading.level, seconds: 0, isOver: false });
    }
    if (purpose !== 'probe') continue;
    const look = reading?.kind === 'probe' && isGood(reading) && isItself(reading, asUsual) ? reading : null;
    if (look !== null) asUsual.push(look);
    const last = found.at(-1);
    if (last === undefined || last.isOver) continue;
    if (look === null) {
      last.seconds += calmSeconds + spentSeconds;
      calmSeconds = 0;
    } else {
      calmSeconds += spentSeconds;
      last.isOver = calmSeconds >= wantedSeconds;
    }
  }
  return found;
}

/**
 * Whether it is to be looked how the server is: before the first level, so that there is something to compare with, and after each level that it did not bear without a single failure,
 * until it is itself again.
 */
export function needsProbe(runs: readonly SearchRun[]): boolean {
  const probes = runs.filter(({ purpose }) => purpose === 'probe');
  if (probes.length === 0) return true;
  // Of a server that never answered well there is no better state to wait for: its levels say what is wrong with it.
  if (!probes.some(({ reading }) => reading?.kind === 'probe' && isGood(reading))) return false;
  return aftermathsOf(runs).at(-1)?.isOver === false;
}

function mayLeaveSomething({ outcome, failed, timeouts }: LevelReading): boolean {
  return outcome !== 'held' || failed > 0 || timeouts > 0;
}

/** A look in which all was answered. */
type GoodLook = ProbeReading & { readonly p50Ms: number; readonly p90Ms: number };

function isGood(look: ProbeReading): look is GoodLook {
  return look.sent > 0 && look.failed === 0 && look.p50Ms !== null && look.p90Ms !== null;
}

/**
 * Compared with the looks that showed it as usual, of which the first may have come in the aftermath of what others did: with their median, since the best of several looks is one that chance made good.
 */
function isItself({ p50Ms, p90Ms }: GoodLook, asUsual: readonly GoodLook[]): boolean {
  if (asUsual.length === 0) return true;
  const usual = (pick: (one: GoodLook) => number): number =>
    asUsual.map(pick).toSorted((one, other) => one - other)[Math.floor((asUsual.length - 1) / 2)] ?? 0;
  const answers = usual(({ sent }) => sent);
  const most = ({ times, scatter, ms }: typeof AS_USUAL, usualMs: number): number =>
    Math.max(times, Math.min(MOST_TIMES, Math.exp(scatter / Math.sqrt(answers)))) * usualMs + ms;
  return (
    p50Ms <=
      most(
        AS_USUAL,
        usual((one) => one.p50Ms),
      ) &&
    p90Ms <=
      most(
        SLOWEST_AS_USUAL,
        usual((one) => one.p90Ms),
      )
  );
}
