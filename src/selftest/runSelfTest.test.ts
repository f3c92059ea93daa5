import { describe, expect, it } from 'vitest';
import type { SelfTestCheck } from '#core/measurement/selfTest/report.ts';
import { runSelfTest } from './runSelfTest.ts';
import { checksOf, entries, machine, wrongFacts } from './testing/options.ts';

/** Of the times of each behaviour: what else goes on in a machine shows in one of them and not in all. */
const ATTEMPTS = 5;

describe('the self-test', () => {
  it('is green where nothing is wrong, unless something else keeps this machine busy', async () => {
    // What is not known excuses nothing.
    const isBusy = ({ sick, processorUse, steal }: SelfTestCheck): boolean =>
      sick.length > 0 || (processorUse ?? 0) > 0.6 || (steal ?? 0) > 0.01;
    let unproven = ['fixedDelay', 'freeze', 'freezeUnderArrivals'];
    let unexcused: readonly SelfTestCheck[] = [];
    for (let attempt = 0; attempt < ATTEMPTS && unproven.length > 0; attempt += 1) {
      const checks = await checksOf(unproven);
      expect(checks).toHaveLength(unproven.length);
      expect(wrongFacts(checks, 'count')).toEqual([]);
      unexcused = checks.filter((check) => !check.passed && !isBusy(check));
      unproven = unexcused.map(({ id }) => id);
    }
    expect(wrongFacts(unexcused)).toEqual([]);
    expect(unproven).toEqual([]);
  }, 600_000);

  it('turns red when the recorder loses one answer in a hundred', async () => {
    const checks = await checksOf(['immediate'], { workerEntry: entries.droppingWorker });
    expect(checks.map(({ passed }) => passed)).toEqual([false]);
    expect(wrongFacts(checks, 'count')).toEqual(['immediate: successful responses', 'immediate: status 200', 'immediate: times recorded']);
  });

  it('turns red when the recorder swaps outcomes', async () => {
    const checks = await checksOf(['unavailable'], { workerEntry: entries.swappingWorker });
    expect(checks.map(({ passed }) => passed)).toEqual([false]);
    expect(wrongFacts(checks, 'count')).toEqual(['unavailable: successful responses', 'unavailable: responses with an error status']);
  });

  it('turns red when answers take a fifth longer than the server logs', async () => {
    const checks = await checksOf(['fixedDelay'], { serverEntry: entries.lyingServer });
    expect(checks.map(({ passed }) => passed)).toEqual([false]);
    expect(wrongFacts(checks)).toEqual(['fixedDelay: service time p50', 'fixedDelay: service time p90']);
  });

  it('stops when it is told to, and leaves no process behind', async () => {
    const abort = new AbortController();
    const options = { serverEntry: entries.serverEntry, workerEntry: entries.workerEntry, machine, quick: true };
    const running = runSelfTest({ ...options, signal: abort.signal, onProgress: ({ done }) => done === 1 && abort.abort() });
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('says so when its server cannot be started', async () => {
    const checks = await checksOf(['immediate'], { serverEntry: new URL('file:///nowhere/server.mjs') });
    expect(checks).toMatchObject([{ passed: false, facts: [], problem: expect.stringContaining('server failed') }]);
  });
});
