import { isSteady } from '#core/work/load/stages.ts';
import type { Point } from '#core/result/schema.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { formatCount, formatMs, formatPercent, formatSeconds } from '#core/base/units.ts';
import { figure, type Found, pointsBetween, rangeOf, type Rule } from '../rule.ts';

/** Smallest slowdown, as a ratio and in ms, of a cold server. */
const MIN_SLOWDOWN_RATIO = 1.5;
const MIN_SLOWDOWN_MS = 10;
/** Every program loads something in the first seconds. */
const MIN_COLD_SECONDS = 3;
const MIN_WARM_SECONDS = 5;
/** Smallest growth of the share of cached responses that shows a cold cache. */
const MIN_CACHE_GROWTH = 0.2;
/** Largest ratio of requests started per second to later ones under the same load. */
const MAX_SAME_LOAD_RATIO = 1.25;
/** Share of cold responses from which the 95th percentile is affected. */
const MIN_COLD_SHARE = 0.05;

/** Finds responses that were slow at first under constant load and quick later: caches filled, code was compiled. */
export const warmingUp: Rule = {
  id: 'warmingUp',
  find(facts) {
    return facts.stages.flatMap((stage, index): Found[] => {
      const { level, counted } = stage;
      if (!counted || !isSteady(level)) return [];
      // After a higher load, the rest of its queue comes first, and the server is warm.
      if (facts.stages.slice(0, index).some((earlier) => earlier.level.highest > level.to)) return [];
      const points = pointsBetween(facts, stage.startedAtSecond, stage.endedAtSecond).filter(
        ({ p50, width }) => p50 !== null && width <= 10,
      );
      const warmMs = middle(points.slice(Math.floor(points.length / 2)));
      const isCold = ({ p50 }: Point): boolean => (p50 ?? 0) > MIN_SLOWDOWN_RATIO * warmMs && (p50 ?? 0) - warmMs > MIN_SLOWDOWN_MS;
      const until = points.findIndex((point) => !isCold(point));
      const cold = until < 0 ? [] : points.slice(0, until);
      const warm = until < 0 ? [] : points.slice(until);
      // Slowness that returns later is no warm-up.
      if (warm.filter(isCold).length > warm.length / 10) return [];
      // Users who start at once queue at a warm server, too. The server was cold only if as many requests are quick later.
      if (mostStarted(cold) > MAX_SAME_LOAD_RATIO * mostStarted(warm)) return [];
      const seconds = secondsOf(cold);
      const answers = count(cold);
      const share = answers / Math.max(1, count(points));
      if (seconds < MIN_COLD_SECONDS || secondsOf(warm) < Math.max(MIN_WARM_SECONDS, seconds) || share < MIN_COLD_SHARE) return [];
      const range = rangeOf(cold);
      const [atFirst, later] = [cacheShareOf(cold), cacheShareOf(warm)];
      const isCache = atFirst !== null && later !== null && later - atFirst >= MIN_CACHE_GROWTH;
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

/** Maximum per second. */
function mostStarted(points: readonly Point[]): number {
  return Math.max(0, ...points.map(({ started, width }) => started / width));
}

/** Returns null if no response reports whether it came from a cache. */
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
