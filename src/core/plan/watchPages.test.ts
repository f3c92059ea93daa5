import { expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { checkPlan } from '#core/review/check.ts';
import { listAsks } from '#core/review/asks/ask.ts';
import { listUsedColumns } from '#core/work/feeds/rows.ts';
import { hideSecrets } from './hideSecrets.ts';
import { pagesInRound, PROPOSED_VISITS, formatVisitor, listWatched, watchPageAddress, watchPageNames } from './watchPages.ts';
import { describeCriterion } from './criteria.ts';
import { watchPageSchema } from './schema/watchPages.ts';

const targets = [{ url: 'http://shop.example/base/' }];

it('watched pages: are named by path, with paths relative to the first target', () => {
  const plan = planWith({ targets, watchPages: [{ url: '/cart?x=1' }, { url: 'https://other.example/a' }, { url: '/', name: 'home' }] });
  expect(watchPageNames(plan)).toEqual(['/cart?x=1', '/a', 'home']);
  expect(plan.watchPages?.map((page) => watchPageAddress(plan, page))).toEqual([
    'http://shop.example/cart?x=1',
    'https://other.example/a',
    'http://shop.example/',
  ]);
});

it('watched pages: accept only paths and URLs', () => {
  for (const url of ['//evil.example/', 'shop', 'ftp://a/', 'http://user:secret@a/'])
    expect(watchPageSchema.safeParse({ url }).success, url).toBe(false);
});

it('watched pages: limit the length of a click', () => {
  expect(watchPageSchema.parse({ click: ' Add to cart ' }).click).toBe('Add to cart');
  for (const click of ['', ' ', 'x'.repeat(201)]) expect(watchPageSchema.safeParse({ click }).success, click).toBe(false);
});

it('formatVisitor: describes only unusual settings of a visitor', () => {
  expect(formatVisitor({ cache: 'empty', device: 'desktop', line: 'none' })).toBe('');
  expect(formatVisitor({ cache: 'filled', device: 'phone', line: 'slow 4G' })).toBe('phone, slow 4G, filled cache');
  expect(formatVisitor({ cache: 'empty', device: 'desktop', line: 'none', click: 'Add to cart' })).toBe('clicks “Add to cart”');
  expect(describeCriterion(PROPOSED_VISITS)).toBe('75 % of visitors see the page within 2.5 s');
});

it('watched pages: need consent for every host of a page', () => {
  const plan = planWith({ targets, watchPages: [{ url: '/' }, { url: 'https://other.example/a', otherHosts: ['cdn.example:8443'] }] });
  expect(listAsks({ plan }).flatMap(({ name, uses }) => (uses.some((use) => use.for === 'visit') ? [name] : []))).toEqual([
    'other.example',
    'cdn.example',
  ]);
});

const journey = {
  name: 'Take part',
  url: '/login',
  steps: [
    { name: 'Log in', fill: { User: '{{account.username}}', Password: '{{account.password}}' }, click: 'Log in' },
    { name: 'Log in', url: '/contest' },
  ],
};

it('watched journeys: are counted as a whole, by first page and by step, under unique names', () => {
  const plan = planWith({ targets, watchPages: [{ url: '/' }, journey, { url: '/login' }] });
  expect(listWatched(plan).map(({ kind, name, place }) => [kind, name, place])).toEqual([
    ['page', '/', 0],
    ['journey', 'Take part', 1],
    ['step', '/login', 1],
    ['step', 'Log in', 1],
    ['step', 'Log in (2)', 1],
    ['page', '/login', 2],
  ]);
  expect(pagesInRound(plan)).toBe(5);
});

it('watched steps: open an address, or fill and click, up to the limit', () => {
  const takes = (steps: unknown, more = {}): boolean => watchPageSchema.safeParse({ steps, ...more }).success;
  expect(takes([{ name: 'a', click: 'css=.b' }])).toBe(true);
  expect(takes([{ name: 'a', url: '/b', title: 'B', path: '/b' }])).toBe(true);
  for (const step of [
    { name: 'a' },
    { click: 'b' },
    { name: 'a', url: '/b', click: 'c' },
    { name: 'a', url: '//evil.example/' },
    { name: 'a', url: 'javascript:alert(1)' },
    { name: 'a', click: 'x'.repeat(201) },
    { name: 'x'.repeat(61), click: 'b' },
    { name: 'a', fill: { b: 'x'.repeat(2_001) } },
    { name: 'a', fill: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`b${index}`, 'c'])) },
    { name: 'a', script: 'b' },
  ])
    expect(takes([step]), JSON.stringify(step)).toBe(false);
  expect(takes([])).toBe(false);
  expect(takes(Array.from({ length: 11 }, () => ({ name: 'a', click: 'b' })))).toBe(false);
  expect(takes([{ name: 'a', click: 'b' }], { click: 'c' }), 'a click is a step').toBe(false);
});

it('watched steps: need consent for their hosts, and list their entered texts', () => {
  const watchPages = [{ ...journey, steps: [...journey.steps, { name: 'away', url: 'https://other.example/' }] }];
  const plan = planWith({ targets, watchPages, feeds: { account: { file: 'a.csv' } } });
  expect(listAsks({ plan }).flatMap(({ name, uses }) => (uses.some((use) => use.for === 'visit') ? [name] : []))).toEqual([
    'other.example',
  ]);
  expect([...listUsedColumns(plan, 'account')]).toEqual(['username', 'password']);
  expect(checkPlan(plan).map(({ code }) => code)).not.toContain('UNDEFINED_VALUE');
  expect(checkPlan(planWith({ targets, watchPages })).filter(({ code }) => code === 'UNDEFINED_VALUE')).toMatchObject([
    { path: 'watchPages[0].steps[0].fill.User' },
    { path: 'watchPages[0].steps[0].fill.Password' },
  ]);
});

it('watched steps: hide texts that may be passwords, even beside a label in another language', () => {
  const fill = { Benutzer: 'ada', Kennwort: 'hunter2' };
  const plan = planWith({
    targets,
    watchPages: [
      {
        steps: [
          { name: 'a', fill, click: 'b' },
          { name: 'find', fill: { Find: 'shoes' } },
        ],
      },
    ],
  });
  const hidden = JSON.stringify(hideSecrets(plan, () => 'session:1'));
  expect(hidden).not.toContain('hunter2');
  expect(hidden).toContain('shoes');
});

it('visit criteria: need watched pages, in stages that are long enough', () => {
  const makeCodes = (plan: Parameters<typeof planWith>[0]): string[] => checkPlan(planWith({ targets, ...plan })).map(({ code }) => code);
  expect(makeCodes({ criteria: [PROPOSED_VISITS] })).toContain('NO_WATCHED_PAGE');
  expect(makeCodes({ watchPages: [{ url: '/' }], criteria: [{ ...PROPOSED_VISITS, step: 'hme' }] })).toContain('UNKNOWN_PAGE');
  const load = (seconds: number) => ({ model: 'connections' as const, stages: [{ connections: 1, seconds }] });
  expect(makeCodes({ watchPages: [{ url: '/' }], load: load(10), criteria: [PROPOSED_VISITS] })).toContain('FEW_VISITS');
  expect(makeCodes({ watchPages: [{ url: '/' }], load: load(30), criteria: [PROPOSED_VISITS] })).not.toContain('FEW_VISITS');
});
