import { expect, it } from 'vitest';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { summarize } from '#core/statistics/latency.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { findingsBy } from '../testing/found.ts';

function stated(agesMs: readonly number[]): string[] {
  const ages = createHistogram();
  for (const age of agesMs) record(ages, age * 1_000);
  return findingsBy('sessionExpires', facts({ ...healthyStep(), sessionAge: summarize(ages) })).map(({ sentence }) => sentence);
}

it('sessionExpires: names the age at which all logins end, and the step', () => {
  expect(stated([30_100, 30_900, 31_200, 34_000])).toEqual([
    'Logins expire after about 30.1 s: then “description” was refused, which had been successful with the same login.',
  ]);
});

it('sessionExpires: ignores logins that end at different ages, few logins, and logins that lasted under 0.5 s', () => {
  expect(stated([5_000, 30_100, 31_200])).toEqual([]);
  expect(stated([30_100, 30_900])).toEqual([]);
  expect(stated([20, 21, 22])).toEqual([]);
  expect(findingsBy('sessionExpires', facts())).toEqual([]);
});
