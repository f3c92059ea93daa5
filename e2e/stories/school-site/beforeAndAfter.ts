import { MIN_RUNS_PER_SIDE } from '#core/comparison/differences.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { CONTENT_PATHS, delayFactor } from '#lab/school-site/content.ts';
import { compareInTurn, findDifference, countSuccessful, isClearlyBetter, ratioOf } from '../framework/compared.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { loggedPercentile } from '../framework/readings.ts';
import { story } from '../framework/story.ts';
import { countResponsesBy, countWithCache } from './cached.ts';
import { ARRIVAL_STEPS, learners, TIME_TOLERANCE } from './learner.ts';

const PAGES = 2;
/** Positions of consecutive pages that are slower than the mean. On a busy machine, the times of faster pages vary too much. */
const SLOW_PAIRS = [2, 5, 9, 13] as const;
const STEPS = ['home', 'log in', 'page 1', 'page 2'] as const;

export const beforeAndAfter = story({
  id: 'school-site/before-and-after',
  statement: 'A cache between two runs: what became faster, page by page.',
  owner: 'conclusions',
  usualSeconds: 36,
  needs: ['nginx'],
  draw: (dice) => ({ visitors: dice.whole(6, 7), serviceMs: dice.step(70, 80, 5), from: dice.pick(SLOW_PAIRS) }),
  async play(scene, { visitors, serviceMs, from }) {
    const settings = { 'service-ms': scene.hidden(serviceMs) };
    const labs = {
      before: await scene.lab('school-site', { ...settings, cache: 'per-user' }),
      after: await scene.lab('school-site', { ...settings, cache: 'shared' }),
    };
    const paths = CONTENT_PATHS.slice(from, from + PAGES);
    const each = visitors * STEPS.length;
    const { accounts } = await learners(scene, labs.before, visitors);
    const sides = (['before', 'after'] as const).map((name) => ({
      name,
      plan: {
        targets: [{ url: labs[name].urls[0] ?? '' }],
        ...(accounts === undefined ? {} : { feeds: { accounts: { ...accounts, order: 'sequential' as const } } }),
        cookies: 'journey' as const,
        journey: [...ARRIVAL_STEPS, ...paths.map((path, index) => ({ name: `page ${index + 1}`, path }))],
        servers: { header: 'X-Cache' },
        load: { model: 'connections' as const, stages: [{ connections: 1, requests: each }] },
      },
      after: () => labs[name].act('empty-cache'),
    }));
    const { comparison, runs } = await compareInTurn(scene, sides);
    const [before = [], after = []] = runs;
    const ownRequests = await linesOf('before');
    const shared = await linesOf('after');
    const made = MIN_RUNS_PER_SIDE * visitors * PAGES;
    const quicker = STEPS.filter((step) => isClearlyBetter(findDifference(comparison, 1, 'p50', step)));
    const rate = findDifference(comparison, 1, 'goodPerSecond');
    const paces = paths.map((_, index) => delayFactor(from + index));
    const pace = paces.reduce((sum, one) => sum + one, 0);
    const uncached = visitors * (ARRIVAL_STEPS.length + pace);
    const cached = visitors * ARRIVAL_STEPS.length + pace;
    return [
      equalFigure('requests', countSuccessful(...runs), ownRequests.length + shared.length),
      exactFigure('kept before', 0, countResponsesBy(before, 'HIT'), countWithCache(ownRequests, 'HIT')),
      exactFigure('kept after', made - MIN_RUNS_PER_SIDE * PAGES, countResponsesBy(after, 'HIT'), countWithCache(shared, 'HIT')),
      exactFigure('made after', MIN_RUNS_PER_SIDE * PAGES, countResponsesBy(after, 'MISS'), countWithCache(shared, 'MISS')),
      exactFigure(
        'comparisons that find a difference',
        1,
        comparison.pairs.filter(({ conclusion }) => conclusion === 'differs').length,
        null,
      ),
      exactFigure('steps that became better', PAGES, quicker.length, null),
      exactFigure('of which pages', PAGES, quicker.filter((step) => step.startsWith('page')).length, null),
      ...paths.map((path, index) => {
        const predicted = serviceMs * (paces[index] ?? NaN);
        return {
          name: `page ${index + 1} before`,
          unit: 'ms',
          predicted,
          measured: findDifference(comparison, 1, 'p50', `page ${index + 1}`)?.from?.median ?? null,
          logged: loggedPercentile(
            ownRequests.filter((line) => line.path === path),
            50,
          ),
          within: 1.2 * TIME_TOLERANCE * predicted,
        };
      }),
      {
        name: 'times as many responses a second',
        unit: '',
        predicted: uncached / cached,
        measured: ratioOf(rate),
        logged: busyMs(ownRequests) / busyMs(shared),
        within: (1.5 * TIME_TOLERANCE * uncached) / cached,
      },
    ];

    function linesOf(side: keyof typeof labs): Promise<LoggedRequest[]> {
      return labs[side].linesWhen(MIN_RUNS_PER_SIDE * each, 'nginx', ({ path }) => path !== '/@@toolbar');
    }
  },
});

/** Returns the sum of the times in ms. It is the total time, because the requests are sequential. */
function busyMs(lines: readonly LoggedRequest[]): number {
  return lines.reduce((sum, { ms }) => sum + ms, 0);
}
