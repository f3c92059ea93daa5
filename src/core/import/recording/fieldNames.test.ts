import { expect, it } from 'vitest';
import { captureByTwo } from './captureByTwo.ts';
import { planOfSteps, type Site, walkThrough } from './testing/site.ts';
import type { Walk } from './walk.ts';

const POST = [['Content-Type', 'application/x-www-form-urlencoded']] as const;

/** An exam that accepts only those field names that contain the number of the attempt. */
const exam =
  (attempt: number): Site =>
  ({ method, form }) => {
    if (method === 'GET')
      return {
        text: `<form><input name="attempt" value="${attempt}"><input type="hidden" name="q${attempt}:1_:sequencecheck" value="${attempt % 7}">
          <input type="radio" name="q${attempt}:1_choice" value="0"><input type="radio" name="q${attempt}:2_choice" value="0">
          <input type="checkbox" name="row[${attempt * 2}][${attempt}]"><input name="page2" value="x"></form>`,
      };
    const isResponded = [`q${attempt}:1_choice`, `q${attempt}:2_choice`].every((name) => form[name] === '0');
    return isResponded ? { text: '<title>Stored</title>' } : { status: 400, text: 'No answer' };
  };

it('captureByTwo: captures each changing number in field names once', () => {
  const fields = {
    attempt: '7002',
    'q7002:1_:sequencecheck': '2',
    'q7002:1_choice': '0',
    'q7002:2_choice': '0',
    'row[14004][7002]': 'on',
    page2: 'x',
  };
  const plan = planOfSteps([
    { name: 'question', path: '/' },
    { name: 'answer', method: 'POST', path: '/', form: fields },
  ]);
  const recorded: Walk = walkThrough(plan, exam(7002)).map((step) => ({
    ...step,
    exchanges: step.exchanges.map((one) =>
      one.method === 'GET' ? one : { ...one, headers: POST, body: new URLSearchParams(fields).toString() },
    ),
  }));
  expect(recorded[1]?.failure).toBeNull();
  const tried = walkThrough(plan, exam(7009));
  expect(tried[1]?.failure).not.toBeNull();
  const evidence = { recorded, hasOtherAccount: false, secretFor: () => '' };
  const found = captureByTwo(plan, { ...evidence, walks: [tried] });
  const written = {
    attempt: '{{attempt}}',
    'q{{attempt}}:1_:sequencecheck': '2',
    'q{{attempt}}:1_choice': '0',
    'q{{attempt}}:2_choice': '0',
    'row[{{row_number}}]': 'on',
    page2: 'x',
  };
  expect(found.plan.journey[1]?.form).toMatchObject({ ...written, 'q{{attempt}}:1_:sequencecheck': expect.any(String) });
  expect(found.captured.map(({ name }) => name).toSorted()).toEqual(expect.arrayContaining(['attempt', 'row_number']));
  const again = walkThrough(found.plan, exam(8_123));
  expect(again[1]?.failure).toBeNull();
  // Field names with placeholders still match their recorded fields, and another round changes nothing.
  const settled = captureByTwo(found.plan, { ...evidence, walks: [tried, again] });
  expect(settled.plan.journey[1]?.form).toEqual({ ...written, 'q{{attempt}}:1_:sequencecheck': expect.stringContaining('{{') });
  expect(captureByTwo(settled.plan, { ...evidence, walks: [tried, again, walkThrough(settled.plan, exam(91))] }).isChanged).toBe(false);
});
