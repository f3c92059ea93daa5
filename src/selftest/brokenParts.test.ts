import { describe, expect, it } from 'vitest';
import { runSelfTest } from './runSelfTest.ts';
import { readChecks, entries, machine, wrongFacts } from './testing/options.ts';

/** Number of requests. The broken recorders falsify one response in a hundred. */
const REQUESTS = 500;

/** These tests compare only counts, which are exact even on a busy machine. Times are checked in runSelfTest.test.ts. */
describe('the self-test', () => {
  it('fails if the recorder loses one response in a hundred', async () => {
    const checks = await readChecks(['immediate'], { workerEntry: entries.droppingWorker, requests: REQUESTS });
    expect(checks.map(({ passed }) => passed)).toEqual([false]);
    expect(wrongFacts(checks, 'count')).toEqual(['immediate: successful responses', 'immediate: status 200', 'immediate: times recorded']);
  });

  it('fails if the recorder swaps outcomes', async () => {
    const checks = await readChecks(['unavailable'], { workerEntry: entries.swappingWorker, requests: REQUESTS });
    expect(checks.map(({ passed }) => passed)).toEqual([false]);
    expect(wrongFacts(checks, 'count')).toEqual(['unavailable: successful responses', 'unavailable: responses with an error status']);
  });

  it('fails if responses take 20 % longer than the server logs', async () => {
    const checks = await readChecks(['fixedDelay'], { serverEntry: entries.lyingServer });
    expect(checks.map(({ passed }) => passed)).toEqual([false]);
    expect(wrongFacts(checks)).toEqual(['fixedDelay: service time p50', 'fixedDelay: service time p90']);
  });

  it('stops on request and leaves no process behind', async () => {
    const abort = new AbortController();
    const options = { serverEntry: entries.serverEntry, workerEntry: entries.workerEntry, machine, quick: true };
    const running = runSelfTest({ ...options, signal: abort.signal, onProgress: ({ done }) => done === 1 && abort.abort() });
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('reports it if its server cannot be started', async () => {
    const checks = await readChecks(['immediate'], { serverEntry: new URL('file:///nowhere/server.mjs') });
    expect(checks).toMatchObject([{ passed: false, facts: [], problem: expect.stringContaining('server failed') }]);
  });
});
