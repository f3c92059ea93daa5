import { describe, expect, it } from 'vitest';
import { checkPlan } from '#core/review/check.ts';
import { planWith, users } from '#core/testing/plans.ts';
import { loadOfBell, proposeBell, readBell, readBellLoad } from './bell.ts';
import { withChoices } from './choices.ts';
import { fromLoad, toLoad } from './loadEntry.ts';

const PLAN = planWith({
  journey: [
    { name: 'login', path: '/login' },
    { name: 'start', path: '/start' },
    { name: 'hand in', path: '/end' },
  ],
  load: users([{ users: 30, seconds: 60 }], { kind: 'fixed', seconds: 2 }),
});

describe('a bell of the wizard', () => {
  it('is proposed for the second step, with the users of the load as people', () => {
    const { entry, ...people } = proposeBell(PLAN);
    const load = loadOfBell(fromLoad(PLAN.load), { ...people, atSeconds: entry.atSeconds });
    const plan = planWith({ ...withChoices(PLAN, { bell: entry }), load: toLoad(load) as never });
    expect(plan).toMatchObject({
      journey: [{ name: 'login' }, { name: 'start', gate: 'start', reload: { most: 3 } }, { name: 'hand in' }],
      bells: { start: { atSeconds: 60, late: 'continue' } },
      load: {
        model: 'arrivals',
        thinkTime: { kind: 'fixed', seconds: 2 },
        stages: [
          { kind: 'count', arrivals: 30, seconds: 50 },
          { kind: 'constant', perSecond: 0, seconds: 70 },
        ],
      },
    });
    expect(checkPlan(plan).filter(({ level }) => level === 'error')).toEqual([]);
    expect(readBellLoad(fromLoad(plan.load))).toEqual({ people: 30, windowSeconds: 50 });
  });

  it('is read from a plan, moved to another step and removed again', () => {
    const { entry } = proposeBell(PLAN);
    const rung = withChoices(PLAN, { bell: entry });
    expect(readBell(rung)).toEqual(entry);
    const moved = withChoices(rung, { bell: { ...entry, step: 'hand in', late: 'leave', reloads: false } });
    expect(moved.journey.map(({ gate }) => gate)).toEqual([undefined, undefined, 'start']);
    expect(moved.journey.some(({ reload }) => reload !== undefined)).toBe(false);
    expect(withChoices(moved, { bell: null })).toMatchObject({ bells: undefined });
    expect(readBell(withChoices(moved, { bell: null }))).toBeNull();
  });

  it('does not change other bells of the plan', () => {
    const journey = [
      { name: 'start', gate: 'ten' },
      { name: 'hand in', gate: 'end' },
    ];
    const bells = { ten: { atSeconds: 10 }, end: { atSeconds: 20 } };
    const plan = planWith({ journey, bells, load: users([{ users: 3, seconds: 60 }]) });
    const changed = withChoices(plan, { bell: { step: 'start', atSeconds: 12, late: 'leave', reloads: false } });
    expect(changed.bells).toEqual({ ten: { atSeconds: 12, late: 'leave' }, end: { atSeconds: 20, late: 'continue' } });
    expect(changed.journey.map(({ gate }) => gate)).toEqual(['ten', 'end']);
  });

  it('changes nothing in the plan while its time is not a number', () => {
    const entry = { ...proposeBell(PLAN).entry, atSeconds: '' };
    expect(withChoices(PLAN, { bell: entry })).toEqual(PLAN);
  });
});
