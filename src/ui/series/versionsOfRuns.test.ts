import { expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { versionsOfRuns } from './versionsOfRuns.ts';

const planAt = (url: string, connections = 2) =>
  planSchema.parse({
    holdfast: 1,
    name: `page of ${url}`,
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections, seconds: 1 }] },
  });
const { generators } = sampleResult();

it('versionsOfRuns: returns the test of the first run and the addresses of both', () => {
  const plan = planAt('http://127.0.0.1:1/');
  const of = versionsOfRuns({ plan, generators }, { plan: planAt('http://127.0.0.1:2/') });
  expect(of).toMatchObject({ plan, isSame: true, a: [{ url: 'http://127.0.0.1:1/' }], b: [{ url: 'http://127.0.0.1:2/' }] });
});

it('versionsOfRuns: leaves the second address empty if both runs had the same address, and reports that their loads differ', () => {
  const plan = planAt('http://127.0.0.1:1/');
  expect(versionsOfRuns({ plan, generators }, { plan }).b).toEqual([]);
  expect(versionsOfRuns({ plan, generators }, { plan: planAt('http://127.0.0.1:2/', 9) }).isSame).toBe(false);
});

it('versionsOfRuns: keeps the load generators', () => {
  const plan = planAt('http://127.0.0.1:1/');
  const [generator] = generators;
  const named = (name: string) => (generator === undefined ? [] : [{ ...generator, name }]);
  expect(versionsOfRuns({ plan, generators: named('this computer') }, { plan }).on).toBeUndefined();
  expect(versionsOfRuns({ plan, generators: named('web1') }, { plan }).on).toEqual(['web1']);
});
