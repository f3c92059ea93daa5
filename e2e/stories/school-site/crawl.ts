import type { CrawlReport } from '#core/work/crawl/report.ts';
import { CONTENT_PATHS, delayFactor } from '#lab/school-site/content.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { meanMs } from '../framework/readings.ts';
import type { Scene } from '../framework/scene.ts';
import { story } from '../framework/story.ts';
import { TIME_TOLERANCE } from './learner.ts';

/**
 * Differences of page times, relative to the mean, that a busy machine may reverse. Page times range from 0.5 to 1.5 times the mean, in
 * steps of a fourteenth.
 */
const NEIGHBOURS = 3 / 14;

export const crawl = story({
  id: 'school-site/crawl',
  statement: 'One user walks through the site once, to pick the pages: which are slow and which are quick.',
  owner: 'measure',
  usualSeconds: 24,
  needs: ['nginx'],
  draw: (dice) => ({ serviceMs: dice.step(440, 520, 20) }),
  async play(scene, { serviceMs }) {
    const lab = await scene.lab('school-site', { cache: 'shared', 'service-ms': scene.hidden(serviceMs) });
    const report = await walk(scene, lab.urls[0] ?? '');
    const found = CONTENT_PATHS.map((path) => report?.pages.find((page) => page.path === path)?.ms ?? NaN);
    const newRequests = await lab.lines('site', ({ path }) => path.endsWith('.cnxmlplus'));
    const logged = CONTENT_PATHS.map((path) => newRequests.find((line) => line.path === path)?.ms ?? NaN);
    // The load requests only the pages that were selected.
    const chosen = CONTENT_PATHS.filter((_, index) => delayFactor(index) > 1);
    await lab.act('empty-cache');
    const result = await scene.run({
      targets: [{ url: lab.urls[0] ?? '' }],
      journey: chosen.map((path, index) => ({ name: `page ${index + 1}`, path })),
      load: { model: 'connections', stages: [{ connections: 1, requests: chosen.length }] },
    });
    const again = await lab.linesWhen(CONTENT_PATHS.length + chosen.length, 'site', ({ path }) => path.endsWith('.cnxmlplus'));
    return [
      exactFigure('pages found', CONTENT_PATHS.length, found.filter((time) => Number.isFinite(time)).length, newRequests.length),
      exactFigure('pages out of their order', 0, outOfOrder(found), outOfOrder(logged)),
      {
        name: 'mean of the content pages',
        unit: 'ms',
        predicted: serviceMs,
        measured: found.reduce((sum, time) => sum + time, 0) / found.length,
        logged: meanMs(newRequests),
        within: TIME_TOLERANCE * serviceMs,
      },
      equalFigure('those that were chosen', result.outcomes.requests.ok, again.length - newRequests.length),
    ];
  },
});

async function walk(scene: Scene, url: string): Promise<CrawlReport | null> {
  const client = await scene.client();
  let report: CrawlReport | null = null;
  await new Promise<void>((resolve, reject) => {
    client.open(
      'sites.crawl',
      { target: { url }, bounds: { maxPages: 20, resources: false } },
      {
        onItem: (item) => {
          report = item.report;
        },
        onEnd: (problem) => (problem ? reject(problem) : resolve()),
      },
    );
  });
  return report;
}

/** Returns the number of pairs of pages that were measured in the wrong order. Neighbours are not counted. */
function outOfOrder(times: readonly number[]): number {
  let pairs = 0;
  for (const [one, time] of times.entries())
    for (const [other, longer] of times.entries()) if (delayFactor(other) - delayFactor(one) > NEIGHBOURS && !(longer > time)) pairs += 1;
  return pairs;
}
