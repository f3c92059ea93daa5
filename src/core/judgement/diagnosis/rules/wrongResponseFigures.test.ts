import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import { planWith } from '#core/testing/plans.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { idsOf, findingsBy } from '../testing/found.ts';

type StepFacts = MeasuredRun['steps'][number];

const none = emptyRequestOutcomes();
const requests = (ok: number, changes: Partial<typeof none> = {}) => ({ ...none, sent: 1_000, ok, ...changes });

it('emptyBodies: counts empty responses if the page has a length', () => {
  const of = (bodyLength: Partial<StepFacts['bodyLength']>) =>
    findingsBy('emptyBodies', facts(healthyStep({ bodyLength: { ...healthyStep().bodyLength, ...bodyLength } })))[0];
  expect(of({ empty: 3 })?.evidence).toEqual(['3 empty of 6,000 complete responses']);
  expect([of({ empty: 3, first: null }), of({ empty: 3, first: 0 }), of({ empty: 0 })]).toEqual([undefined, undefined, undefined]);
});

it('nothingResponded: distinguishes requests without a response from unsent ones', () => {
  const of = (changes: Partial<typeof none>, errors: Record<string, number> = {}) =>
    findingsBy('nothingResponded', facts(healthyStep({ requests: { ...none, ...changes }, errors, status: {} })))[0];
  expect(of({ sent: 5, timeout: 5 }, { 'TIMEOUT@firstByte': 5 })?.evidence).toEqual([
    '5 requests sent, no response',
    'no response in time (TIMEOUT while waiting for the response): 5 times',
  ]);
  expect(of({ notMade: 5 })?.evidence).toEqual(['None of 5 requests could be sent.']);
  expect(of({})).toBeUndefined();
});

describe('missingRoute', () => {
  interface Changes {
    readonly status?: Readonly<Record<string, number>>;
    readonly p50?: (typeof CALM)['p50'];
    readonly good?: (typeof CALM)['p50'] | null;
    readonly step?: Partial<StepFacts>;
  }
  function given({ status = { '200': 990, '404': 10 }, p50 = 200, good = 20, step = {} }: Changes = {}): MeasuredRun {
    const times = { '4xx': { ...CALM, p50 }, ...(good === null ? {} : { '2xx': { ...CALM, p50: good } }) };
    const whole = healthyStep({ status: { ...status }, requests: requests(990, { httpError: 10 }), latencyByStatusClass: times, ...step });
    return facts(whole, { windows: [point(0), point(1, { status: { '404': 10 } }), point(2, { status: { '404': 0 } })] });
  }
  const of = (changes: Changes = {}) => findingsBy('missingRoute', given(changes))[0];

  it('is reported with its share, its times, and the time when it began', () => {
    const finding = of();
    expect(finding?.sentence).toMatch(/^1 % of responses to “description” were 404, mostly within 200 ms, first in second 1\./);
    expect(finding).toMatchObject({ confidence: 'likely', range: { fromSecond: 1, toSecond: 2 } });
    expect(finding?.evidence).toHaveLength(1);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['10 of 1,000 responses', '200 ms', '20 ms']);
    expect(of({ good: null })?.figures?.[2]?.value).toBe('unknown');
  });

  it.each<[string, Changes, boolean]>([
    ['less than 1 %', { step: { requests: requests(991, { httpError: 10 }) } }, false],
    ['other statuses of their class', { status: { '404': 10, '400': 1 } }, false],
    ['statuses of another class', { status: { '404': 10, '504': 1 } }, true],
    ['slower responses', { p50: 201 }, false],
    ['slower responses, as slow as a success', { p50: 300, good: 300 }, true],
    ['responses slower than successes', { p50: 301, good: 300 }, false],
    ['unknown times of successes', { good: 'never' }, true],
    ['unknown times', { p50: 'never' }, false],
    ['none', { status: { '200': 1_000 } }, false],
  ])('is reported, or not, with %s', (_name, changes, isReported) => {
    expect(of(changes) !== undefined).toBe(isReported);
  });

  it('leaves other 404 responses to the general finding', () => {
    const run = given();
    expect(idsOf(run)).not.toContain('unexpectedStatus.404');
    const [step] = run.steps;
    if (step === undefined) throw new Error('no step');
    const other = { ...step, name: 'other', status: { '404': 30 } };
    expect(idsOf({ ...run, steps: [step, other], status: { '200': 1_000, '404': 40 } })).toContain('unexpectedStatus.404');
  });
});

describe('redirectMeasured', () => {
  const of = (status: Record<string, number>, plan: Parameters<typeof planWith>[0] = {}, changes: Partial<StepFacts> = {}) => {
    const given = facts(healthyStep({ status, requests: requests(1_000), ...changes }));
    return findingsBy('redirectMeasured', { ...given, plan: planWith({ journey: [{ name: 'description' }], ...plan }) })[0];
  };

  it.each([
    [299, false],
    [300, true],
    [304, false],
    [399, true],
    [400, false],
  ])('counts statuses from 300 to 399 except 304: %d', (status, isRedirect) => {
    expect(of({ [status]: 1_000 }) !== undefined).toBe(isRedirect);
  });

  it('requires half of the responses', () => {
    expect(of({ '302': 500 })?.evidence).toEqual(['500 of 1,000 responses (50 %) have a status from 300 to 399']);
    expect(of({ '302': 499 })).toBeUndefined();
    expect(of({ '302': 1 }, {}, { requests: none })).toBeUndefined();
  });

  it('ignores redirects that the plan expects or follows', () => {
    const expecting = (...expectStatus: number[]) => of({ '302': 1_000 }, { journey: [{ name: 'description', expectStatus }] });
    expect([expecting(300), expecting(399), expecting(200, 302)]).toEqual([undefined, undefined, undefined]);
    expect([expecting(299), expecting(400)].map((one) => one !== undefined)).toEqual([true, true]);
    expect(of({ '302': 1_000 }, { journey: [{ name: 'description', redirects: { follow: true } }] })).toBeUndefined();
    expect(of({ '302': 1_000 }, { journey: [{ name: 'first', redirects: { follow: true } }, { name: 'description' }] })).toBeDefined();
  });
});

it('wrongContent: names the requests that got the login instead of the page', () => {
  const of = (name: string, wrongBody: number, ok: number, errors: Record<string, number>) =>
    findingsBy('wrongContent', facts(healthyStep({ name, requests: requests(ok, { wrongBody }), errors })))[0];
  expect(of('start page', 124, 0, { 'LEADS_TO_LOGIN /login?next@check': 124 })).toMatchObject({
    sentence: 'Every request for “start page” was redirected to the login page: the users were not logged in.',
    remedy: expect.stringContaining('the step that logs in'),
  });
  expect(of('lesson', 12, 28, { 'LEADS_TO_LOGIN /login@check': 11, 'TEXT_MISSING “a”@check': 1 })?.sentence).toBe(
    '11 of 40 requests for “lesson” were redirected to the login page: their users were not logged in.',
  );
  expect(of('log in', 16, 20, { 'LOGIN_FORM “Log in”@check': 16 })?.sentence).toBe(
    '16 of 36 requests for “log in” were met with a login form: their users were not logged in.',
  );
  expect(of('lesson', 12, 28, { 'LEADS_TO_LOGIN /login@check': 2, 'TEXT_MISSING “a”@check': 10 })?.sentence).toMatch(/the wrong content/);
  // The redirects lead to the login page.
  const step = healthyStep({ name: 'lesson', requests: requests(40) });
  const hops = healthyStep({
    name: 'lesson › redirects',
    requests: requests(1, { wrongBody: 11 }),
    errors: { 'LEADS_TO_LOGIN /login@check': 11 },
  });
  expect(findingsBy('wrongContent', { ...facts(step), steps: [step, hops] })[0]?.sentence).toBe(
    '11 of 40 requests for “lesson” were redirected to the login page: their users were not logged in.',
  );
});

it('wrongContent: lists the five most frequent failures', () => {
  const errors = Object.fromEntries([3, 5, 1, 9, 7, 2].map((count) => [`TEXT_MISSING “${count}”@check`, count]));
  const of = (wrongBody: number, ok: number) =>
    findingsBy('wrongContent', facts(healthyStep({ requests: requests(ok, { wrongBody }), errors })))[0];
  const finding = of(10, 990);
  expect(finding?.sentence).toBe('1 % of responses to “description” had the right status but the wrong content.');
  expect(finding?.evidence.map((one) => /: (\d) of/.exec(one)?.[1])).toEqual(['9', '7', '5', '3', '2']);
  expect(finding?.remedy).toContain('differed under load');
  expect(of(9, 991)).toBeUndefined();
  expect(of(0, 0)).toBeUndefined();
  expect(of(10, 0)?.sentence).toMatch(/^No response to “description”/);
});
