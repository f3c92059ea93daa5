import { expect, it } from 'vitest';
import { atOnce } from '#core/base/turns.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { withSuccess } from './success.ts';
import { planOfSteps, recordedStep } from './testing/site.ts';
import type { Exchange, Walk } from './walk.ts';

const HTML = [['Content-Type', 'text/html']] as const;

/** A form that is handed in, sent on to these places and ends at a page. */
function saved(places: readonly string[], page: Partial<Exchange> = {}): Walk {
  const hops = ['/save', ...places];
  return [
    recordedStep(
      'save',
      hops.map((url, index) => {
        const next = hops[index + 1];
        return next === undefined
          ? { url, answerHeaders: HTML, text: '<title>Saved</title>', ...page }
          : { url, method: index === 0 ? 'POST' : 'GET', status: 302, answerHeaders: [['Location', next]] };
      }),
    ),
  ];
}

function success(recorded: Walk, walks: readonly Walk[], to?: string[]): Step | undefined {
  const redirects = { follow: true, ...(to === undefined ? {} : { to }) };
  const plan = planOfSteps([{ name: 'save', method: 'POST', path: '/save', redirects }]);
  return atOnce(withSuccess(plan, plan, recorded, walks)).journey[0];
}

it('a recorded redirect is required, with the kind of its target', () => {
  const to = (...all: (readonly string[])[]): unknown => {
    const [recorded = [], ...walks] = all.map((places) => saved(places));
    return success(recorded, walks)?.redirects?.to;
  };
  expect(to(['/issues/42'], ['/issues/43'])).toEqual(['/issues/*']);
  expect(to(['/issues/7'], ['/issues/7'])).toEqual(['/issues/7']);
  expect(to(['/login/check', '/home'], ['/login/check', '/home'])).toEqual(['/login/check', '/home']);
  expect(to(['/a?attempt=70&page=1'], ['/a?page=1&attempt=71'])).toEqual(['/a?attempt=*&page=1']);
  expect(to(['/a*?x={{b}}'], ['/a*?x={{b}}'])).toEqual(['/a%2A?x=\\{{b}}']);
  expect(to([], [])).toBeUndefined();
});

it('a walk that was sent back to the form weakens nothing', () => {
  expect(success(saved(['/issues/42']), [saved(['/issues/42/edit'])], ['/issues/*'])?.redirects?.to).toEqual(['/issues/*']);
  expect(success(saved(['/issues/42']), [saved([])], ['/issues/*'])?.redirects?.to).toEqual(['/issues/*']);
  expect(success(saved(['/issues/42']), [saved(['/issues/42/edit']), saved(['/issues/43'])])?.redirects?.to).toEqual(['/issues/*']);
});

it('a page without an error message stays one, and its heading the same', () => {
  const checks = (text: string, ...others: string[]): unknown =>
    success(
      saved(['/issues/42'], { text }),
      (others.length === 0 ? [text] : others).map((other) => saved(['/issues/43'], { text: other })),
    )?.checks;
  const page = { kind: 'page', mayHaveLogin: false, withoutErrors: true };
  const title = '<title>Site</title>';
  expect(checks(`${title}<h1>Saved</h1>`)).toEqual([
    page,
    { kind: 'contains', text: title, not: false },
    { kind: 'contains', text: '<h1>Saved</h1>', not: false },
  ]);
  // What a page always shows is no error, and a number in a heading may be a count.
  expect(checks(`${title}<h1>3 notes</h1><p role="alert">We use cookies</p>`)).toEqual([{ kind: 'contains', text: title, not: false }]);
  expect(checks(title, `${title}<p class="error">Wrong</p>`)).toEqual([{ kind: 'contains', text: title, not: false }]);
  expect(checks('<title>Log in</title><form method="post"><input name="user"><input type="password" name="secret"></form>')).toMatchObject([
    { ...page, mayHaveLogin: true },
    {},
  ]);
});

it('the form of a question that was answered must not come again', () => {
  const form = (id: string): string =>
    `<title>Exam</title><form><input type="hidden" name="log" value="${id}"><input name="answer"></form>`;
  const walk = (id: string, next: string): Walk => [
    recordedStep('question', [{ answerHeaders: HTML, text: form(id) }]),
    recordedStep('answer', [{ method: 'POST', answerHeaders: HTML, text: form(next) }]),
  ];
  const plan = planOfSteps([
    { name: 'question', captures: [{ from: 'body', as: 'log', pattern: 'name="log" value="([^"]*)"' }] },
    { name: 'answer', method: 'POST', form: { log: '{{log}}', answer: '2' } },
  ]);
  const checks = (recorded: Walk, tried: Walk) => atOnce(withSuccess(plan, plan, recorded, [tried])).journey[1]?.checks;
  expect(checks(walk('7', '8'), walk('17', '18'))).toContainEqual({
    kind: 'contains',
    text: '<input type="hidden" name="log" value="{{log}}">',
    not: true,
  });
  // The last question of an exam may stay where it is.
  expect(checks(walk('7', '8'), walk('17', '17'))).toHaveLength(2);
});
