import { requestsPerJourney, takingsOf } from '#core/work/journey/flow/takings.ts';
import { pausesOfJourney } from '#core/work/journey/flow/pauses.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { Load, UsersStage } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { continuesBefore, usersAtStart } from '#core/work/load/stages.ts';
import { checkReached, warning } from './make.ts';

/** From this many users, a simultaneous start of all is unrealistic. */
const WAVE_USERS = 10;

function pausesNever({ thinkTime, measured }: Plan['journey'][number]): boolean {
  return measured !== false && thinkTime?.kind === 'fixed' && thinkTime.seconds === 0;
}

/** Checks a stage of the model `users`. */
export function checkUsers(plan: Plan, load: Extract<Load, { model: 'users' }>, stage: UsersStage, index: number): Issue[] {
  const path = `load.stages[${index}]`;
  const issues = [...checkReached(plan, stage.users, 'users', `${path}.users`), ...checkContinues(load, stage, path)];
  // Users of the previous stage have already performed steps with `once`.
  const stays = continuesBefore(load, index);
  const done =
    stays && load.stages.slice(0, index).some((before) => before.users >= stage.users)
      ? plan.journey.filter(({ once }) => once === true).length
      : 0;
  const unpausing = plan.journey.reduce(
    (sum, step) => sum + (pausesNever(step) && step.once !== true ? takingsOf(plan, step.name, index).least : 0),
    0,
  );
  const wave = load.thinkTime?.kind === 'fixed' ? load.thinkTime.seconds : load.thinkTime === undefined ? (load.paceSeconds ?? 0) : 0;
  const pauses = pausesOfJourney(load.thinkTime, requestsPerJourney(plan, index).least - done - unpausing);
  const walked = stage.startUpSeconds + stage.seconds;
  if (pauses >= walked) {
    issues.push(
      warning(
        'STAGE_SHORTER_THAN_JOURNEY',
        `${path}.seconds`,
        `No user finishes the journey: its pauses alone take ${formatSeconds(pauses)}, and users run for ${formatSeconds(walked)}.`,
        'Make the stage several journeys long, or shorten the pauses.',
      ),
    );
  }
  if (stage.users - usersAtStart(load, index) >= WAVE_USERS && stage.startUpSeconds === 0 && wave > 0) {
    issues.push(
      warning(
        'USERS_IN_STEP',
        `${path}.startUpSeconds`,
        `All ${formatCount(stage.users - usersAtStart(load, index))} users start at the same instant and pause equally long, so requests come in waves.`,
        `To spread them over one pause, set startUpSeconds: ${wave}. Pauses of the kind uniform or exponential also spread them.`,
      ),
    );
  }
  return issues;
}

/** Checks that a stage with `continues` follows another stage without a rest. */
function checkContinues({ stages }: Extract<Load, { model: 'users' }>, stage: UsersStage, path: string): Issue[] {
  if (stage.continues !== true) return [];
  const before = stages[stages.indexOf(stage) - 1];
  if (before === undefined)
    return [
      error(
        'NOBODY_TO_CONTINUE',
        `${path}.continues`,
        'There is no previous stage whose users could continue.',
        'Remove continues from the first stage.',
      ),
    ];
  if (stage.restSeconds === 0) return [];
  return [
    error(
      'CONTINUES_AFTER_REST',
      `${path}.continues`,
      `The users of the previous stage cannot continue, because ${formatSeconds(stage.restSeconds)} without load come first.`,
      'Remove restSeconds, or continues.',
    ),
  ];
}
