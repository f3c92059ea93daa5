import { pausesOfJourney } from '#core/load/pauses.ts';
import { formatCount, formatSeconds } from '#core/units.ts';
import type { Issue } from '../issues.ts';
import type { Load, UsersStage } from '../loadSchema.ts';
import type { Plan } from '../schema.ts';
import { warning } from './make.ts';
import { checkReached } from './reached.ts';

/** From this many users on a wave of all of them at once is no longer what so many people would do. */
const WAVE_USERS = 10;

/** A stage of the model `users`. */
export function checkUsers(plan: Plan, load: Extract<Load, { model: 'users' }>, stage: UsersStage, path: string): Issue[] {
  const issues = checkReached(plan, stage.users, 'users', `${path}.users`);
  const pauses = pausesOfJourney(load.thinkTime, plan.journey.length);
  const walked = stage.startUpSeconds + stage.seconds;
  if (pauses >= walked) {
    issues.push(
      warning(
        'STAGE_SHORTER_THAN_JOURNEY',
        `${path}.seconds`,
        `Nobody gets to the end of the journey: its pauses alone take ${formatSeconds(pauses)}, and users walk for ${formatSeconds(walked)}.`,
        'Make the stage several journeys long, or the pauses shorter.',
      ),
    );
  }
  if (stage.users >= WAVE_USERS && stage.startUpSeconds === 0 && load.thinkTime?.kind === 'fixed' && load.thinkTime.seconds > 0) {
    issues.push(
      warning(
        'USERS_IN_STEP',
        `${path}.startUpSeconds`,
        `All ${formatCount(stage.users)} users begin at the same instant and pause equally long, so they come in waves.`,
        `With startUpSeconds: ${load.thinkTime.seconds} they spread over one pause; pauses of the kind uniform or exponential spread them too.`,
      ),
    );
  }
  return issues;
}
