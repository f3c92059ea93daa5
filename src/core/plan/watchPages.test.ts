import { expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { checkPlan } from '#core/review/check.ts';
import { asksOf } from '#core/review/asks/ask.ts';
import { PROPOSED_VISITS, visitorWords, watchPageAddress, watchPageNames } from './watchPages.ts';
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

it('judges visits only of pages that are watched, in stages with time for them', () => {
  const codesOf = (plan: Parameters<typeof planWith>[0]): string[] => checkPlan(planWith({ targets, ...plan })).map(({ code }) => code);
  expect(codesOf({ objectives: [PROPOSED_VISITS] })).toContain('NO_WATCHED_PAGE');
  expect(codesOf({ watchPages: [{ url: '/' }], objectives: [{ ...PROPOSED_VISITS, step: 'hme' }] })).toContain('UNKNOWN_PAGE');
  const load = (seconds: number) => ({ model: 'connections' as const, stages: [{ connections: 1, seconds }] });
  expect(codesOf({ watchPages: [{ url: '/' }], load: load(10), objectives: [PROPOSED_VISITS] })).toContain('FEW_VISITS');
  expect(codesOf({ watchPages: [{ url: '/' }], load: load(30), objectives: [PROPOSED_VISITS] })).not.toContain('FEW_VISITS');
});
