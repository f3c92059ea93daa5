import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * Returns the mean think time between a response and the next request in seconds, if users only send, wait and pause. null for other loads, to which the
 * response time law does not apply directly: arrivals, redirects and resources (sent without a pause), polls, side calls, background requests, and steps
 * that are not always taken.
 */
export function pauseOf({ load, journey, flow }: Plan): number | null {
  if (load.model === 'arrivals' || flow !== undefined) return null;
  const isPlain = journey.every(
    ({ redirects, resources, poll, background, measured, once }) =>
      redirects === undefined &&
      resources === undefined &&
      poll === undefined &&
      background === undefined &&
      measured !== false &&
      once !== true,
  );
  if (!isPlain) return null;
  const usual = load.model === 'users' ? load.thinkTime : undefined;
  const pauses = journey.map(({ thinkTime }) => meanSeconds(thinkTime ?? usual));
  return pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
}

function meanSeconds(pause: ThinkTime | undefined): number {
  if (pause === undefined) return 0;
  switch (pause.kind) {
    case 'fixed':
      return pause.seconds;
    case 'uniform':
      return (pause.fromSeconds + pause.toSeconds) / 2;
    case 'exponential':
      return pause.meanSeconds;
  }
}
