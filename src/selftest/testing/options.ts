import type { SelfTestCheck } from '#core/measurement/selfTest/report.ts';
import { loadWorkerEntry, selfTestEntry } from '#tools/testing/threads.ts';
import { runSelfTest, type SelfTestOptions } from '../runSelfTest.ts';

const root = new URL('../../../', import.meta.url);

export const entries = {
  serverEntry: selfTestEntry,
  workerEntry: loadWorkerEntry,
  lyingServer: new URL('src/selftest/testing/lyingServer.ts', root),
  droppingWorker: new URL('src/selftest/testing/droppingWorker.ts', root),
  swappingWorker: new URL('src/selftest/testing/swappingWorker.ts', root),
} as const;

export const machine: SelfTestOptions['machine'] = {
  hostname: 'here',
  platform: 'linux x64',
  processor: 'a processor',
  cores: 2,
  nodeVersion: 'v24.0.0',
  holdfastVersion: '0.0.0-test',
};

/** Runs the short checks of these behaviours with real parts. `changes` may replace some parts by broken ones. */
export async function readChecks(only: readonly string[], changes: Partial<SelfTestOptions> = {}): Promise<readonly SelfTestCheck[]> {
  const report = await runSelfTest({
    serverEntry: entries.serverEntry,
    workerEntry: entries.workerEntry,
    machine,
    quick: true,
    only,
    signal: new AbortController().signal,
    onProgress() {},
    ...changes,
  });
  return report.checks;
}

/** Returns the names of wrong facts, either of one kind or of all kinds. */
export function wrongFacts(checks: readonly SelfTestCheck[], kind?: 'count' | 'time'): string[] {
  return checks.flatMap(({ id, facts }) =>
    facts.filter((fact) => !fact.passed && (kind ?? fact.kind) === fact.kind).map(({ name }) => `${id}: ${name}`),
  );
}
