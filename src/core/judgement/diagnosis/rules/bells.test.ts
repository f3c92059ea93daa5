import { expect, it } from 'vitest';
import type { BellResult } from '#core/result/bells.ts';
import { facts } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

const BELL: BellResult = {
  bell: 'start',
  step: 'start the exam',
  atSecond: 60,
  expected: 120,
  waited: 120,
  late: 0,
  absent: 0,
  startP99Ms: 4,
  startMaxMs: 5,
  served: 120,
  failed: 0,
  unfinished: 0,
  reloaded: 0,
  servedWithin: [
    { seconds: 1, users: 40 },
    { seconds: 5, users: 110 },
    { seconds: 15, users: 120 },
  ],
  lastServedMs: 7_900,
  p50Ms: 2_000,
  p95Ms: 6_000,
  opening: [],
};

it('bells: reports when everybody was served, as information', () => {
  expect(findingsBy('bells', { ...facts(), bells: [BELL] })).toMatchObject([
    {
      id: 'bells.start',
      level: 'info',
      sentence:
        'Bell “start” at 60 s: 120 of 120 waiting users were served by “start the exam”: 40 within 1 s, 110 within 5 s, 120 within 15 s.',
      evidence: ['The last one was served after 7.9 s.', '99 % of their requests started within 4 ms of the bell.'],
    },
  ]);
});

it('bells: warns of users who came late or never, and calls lost users a problem', () => {
  const [late] = findingsBy('bells', { ...facts(), bells: [{ ...BELL, waited: 117, served: 117, late: 2, absent: 1 }] });
  expect(late).toMatchObject({
    level: 'warning',
    sentence:
      'Bell “start” at 60 s: 117 of 120 users were there in time. 117 of them were served by “start the exam”: 40 within 1 s, 110 within 5 s, 120 within 15 s.',
    evidence: expect.arrayContaining(['2 came after the bell, 1 never reached it.']),
  });
  const [lost] = findingsBy('bells', { ...facts(), bells: [{ ...BELL, served: 117, failed: 2, unfinished: 1 }] });
  expect(lost).toMatchObject({ level: 'problem', evidence: expect.arrayContaining(['2 failed, 1 had no response at the end.']) });
});

it('bells: names the causes of absence, and reports no bell that was called off', () => {
  const absent = { ...BELL, waited: 115, served: 115, absent: 5, awayBecause: { underWay: 2, failed: 2, generator: 1 } };
  const [found] = findingsBy('bells', { ...facts(), bells: [absent] });
  expect(found?.evidence).toContain('5 never reached it: 2 failed before it, 2 were still on the way, 1 never started.');
  expect(findingsBy('bells', { ...facts(), bells: [{ ...BELL, isCalledOff: true }] })).toEqual([]);
});

it('bells: says nothing without a bell', () => {
  expect(findingsBy('bells', facts())).toEqual([]);
});
