import type { Load } from '../plan/loadSchema.ts';
import type { Plan } from '../plan/schema.ts';
import type { RunResult } from '../report/result.ts';
import type { TimeMs } from '../units.ts';
import type { StudyRun } from '../study/run.ts';
import { atLevels, LEVEL_STAGE } from './levels.ts';
import type { ProbeReading } from './reading.ts';

/** How long one visitor asks. A server that answers nothing holds him up for longer by itself. */
export const PROBE_SECONDS = 2;
/** After each answer of the one visitor: the least that a server can be asked for, also where its load is a rate. */
const BREATH = { kind: 'fixed', seconds: 0.1 } as const;
/** For so long a server may take to be itself again. */
export const LONGEST_AFTERMATH_SECONDS = 300;
/**
 * A proxy asks no server for a while that did not answer in time, 10 s of nginx (fail_timeout), and one visitor is answered well by the others, which would have all of the next level to bear. So long it is looked
 * after a level at which requests were given up.
 */
const LEFT_OUT_SECONDS = 12;
/**
 * A look has some seven answers, and their median is compared with the least of several: where times scatter as the exponential distribution has it, it is three times as long in one look of ten without any aftermath,
 * and their slowest is four times as long in one of thirty. A server that is not itself is slower by far more.
 */
const AS_USUAL = { times: 3, ms: 10 };
const SLOWEST_AS_USUAL = { times: 4, ms: 100 };

/** What a level left behind: until when the server was not itself. */
export interface Aftermath {
  /** The one after which it was looked. */
  readonly level: number;
  /** From the end of the level until it was itself again, or until the last look; 0 where it was so at once. */
  readonly seconds: number;
  readonly isOver: boolean;
}

/** The plan of a look at the lightest level: one visitor. */
export function planOfProbe(plan: Plan): Plan {
  const { safety, ...rest } = atLevels(plan);
  const { stopAtErrorShare: _limit, ...noLimit } = safety;
  // Failures are what it is to see, not what it is to end by.
  return { ...rest, objectives: [], safety: plan.safety.stopAtErrorShare === undefined ? noLimit : safety, load: lightest(plan.load) };
}

function lightest(load: Load): Load {
  const stage = { name: LEVEL_STAGE, seconds: PROBE_SECONDS, counted: true };
  if (load.model === 'connections') return { ...load, stages: [{ ...stage, connections: 1 }] };
  return { model: 'users', thinkTime: BREATH, stages: [{ ...stage, users: 1, startUpSeconds: 0, restSeconds: 0 }] };
}

/** What a look at the lightest level has shown. */
export function readProbe(result: RunResult): ProbeReading {
  const stage = result.stages.find(({ name }) => name === LEVEL_STAGE);
  if (stage === undefined) throw new TypeError('The look at the lightest level has its stage.');
  const { p50, p90 } = stage.latency.service;
  const { sent, ok } = stage.requests;
  return { kind: 'probe', sent, failed: sent - ok, p50Ms: timeOf(p50), p90Ms: timeOf(p90) };
}

function timeOf(time: TimeMs): number | null {
  return typeof time === 'number' ? time : null;
}

/** What each level left behind after which it was looked, in their order. */
export function aftermathsOf(runs: readonly StudyRun[]): Aftermath[] {
  const seen: ProbeReading[] = [];
  const found: { level: number; seconds: number; isOver: boolean }[] = [];
  let level: number | null = null;
  let calmSeconds = 0;
  let wantedSeconds = 0;
  for (const run of runs) {
    if (run.purpose === 'level') {
      level = mayLeaveSomething(run.reading) ? run.level : null;
      calmSeconds = 0;
      wantedSeconds = run.reading?.kind === 'level' && run.reading.timeouts > 0 ? LEFT_OUT_SECONDS : 0;
      if (level !== null) found.push({ level, seconds: 0, isOver: false });
    }
    if (run.reading?.kind === 'probe') seen.push(run.reading);
    const last = found.at(-1);
    if (run.purpose !== 'probe' || level === null || last === undefined || last.isOver) continue;
    if (run.reading?.kind === 'probe' && isItself(run.reading, seen)) {
      calmSeconds += run.spentSeconds;
      last.isOver = calmSeconds >= wantedSeconds;
    } else {
      last.seconds += calmSeconds + run.spentSeconds;
      calmSeconds = 0;
    }
  }
  return found;
}

/**
 * Whether it is to be looked how the server is: before the first level, so that there is something to compare with, and after each level that it did not bear without a single failure,
 * until it is itself again.
 */
export function needsProbe(runs: readonly StudyRun[]): boolean {
  const probes = runs.filter(({ purpose }) => purpose === 'probe');
  if (probes.length === 0) return true;
  // Of a server that never answered well there is no better state to wait for: its levels say what is wrong with it.
  if (!probes.some(({ reading }) => reading?.kind === 'probe' && isGood(reading))) return false;
  return aftermathsOf(runs).at(-1)?.isOver === false;
}

function mayLeaveSomething(reading: StudyRun['reading']): boolean {
  return reading?.kind === 'level' && (reading.outcome !== 'held' || reading.failed > 0 || reading.timeouts > 0);
}

function isGood({ sent, failed, p50Ms, p90Ms }: ProbeReading): boolean {
  return sent > 0 && failed === 0 && p50Ms !== null && p90Ms !== null;
}

/** Compared with the best look so far: the first one may have come in the aftermath of what others did. */
function isItself(probe: ProbeReading, seen: readonly ProbeReading[]): boolean {
  const good = seen.filter(isGood);
  if (!isGood(probe)) return false;
  const best = (pick: (one: ProbeReading) => number | null): number => Math.min(...good.flatMap((one) => pick(one) ?? []));
  return (
    (probe.p50Ms ?? Infinity) <= AS_USUAL.times * best(({ p50Ms }) => p50Ms) + AS_USUAL.ms &&
    (probe.p90Ms ?? Infinity) <= SLOWEST_AS_USUAL.times * best(({ p90Ms }) => p90Ms) + SLOWEST_AS_USUAL.ms
  );
}
