import { expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { idsOf, numberOf, played, saidBy } from '../testing/found.ts';

const run = (perSecond: number, server: { workers: number; seconds: number; patienceMs?: number }, lasts = 30) =>
  played(planWith({ load: arrivals([{ kind: 'constant', perSecond, seconds: lasts }]) }), {
    workers: server.workers,
    serviceMs: () => server.seconds * 1_000,
    ...(server.patienceMs === undefined ? {} : { patienceMs: server.patienceMs }),
  });

it.each([
  { perSecond: 3, workers: 1, seconds: 0.5 },
  { perSecond: 25, workers: 17, seconds: 0.8 },
  { perSecond: 21, workers: 4, seconds: 0.2 },
])('says by how much more comes than is worked off: λ = $perSecond, m = $workers, S = $seconds s', ({ perSecond, workers, seconds }) => {
  const [finding] = saidBy('growingQueue', run(perSecond, { workers, seconds }));
  expect(numberOf(finding, 'Completed') / (workers / seconds)).toBeCloseTo(1, 1);
  expect(numberOf(finding, 'Growth of the queue') / (perSecond - workers / seconds)).toBeGreaterThan(0.8);
  expect(numberOf(finding, 'Growth of the queue') / (perSecond - workers / seconds)).toBeLessThan(1.25);
  expect(finding).toMatchObject({ level: 'warning', range: { toSecond: 30 } });
});

it('speaks for the growth of the times too, which is the same thing', () => {
  expect(idsOf(run(3, { workers: 1, seconds: 0.5 }, 60)).filter((id) => id.startsWith('slowerAndSlower'))).toEqual([]);
});

it('still tells it where a proxy gives up, which ends the growth', () => {
  const [finding] = saidBy('growingQueue', run(3, { workers: 1, seconds: 0.5, patienceMs: 6_000 }));
  expect(finding?.sentence).toContain('3/s against 2');
  expect(finding?.evidence.join()).toContain('only because requests timed out');
});

it.each([
  { name: 'a page of 5 s', perSecond: 10, workers: Infinity, seconds: 5, lasts: 12 },
  { name: 'a third of what it can', perSecond: 3, workers: 3, seconds: 0.5, lasts: 30 },
  { name: 'just below the limit', perSecond: 1.9, workers: 1, seconds: 0.5, lasts: 60 },
])('says nothing of a queue that does not grow: $name', ({ perSecond, workers, seconds, lasts }) => {
  expect(saidBy('growingQueue', run(perSecond, { workers, seconds }, lasts))).toEqual([]);
});
