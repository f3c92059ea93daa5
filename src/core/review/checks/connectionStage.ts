import { formatCount } from '#core/base/units.ts';
import { fixedRequests } from '#core/work/journey/flow/takings.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { ConnectionsStage } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { error } from './make.ts';
import { checkReached } from './reached.ts';

/** A stage of the model `connections`. */
export function checkConnectionStage(plan: Plan, stage: ConnectionsStage, index: number): Issue[] {
  const path = `load.stages[${index}]`;
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
  if (stage.requests !== undefined) issues.push(...checkWholeJourneys(plan, index, stage.requests, `${path}.requests`));
  return [...issues, ...checkReached(plan, stage.connections, 'connections', `${path}.connections`)];
}

function checkWholeJourneys(plan: Plan, index: number, requests: number, path: string): Issue[] {
  const steps = fixedRequests(plan, index);
  if (steps === null) {
    return [
      error(
        'JOURNEYS_DIFFER',
        path,
        'How many requests a journey of this flow makes is known only when it is walked, so no number of requests makes whole journeys.',
        'Give seconds instead of requests, or let arrivals begin journeys (model arrivals, kind: count).',
      ),
    ];
  }
  if (steps === 0 || requests % steps === 0) return [];
  const below = Math.floor(requests / steps) * steps;
  const nearest = below > 0 && requests - below <= below + steps - requests ? below : below + steps;
  return [
    error(
      'REQUESTS_NOT_WHOLE_JOURNEYS',
      path,
      `${formatCount(requests)} requests do not make whole journeys of ${steps} ${plan.flow === undefined ? 'steps' : 'requests'}.`,
      `Use a multiple of ${steps}; the nearest is ${formatCount(nearest)}.`,
    ),
  ];
}
