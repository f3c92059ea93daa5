import { setTimeout as sleep } from 'node:timers/promises';
import type { KillPoint, Step } from '../killPoint.ts';
import type { Trial, Victim } from '../trial.ts';
import { lacksNothing, type CrashPoint } from './place.ts';

export const ENDS_WITHIN_MS = 60_000;
/** Time in ms for the kernel to end the processes of a local run. They may not outlive the command for any other reason. */
export const NO_GRACE_MS = 3_000;
const STEPS: readonly [Step, ...Step[]] = ['start', 'append', 'append', 'append', 'end', 'result'];

/** Draws at random at which step of a two-second run, and when in that step, the process is killed. */
export function killPoint({ dice }: Trial, steps = STEPS): KillPoint {
  const step = dice.pick(steps);
  const nth = step === 'append' ? dice.integer(1, 3) : 1;
  return { step, moment: dice.pick(['before', 'within', 'after']), nth };
}

/** Kills a process at a random time between its start and its end. Returns whether the process ended in time. */
export async function killAtRandom(trial: Trial, victim: Victim): Promise<boolean> {
  const { dice, target } = trial;
  if (dice.between(0, 1) < 0.2) await sleep(dice.between(0, 1_000));
  else {
    await target.waitForRequest(trial.name, ENDS_WITHIN_MS / 2);
    await sleep(dice.between(0, 2_800));
  }
  victim.child.kill('SIGKILL');
  return victim.ended(ENDS_WITHIN_MS);
}

const hangs = (isOver: boolean): string[] => (isOver ? [] : ['the victim hangs']);

/** The crash point “command line”: `holdfast run` is killed at a step of its run or at a random time. */
export const commandLine: CrashPoint = {
  name: 'command line',
  weight: 45,
  missing: lacksNothing,
  async strike(trial) {
    const plan = await trial.writePlan();
    if (trial.dice.between(0, 1) < 0.4) {
      const isOver = await killAtRandom(trial, trial.cli(['run', plan]));
      return { where: 'at any instant', graceMs: NO_GRACE_MS, problems: hangs(isOver) };
    }
    const kill = killPoint(trial);
    const victim = trial.cli(['run', plan], { kill });
    const problems = hangs(await victim.ended(ENDS_WITHIN_MS));
    if (!victim.wasKilled()) problems.push(`it was not killed: ${victim.getOutput().slice(-300)}`);
    return { where: `${kill.step}, ${kill.moment}`, graceMs: NO_GRACE_MS, problems };
  },
};

/** The crash point “load thread”: a thread exits without a message, and its process must end the run. */
export const worker: CrashPoint = {
  name: 'load thread',
  weight: 8,
  missing: lacksNothing,
  async strike(trial) {
    const kill: KillPoint = { step: 'worker', moment: 'before', nth: trial.dice.integer(1, 2_500) };
    const victim = trial.cli(['run', await trial.writePlan()], { kill });
    const problems = hangs(await victim.ended(ENDS_WITHIN_MS));
    if (victim.child.exitCode === null) problems.push('the process ended with its thread');
    return { where: 'at any instant', graceMs: NO_GRACE_MS, problems };
  },
};
