import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * Mean pause of a visitor between an answer and the next request, in seconds, for loads in which every visitor does nothing but ask, wait and pause. null for others, of
 * which the law of response times does not hold as it stands: arrivals, redirects and resources (asked for without a pause), polls, side calls, requests beside
 * the journey, steps that are not always taken.
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
