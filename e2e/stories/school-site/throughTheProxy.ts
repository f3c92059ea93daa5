import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import { compare, findDifference, countSuccessful, claimsDirection, ratioOf } from '../framework/compared.ts';
import { exactFigure } from '../framework/figure.ts';
import { loggedPercentile } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { playVariants } from '../framework/variants.ts';
import { TIME_TOLERANCE } from './learner.ts';

const [CONNECTIONS, REQUESTS_EACH] = [4, 3];
const PAGE = '/?hop';

export const throughTheProxy = story({
  id: 'school-site/through-the-proxy',
  statement: 'The same page directly and through the proxy: one hop.',
  owner: 'conclusions',
  usualSeconds: 20,
  needs: ['nginx'],
  draw: (dice) => ({ serviceMs: dice.step(140, 180, 10), hopMs: dice.step(60, 75, 5) }),
  async play(scene, { serviceMs, hopMs }) {
    const lab = await scene.lab('school-site', {
      cache: 'off',
      workers: CONNECTIONS,
      'service-ms': serviceMs,
      'hop-ms': scene.hidden(hopMs),
    });
    const sides = [
      { name: 'directly', targets: [{ url: lab.address('Site without nginx') }] },
      { name: 'through nginx', targets: [{ url: lab.urls[0] ?? '' }] },
    ];
    const load = { model: 'connections' as const, stages: [{ connections: CONNECTIONS, requests: CONNECTIONS * REQUESTS_EACH }] };
    const { runs } = await playVariants(scene, { journey: [{ name: 'page', path: PAGE }], load }, sides, MIN_RUNS_PER_SIDE);
    const comparison = await compare(scene, sides, runs);
    const requestCount = MIN_RUNS_PER_SIDE * CONNECTIONS * REQUESTS_EACH;
    const passedRequests = await lab.linesWhen(requestCount, 'nginx', ({ path }) => path === PAGE);
    const newRequests = await lab.linesWhen(2 * requestCount, 'site', ({ path }) => path === PAGE);
    const p50 = findDifference(comparison, 1, 'p50');
    const [without, within] = [loggedPercentile(newRequests, 50), loggedPercentile(passedRequests, 50)];
    // The delay is added in both directions.
    const hop = 2 * hopMs;
    return [
      exactFigure('pages', 2 * requestCount, countSuccessful(...runs), newRequests.length),
      exactFigure('of which through the proxy', requestCount, countSuccessful(...runs.slice(1)), passedRequests.length),
      exactFigure('things that differ beside it', 0, new Set(comparison.dissimilar.map(({ aspect }) => aspect)).size - 1, null),
      exactFigure('comparisons that find it slower', 1, claimsDirection('worse', p50) ? 1 : 0, null),
      {
        name: 'what the hop costs',
        unit: 'ms',
        predicted: hop,
        measured: (p50?.to?.median ?? NaN) - (p50?.from?.median ?? NaN),
        logged: within - without,
        within: TIME_TOLERANCE * hop,
      },
      {
        name: 'times as long through the proxy',
        unit: '',
        predicted: (serviceMs + hop) / serviceMs,
        measured: ratioOf(p50),
        logged: within / without,
        within: (TIME_TOLERANCE * (serviceMs + hop)) / serviceMs,
      },
    ];
  },
});
