import { describe, expect, it } from 'vitest';
import { runTurns } from '#core/base/turns.ts';
import { planOfSteps, recordedStep } from './testing/site.ts';
import { addSuccessChecks } from './success.ts';
import type { Exchange, Walk } from './walk.ts';

const HTML = [['Content-Type', 'text/html; charset=utf-8']] as const;
const FORM = [['Content-Type', 'application/x-www-form-urlencoded']] as const;

/** Returns a walk that sends a value and receives a page with a title. */
const toWalk = (value: string, title: string, more: Partial<Exchange> = {}): Walk => [
  recordedStep('save', [
    {
      method: 'POST',
      headers: FORM,
      body: new URLSearchParams({ name: `Lesson ${value}` }).toString(),
      responseHeaders: HTML,
      text: `<html><head><title lang="en">${title}</title></head>`,
      ...more,
    },
  ]),
];

function readChecks(recorded: Walk, walks: readonly Walk[], more: object = { variables: { unique: { kind: 'uuid' } } }, step: object = {}) {
  const name = 'variables' in more ? 'unique' : 'ticket';
  const plan = planOfSteps([{ name: 'save', method: 'POST', form: { name: `Lesson {{${name}}}` }, ...step }], {
    variables: { ticket: { kind: 'uuid' } },
    ...more,
  });
  return runTurns(addSuccessChecks(plan, plan, recorded, walks)).journey[0]?.checks.filter(({ kind }) => kind !== 'page');
}

const ticket = (value: string): string => `${value}-8bf9-4888-9912-ace4e6543002`;
const [ONE, TWO] = [ticket('a3bb189e'), ticket('6fa459ea')];

describe('the title of a page', () => {
  it('is checked if all walks have the same title', () => {
    expect(readChecks(toWalk(ONE, 'Your lessons'), [toWalk(TWO, 'Your lessons'), toWalk(ONE, 'Your lessons')])).toEqual([
      { kind: 'contains', text: '<title lang="en">Your lessons</title>', not: false },
    ]);
  });

  it('is checked with its character references', () => {
    const title = 'Log In &lsaquo; Practice blog &#8212; WordPress';
    expect(readChecks(toWalk(ONE, title), [toWalk(TWO, title)])).toMatchObject([{ text: `<title lang="en">${title}</title>` }]);
  });

  it('is checked with the sent value in it', () => {
    expect(readChecks(toWalk(ONE, `Edit ${ONE} – School`), [toWalk(TWO, `Edit ${TWO} – School`)])).toMatchObject([
      { text: '<title lang="en">Edit {{unique}} – School</title>' },
    ]);
  });

  it('is matched word by word if it has several lines', () => {
    expect(readChecks(toWalk(ONE, '\n  Your\n  lessons? '), [toWalk(TWO, '\n  Your\n  lessons? ')])).toMatchObject([
      { kind: 'matches', pattern: '<title[^>]*>\\s*Your\\s+lessons\\?\\s*</title>' },
    ]);
    expect(readChecks(toWalk(ONE, `\n  Edit ${ONE}\n`), [toWalk(TWO, `\n  Edit ${TWO}\n`)])).toMatchObject([{ text: 'Edit {{unique}}' }]);
    expect(readChecks(toWalk(ONE, ' \n '), [toWalk(TWO, ' \n ')])).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['differs each time', 'Welcome, Ada', 'Welcome, Bob'],
    ['contains a count', 'Inbox (3)', 'Inbox (3)'],
    ['contains a date', 'Lessons of 26 November', 'Lessons of 26 November'],
  ])('is not checked if it %s', (_, first, second) => {
    expect(readChecks(toWalk(ONE, first), [toWalk(TWO, second)])).toEqual([]);
  });

  it('is not checked if the server may capitalize the value in it', () => {
    const [first, second] = [ticket('0a3bb189'), ticket('6fa459ea')];
    expect(readChecks(toWalk(first, `${first} – Wiki`), [toWalk(second, `${second} – Wiki`)])).toEqual([]);
    expect(readChecks(toWalk(ONE, `A${ONE.slice(1)} – Wiki`), [toWalk(second, `${second} – Wiki`)])).toEqual([]);
  });

  it('is not checked if the step uses values from a file, or without a second walk to compare', () => {
    const feed = { variables: {}, feeds: { account: { file: 'accounts.csv' } } };
    const step = { form: { name: 'Lesson {{account.username}}' } };
    expect(readChecks(toWalk('adalovelace', 'Page of adalovelace'), [toWalk('bobbles', 'Page of bobbles')], feed, step)).toEqual([]);
    expect(readChecks(toWalk(ONE, 'Your lessons'), [])).toEqual([]);
  });

  it('is not checked if the response is not a page or the walk differs', () => {
    const json = { responseHeaders: [['Content-Type', 'application/json']] } as const;
    expect(readChecks(toWalk(ONE, 'Your lessons', json), [toWalk(TWO, 'Your lessons', json)])).toEqual([]);
    expect(readChecks(toWalk(ONE, 'Your lessons'), [toWalk(TWO, 'Your lessons', { status: 500 })])).toEqual([]);
  });
});
