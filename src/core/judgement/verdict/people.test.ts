import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { BellResult } from '#core/result/bells.ts';
import type { PeopleLine, PeopleResult } from '#core/result/people.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { windowWith } from '#core/testing/windows.ts';
import { judge } from './judge.ts';
import { makeInput, type RunStory } from './testing/judged.ts';

const JOURNEY: PlanInput['journey'] = [
  { name: 'login', path: '/login', required: true },
  { name: 'start', gate: 'ten' },
  { name: 'finish' },
];

const BELL: BellResult = {
  bell: 'ten',
  step: 'start',
  atSecond: 1,
  expected: 120,
  waited: 120,
  late: 0,
  absent: 0,
  awayBecause: { underWay: 0, failed: 0, generator: 0 },
  startP99Ms: 4,
  startMaxMs: 5,
  served: 120,
  failed: 0,
  unfinished: 0,
  reloaded: 0,
  servedWithin: [],
  lastServedMs: 7_900,
  p50Ms: 2_000,
  p95Ms: 6_000,
  opening: [],
};

function makeLine(end: PeopleLine['end'], label: string, people: number, milestone: string | null = null): PeopleLine {
  return { end, label, people, milestone, step: null, cause: null, items: null };
}

/** Returns people with the given total. `lost`: lines of those who have not handed in. */
function makePeople(total: number, lost: readonly PeopleLine[], items: PeopleResult['items'] = null): PeopleResult {
  const done = total - lost.reduce((sum, { people }) => sum + people, 0);
  return {
    one: 'pupil',
    many: 'pupils',
    total,
    lines: [...lost, makeLine('done', 'handed in', done, 'handed in')],
    milestones: [{ name: 'handed in', step: 'finish', reached: done }],
    done,
    items,
    rows: [],
    further: total,
  };
}

function judgeExam(bell: Partial<BellResult>, people: PeopleResult, plan: Partial<PlanInput> = {}, story: Partial<RunStory> = {}) {
  const whole = planWith({
    journey: JOURNEY,
    bells: { ten: { atSeconds: 1 } },
    people: { one: 'pupil', many: 'pupils', milestones: { 'handed in': 'finish' } },
    load: stages({ connections: 10, seconds: 1 }),
    criteria: [{ kind: 'responseTime', percentile: 80, maxMs: 1_000 }],
    ...plan,
  });
  const windows = [0, 1, 2].map((step) => windowWith({ step, ok: [{ count: 120, ms: 40 }] }));
  return judge({ ...makeInput({ plan: whole, windows, ...story }), bells: [{ ...BELL, ...bell }], people });
}

const listOutcomes = ({ criteria }: ReturnType<typeof judge>) =>
  criteria.filter(({ isOfPeople }) => isOfPeople).map(({ outcome }) => outcome);

describe('people who are lost, late or absent', () => {
  it('fail a run if they are more than 1 %, or any at all among fewer than 100 people', () => {
    expect(judgeExam({}, makePeople(120, [])).verdict.outcome).toBe('passed');
    expect(listOutcomes(judgeExam({ served: 119, failed: 1 }, makePeople(120, [])))).toEqual(['passed', 'passed']);
    for (const bell of [
      { served: 118, failed: 2 },
      { served: 118, unfinished: 2 },
      { waited: 118, served: 118, late: 2 },
      { waited: 118, served: 118, absent: 2 },
    ])
      expect(listOutcomes(judgeExam(bell, makePeople(120, [])))).toEqual(['failed', 'passed']);
    expect(listOutcomes(judgeExam({ expected: 99, served: 98, failed: 1 }, makePeople(99, [])))).toEqual(['failed', 'passed']);
    expect(listOutcomes(judgeExam({}, makePeople(120, [makeLine('refused', 'refused', 2)])))).toEqual(['passed', 'failed']);
  });

  it('may be as many as the plan allows', () => {
    const plan = {
      bells: { ten: { atSeconds: 1, maxLostShare: 0.05 } },
      people: { milestones: { 'handed in': 'finish' }, maxLostShare: 0 },
    };
    expect(listOutcomes(judgeExam({ served: 114, failed: 6 }, makePeople(120, []), plan))).toEqual(['passed', 'passed']);
    expect(listOutcomes(judgeExam({ served: 113, failed: 7 }, makePeople(120, [makeLine('gaveUp', 'gave up', 1)]), plan))).toEqual([
      'failed',
      'failed',
    ]);
  });

  it('are not judged at a bell whose plan allows all of them', () => {
    const plan = { bells: { ten: { atSeconds: 1, maxLostShare: 1 } } };
    expect(listOutcomes(judgeExam({ waited: 60, served: 60, late: 60 }, makePeople(120, []), plan))).toEqual(['passed']);
  });

  it('decide nothing if the load generators could not start them, or the bell was called off', () => {
    const away = { waited: 110, served: 110, absent: 10, awayBecause: { underWay: 0, failed: 0, generator: 10 } };
    const late = judgeExam(away, makePeople(120, []));
    expect(listOutcomes(late)).toEqual(['unknown', 'passed']);
    expect(late.verdict.outcome).toBe('inconclusive');
    const off = judgeExam(
      { isCalledOff: true, waited: 110, served: 0 },
      makePeople(120, [makeLine('waiting', 'waiting', 120)]),
      {},
      { state: 'stopped' },
    );
    expect(listOutcomes(off)).toEqual(['unknown', 'unknown']);
    expect(off.criteria.find(({ isOfPeople }) => isOfPeople)?.reason).toContain('the bell was called off before it rang');
  });
});

describe('the headline of a run with people', () => {
  const items = { one: 'answer', many: 'answers', steps: ['answer'], each: 5, acknowledged: 600, by: 'count' as const };

  it('states what became of the people and of their items', () => {
    const lost = [makeLine('gaveUp', 'gave up at “start” (502)', 2)];
    const stored = { ...items, stored: 600, missing: 0, unacknowledged: 0 };
    expect(judgeExam({ served: 118, failed: 2 }, makePeople(120, lost, stored)).verdict.sentence).toMatch(
      /^Failed: 118 of 120 pupils handed in; 2 gave up at “start” \(502\)\. 600 of 600 acknowledged answers are stored\. The last pupil was served by “start” 7\.9 s after the bell\./,
    );
    expect(judgeExam({}, makePeople(120, [])).verdict.sentence).toMatch(/^Passed: 120 of 120 pupils handed in\. The last pupil/);
  });

  it('counts missing items and those stored without acknowledgement', () => {
    const differing = { ...items, stored: 597, missing: 3, unacknowledged: 1 };
    expect(judgeExam({}, makePeople(120, [], differing)).verdict.sentence).toContain(
      '597 of 600 acknowledged answers are stored, and 3 are missing; 1 more is stored without acknowledgement.',
    );
  });

  it('reports that the storage is unknown, instead of nothing stored', () => {
    const known = { ...items, by: 'readBack' as const, unacknowledged: null };
    const some = judgeExam({}, makePeople(120, [], { ...known, stored: 500, missing: 20 })).verdict.sentence;
    expect(some).toContain('500 of 600 acknowledged answers are stored, and 20 are missing; for 80 it is unknown.');
    const none = judgeExam({}, makePeople(120, [], { ...known, stored: 0, missing: 0 })).verdict.sentence;
    expect(none).toContain('Whether the 600 acknowledged answers are stored is unknown.');
    const all = judgeExam({}, makePeople(120, [], { ...known, stored: 0, missing: 600 })).verdict.sentence;
    expect(all).toContain('0 of 600 acknowledged answers are stored, and 600 are missing.');
  });

  it('calls items verified that each person read back, although one page lists several', () => {
    const journey: PlanInput['journey'] = [
      ...(JOURNEY ?? []).slice(0, 2),
      { name: 'answer', method: 'POST' },
      { name: 'finish', confirms: 'answer' },
    ];
    const read = (stored: number, missing: number) => {
      const people = makePeople(120, [], { ...items, by: 'readBack', stored, missing, unacknowledged: null });
      const windows = [windowWith({ step: 2, ok: [{ count: 600, ms: 20 }] }), windowWith({ step: 3, ok: [{ count: 120, ms: 20 }] })];
      return judgeExam({}, people, { journey }, { windows }).verdict.storage?.state;
    };
    expect([read(600, 0), read(590, 10), read(500, 0)]).toEqual(['verified', 'contradicted', 'notVerified']);
  });

  it('names the most frequent ends, and counts the others', () => {
    const lost = ['a', 'b', 'c', 'd'].map((name, index) => makeLine('refused', `refused at “${name}”`, 10 - index));
    expect(judgeExam({}, makePeople(120, lost)).verdict.sentence).toContain(
      '86 of 120 pupils handed in; 10 refused at “a”, 9 refused at “b”, 15 ended elsewhere.',
    );
  });
});
