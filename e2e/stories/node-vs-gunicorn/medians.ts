import type { RunResult } from '#core/result/schema.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { compareInTurn, findDifference, claimsDifference, medianIn } from '../framework/compared.ts';
import { exactFigure, type Figure, equalFigure } from '../framework/figure.ts';
import { countResponsesOfAll, loggedPercentile, countWithStatus } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { isForPage, SCALE } from './lab.ts';

/**
 * Arrivals of a second in which many requests are completed. In the next second there are few requests, and one of them is slow. That
 * request is in the slowest tenth only of its own second.
 */
const MANY_ARRIVALS = { kind: 'count' as const, arrivals: 30, seconds: 0.75 };
const PAUSE = { kind: 'pause' as const, seconds: 0.25 };
const FEW_ARRIVALS = { kind: 'count' as const, arrivals: 5, seconds: 0.75 };
const ARRIVALS_PER_ROUND = MANY_ARRIVALS.arrivals + FEW_ARRIVALS.arrivals;
/** Position of the slow request, which is the third one in the second with few requests. */
const SLOW_POSITION = MANY_ARRIVALS.arrivals + 3;
/** Number of workers. It is larger than the maximum number of parallel requests. */
const WORKERS = 8;
/** Maximum difference that counts as negligible. */
const MAX_NEGLIGIBLE_SHARE = 0.05;

export const medians = story({
  id: 'node-vs-gunicorn/medians',
  statement: 'One server seems faster by an average of percentiles; the medians are the same.',
  owner: 'conclusions',
  usualSeconds: 36,
  needs: ['nginx', 'python'],
  draw: (dice) => ({ serviceMs: dice.step(1_200, 1_500, 50), slowByMs: dice.step(250, 300, 10) }),
  async play(scene, { serviceMs, slowByMs }) {
    const lab = await scene.lab('node-vs-gunicorn', {
      scale: SCALE,
      'service-ms': scene.hidden(serviceMs),
      workers: WORKERS,
      // Only the Node servers offer these slow responses.
      'slow-one-in': ARRIVALS_PER_ROUND,
      'slow-by-ms': slowByMs,
      replicas: 1,
    });
    for (let before = SLOW_POSITION; before < ARRIVALS_PER_ROUND; before += 1) await fetch(new URL('ping', lab.address('Node')));
    const [first, second] = ['Node', 'gunicorn'] as const;
    const plan = (base: string) => ({
      targets: [{ url: lab.address(base) }],
      journey: [{ name: 'page', path: 'timeout' }],
      load: { model: 'arrivals' as const, stages: [MANY_ARRIVALS, PAUSE, FEW_ARRIVALS] },
    });
    const { comparison, runs } = await compareInTurn(scene, [
      { name: first, plan: plan(first) },
      { name: second, plan: plan(second) },
    ]);
    const service = serviceMs / SCALE;
    const [ofNode = [], ofGunicorn = []] = runs;
    const all = ARRIVALS_PER_ROUND * ofNode.length;
    const nodeLines = await lab.linesWhen(all, 'nginx', isForPage('/node/timeout'));
    const gunicornLines = await lab.linesWhen(all, 'nginx', isForPage('/gunicorn/timeout'));
    const median = (side: number, lines: typeof nodeLines): Figure => ({
      name: `median of ${side === 0 ? first : second}`,
      unit: 'ms',
      predicted: service,
      measured: medianIn(comparison, side, 'p50'),
      logged: loggedPercentile(lines, 50),
      within: 0.1 * service,
    });
    const average = (name: string, of: readonly RunResult[], predicted: number): Figure => ({
      name: `average percentile, ${name}`,
      unit: 'ms',
      predicted,
      measured: medianOf(of.map(averageOfPercentiles).toSorted((one, other) => one - other)),
      logged: null,
      within: 0.15 * predicted,
    });
    const difference = findDifference(comparison, 1, 'p50');
    return [
      exactFigure('responses of Node', all, countResponsesOfAll(ofNode, 200), countWithStatus(nodeLines, 200)),
      exactFigure('responses of gunicorn', all, countResponsesOfAll(ofGunicorn, 200), countWithStatus(gunicornLines, 200)),
      equalFigure('slow ones of Node', ofNode.length, nodeLines.filter((line) => line.ms > service + slowByMs / 2).length),
      average(first, ofNode, service + slowByMs / 2),
      average(second, ofGunicorn, service),
      median(0, nodeLines),
      median(1, gunicornLines),
      {
        name: '95 % of responses of Node within',
        unit: 'ms',
        predicted: service,
        measured: medianIn(comparison, 0, 'p95'),
        logged: loggedPercentile(nodeLines, 95),
        // The tolerance is so small that the slow requests are far outside of it.
        within: slowByMs / 2,
      },
      exactFigure('claims that the medians differ', 0, claimsDifference(difference, MAX_NEGLIGIBLE_SHARE) ? 1 : 0, null),
      exactFigure('medians that are not known', 0, difference === undefined || difference.judgement === 'notKnown' ? 1 : 0, null),
    ];
  },
});

/** Returns the mean of the percentiles of all seconds, which is the wrong method. */
function averageOfPercentiles({ windows }: RunResult): number {
  const percentiles = windows.flatMap(({ p90 }) => p90 ?? []);
  return percentiles.reduce((sum, value) => sum + value, 0) / percentiles.length;
}
