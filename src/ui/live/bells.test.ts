import { expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { sampleBell } from '#core/result/testing/sampleBell.ts';
import { elapsedOpenings, upcomingBells } from './LiveBells.tsx';

const PLAN = planWith({
  journey: [
    { name: 'login', path: '/login' },
    { name: 'hand in', path: '/end', gate: 'end' },
    { name: 'start', path: '/start', gate: 'begin' },
  ],
  bells: { begin: { atSeconds: 60 }, end: { atSeconds: 90 } },
  load: { model: 'users', stages: [{ users: 120, seconds: 120 }] },
});

it('upcoming bells: are in the order in which they ring, with the number of waiting users', () => {
  const bells = [sampleBell({ bell: 'begin', step: 'start', waited: 87 })];
  expect(upcomingBells(PLAN, { bells, elapsedSeconds: 12 })).toEqual([
    { bell: 'begin', step: 'start', atSecond: 60, waiting: 87, expected: 120 },
    { bell: 'end', step: 'hand in', atSecond: 90, waiting: 0, expected: 120 },
  ]);
});

it('upcoming bells: omit bells that have rung', () => {
  expect(upcomingBells(PLAN, { elapsedSeconds: 60 }).map(({ bell }) => bell)).toEqual(['end']);
  expect(upcomingBells(PLAN, { elapsedSeconds: 90 })).toEqual([]);
});

it('elapsed openings: end at the current time', () => {
  const bells = [sampleBell({ atSecond: 60 }), sampleBell({ atSecond: 90 })];
  expect(elapsedOpenings({ bells, elapsedSeconds: 63 }).map(({ opening }) => opening.length)).toEqual([30]);
  expect(elapsedOpenings({ bells, elapsedSeconds: 95 }).map(({ opening }) => opening.length)).toEqual([100, 50]);
});
