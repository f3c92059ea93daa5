import { expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { visitWith } from '#core/testing/visits.ts';
import type { VisitFigures, VisitsResult } from '#core/result/visits.ts';
import { visitLimits, visitsData } from '../charts/visitSeries.ts';
import { passageLines } from '../text/textTable.ts';
import { filmBlocks, describeLastVisit, openingFilmBlocks, visitBlocks, visitOverview, visitTables } from './visits.ts';

const median = (value: number, low: number | null = null, high: number | null = null) => ({ median: value, low, high });

function figures(changes: Partial<VisitFigures> = {}): VisitFigures {
  return {
    visits: 8,
    slowed: 0,
    failed: 0,
    problems: {},
    firstByteMs: median(50),
    firstPaintMs: median(300),
    largestPaintMs: median(900, 850, 1_100),
    usableMs: median(1_000),
    layoutShift: median(0.05, 0.04, 0.06),
    clickMs: null,
    requests: median(4),
    missing: {},
    leftOut: {},
    ...changes,
  };
}

const part = (
  index: number,
  name: string,
  level: number,
  changes: Partial<VisitFigures> = {},
): VisitsResult['pages'][number]['stages'][number] => ({ index, name, counted: true, level, figures: figures(changes) });

const HOME: VisitsResult['pages'][number] = {
  name: 'home',
  kind: 'page',
  journey: null,
  address: 'http://127.0.0.1/',
  cache: 'empty',
  device: 'desktop',
  line: 'none',
  click: null,
  before: figures(),
  stages: [
    part(0, 'low', 5, { visits: 1_200, slowed: 2, failed: 1, problems: { 'time-out': 1 }, largestPaintMs: median(1_000) }),
    part(1, 'high', 50, { largestPaintMs: median(2_000), requests: null, missing: { 'image: 404': 2, 'css: 500': 1 } }),
  ],
  after: figures({ largestPaintMs: null, failed: 3, problems: { 'time-out': 2, 'no page': 1 } }),
};
const JOURNEY: VisitsResult['pages'][number] = {
  ...HOME,
  name: 'buy',
  kind: 'journey',
  address: '',
  device: 'phone',
  stages: [part(0, 'low', 5)],
  before: null,
  after: null,
};
const STEP: VisitsResult['pages'][number] = {
  ...JOURNEY,
  name: 'pay',
  kind: 'step',
  journey: 'buy',
  click: '#pay',
  stages: [part(0, 'low', 5, { clickMs: median(80) })],
};

function visitsWith(changes: Partial<VisitsResult> = {}): { visits: VisitsResult } {
  return {
    visits: {
      browser: 'Chromium 140',
      from: null,
      pages: [HOME],
      visits: [],
      browserCores: null,
      stepsBack: [],
      filmstrips: [],
      ...changes,
    },
  };
}
const linesOf = (passages: Parameters<typeof passageLines>[0]): string[] => passageLines(passages, 240);

it('visitBlocks shows a single page in a table, with a row for each part of the run', () => {
  expect(linesOf(visitBlocks(visitsWith()))).toEqual([
    '  A real browser (Chromium 140) visited beside the load. Times are medians with their 95 % interval, from the start of the navigation. Visits that this computer slowed count for nothing.',
    '',
    'Visits of “home”',
    '  Load                                      Visits  First byte  First paint             Largest paint  Usable         Layout shift  Requests  Files missing',
    '  Without load, before                           8       50 ms       300 ms  900 ms (850 ms to 1.1 s)     1 s  0.05 (0.04 to 0.06)         4              0',
    '  low                   1,200 (2 slowed, 1 failed)       50 ms       300 ms                       1 s     1 s  0.05 (0.04 to 0.06)         4              0',
    '  high                                           8       50 ms       300 ms                       2 s     1 s  0.05 (0.04 to 0.06)         –              3',
    '  Without load, after                 8 (3 failed)       50 ms       300 ms                         –     1 s  0.05 (0.04 to 0.06)         4              0',
    '  http://127.0.0.1/. Failed visits: time-out, no page.',
  ]);
});

it('visitBlocks shows journeys with their steps, and the browser', () => {
  const seen = visitsWith({ from: 'desk', pages: [JOURNEY, STEP], browserCores: 1.25 });
  expect(linesOf(visitBlocks(seen))).toEqual([
    '  A real browser (Chromium 140) visited beside the load, seen from desk. Times are medians with their 95 % interval, from the start of the navigation, of steps from their click. Visits that desk slowed count for nothing.',
    '',
    'Time until the largest paint',
    '  Page            Without load              Highest load  Visits  Slowed  Failed',
    '  buy, all steps             –  900 ms (850 ms to 1.1 s)       8       0       0',
    '    pay                      –  900 ms (850 ms to 1.1 s)       8       0       0',
    '',
    'Journey “buy” (phone)',
    '  Load  Visits             Waited in all  Failed',
    '  low        8  900 ms (850 ms to 1.1 s)       0',
    '',
    'Visits of “pay”, step of “buy” (phone, clicks “#pay”)',
    '  Load  Visits  First byte  First paint             Largest paint  Usable         Layout shift  Click  Requests  Files missing',
    '  low        8       50 ms       300 ms  900 ms (850 ms to 1.1 s)     1 s  0.05 (0.04 to 0.06)  80 ms         4              0',
    '',
    'The browser itself',
    '  Processor during a visit: 1.25 cores',
  ]);
  expect(linesOf(visitOverview(visitsWith({ pages: [HOME, JOURNEY, STEP] })))).toEqual([
    '  A real browser (Chromium 140) visited beside the load. Times are medians with their 95 % interval, from the start of the navigation, of steps from their click. Visits that this computer slowed count for nothing.',
    '',
    'Time until the largest paint',
    '  Page                        Without load              Highest load  Visits  Slowed  Failed',
    '  home            900 ms (850 ms to 1.1 s)                       2 s   1,224       2       4',
    '  buy, all steps                         –  900 ms (850 ms to 1.1 s)       8       0       0',
    '    pay                                  –  900 ms (850 ms to 1.1 s)       8       0       0',
  ]);
  expect(visitTables(visitsWith({ pages: [] }))).toEqual([]);
});

it('visitTables explains its columns, and shows clicks only if there were any', () => {
  const columns = [HOME, JOURNEY, STEP].flatMap((page) =>
    visitTables(visitsWith({ pages: [page] })).flatMap((block) =>
      block.kind === 'table'
        ? [
            block.columns.map(({ name, numeric, minor, explanation }) =>
              [name, numeric ?? false, minor ?? false, explanation ?? ''].join(' | '),
            ),
          ]
        : [],
    ),
  );
  expect(columns).toEqual([
    [
      'Load | false | false | ',
      'Visits | true | false | ',
      'First byte | true | false | ',
      'First paint | true | false | ',
      'Largest paint | true | false | Largest Contentful Paint: until the largest picture or text in view was painted.',
      'Usable | true | false | Painted, own scripts run, and half a second without a task of 50 ms or more.',
      'Layout shift | true | false | Cumulative Layout Shift: how much of the page moved while it loaded. 0.1 or less is good.',
      'Requests | true | true | ',
      'Files missing | true | true | ',
    ],
    [
      'Load | false | false | ',
      'Visits | true | false | ',
      'Waited in all | true | false | The largest paints of all steps together, without the pauses between them. Of visits that saw every step.',
      'Failed | true | false | ',
    ],
    [
      'Load | false | false | ',
      'Visits | true | false | ',
      'First byte | true | false | ',
      'First paint | true | false | ',
      'Largest paint | true | false | Largest Contentful Paint: until the largest picture or text in view was painted.',
      'Usable | true | false | Painted, own scripts run, and half a second without a task of 50 ms or more.',
      'Layout shift | true | false | Cumulative Layout Shift: how much of the page moved while it loaded. 0.1 or less is good.',
      'Click | true | false | From the click until the next paint, once the page was usable. 200 ms or less is good.',
      'Requests | true | true | ',
      'Files missing | true | true | ',
    ],
  ]);
});

it('visitBlocks returns nothing without visits', () => {
  const none = { visits: null };
  expect([visitBlocks(none), visitOverview(none), visitTables(none), filmBlocks(none)]).toEqual([[], [], [], []]);
});

it('describeLastVisit shows the last visit', () => {
  const plan = planWith({
    watchPages: [
      { name: 'home', url: '/' },
      { name: 'shop', url: '/shop', click: '#buy' },
    ],
  });
  const last = (changes: Parameters<typeof visitWith>[0]): string[] => linesOf(describeLastVisit(plan, visitWith(changes)));
  expect(last({ number: 1, second: 65 })).toEqual([
    'Last visit',
    '  Page: home',
    '  First byte: 50 ms',
    '  First paint: 300 ms',
    '  Largest paint: 900 ms',
    '  Usable: 400 ms',
    '  Begun at: 1:05',
  ]);
  expect(last({ number: 2, second: -3, page: 1, clickMs: 90, largestPaintMs: null, problem: 'time-out' })).toEqual([
    'Last visit',
    '  Page: shop',
    '  Failed: time-out',
    '  First byte: 50 ms',
    '  First paint: 300 ms',
    '  Largest paint: –',
    '  Usable: 400 ms',
    '  Click: 90 ms',
    '  Begun at: 0:00',
  ]);
  expect(last({ number: 3, second: 0, page: 7, firstByteMs: null, firstPaintMs: null, usableMs: null })[1]).toBe('  Page: –');
});

it('filmBlocks aligns films at the same moments', () => {
  const frames = (...at: readonly number[]) => at.map((atMs) => ({ atMs, jpeg: `jpeg${atMs}` }));
  const seen = (number: number, changes: object) => ({ ...visitWith({ number, second: 5 }), stage: null, slowedBy: null, ...changes });
  const films = visitsWith({
    pages: [HOME, JOURNEY],
    visits: [seen(1, { largestPaintMs: 700 }), seen(2, { stage: 1, problem: 'time-out', largestPaintMs: null })],
    filmstrips: [
      { page: 0, visit: 1, frames: frames(0, 350, 790) },
      { page: 0, visit: 2, frames: frames(150) },
      { page: 0, visit: 9, frames: [] },
      { page: 0, visit: 9, frames: frames(0) },
    ],
  });
  expect(filmBlocks(films)).toEqual([
    {
      kind: 'film',
      title: '“home”, moment by moment',
      strips: [
        {
          name: 'Without load, largest paint after 700 ms',
          pictures: [
            { at: '100 ms', jpeg: 'jpeg0' },
            { at: '200 ms', jpeg: 'jpeg0' },
            { at: '300 ms', jpeg: 'jpeg0' },
            { at: '400 ms', jpeg: 'jpeg350' },
            { at: '500 ms', jpeg: 'jpeg350' },
            { at: '600 ms', jpeg: 'jpeg350' },
            { at: '700 ms', jpeg: 'jpeg350' },
            { at: '800 ms', jpeg: 'jpeg790' },
          ],
        },
        {
          name: 'high, failed: time-out',
          pictures: [
            { at: '100 ms', jpeg: null },
            { at: '200 ms', jpeg: 'jpeg150' },
          ],
        },
        { name: 'Without load', pictures: [{ at: '100 ms', jpeg: 'jpeg0' }] },
      ],
    },
  ]);
  const lengthOf = (lastMs: number): unknown =>
    filmBlocks(visitsWith({ filmstrips: [{ page: 0, visit: 1, frames: frames(lastMs) }] }))[0]?.strips[0]?.pictures.map(({ at }) => at);
  expect([800, 801, 160_000, 240_000].map(lengthOf)).toEqual([
    ['100 ms', '200 ms', '300 ms', '400 ms', '500 ms', '600 ms', '700 ms', '800 ms'],
    ['200 ms', '400 ms', '600 ms', '800 ms', '1 s'],
    ['20 s', '40 s', '60 s', '80 s', '100 s', '2 min', '2 min 20 s', '2 min 40 s'],
    ['30 s', '60 s', '90 s', '2 min', '2 min 30 s', '3 min', '3 min 30 s', '4 min'],
  ]);
});

it('openingFilmBlocks shows a visitor at the bell below one without load, and nothing at another bell', () => {
  const frames = [{ atMs: 90, jpeg: 'jpeg' }];
  const seen = (number: number, second: number) => ({ ...visitWith({ number, second }), stage: null, slowedBy: null });
  const films = visitsWith({
    visits: [seen(0, -5), seen(4, 20.3), seen(5, 28)],
    filmstrips: [
      { page: 0, visit: 0, frames },
      { page: 0, visit: 5, frames },
      { page: 0, visit: 4, bell: 'start', frames },
    ],
  });
  const namesAt = (bell: string): string[] =>
    openingFilmBlocks(films, { bell, atSecond: 20 }).flatMap(({ strips }) => strips.map(({ name }) => name));
  expect(namesAt('start')).toEqual(['Without load, largest paint after 900 ms', 'From 0.3 s after the bell, largest paint after 900 ms']);
  expect(namesAt('end')).toEqual([]);
  expect(filmBlocks(films).flatMap(({ strips }) => strips)).toHaveLength(2);
});

it('visitsData draws the largest paint of each visit, and dots if the computer slowed the visit down', () => {
  const judged = (number: number, second: number, changes: Partial<VisitsResult['visits'][number]> = {}) => ({
    ...visitWith({ number, second }),
    stage: null,
    slowedBy: null,
    ...changes,
  });
  const visits = [
    judged(1, -4),
    judged(2, 0, { largestPaintMs: 800 }),
    judged(3, 1, { page: 1, largestPaintMs: 700 }),
    judged(4, 10, { slowedBy: 'overloaded', largestPaintMs: 4_000 }),
    judged(5, 12, { largestPaintMs: null }),
    judged(6, 14, { tookMs: 0 }),
    judged(7, 20, { when: 'after' }),
  ];
  expect(visitsData({ pages: [HOME, JOURNEY, STEP], visits })).toEqual({
    spans: [
      { second: 0, width: 1 },
      { second: 1, width: 1.5 },
      { second: 10, width: 1.5 },
      { second: 14, width: 0.01 },
    ],
    series: [
      {
        id: 'page0',
        name: 'home',
        label: 'home',
        look: { color: 'var(--series-variant-1)', dash: '', hatched: false },
        shape: 'line',
        values: [800, null, null, 900],
      },
      {
        id: 'page1',
        name: 'buy',
        label: 'buy',
        look: { color: 'var(--series-variant-2)', dash: '8 3', hatched: false },
        shape: 'line',
        values: [null, 700, null, null],
      },
      {
        id: 'slowed',
        name: 'slowed by the browser’s computer',
        label: 'slowed',
        look: { color: 'var(--series-planned)', dash: '2 4', hatched: false },
        shape: 'dots',
        isLarge: true,
        values: [null, null, 4_000, null],
      },
    ],
  });
  expect(visitsData({ pages: [HOME], visits: visits.slice(0, 2) }).series.map(({ id }) => id)).toEqual(['page0']);
});

it('visitLimits returns each limit once', () => {
  const makeLimit = (maxMs: number, of?: 'visits') => ({
    kind: 'responseTime' as const,
    percentile: 95,
    maxMs,
    ...(of === undefined ? {} : { of }),
  });
  const plan = planWith({
    criteria: [makeLimit(2_000, 'visits'), makeLimit(2_000, 'visits'), makeLimit(500), { kind: 'errors', maxShare: 0.1 }],
  });
  expect(visitLimits(plan)).toEqual([{ value: 2_000, label: 'limit 2 s' }]);
});
