import { expect, it } from 'vitest';
import { resultSchema } from '#core/result/schema.ts';
import { selfTestReportSchema, summaryOfSelfTest } from '#core/measurement/selfTest/report.ts';
import { startHarness } from '../testing/harness.ts';
import { startTarget } from '../testing/target.ts';

it('self-test: prints each check, saves the report, and stores it with the next run', async () => {
  const cli = await startHarness();
  const target = await startTarget();
  const before = await cli.run('quick', target.url, '-n', '10', '--json', '-');
  const { code, out, err } = await cli.run('selftest', '--quick', '--json');
  const after = await cli.run('quick', target.url, '-n', '10', '--json', '-');

  const report = selfTestReportSchema.parse(JSON.parse(out));
  // Other load on this machine influences times, but not counts.
  expect(report.checks.flatMap(({ facts }) => facts.filter(({ kind, passed }) => kind === 'count' && !passed))).toEqual([]);
  expect(code).toBe(report.passed ? 0 : 96);
  expect(err.match(/^(passed|FAILED) {2}/gm)).toHaveLength(report.checks.length);
  expect(report.limits.requestsPerSecond).toBeGreaterThan(100);
  expect(report.limits.connectionsPerSecond).toBeGreaterThan(10);
  expect(makeGenerator(before.out)?.selfTest).toBeNull();
  expect(makeGenerator(after.out)?.selfTest).toEqual(summaryOfSelfTest(report));
}, 600_000);

function makeGenerator(json: string) {
  return resultSchema.parse(JSON.parse(json)).generators[0];
}
