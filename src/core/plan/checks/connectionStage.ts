import { formatCount } from '#core/units.ts';
import type { Issue } from '../issues.ts';
import type { ConnectionsStage } from '../loadSchema.ts';
import type { Plan } from '../schema.ts';
import { error } from './make.ts';
import { checkReached } from './reached.ts';

/** A stage of the model `connections`. */
export function checkConnectionStage(plan: Plan, stage: ConnectionsStage, path: string): Issue[] {
  const issues: Issue[] = [];
  if ((stage.requests === undefined) === (stage.seconds === undefined)) {
    const message = stage.requests === undefined ? 'Nothing says when this stage ends.' : 'This stage has two ends.';
    issues.push(error('STAGE_NEEDS_ONE_END', path, message, 'Give either requests or seconds.'));
  }
  if (stage.requests !== undefined && stage.connections > stage.requests) {
    issues.push(
      error(
        'CONNECTIONS_OVER_REQUESTS',
        `${path}.connections`,
        `${formatCount(stage.connections)} connections cannot share ${formatCount(stage.requests)} requests: some would never send one.`,
        `Use at most ${formatCount(stage.requests)} connections, or more requests.`,
      ),
    );
  }
  if (stage.requests !== undefined && stage.requests % plan.journey.length !== 0) {
    issues.push(notWholeJourneys(plan, stage.requests, `${path}.requests`));
  }
  return [...issues, ...checkReached(plan, stage.connections, 'connections', `${path}.connections`)];
}

function notWholeJourneys(plan: Plan, requests: number, path: string): Issue {
  const steps = plan.journey.length;
  const below = Math.floor(requests / steps) * steps;
  const nearest = below > 0 && requests - below <= below + steps - requests ? below : below + steps;
  return error(
    'REQUESTS_NOT_WHOLE_JOURNEYS',
    path,
    `${formatCount(requests)} requests do not make whole journeys of ${steps} steps.`,
    `Use a multiple of ${steps}; the nearest is ${formatCount(nearest)}.`,
  );
}
