import { describe, expect, it } from 'vitest';
import { runTurns } from '#core/base/turns.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { compareWalks } from './compareWalks.ts';
import { addSuccessChecks } from './success.ts';
import { planOfSteps, recordedStep } from './testing/site.ts';
import type { Exchange, Walk } from './walk.ts';

const HTML = [['Content-Type', 'text/html']] as const;

/** Returns a walk with a submitted form whose response redirects to the given places and ends at a page. */
function saved(places: readonly string[], page: Partial<Exchange> = {}): Walk {
  const hops = ['/save', ...places];
  return [
    recordedStep(
      'save',
      hops.map((url, index) => {
        const next = hops[index + 1];
        return next === undefined
          ? { url, responseHeaders: HTML, text: '<title>Saved</title>', ...page }
          : { url, method: index === 0 ? 'POST' : 'GET', status: 302, responseHeaders: [['Location', next]] };
      }),
    ),
  ];
}

function success(recorded: Walk, walks: readonly Walk[], to?: string[]): Step | undefined {
  const redirects = { follow: true, ...(to === undefined ? {} : { to }) };
  const plan = planOfSteps([{ name: 'save', method: 'POST', path: '/save', redirects }]);
  return runTurns(addSuccessChecks(plan, plan, recorded, walks)).journey[0];
}

it('addSuccessChecks: requires a recorded redirect, with wildcards for parts of the target that differ', () => {
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

it('addSuccessChecks: ignores a walk that was redirected back to the form', () => {
  expect(success(saved(['/issues/42']), [saved(['/issues/42/edit'])], ['/issues/*'])?.redirects?.to).toEqual(['/issues/*']);
  expect(success(saved(['/issues/42']), [saved([])], ['/issues/*'])?.redirects?.to).toEqual(['/issues/*']);
  expect(success(saved(['/issues/42']), [saved(['/issues/42/edit']), saved(['/issues/43'])])?.redirects?.to).toEqual(['/issues/*']);
});

it('addSuccessChecks: requires a page without an error message, and with the recorded heading', () => {
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
  // A message shown in every walk is not an error. A heading with a number is not checked, because the number may be a count.
  expect(checks(`${title}<h1>3 notes</h1><p role="alert">We use cookies</p>`)).toEqual([{ kind: 'contains', text: title, not: false }]);
  // A walk whose form was refused does not weaken the check.
  expect(checks(title, `${title}<p class="error">Wrong</p>`)).toEqual([page]);
  expect(checks('<title>Log in</title><form method="post"><input name="user"><input type="password" name="secret"></form>')).toMatchObject([
    { ...page, mayHaveLogin: true },
    {},
  ]);
});

it('addSuccessChecks: requires that the form of an answered question does not come again', () => {
  const form = (id: string): string =>
    `<title>Exam</title><form><input type="hidden" name="log" value="${id}"><input name="answer"></form>`;
  const walk = (id: string, next: string): Walk => [
    recordedStep('question', [{ responseHeaders: HTML, text: form(id) }]),
    recordedStep('answer', [{ method: 'POST', responseHeaders: HTML, text: form(next) }]),
  ];
  const plan = planOfSteps([
    { name: 'question', captures: [{ from: 'body', as: 'log', pattern: 'name="log" value="([^"]*)"' }] },
    { name: 'answer', method: 'POST', form: { log: '{{log}}', response: '2' } },
  ]);
  const checks = (recorded: Walk, tried: Walk) => runTurns(addSuccessChecks(plan, plan, recorded, [tried])).journey[1]?.checks;
  expect(checks(walk('7', '8'), walk('17', '18'))).toContainEqual({
    kind: 'contains',
    text: '<input type="hidden" name="log" value="{{log}}">',
    not: true,
  });
  // The last question of an exam may show the same form again.
  expect(checks(walk('7', '8'), walk('17', '17'))).toHaveLength(2);
});

describe('a submitted form', () => {
  const POST = { method: 'POST', url: '/save' };
  const JSON_TYPE = [['Content-Type', 'application/json']] as const;
  const walk = (more: Partial<Exchange>): Walk => [recordedStep('save', [{ ...POST, responseHeaders: HTML, ...more }])];
  const script = (calls: string): Walk => walk({ text: `<html><head><title></title><script>${calls}</script></head><body></body></html>` });
  const json = (value: unknown): Walk => walk({ responseHeaders: JSON_TYPE, text: JSON.stringify(value) });
  const checks = (recorded: Walk, ...walks: Walk[]) => success(recorded, walks)?.checks;
  const noError = { kind: 'page', mayHaveLogin: false, withoutErrors: true };

  it('is checked by a script call that all walks returned', () => {
    const taken = (id: string): Walk => script(`parent.a.loaded("${id}"); parent.a.sent("confirmation","Message sent.",["Sent"]);`);
    const check = { kind: 'contains', text: 'parent.a.sent("confirmation","Message sent.",["Sent"])', not: false };
    expect(checks(taken('load1'), taken('load2'))).toContainEqual(check);
    // A refused walk weakens no check, and is reported as different from the recording.
    const refused = script('parent.a.loaded("load3"); parent.a.show("No sender in it.","error",0);');
    expect(checks(taken('load1'), taken('load2'), refused)).toContainEqual(check);
    expect(checks(taken('load1'), refused)).toContainEqual(noError);
    expect(compareWalks(taken('load1'), refused)).toMatchObject([{ isSame: false, why: { kind: 'refused' }, says: 'No sender in it.' }]);
  });

  it('is checked by a JSON call whose arguments partly change', () => {
    const taken = (id: number): Walk => json({ action: 'save', exec: `this.show("Saved","success");\nthis.set_id(${id});` });
    expect(checks(taken(3), taken(4))).toEqual([
      { ...noError, mayBeOther: true },
      { kind: 'contains', text: String.raw`this.show(\"Saved\",\"success\")`, not: false },
    ]);
    const named = (id: number): Walk => json({ exec: `this.saved_well(${id});` });
    expect(checks(named(3), named(4))).toContainEqual({ kind: 'contains', text: 'this.saved_well(', not: false });
  });

  it('is checked by a status in JSON that all walks returned', () => {
    const taken = (id: number): Walk => json({ status: 'success', ok: true, id, note: 'ok' });
    expect(checks(taken(1), taken(2))).toEqual([
      { ...noError, mayBeOther: true },
      { kind: 'json', path: '$.status', equals: 'success', not: false },
      { kind: 'json', path: '$.ok', equals: true, not: false },
    ]);
    expect(checks(json({ status: 'ok' }), json({ status: 'ok', error: 'Slot is taken' }))).toEqual([{ ...noError, mayBeOther: true }]);
  });

  it('is checked by a short text that all walks returned', () => {
    const text = (of: string): Walk => walk({ responseHeaders: [['Content-Type', 'text/plain']], text: of });
    const [page, ...signs] = checks(text('Slot is booked'), text('Slot is booked')) ?? [];
    expect([page, signs]).toEqual([{ ...noError, mayBeOther: true }, [{ kind: 'contains', text: 'Slot is booked', not: false }]]);
    expect(checks(text('Slot 4 is booked'), text('Slot 4 is booked'))).toHaveLength(1);
    expect(checks(text('booked'), text('You have booked'))).toHaveLength(1);
  });

  it('is not checked for a sign of success if the walks share none', () => {
    expect(checks(json({ status: 'open' }), json({ status: 'open' }))).toEqual([{ ...noError, mayBeOther: true }]);
    expect(checks(json({ error: 'as ever' }), json({ error: 'as ever' }))).toEqual([]);
    expect(checks(walk({ text: null }), walk({ text: null }))).toEqual([]);
  });
});
