import { SELF_TEST_SCHEMA, type SelfTestReport } from '#core/measurement/selfTest/report.ts';

/** Returns a self-test report without checks, apart from the changes. */
export function selfTestReportWith(changes: Partial<SelfTestReport> = {}): SelfTestReport {
  return {
    schema: SELF_TEST_SCHEMA,
    at: '2026-01-01T00:00:00.000Z',
    seconds: 24.6,
    quick: true,
    machine: { hostname: 'desk', platform: 'linux x64', processor: '', cores: 2, nodeVersion: 'v24.0.0', holdfastVersion: '0' },
    checks: [],
    limits: { requestsPerSecond: 74_800, arrivalsPerSecond: null, lagLimitMs: 5, connectionsPerSecond: 5_520 },
    passed: true,
    ...changes,
  };
}
