import { requestsPerJourney, takingsOf } from '#core/work/journey/flow/takings.ts';
import { pausesOfJourney } from '#core/work/journey/flow/pauses.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import type { Load, UsersStage } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { checkReached, warning } from './make.ts';

/** From this many users on a wave of all of them at once is no longer what so many people would do. */
const WAVE_USERS = 10;

function pausesNever({ thinkTime, measured }: Plan['journey'][number]): boolean {
  return measured !== false && thinkTime?.kind === 'fixed' && thinkTime.seconds === 0;
}

/** A stage of the model `users`. */
export function checkUsers(plan: Plan, load: Extract<Load, { model: 'users' }>, stage: UsersStage, index: number): Issue[] {
  const path = `load.stages[${index}]`;
  const issues = [...checkReached(plan, stage.users, 'users', `${path}.users`), ...checkContinues(load, stage, path)];
  // Users who go on have done before what is done once.
  const done = stage.continues === true ? plan.journey.filter(({ once }) => once === true).length : 0;
  const unpausing = plan.journey.reduce(
    (sum, step) => sum + (pausesNever(step) && step.once !== true ? takingsOf(plan, step.name, index).least : 0),
    0,
  );
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
  if (
    stage.users >= WAVE_USERS &&
    stage.startUpSeconds === 0 &&
    stage.continues !== true &&
    load.thinkTime?.kind === 'fixed' &&
    load.thinkTime.seconds > 0
  ) {
    issues.push(
      warning(
        'USERS_IN_STEP',
        `${path}.startUpSeconds`,
        `All ${formatCount(stage.users)} users start at the same instant and pause equally long, so requests come in waves.`,
        `To spread them over one pause, set startUpSeconds: ${load.thinkTime.seconds}. Pauses of the kind uniform or exponential also spread them.`,
      ),
    );
  }
  return issues;
}

/** Users who go on are as many as before, and nobody starts or rests. */
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
  if (before.users === stage.users && stage.startUpSeconds === 0 && stage.restSeconds === 0) return [];
  return [
    error(
      'CONTINUES_OTHERS',
      `${path}.continues`,
      `The ${formatCount(before.users)} users of the previous stage cannot continue as ${formatCount(stage.users)} users who start or rest first.`,
      'Give both stages the same users, without startUpSeconds and restSeconds in the later one, or remove continues.',
    ),
  ];
}
