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
