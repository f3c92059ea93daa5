import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';
import type { SearchRun } from '../run.ts';
import { toLevelPlan, LEVEL_STAGE } from './levels.ts';
import type { LevelReading, ProbeReading } from './reading.ts';

/** Duration of a probe in seconds. If the server does not respond, the probe takes longer. */
export const PROBE_SECONDS = 2;
/** Think time of the probe's user. It makes a probe the lightest possible load. */
const THINK_TIME = { kind: 'fixed', seconds: 0.1 } as const;
/** Maximum time in seconds to wait for a server to recover. */
export const MAX_AFTERMATH_SECONDS = 300;
/**
 * Calm time in seconds that is required after a level with timed-out requests. A proxy skips a server that did not respond in time, in
 * nginx for 10 s (fail_timeout). During that time, the other servers respond well to one user, but they would have to carry the whole next
 * level.
 */
const SKIPPED_SECONDS = 12;
/**
 * Maximum p50 of a recovered probe; p90 has the same form. It is a multiple of the usual value, plus a time in ms. A slow server gives few
 * responses per probe, so the multiple grows with chance: about e^(scatter/√responses). With exponential times, at most 7 % of probes
 * exceed it without any aftermath, for servers from 20 to 1,600 ms (`aftermath.test.ts`).
 */
const P50_LIMITS = { times: 3, scatter: 4.5, ms: 10 };
const P90_LIMITS = { times: 4, scatter: 3.2, ms: 100 };
/** Maximum multiple of the usual value, for any number of responses. */
const MAX_MULTIPLE = 12;

/** Aftermath of a level: the time until the server recovered. */
export interface Aftermath {
  /** The level before the aftermath. */
  readonly level: number;
  /** Seconds from the end of the level until the server recovered, or until the last probe; 0 if it recovered at once. */
  readonly seconds: number;
  readonly isOver: boolean;
}

/**
 * Returns the plan of a probe: one user with think time, even for levels of connections. A single connection without think time would send
 * up to 26,000 requests per second to a quick server.
 */
export function planOfProbe(plan: Plan): Plan {
  const { safety, ...rest } = toLevelPlan(plan);
  const { stopAtErrorShare: _limit, ...noLimit } = safety;
  return {
    ...rest,
    // autocannon has no pacing, so probes are not sent by it. Probes are compared only with each other.
    engine: plan.engine === 'k6' ? 'k6' : 'auto',
    criteria: [],
    // Levels have an error limit of their own. A probe must see failures, so only the plan's limit applies to it.
    safety: plan.safety.stopAtErrorShare === undefined ? noLimit : safety,
    load: {
      model: 'users',
      thinkTime: THINK_TIME,
      stages: [{ name: LEVEL_STAGE, seconds: PROBE_SECONDS, counted: true, users: 1, startUpSeconds: 0, restSeconds: 0 }],
    },
  };
}

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

/** Returns the aftermath of each level that was followed by probes, in order. */
export function listAftermaths(runs: readonly SearchRun[]): Aftermath[] {
  const asUsual: GoodLook[] = [];
  const found: { level: number; seconds: number; isOver: boolean }[] = [];
  let calmSeconds = 0;
  let wantedSeconds = 0;
  for (const { purpose, reading, spentSeconds } of runs) {
    if (reading?.kind === 'level') {
      calmSeconds = 0;
      wantedSeconds = reading.timeouts > 0 ? SKIPPED_SECONDS : 0;
      if (mayLeaveSomething(reading)) found.push({ level: reading.level, seconds: 0, isOver: false });
    }
    if (purpose !== 'probe') continue;
    const look = reading?.kind === 'probe' && isGood(reading) && hasRecovered(reading, asUsual) ? reading : null;
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
 * Returns whether the next run is a probe. One is made before the first level for comparison, and probes follow each level that failed or
 * had failures until the server has recovered.
 */
export function needsProbe(runs: readonly SearchRun[]): boolean {
  const probes = runs.filter(({ purpose }) => purpose === 'probe');
  if (probes.length === 0) return true;
  // A server that never responded successfully has no better state to wait for. The levels show its problem.
  if (!probes.some(({ reading }) => reading?.kind === 'probe' && isGood(reading))) return false;
  return listAftermaths(runs).at(-1)?.isOver === false;
}

function mayLeaveSomething({ outcome, failed, timeouts }: LevelReading): boolean {
  return outcome !== 'passed' || failed > 0 || timeouts > 0;
}

/** A probe in which every request succeeded. */
type GoodLook = ProbeReading & { readonly p50Ms: number; readonly p90Ms: number };

function isGood(look: ProbeReading): look is GoodLook {
  return look.sent > 0 && look.failed === 0 && look.p50Ms !== null && look.p90Ms !== null;
}

/**
 * Compares a probe with the median of the recovered probes. A single probe would not do: the first one may be in the aftermath of another
 * load, and the best of several is good by chance.
 */
function hasRecovered({ p50Ms, p90Ms }: GoodLook, asUsual: readonly GoodLook[]): boolean {
  if (asUsual.length === 0) return true;
  const usual = (pick: (one: GoodLook) => number): number =>
    asUsual.map(pick).toSorted((one, other) => one - other)[Math.floor((asUsual.length - 1) / 2)] ?? 0;
  const responses = usual(({ sent }) => sent);
  const maxRecoveredMs = ({ times, scatter, ms }: typeof P50_LIMITS, usualMs: number): number =>
    Math.max(times, Math.min(MAX_MULTIPLE, Math.exp(scatter / Math.sqrt(responses)))) * usualMs + ms;
  return (
    p50Ms <=
      maxRecoveredMs(
        P50_LIMITS,
        usual((one) => one.p50Ms),
      ) &&
    p90Ms <=
      maxRecoveredMs(
        P90_LIMITS,
        usual((one) => one.p90Ms),
      )
  );
}
