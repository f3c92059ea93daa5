import { describe, expect, it } from 'vitest';
import type { Plan } from '#core/plan/schema/plan.ts';
import { captureByTwo } from './captureByTwo.ts';
import { planOfSteps, recordedStep } from './testing/site.ts';
import type { Exchange, Walk } from './walk.ts';

const FORM = [['Content-Type', 'application/x-www-form-urlencoded']] as const;

interface Case {
  /** The first response, as it is in the recording and in the second walk. */
  readonly first: Partial<Exchange>;
  readonly second: Partial<Exchange>;
  /** The request after that response, as it is in the plan and in the recording. */
  readonly step: object;
  readonly sent: Partial<Exchange>;
  readonly more?: object;
}

function correlated({ first, second, step, sent, more }: Case): Plan {
  const method = first.method ?? 'GET';
  const plan = planOfSteps(
    [
      { name: 'page', method },
      { name: 'next', ...step },
    ],
    more,
  );
  const toWalk = (response: Partial<Exchange>): Walk => [
    recordedStep('page', [response]),
    recordedStep('next', [{ text: 'done', ...sent }]),
  ];
  const evidence = { recorded: toWalk(first), walks: [toWalk(second)], hasOtherAccount: true, secretFor: () => 'env:X' };
  const found = captureByTwo(plan, evidence);
  // The next round changes nothing and still lists the captures.
  const again = captureByTwo(found.plan, evidence);
  expect([again.isChanged, again.captured.map(({ name }) => name)]).toEqual([false, found.captured.map(({ name }) => name)]);
  return found.plan;
}

const posted = (fields: Readonly<Record<string, string>>): Pick<Case, 'step' | 'sent'> => ({
  step: { method: 'POST', path: '/save', form: fields },
  sent: { method: 'POST', url: '/save', headers: FORM, body: new URLSearchParams(fields).toString() },
});

describe('a block key in the JSON of an editor', () => {
  const editor = (key: string, before = ''): Partial<Exchange> => ({
    text: `${before}<input type="hidden" name="body" value="{&quot;blocks&quot;: [{&quot;key&quot;: &quot;${key}&quot;, &quot;length&quot;: ${key.length}}]}">`,
  });
  const other = '<input name="head" value="{&quot;key&quot;: &quot;zzzz1&quot;}">';
  const text = (key: string): string => `{"blocks":[{"key":"${key}","text":"Bring a calculator.","length":5}]}`;

  it('is captured from the field of the page', () => {
    const { journey } = correlated({ first: editor('1tay9'), second: editor('k03fx1'), ...posted({ body: text('1tay9') }) });
    expect(journey[1]?.form).toEqual({ body: text('{{key}}') });
    expect(journey[0]?.captures).toMatchObject([{ as: 'key', from: 'body', pattern: expect.stringContaining('name=["\']?body') }]);
  });

  it('is captured from its own field if several fields have keys', () => {
    const { journey } = correlated({ first: editor('1tay9', other), second: editor('k03fx', other), ...posted({ body: text('1tay9') }) });
    expect(journey[1]?.form).toEqual({ body: text('{{key}}') });
  });

  it('is captured even if the text beside it is drawn anew', () => {
    const recorded = text('1tay9').replace('calculator', 'Lesson 12');
    const drawn = { body: recorded.replace('Lesson 12', '{{unique}}') };
    const { journey } = correlated({
      first: editor('1tay9'),
      second: editor('k03fx'),
      ...posted({ body: recorded }),
      step: { method: 'POST', path: '/save', form: drawn },
      more: { variables: { unique: { kind: 'uuid' } } },
    });
    expect(journey[1]?.form?.['body']).toBe(drawn.body.replace('1tay9', '{{key}}'));
  });

  it('stays literal if both sessions have the same key', () => {
    const { journey } = correlated({ first: editor('1tay9'), second: editor('1tay9'), ...posted({ body: text('1tay9') }) });
    expect(journey[1]?.form).toEqual({ body: text('1tay9') });
  });

  it('is not captured from a number that is the length of a text', () => {
    const { journey } = correlated({ first: editor('12345'), second: editor('1234567'), ...posted({ body: '{"blocks":[{"length":5}]}' }) });
    expect(journey[1]?.form).toEqual({ body: '{"blocks":[{"length":5}]}' });
  });
});

describe('a short number within an address', () => {
  const created = (id: number): Partial<Exchange> => ({
    method: 'POST',
    status: 201,
    text: `{"id":${id},"title":"Lesson","comments":4}`,
    responseHeaders: [['Content-Type', 'application/json']],
  });

  it.each([
    ['in the path of an address in a parameter', '/index.php?rest_route=/wp/v2/posts/9', '/index.php?rest_route=/wp/v2/posts/{{posts_id}}'],
    [
      'in a percent-encoded path in a parameter',
      '/index.php?rest_route=%2Fwp%2Fv2%2Fposts%2F9&locale=user',
      '/index.php?rest_route=%2Fwp%2Fv2%2Fposts%2F{{posts_id}}&locale=user',
    ],
  ])('is captured %s', (_, path, planned) => {
    const { journey } = correlated({ first: created(9), second: created(12), step: { path }, sent: { url: path } });
    expect(journey[1]?.path).toBe(planned);
  });

  it('is captured as a parameter of the inner address', () => {
    const page = (id: number): Partial<Exchange> => ({ text: `<a href="/wp-admin/post.php?post=${id}&amp;action=edit">Edit</a>` });
    const path = '/login?redirect_to=%2Fwp-admin%2Fpost.php%3Fpost%3D9%26action%3Dview';
    const { journey } = correlated({ first: page(9), second: page(12), step: { path }, sent: { url: path } });
    expect(journey[1]?.path).toBe('/login?redirect_to=%2Fwp-admin%2Fpost.php%3Fpost%3D{{post}}%26action%3Dview');
  });

  it('is captured in an address in a form field', () => {
    const page = (id: number): Partial<Exchange> => ({ text: `<a href="/lessons/${id}/edit/">Edit</a>` });
    const { journey } = correlated({ first: page(9), second: page(12), ...posted({ next: '/lessons/9/view' }) });
    expect(journey[1]?.form).toEqual({ next: '/lessons/{{lessons_id}}/view' });
  });

  it.each([
    [
      'the page number of a list',
      '<p>9 of 40</p><a href="/list?page=2">2</a>',
      '<p>12 of 40</p><a href="/list?page=2">2</a>',
      '/list?page=2',
    ],
    ['a count', '<p>9 comments</p>', '<p>12 comments</p>', '/lessons/9/edit/'],
    ['a date', '<a href="/2026/11/26/">Today</a>', '<a href="/2026/11/26/">Today</a>', '/2026/11/26/'],
  ])('is not captured if it is %s', (_, first, second, next) => {
    const { journey } = correlated({ first: { text: first }, second: { text: second }, ...posted({ next }) });
    expect(journey[1]?.form).toEqual({ next });
  });
});

describe('an account name in an address', () => {
  it('is captured from the page', () => {
    const page = (name: string): Partial<Exchange> => ({
      text: `<a href="/index.php?title=User:${name}&amp;action=history">History</a><a href="/index.php/User:${name}">${name}</a>`,
    });
    const path = '/index.php?title=User:Ada&action=edit';
    const { journey } = correlated({ first: page('Ada'), second: page('Bob'), step: { path }, sent: { url: path } });
    expect(journey[1]?.path).toBe('/index.php?title={{title}}&action=edit');
  });
});
