import { expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { idsOf, numberOf, played, saidBy } from '../testing/found.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 30, seconds: 40 }]) });
const run = (serviceMs: (second: number) => number) =>
  played(plan, { workers: Infinity, serviceMs: (random, _n, second) => serviceMs(second) * (1 + 0.1 * random()) });

it('tells how long a cache took to fill and what answers took before and after', () => {
  const given = run((second) => (second < 8 ? 250 : 20));
  const [finding] = saidBy('warmingUp', given);
  expect(finding).toMatchObject({
    level: 'warning',
    range: { fromSecond: 0, toSecond: 8 },
    remedy: expect.stringContaining('at least 10 s'),
  });
  expect(idsOf(given).filter((id) => id.startsWith('behaviour.first') || id.startsWith('groups'))).toEqual([]);
});

it('tells that it was a cache that filled, where the answers say so', () => {
  const given = run((second) => (second < 8 ? 250 : 20));
  const withCache = (warmShare: number) => ({
    ...given,
    windows: given.windows.map((point) => {
      const fromCache = Math.round(point.completed * (point.second < 8 ? 0.1 : warmShare));
      return { ...point, cache: { fromCache, fromServer: point.completed - fromCache } };
    }),
  });
  const [filled] = saidBy('warmingUp', withCache(0.9));
  expect(filled?.evidence.join(' ')).toContain('Here a cache filled');
  expect(numberOf(filled, 'From a cache at first')).toBeCloseTo(10, -1);
  expect(numberOf(filled, 'From a cache later')).toBeCloseTo(90, -1);
  const [other] = saidBy('warmingUp', withCache(0.1));
  expect(other?.evidence.join(' ')).not.toContain('cache that filled');
  expect(numberOf(other, 'From a cache later')).toBeNaN();
});

it.each([
  ['the first second', (second: number) => (second < 1.2 ? 250 : 20)],
  ['a slow moment later', (second: number) => (second > 15 && second < 20 ? 250 : 20)],
  ['a server that becomes slow again and again', (second: number) => (Math.floor(second / 5) % 2 === 0 ? 250 : 20)],
  ['times that stay as they are', () => 20],
])('says nothing of %s', (_name, serviceMs) => {
  expect(saidBy('warmingUp', run(serviceMs))).toEqual([]);
});
