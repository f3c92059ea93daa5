import { describe, expect, it } from 'vitest';
import { compareWalks, listTrustedSteps } from './compareWalks.ts';
import { recordedStep } from './testing/site.ts';

const page = (title: string, rest = ''): string => `<html><title>${title}</title>${rest}</html>`;
const recorded = [
  recordedStep('home', [{ text: page('Shop', 'x'.repeat(2_000)) }]),
  recordedStep('order', [{ text: page('Order 4711') }]),
  recordedStep('account', [{ text: page('Ada’s account', '<p>Hello</p>') }]),
  recordedStep('lesson', [{ text: page('Lesson 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed - Wiki') }]),
];

const findWhy = (index: number, other: Parameters<typeof recordedStep>[1], failure: string | null = null) =>
  compareWalks(recorded.slice(index, index + 1), [{ ...recordedStep(recorded[index]?.step ?? '', other), failure }])[0]?.why?.kind ??
  'same';

describe('compareWalks', () => {
  it.each([
    ['the same page with another number', 1, [{ text: page('Order 4712') }], 'same'],
    ['the same page of another person', 2, [{ text: page('Bob’s account', '<p>Hello</p>') }], 'same'],
    ['another status', 1, [{ status: 500, text: page('Order 4711') }], 'status'],
    ['another title', 1, [{ text: page('Something went wrong') }], 'title'],
    ['a form that asks for a password', 2, [{ text: page('Ada’s account', '<input name=p type="password">') }], 'login'],
    ['less than half of it', 0, [{ text: page('Shop', 'x'.repeat(500)) }], 'size'],
    ['a page with a title that was drawn', 3, [{ text: page('Lesson 9f1c2e7a-0b3d-4c5e-8f6a-7d8e9fa0b1c2 - Wiki') }], 'same'],
    ['nothing', 0, [], 'failure'],
  ] as const)('%s', (_, index, other, why) => expect(findWhy(index, [...other])).toBe(why));

  it('quotes the server’s error, unless the recording shows the same error', () => {
    const news = '<p role="alert">The shop opens at nine.</p>';
    const [before] = [recordedStep('home', [{ text: page('Shop', news) }])];
    const reportedDifferences = (rest: string): (string | null)[] =>
      compareWalks([before], [recordedStep('home', [{ status: 409, text: page('Shop', rest) }])]).map(({ says }) => says);
    expect(reportedDifferences('<p role="alert">Nothing is left.</p>')).toEqual(['Nothing is left.']);
    expect(reportedDifferences(news)).toEqual([null]);
  });

  it('reports steps that were not reached, and the reason for each failure', () => {
    expect(compareWalks(recorded, []).map(({ why }) => why?.kind)).toEqual(recorded.map(() => 'notReached'));
    expect(
      compareWalks(recorded.slice(0, 1), [
        { ...recordedStep('home', [{ text: page('Shop', 'x'.repeat(2_000)) }]), failure: 'TEXT_MISSING x@check' },
      ])[0]?.why,
    ).toEqual({ kind: 'failure', failure: 'TEXT_MISSING x@check' });
  });

  it('returns status, title and size of both responses', () => {
    expect(compareWalks(recorded.slice(1, 2), [recordedStep('order', [{ text: page('Order 1') }])])).toEqual([
      {
        step: 'order',
        recorded: { status: 200, title: 'Order 4711', bytes: 38 },
        tried: { status: 200, title: 'Order 1', bytes: 35 },
        isSame: true,
        says: null,
        why: null,
      },
    ]);
  });
});

it('listTrustedSteps: trusts responses up to the first step that differs', () => {
  const walk = [
    recordedStep('home', [{ text: page('Shop') }]),
    recordedStep('order', [{ status: 403, text: '' }]),
    recordedStep('account', [{ text: '' }]),
  ];
  expect([...listTrustedSteps(recorded, walk)]).toEqual(['home']);
  const asks = [
    recordedStep('home', [{ text: page('Shop') }]),
    { ...recordedStep('order', [{ text: '' }]), failure: 'NOTHING_CAPTURED “x”@check' },
  ];
  expect([...listTrustedSteps(recorded, asks)]).toEqual(['home', 'order']);
});

it('compareWalks: accepts a page whose end the walk did not keep', () => {
  const long = [recordedStep('list', [{ text: page('List'), bytes: 5_000_000 }])];
  expect(compareWalks(long, [recordedStep('list', [{ text: page('List'), bytes: 1_048_576 }])])[0]?.isSame).toBe(true);
});

it('compareWalks: accepts a recorded error page that is shorter without a browser', () => {
  const missing = [recordedStep('gone', [{ status: 404, text: page('Not found', 'x'.repeat(900)) }])];
  expect(compareWalks(missing, [recordedStep('gone', [{ status: 404, text: page('Not found') }])])[0]?.isSame).toBe(true);
});

it('compareWalks: reports a step whose redirects differ, even if its last page is the same', () => {
  const saved = (...places: string[]) => {
    const urls = ['/save', ...places];
    return [
      recordedStep(
        'save',
        urls.map((url, at) => (at < places.length ? { url, status: 302 } : { url, text: page('Issue') })),
      ),
    ];
  };
  const why = (...urls: string[]): unknown => compareWalks(saved('/issues/42'), saved(...urls))[0]?.why?.kind;
  expect(why('/issues/43')).toBeUndefined();
  expect(why()).toBe('redirect');
  expect(why('/issues/42/edit')).toBe('redirect');
  expect(why('/issues/42?error=1')).toBe('redirect');
  expect(why('/issues/42', '/home')).toBe('redirect');
});

it('listTrustedSteps: does not trust a response after a redirect to a parent path, which means that the item no longer exists', () => {
  const saved = (url: string) => [recordedStep('save', [{ status: 302 }, { url, text: page('Notes') }])];
  expect([...listTrustedSteps(saved('/notes/26/change/'), saved('/notes/27/change/'))]).toEqual(['save']);
  expect([...listTrustedSteps(saved('/notes/26/change/'), saved('/'))]).toEqual([]);
});
