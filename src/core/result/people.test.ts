import { describe, expect, it } from 'vitest';
import { emptyPeopleChanges, type PersonRecord } from '#core/measurement/people.ts';
import { emptyWindow, foldWindows } from '#core/measurement/windowFold.ts';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import type { Window } from '#core/measurement/window.ts';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { type ComparedItems, PeopleTally } from './people.ts';

const PLAN: Plan = planSchema.parse({
  holdfast: 1,
  name: 'exam',
  targets: [{ url: 'http://127.0.0.1/' }],
  journey: [
    { name: 'login', required: true },
    { name: 'start', method: 'POST', gate: 'ten' },
    { name: 'answer', method: 'POST', items: { one: 'answer', many: 'answers', done: 'answered' } },
    { name: 'finish', method: 'POST' },
  ],
  bells: { ten: { atSeconds: 60 } },
  people: {
    one: 'pupil',
    many: 'pupils',
    milestones: { 'logged in': 'login', started: 'start', 'handed in': 'finish' },
    items: { steps: 'answer', each: 5 },
  },
  stored: [{ name: 'answers', step: 'answer', marker: '{{text}}', url: 'http://127.0.0.1/answers' }],
  load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 7, seconds: 70 }] },
});

function personRecord(person: number, change: Partial<PersonRecord>): PersonRecord {
  return {
    person,
    changes: 1,
    end: 'underWay',
    milestones: 0,
    step: null,
    cause: '',
    items: 0,
    gates: 0,
    reloads: 0,
    confirmed: 0,
    notFound: 0,
    row: null,
    ...change,
  };
}

function makeWindow(second: number, records: PersonRecord[]): Window {
  return { ...emptyWindow(second, 1), people: { ...emptyPeopleChanges(), records } };
}

const FINAL: readonly PersonRecord[] = [
  personRecord(0, { changes: 9, end: 'done', milestones: 3, items: 5 }),
  personRecord(1, { changes: 8, end: 'underWay', milestones: 2, items: 3 }),
  personRecord(2, { changes: 4, end: 'gaveUp', milestones: 1, step: 1, cause: '502', reloads: 3 }),
  personRecord(3, { changes: 4, end: 'gaveUp', milestones: 1, step: 1, cause: '502', reloads: 3 }),
  personRecord(4, { changes: 2, end: 'refused', milestones: 0, step: 0, cause: '403' }),
  personRecord(5, { changes: 3, end: 'waiting', milestones: 1 }),
];

function getResult(windows: readonly Window[], compared: ComparedItems | null = null) {
  const tally = new PeopleTally();
  for (const window of windows) tally.add(window);
  return tally.result(PLAN, 7, compared);
}

describe('the result of people', () => {
  it('has one line for each kind of end, and they add up to all people', () => {
    const result = getResult([makeWindow(0, [...FINAL])]);
    expect(result?.lines.map(({ end, label, people }) => [end, label, people])).toEqual([
      ['notStarted', 'did not start', 1],
      ['underWay', 'answered 3 of 5 answers', 1],
      ['waiting', 'waiting for the bell', 1],
      ['refused', 'refused at “login” (403)', 1],
      ['gaveUp', 'gave up at “start” (502)', 2],
      ['done', 'handed in', 1],
    ]);
    const login = { ...PLAN, journey: PLAN.journey.map((step) => ({ ...step, form: { password: 'x' }, method: 'POST' as const })) };
    const tally = new PeopleTally();
    tally.add(makeWindow(0, [personRecord(0, { changes: 2, end: 'refused', step: 0, cause: 'TEXT_MISSING' })]));
    expect(tally.result(login, 7, null)?.lines.at(-1)?.label).toBe('refused at “login” (not logged in)');
    expect(result?.lines.reduce((sum, { people }) => sum + people, 0)).toBe(result?.total);
    expect(result?.milestones.map(({ name, reached }) => [name, reached])).toEqual([
      ['logged in', 5],
      ['started', 2],
      ['handed in', 1],
    ]);
    expect(result?.items).toMatchObject({ acknowledged: 8, stored: null, missing: null, by: null });
  });

  it('names the step whose result a page with wrong content should show', () => {
    const journey = PLAN.journey.map((step) => (step.name === 'finish' ? { ...step, confirms: ['answer'] } : step));
    const tally = new PeopleTally();
    tally.add(
      makeWindow(0, [
        personRecord(0, { end: 'refused', step: 3, cause: 'NOT_FOUND' }),
        personRecord(1, { end: 'refused', step: 3, cause: '403' }),
      ]),
    );
    expect(tally.result({ ...PLAN, journey }, 2, null)?.lines.map(({ label }) => label)).toEqual(
      expect.arrayContaining(['refused at “finish” (wrong content after “answer”)', 'refused at “finish” (403)']),
    );
  });

  it('is the same for any order of windows and threads, folded or not', () => {
    const earlier = FINAL.map((record) => ({ ...record, changes: 1, end: 'underWay' as const, items: 0, milestones: 0 }));
    const threads = [0, 1].flatMap((thread) => [
      makeWindow(
        3,
        earlier.filter(({ person }) => person % 2 === thread),
      ),
      makeWindow(
        4,
        FINAL.filter(({ person }) => person % 2 === thread),
      ),
    ]);
    const expected = getResult(threads);
    expect(expected?.rows).toHaveLength(6);
    expect(getResult(threads.toReversed())).toEqual(expected);
    expect(getResult(foldWindows(threads, 10))).toEqual(expected);
    expect(getResult(threads.map((window) => decodeWindow(encodeWindow(window))))).toEqual(expected);
  });

  it('compares the items of each person with the target', () => {
    const compared = { missing: 2, unacknowledged: 1, isWhole: true, people: [{ person: 1, missing: 2, unacknowledged: 1 }] };
    const result = getResult([makeWindow(0, [...FINAL])], compared);
    expect(result?.items).toMatchObject({ acknowledged: 8, stored: 6, missing: 2, unacknowledged: 1, by: 'count' });
    expect(
      result?.rows.map(({ person, stored, missing, unacknowledged }) => [person, stored, missing, unacknowledged]).slice(0, 2),
    ).toEqual([
      [1, 5, 0, 0],
      [2, 1, 2, 1],
    ]);
  });

  it('counts people beyond the last record', () => {
    const further = [{ end: 'done' as const, milestones: 3, step: null, cause: '', items: 5, gates: 1, people: 4_000 }];
    const window = { ...emptyWindow(0, 1), people: { records: [...FINAL], further } };
    const result = getResult([window, decodeWindow(encodeWindow({ ...window, people: { records: [], further } }))]);
    expect(result).toMatchObject({ total: 8_006, done: 8_001, further: 8_000 });
    expect(result?.rows).toHaveLength(6);
  });
});
