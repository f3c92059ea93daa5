import { CONTENT_PATHS, delayFactor } from '#lab/school-site/content.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { exactFigure, equalFigure } from '../framework/figure.ts';
import { countRecorded, meanMs } from '../framework/readings.ts';
import type { Scene } from '../framework/scene.ts';
import { story } from '../framework/story.ts';
import { countResponsesBy, countWithCache } from './cached.ts';
import { ARRIVAL_STEPS, learners, TIME_TOLERANCE } from './learner.ts';

const PAGES = 3;

export const cacheShare = story({
  id: 'school-site/cache-share',
  statement:
    'Each page shows who is logged in, so that a cache keeps nothing for the next reader; with that put in by the proxy it keeps most.',
  owner: 'measure',
  usualSeconds: 32,
  needs: ['nginx'],
  draw: (dice) => ({ visitors: dice.whole(8, 10), serviceMs: dice.step(300, 360, 20), from: dice.whole(0, CONTENT_PATHS.length - PAGES) }),
  async play(scene, { visitors, serviceMs, from }) {
    const ownReading = await read(scene, 'per-user', visitors, serviceMs, from);
    const shared = await read(scene, 'shared', visitors, serviceMs, from);
    const requestCount = visitors * PAGES;
    return [
      equalFigure(
        'requests',
        countRecorded(ownReading.result) + countRecorded(shared.result),
        ownReading.lines.length + shared.lines.length,
      ),
      exactFigure('kept, a copy for each reader', 0, countResponsesBy([ownReading.result], 'HIT'), countWithCache(ownReading.lines, 'HIT')),
      exactFigure(
        'made, a copy for each reader',
        requestCount,
        countResponsesBy([ownReading.result], 'MISS'),
        countWithCache(ownReading.lines, 'MISS'),
      ),
      exactFigure(
        'said to be from the cache, one copy for all',
        requestCount - PAGES,
        shared.result.cache?.all.fromCache ?? NaN,
        countWithCache(shared.lines, 'HIT'),
      ),
      exactFigure(
        'said to be from the server, one copy for all',
        PAGES,
        shared.result.cache?.all.fromServer ?? NaN,
        countWithCache(shared.lines, 'MISS'),
      ),
      exactFigure(
        'said to be from the cache, a copy for each',
        0,
        ownReading.result.cache?.all.fromCache ?? NaN,
        countWithCache(ownReading.lines, 'HIT'),
      ),
      exactFigure(
        'kept, one copy for all',
        requestCount - PAGES,
        countResponsesBy([shared.result], 'HIT'),
        countWithCache(shared.lines, 'HIT'),
      ),
      exactFigure('made, one copy for all', PAGES, countResponsesBy([shared.result], 'MISS'), countWithCache(shared.lines, 'MISS')),
      {
        name: 'share that was kept',
        unit: '%',
        predicted: 100 * (1 - 1 / visitors),
        measured:
          (100 * countResponsesBy([shared.result], 'HIT')) /
          (countResponsesBy([shared.result], 'HIT') + countResponsesBy([shared.result], 'MISS')),
        logged: (100 * countWithCache(shared.lines, 'HIT')) / requestCount,
        within: 0.5,
      },
      {
        name: 'mean of a page that is made',
        unit: 'ms',
        predicted: ownReading.paceMs,
        measured: ownReading.result.servers.find(({ name }) => name === 'MISS')?.meanMs ?? null,
        logged: meanMs(ownReading.lines.filter(({ cache }) => cache === 'MISS')),
        within: TIME_TOLERANCE * ownReading.paceMs,
      },
    ];
  },
});

interface Reading {
  readonly result: RunResult;
  readonly lines: readonly LoggedRequest[];
  /** Mean service time in ms of the pages that are read. */
  readonly paceMs: number;
}

/** Lets users log in and then read the same pages, one after the other. */
async function read(scene: Scene, cache: string, visitors: number, serviceMs: number, from: number): Promise<Reading> {
  const lab = await scene.lab('school-site', { cache, 'service-ms': scene.hidden(serviceMs) });
  const paths = CONTENT_PATHS.slice(from, from + PAGES);
  const each = ARRIVAL_STEPS.length + PAGES;
  const { accounts } = await learners(scene, lab, visitors);
  const result = await scene.run({
    targets: [{ url: lab.urls[0] ?? '' }],
    ...(accounts === undefined ? {} : { feeds: { accounts: { ...accounts, order: 'sequential' } } }),
    cookies: 'journey',
    journey: [...ARRIVAL_STEPS, ...paths.map((path, index) => ({ name: `page ${index + 1}`, path }))],
    servers: { header: 'X-Cache' },
    countsCache: true,
    load: { model: 'connections', stages: [{ connections: 1, requests: visitors * each }] },
  });
  const lines = await lab.linesWhen(visitors * each, 'nginx', ({ path }) => path !== '/@@toolbar');
  await lab.stop();
  const pace = paths.reduce((sum, _path, index) => sum + delayFactor(from + index), 0) / PAGES;
  return { result, lines, paceMs: serviceMs * pace };
}
