import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '#backend/store/store.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Trial, Victim } from '../trial.ts';
import { waitForRunEnd } from './backend.ts';
import { ENDS_WITHIN_MS, NO_GRACE_MS } from './commandLine.ts';
import { lacksNothing, type KillResult, type CrashPoint } from './place.ts';

const OWNER = new URL('../scripts/owner.ts', import.meta.url);
const LOAD: PlanInput['load'] = { model: 'arrivals', stages: [{ kind: 'count', arrivals: 300, seconds: 6 }] };
/** Duration of a long suspension. Most are shorter, to limit the duration of the campaign. */
const MINUTE_MS = 60_000;
/** Minimum duration of a stop that must be reported. Shorter stops are also caused by a busy machine. */
const MIN_REPORTED_MS = 2_000;

/** The crash point “suspend”: a process is stopped for a while, as on a machine that is suspended. Then it continues or is killed. */
export const suspend: CrashPoint = {
  name: 'suspend',
  weight: 4,
  missing: lacksNothing,
  async strike(trial): Promise<KillResult> {
    const { dice } = trial;
    const isKilled = dice.between(0, 1) < 0.3;
    const stoppedMs = dice.between(0, 1) < 0.2 ? MINUTE_MS : dice.between(1_000, 5_000);
    const isBackend = dice.between(0, 1) < 0.5;
    const victim = isBackend
      ? trial.script(OWNER, { plan: trial.plan({ load: LOAD }), host: null })
      : trial.cli(['run', await trial.writePlan({ load: LOAD })]);
    await trial.target.waitForRequest(trial.name, ENDS_WITHIN_MS / 2);
    await sleep(dice.between(0, 3_000));
    victim.child.kill('SIGSTOP');
    await sleep(stoppedMs);
    victim.child.kill(isKilled ? 'SIGKILL' : 'SIGCONT');
    const problems = isBackend && !isKilled ? await waitForRunEnd(victim, /ended finished/) : await waitForExit(victim);
    if (!isKilled) problems.push(...findProblems(trial, stoppedMs));
    const who = isBackend ? 'backend' : 'command line';
    const length = stoppedMs === MINUTE_MS ? 'a minute' : 'seconds';
    return { where: `${who}, ${length}, ${isKilled ? 'then killed' : 'then on'}`, graceMs: NO_GRACE_MS, problems };
  },
};

async function waitForExit(victim: Victim): Promise<string[]> {
  return (await victim.ended(ENDS_WITHIN_MS)) ? [] : ['the victim hangs'];
}

/** Checks that the result reports the standstill and its length, and that the requests that were due during the standstill have waited. */
function findProblems(trial: Trial, stoppedMs: number): string[] {
  const store = openStore(trial.home);
  try {
    const [run] = store.list({ search: '', limit: 1, offset: 0 }).runs;
    const result = run === undefined ? null : store.result(store.find(run.id).key);
    if (result === null || result === undefined) return ['there is no result'];
    const readings = result.generators.flatMap((generator) => generator.readings);
    const reportedMs = readings.reduce((sum, { stoodStillMs }) => sum + (stoodStillMs ?? 0), 0);
    const finding = result.findings.find(({ id }) => id.startsWith('standstill'));
    const slowestMs = result.latency.response?.max ?? 0;
    if (stoppedMs < MIN_REPORTED_MS) return [];
    return [
      ...(Math.abs(reportedMs - stoppedMs) > 0.2 * stoppedMs + 1_000
        ? [`${reportedMs} ms of standing still are told, not ${stoppedMs}`]
        : []),
      ...(finding === undefined ? ['no finding says that it stood still'] : []),
      ...(typeof slowestMs === 'number' && slowestMs < stoppedMs - 1_000
        ? [`the slowest response took ${slowestMs} ms, though somebody waited ${stoppedMs}`]
        : []),
    ];
  } finally {
    store.close();
  }
}
