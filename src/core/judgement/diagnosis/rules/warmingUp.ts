import { isSteady } from '#core/work/load/stages.ts';
import type { Point } from '#core/result/schema.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { formatCount, formatMs, formatPercent, formatSeconds } from '#core/base/units.ts';
import { figure, type Found, pointsBetween, rangeOf, type Rule } from '../rule.ts';

/** Answers that take so much longer than later on, and by so much, are of a server that is not warm yet. */
const FACTOR = 1.5;
const LEAST_MS = 10;
/** In the first second or two every program loads something. */
const LEAST_COLD_SECONDS = 3;
const LEAST_WARM_SECONDS = 5;
/** So much more of the answers came from a cache later on that it was the cache that was cold. */
const CACHE_GREW = 0.2;
/** More requests than this many times the most that began in a second later are another load. */
const SAME_LOAD = 1.25;
/** From this share of the answers on the 95th percentile is that of the cold ones. */
const SPOILS = 0.05;

/** Under a constant load answers were slow at first and quick from some second on: caches were filled, code was compiled. */
export const warmingUp: Rule = {
  id: 'warmingUp',
  find(facts) {
    return facts.stages.flatMap((stage, index): Found[] => {
      const { level, counted } = stage;
      if (!counted || !isSteady(level)) return [];
      // After more load than this what was left of it is worked off first, and nothing is cold any more.
      if (facts.stages.slice(0, index).some((earlier) => earlier.level.highest > level.to)) return [];
      const points = pointsBetween(facts, stage.startedAtSecond, stage.endedAtSecond).filter(
        ({ p50, width }) => p50 !== null && width <= 10,
      );
      const warmMs = middle(points.slice(Math.floor(points.length / 2)));
      const isCold = ({ p50 }: Point): boolean => (p50 ?? 0) > FACTOR * warmMs && (p50 ?? 0) - warmMs > LEAST_MS;
      const until = points.findIndex((point) => !isCold(point));
      const cold = until < 0 ? [] : points.slice(0, until);
      const warm = until < 0 ? [] : points.slice(until);
      // Slow again later: that is not warming up.
      if (warm.filter(isCold).length > warm.length / 10) return [];
      // Users who all begin at once queue, however warm the server is: it is cold only where as many are quick later.
      if (mostStarted(cold) > SAME_LOAD * mostStarted(warm)) return [];
      const seconds = secondsOf(cold);
      const answers = count(cold);
      const share = answers / Math.max(1, count(points));
      if (seconds < LEAST_COLD_SECONDS || secondsOf(warm) < Math.max(LEAST_WARM_SECONDS, seconds) || share < SPOILS) return [];
      const range = rangeOf(cold);
      const [atFirst, later] = [cacheShareOf(cold), cacheShareOf(warm)];
      const isCache = atFirst !== null && later !== null && later - atFirst >= CACHE_GREW;
      return [
        {
          id: `${this.id}.${stage.name}`,
          level: 'warning',
          sentence: `In the first ${formatSeconds(seconds)} of “${stage.name}” the median response took ${formatMs(middle(cold))}, later ${formatMs(warmMs)}: the server was still warming up, and its figures mix both.`,
          evidence: [
            'The load was constant. Filling caches, opening connections and compiling code look like this.',
            ...(isCache ? ['Here a cache filled: more and more responses came from it.'] : []),
          ],
          figures: [
            figure('Median at first', formatMs(middle(cold))),
            figure('Median later', formatMs(warmMs)),
            figure('Responses of the slow start', `${formatCount(answers)} (${formatPercent(share)})`),
            ...(isCache
              ? [figure('From a cache at first', formatPercent(atFirst)), figure('From a cache later', formatPercent(later))]
              : []),
          ],
          remedy: `Put a stage of at least ${formatSeconds(Math.ceil(seconds / 5) * 5)} before it that does not count. If users also meet a cold server, as after each deployment, test that separately.`,
          confidence: 'likely',
          range,
          insteadOf: ['notSteady', 'behaviour.first.*', `groups.${stage.name}.*`, 'averageHides.*'],
        },
      ];
    });
  },
};

function middle(points: readonly Point[]): number {
  return medianOf(points.flatMap(({ p50 }) => p50 ?? []).toSorted((one, other) => one - other));
}

/** A second, at the most. */
function mostStarted(points: readonly Point[]): number {
  return Math.max(0, ...points.map(({ started, width }) => started / width));
}

/** null where no answer says whether it came from one. */
function cacheShareOf(points: readonly Point[]): number | null {
  const sum = (key: 'fromCache' | 'fromServer'): number => points.reduce((total, { cache }) => total + (cache?.[key] ?? 0), 0);
  const said = sum('fromCache') + sum('fromServer');
  return said === 0 ? null : sum('fromCache') / said;
}

function secondsOf(points: readonly Point[]): number {
  return points.reduce((sum, { width }) => sum + width, 0);
}

function count(points: readonly Point[]): number {
  return points.reduce((sum, { completed }) => sum + completed, 0);
}
