import { expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { idsOf, played, findingsBy } from '../testing/found.ts';

const plan = planWith({ load: stages({ connections: 4, seconds: 3 }) });
const run = (journey: { name: string; path?: string; expectStatus?: number[] }, refuses: (n: number) => number | null) =>
  played(planWith({ ...plan, journey: [journey] }), { workers: Infinity, serviceMs: () => 40, refuses });

it('missingRoute: reports a page that is missing from some request on, and no overload', () => {
  const given = run({ name: 'page' }, (n) => (n >= 90 ? 404 : null));
  const [finding] = findingsBy('missingRoute', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'likely', range: { fromSecond: 0 } });
  expect(finding?.sentence).toContain('is no overload');
  expect(idsOf(given)).not.toContain('unexpectedStatus.404');
});

it('missingRoute: is certain if the page never existed', () => {
  expect(
    findingsBy(
      'missingRoute',
      run({ name: 'page' }, () => 404),
    )[0],
  ).toMatchObject({ confidence: 'certain', remedy: expect.stringContaining('Correct the address') });
});

it('missingRoute: ignores expected 404, addresses with values, and other failures', () => {
  expect(
    findingsBy(
      'missingRoute',
      run({ name: 'page', expectStatus: [404] }, () => 404),
    ),
  ).toEqual([]);
  const madeUp = run({ name: 'page', path: '/{{task}}' }, (n) => (n >= 90 ? 404 : null));
  expect(findingsBy('missingRoute', madeUp)).toEqual([]);
  expect(idsOf(madeUp)).toContain('unexpectedStatus.404');
  expect(
    findingsBy(
      'missingRoute',
      run({ name: 'page' }, (n) => (n >= 90 ? 500 : null)),
    ),
  ).toEqual([]);
});
