import { expect, it } from 'vitest';
import type { SelfTestProgress } from '#core/measurement/selfTest/report.ts';
import { BEHAVIOURS } from './behaviours/registry.ts';
import { checksOf, wrongFacts } from './testing/options.ts';

// Apart from the tests of times: counts are right or wrong however busy the machine is, so others may run beside it.
it('the self-test counts what the server counts, whatever the server does, with both engines', async () => {
  const told: SelfTestProgress[] = [];
  const checks = await checksOf(
    BEHAVIOURS.map(({ id }) => id).filter((id) => id !== 'freeze'),
    { engines: ['native', 'autocannon'], onProgress: (progress) => told.push(progress) },
  );
  expect(checks).toHaveLength(20);
  expect(checks.map(({ problem }) => problem).filter((problem) => problem !== null)).toEqual([]);
  expect(wrongFacts(checks, 'count')).toEqual([]);
  for (const { facts } of checks) expect(facts.length).toBeGreaterThan(9);
  expect(told.map(({ done }) => done)).toEqual(Array.from({ length: 21 }, (_, index) => index));
}, 600_000);
