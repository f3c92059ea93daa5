import type { Plan } from '#core/plan/schema/plan.ts';
import type { LiveSnapshot } from '#contract/replies.ts';
import { joinLiveMonitors, type LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import type { WatchedReading } from '#core/result/readings.ts';
import type { PointOfGenerator } from '#core/result/liveGenerators.ts';
import { reduceGeneratorPoints, reducePoints } from '#core/result/pointSeries.ts';
import type { GeneratorPoint, Point, RunEvent } from '#core/result/schema.ts';
import { formatCount } from '#core/base/units.ts';
import { laterWords } from '../words/laterWords.ts';

/** State of an active run on the screen: the newest status, with the points and events of all updates. */
export interface LiveState {
  readonly plan: Plan | undefined;
  readonly live: LiveSnapshot;
  readonly points: readonly Point[];
  readonly watched: readonly WatchedReading[];
  /** Points of each load generator, by the generator's number. */
  readonly generators: readonly (readonly GeneratorPoint[])[];
  readonly events: readonly RunEvent[];
  readonly monitors: readonly LiveMonitor[];
  /** How often points were dropped and had to be fetched. */
  readonly resyncs: number;
}

const MAX_POINTS = 600;
const MAX_EVENTS = 200;

/** Merges an update into the state. The first update on a connection is complete; later ones contain only changes. */
export function mergeLive(before: LiveState | undefined, live: LiveSnapshot): LiveState {
  if (!before) {
    const { plan, points, watched, events, monitors } = live;
    return {
      plan,
      live,
      points,
      watched,
      generators: withGeneratorPoints([], live.generatorPoints),
      events,
      monitors,
      resyncs: live.resync ? 1 : 0,
    };
  }
  const points = live.resync ? live.points : mergePoints(before.points, live.points);
  return {
    plan: live.plan ?? before.plan,
    live,
    points: points.length > 2 * MAX_POINTS ? reducePoints(points, MAX_POINTS) : points,
    watched: live.watched.length > 0 ? [...before.watched, ...live.watched].slice(-MAX_POINTS) : before.watched,
    generators: live.generatorPoints.length > 0 ? withGeneratorPoints(before.generators, live.generatorPoints) : before.generators,
    events: live.events.length > 0 ? [...before.events, ...live.events].slice(-MAX_EVENTS) : before.events,
    monitors: live.monitors.length > 0 ? joinLiveMonitors(before.monitors, live.monitors) : before.monitors,
    resyncs: before.resyncs + (live.resync ? 1 : 0),
  };
}

/** Appends new points of load generators. They are later than the existing points. */
function withGeneratorPoints(before: LiveState['generators'], generatorPoints: readonly PointOfGenerator[]): LiveState['generators'] {
  const count = generatorPoints.reduce((most, { generator }) => Math.max(most, generator + 1), before.length);
  return Array.from({ length: count }, (_, number) => {
    const news = generatorPoints.flatMap(({ generator, ...point }) => (generator === number ? [point] : []));
    const points = [...(before[number] ?? []), ...news];
    return points.length > 2 * MAX_POINTS ? reduceGeneratorPoints(points, MAX_POINTS) : points;
  });
}

/** Replaces points by newer points of the same seconds. If there are none, returns the same array, so that nothing is redrawn. */
export function mergePoints(older: readonly Point[], newer: readonly Point[]): readonly Point[] {
  const [first] = newer;
  if (!first) return older;
  return [...older.filter(({ second, width }) => second + width <= first.second), ...newer];
}

/** Returns one value for each of the last `seconds` seconds; null where the value is unknown. */
export function valuesOfLastSeconds(
  points: readonly Point[],
  seconds: number,
  valueOf: (point: Point) => number | null,
): (number | null)[] {
  const last = points.at(-1);
  if (!last) return [];
  const end = Math.floor(last.second + last.width);
  const from = Math.max(0, end - seconds);
  const values: (number | null)[] = Array.from({ length: Math.max(1, end - from) }, () => null);
  for (let index = points.length - 1; index >= 0; index--) {
    const point = points[index];
    if (!point || point.second + point.width <= from) break;
    for (let second = Math.max(from, Math.floor(point.second)); second < point.second + point.width; second++) {
      if (second - from < values.length) values[second - from] = valueOf(point);
    }
  }
  return values;
}

/** Returns whether a stop was requested for a run that has not ended. */
export function isStopping({ run }: LiveSnapshot): boolean {
  return run.endedBecause !== null && run.endedAt === null;
}

/** Returns the state of the run as a sentence; empty while it runs normally. */
export function stateSentence(live: LiveSnapshot): string {
  const { run, outcomes } = live;
  const { states, responses } = laterWords.live;
  const outstanding = outcomes.requests.inFlight;
  const outstandingWords = responses(outstanding, formatCount(outstanding));
  if (run.endedAt !== null) return states.ended;
  if (isStopping(live)) return outstanding > 0 ? states.stopping(outstandingWords) : states.stoppingNothingOutstanding;
  switch (run.state) {
    case 'preparing':
      return states.preparing;
    case 'running':
      return '';
    case 'draining':
      return outstanding > 0 ? states.draining(outstandingWords) : states.drained;
    case 'finished':
    case 'stopped':
    case 'failed':
    case 'interrupted':
      return states.ended;
    default:
      return run.state satisfies never;
  }
}
