import { expect, it } from 'vitest';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { idsOf, played, findingsBy } from '../testing/found.ts';

const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 3, seconds: 30 }]) });
const run = (patienceMs: number) => played(plan, { workers: 1, serviceMs: () => 500, patienceMs });

it('proxyTimeout: finds the limit from equal times', () => {
  const given = run(6_000);
  const [finding] = findingsBy('proxyTimeout', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'certain' });
  expect(finding?.sentence).toContain('were 504 after 6 s');
  expect(finding?.sentence).toContain('is the same time-out');
  expect(idsOf(given)).not.toContain('unexpectedStatus.504');
});

it('proxyTimeout: computes the share of counted responses, without the warm-up', () => {
  const stages = [
    { kind: 'constant' as const, name: 'warm-up', perSecond: 1, seconds: 30, counted: false },
    { kind: 'constant' as const, perSecond: 3, seconds: 30 },
  ];
  const given = played(planWith({ load: arrivals(stages) }), { workers: 1, serviceMs: () => 500, patienceMs: 6_000 });
  const counted = Object.values(given.status).reduce((sum, count) => sum + count, 0);
  expect(counted).toBe(given.outcomes.requests.sent - 30);
  const [finding] = findingsBy('proxyTimeout', given);
  expect(finding?.figures?.[0]?.value).toContain(`of ${counted} responses`);
});

it('proxyTimeout: names the time itself if it is no usual limit', () => {
  expect(findingsBy('proxyTimeout', run(4_300))[0]).toMatchObject({
    confidence: 'likely',
    sentence: expect.stringContaining('after 4.3 s'),
  });
});

it('proxyTimeout: keeps findings about successful responses, such as retried name lookups', () => {
  const often = planWith({ load: arrivals([{ kind: 'constant', perSecond: 20, seconds: 30 }]) });
  const given = played(often, {
    workers: Infinity,
    serviceMs: (_random, n) => (n % 10 === 0 ? 60_000 : n % 50 === 25 ? 5_050 : 50),
    patienceMs: 10_000,
  });
  expect(idsOf(given)).toEqual(expect.arrayContaining(['proxyTimeout', 'groups.the whole run.page']));
});

it('proxyTimeout: ignores 504 responses with different times', () => {
  const loose = played(plan, { workers: Infinity, serviceMs: (random) => 1_000 + 9_000 * random(), refuses: () => null });
  const windows = loose.windows.map((window) => ({ ...window, status: { '504': window.completed } }));
  const times = loose.latency.service;
  const given = { ...loose, windows, status: { '504': times.count }, latencyByStatusClass: { '5xx': times } };
  expect(findingsBy('proxyTimeout', given)).toEqual([]);
  expect(findingsBy('proxyTimeout', played(plan, { workers: 4, serviceMs: () => 500, patienceMs: 6_000 }))).toEqual([]);
});
