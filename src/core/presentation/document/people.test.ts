import { expect, it } from 'vitest';
import type { PeopleResult, PersonRow } from '#core/result/people.ts';
import { formatPeopleCsv } from '../formats/peopleCsv.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { passageLines } from '../text/textTable.ts';
import { peopleBlocks } from './people.ts';

const ROW: PersonRow = {
  person: 1,
  end: 'done',
  label: 'handed in',
  milestone: 'handed in',
  step: null,
  cause: null,
  reloads: 0,
  row: null,
  acknowledged: 5,
  stored: 5,
  missing: 0,
  unacknowledged: 0,
};
const LOST: PersonRow = {
  ...ROW,
  person: 2,
  end: 'gaveUp',
  label: 'gave up at “start” (502)',
  step: 'start',
  cause: '502',
  reloads: 3,
  acknowledged: 0,
  stored: 0,
};
const PEOPLE: PeopleResult = {
  one: 'pupil',
  many: 'pupils',
  total: 2,
  lines: [
    { end: 'gaveUp', label: LOST.label, milestone: null, step: 'start', cause: '502', items: null, people: 1 },
    { end: 'done', label: 'handed in', milestone: 'handed in', step: null, cause: null, items: null, people: 1 },
  ],
  milestones: [{ name: 'handed in', step: 'finish', reached: 1 }],
  done: 1,
  items: {
    one: 'answer',
    many: 'answers',
    steps: ['answer'],
    each: 5,
    acknowledged: 5,
    stored: 5,
    missing: 0,
    unacknowledged: 0,
    by: 'count',
  },
  rows: [ROW, LOST],
  further: 0,
};

it('people: the document has a line for each end with the sum, and lists those who were lost', () => {
  const text = passageLines(peopleBlocks(sampleResult({ people: PEOPLE })), 100).join('\n');
  expect(text).toMatch(/What became of 2 pupils[\s\S]*gave up at “start” \(502\) +1 +50 %[\s\S]*handed in +1 +50 %[\s\S]*All +2 +100 %/);
  expect(text).toMatch(/Pupils who were lost or whose items differ[\s\S]*2 +gave up at “start” \(502\) +3 +0 +0 +0/);
  expect(text).toContain('Acknowledged and stored: 5 of 5');
  expect(peopleBlocks(sampleResult({}))).toEqual([]);
});

it('people: the CSV has one row a person, by pseudonym unless names are given', () => {
  const lines = formatPeopleCsv({ people: PEOPLE }).trim().split('\r\n');
  expect(lines).toEqual([
    'person,end,label,milestone,step,cause,reloads,acknowledged,stored,missing,stored_unacknowledged',
    'pupil 1,done,handed in,handed in,,,0,5,5,0,0',
    'pupil 2,gaveUp,gave up at “start” (502),handed in,start,502,3,0,0,0,0',
  ]);
  expect(formatPeopleCsv({ people: PEOPLE }, new Map([[2, 'Anna']]))).toContain('\r\nAnna,gaveUp');
});
