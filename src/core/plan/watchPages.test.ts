import { expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { checkPlan } from '#core/review/check.ts';
import { asksOf } from '#core/review/asks/ask.ts';
import { columnsAsked } from '#core/work/feeds/rows.ts';
import { hideSecrets } from './hideSecrets.ts';
import { pagesInRound, PROPOSED_VISITS, visitorWords, watchedOf, watchPageAddress, watchPageNames } from './watchPages.ts';
import { describeObjective } from './objectives.ts';
import { watchPageSchema } from './schema/watchPages.ts';

const targets = [{ url: 'http://shop.example/base/' }];

it('names pages by their path, and leads paths to the first target', () => {
  const plan = planWith({ targets, watchPages: [{ url: '/cart?x=1' }, { url: 'https://other.example/a' }, { url: '/', name: 'home' }] });
  expect(watchPageNames(plan)).toEqual(['/cart?x=1', '/a', 'home']);
  expect(plan.watchPages?.map((page) => watchPageAddress(plan, page))).toEqual([
    'http://shop.example/cart?x=1',
    'https://other.example/a',
    'http://shop.example/',
  ]);
});

it('takes paths and addresses only', () => {
  for (const url of ['//evil.example/', 'shop', 'ftp://a/', 'http://user:secret@a/'])
    expect(watchPageSchema.safeParse({ url }).success, url).toBe(false);
});

it('takes a click of some length only', () => {
  expect(watchPageSchema.parse({ click: ' Add to cart ' }).click).toBe('Add to cart');
  for (const click of ['', ' ', 'x'.repeat(201)]) expect(watchPageSchema.safeParse({ click }).success, click).toBe(false);
});

it('says what is out of the ordinary about a visitor', () => {
  expect(visitorWords({ cache: 'empty', device: 'desktop', line: 'none' })).toBe('');
  expect(visitorWords({ cache: 'filled', device: 'phone', line: 'slow 4G' })).toBe('phone, slow 4G, filled cache');
  expect(visitorWords({ cache: 'empty', device: 'desktop', line: 'none', click: 'Add to cart' })).toBe('clicks “Add to cart”');
  expect(describeObjective(PROPOSED_VISITS)).toBe('75 % of visitors see the page within 2.5 s');
});

it('asks for every host that a page leads to', () => {
  const plan = planWith({ targets, watchPages: [{ url: '/' }, { url: 'https://other.example/a', otherHosts: ['cdn.example:8443'] }] });
  expect(asksOf({ plan }).flatMap(({ name, uses }) => (uses.some((use) => use.for === 'visit') ? [name] : []))).toEqual([
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

it('counts a journey as its whole, its first page and each step, each by a name of its own', () => {
  const plan = planWith({ targets, watchPages: [{ url: '/' }, journey, { url: '/login' }] });
  expect(watchedOf(plan).map(({ kind, name, place }) => [kind, name, place])).toEqual([
    ['page', '/', 0],
    ['journey', 'Take part', 1],
    ['step', '/login', 1],
    ['step', 'Log in', 1],
    ['step', 'Log in (2)', 1],
    ['page', '/login', 2],
  ]);
  expect(pagesInRound(plan)).toBe(5);
});

it('takes steps that open an address, or enter and click, and only so many', () => {
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

it('asks for the hosts of its steps, and knows what they enter', () => {
  const watchPages = [{ ...journey, steps: [...journey.steps, { name: 'away', url: 'https://other.example/' }] }];
  const plan = planWith({ targets, watchPages, feeds: { account: { file: 'a.csv' } } });
  expect(asksOf({ plan }).flatMap(({ name, uses }) => (uses.some((use) => use.for === 'visit') ? [name] : []))).toEqual(['other.example']);
  expect([...columnsAsked(plan, 'account')]).toEqual(['username', 'password']);
  expect(checkPlan(plan).map(({ code }) => code)).not.toContain('UNDEFINED_VALUE');
  expect(checkPlan(planWith({ targets, watchPages })).filter(({ code }) => code === 'UNDEFINED_VALUE')).toMatchObject([
    { path: 'watchPages[0].steps[0].fill.User' },
    { path: 'watchPages[0].steps[0].fill.Password' },
  ]);
});

it('hides what may be a password, also beside a field in another language', () => {
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

it('judges visits only of pages that are watched, in stages with time for them', () => {
  const codesOf = (plan: Parameters<typeof planWith>[0]): string[] => checkPlan(planWith({ targets, ...plan })).map(({ code }) => code);
  expect(codesOf({ objectives: [PROPOSED_VISITS] })).toContain('NO_WATCHED_PAGE');
  expect(codesOf({ watchPages: [{ url: '/' }], objectives: [{ ...PROPOSED_VISITS, step: 'hme' }] })).toContain('UNKNOWN_PAGE');
  const load = (seconds: number) => ({ model: 'connections' as const, stages: [{ connections: 1, seconds }] });
  expect(codesOf({ watchPages: [{ url: '/' }], load: load(10), objectives: [PROPOSED_VISITS] })).toContain('FEW_VISITS');
  expect(codesOf({ watchPages: [{ url: '/' }], load: load(30), objectives: [PROPOSED_VISITS] })).not.toContain('FEW_VISITS');
});
