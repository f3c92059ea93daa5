import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RUN_FORMATS } from '#contract/replies.ts';
import { resultSchema } from '#core/result/schema.ts';
import { readResult, storeResult } from './resultOf.ts';
import { openStore, type Store } from '../store/store.ts';
import { storeLongRun } from '../testing/longRun.ts';
import { testOptions } from '../testing/options.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { ResultThread } from './resultThread.ts';

const RUN = { runId: 'long' };

describe('ResultThread', () => {
  const directory = temporaryDirectory();
  const failures: unknown[] = [];
  let store: Store;
  let results: ResultThread;
  beforeAll(() => {
    store = openStore(directory);
    storeLongRun(store, { id: RUN.runId, seconds: 200, hosts: 3, steps: 5 });
    const log = { failure: (...reported: unknown[]) => void failures.push(reported) };
    results = new ResultThread({
      entry: testOptions(directory).resultEntry,
      dataDirectory: directory,
      version: '0.0.0-test',
      log,
      unstored: () => null,
    });
  });
  afterAll(async () => {
    await results.close();
    store.close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Returns the share of the process's CPU time that its main thread uses during `work`. */
  async function measureMainShare(work: () => Promise<unknown>): Promise<number> {
    const [all, main] = [process.cpuUsage(), process.threadCpuUsage()];
    await work();
    const sum = ({ user, system }: NodeJS.CpuUsage): number => user + system;
    return sum(process.threadCpuUsage(main)) / sum(process.cpuUsage(all));
  }

  it('keeps the event loop free while it computes, stores, reads and exports results', async () => {
    // Starts the thread, so that its start is not measured.
    await results.ask('runs.points', { ...RUN, maxPoints: 10 });
    const turns: number[] = [];
    let last = performance.now();
    const ticking = setInterval(() => {
      const now = performance.now();
      turns.push(now - last);
      last = now;
    }, 5);
    const began = performance.now();
    const share = await measureMainShare(async () => {
      await results.ask('own.storeResult', RUN);
      await results.ask('runs.result', RUN);
      await results.ask('own.report', { of: RUN, paper: 'A4' });
      for (const format of RUN_FORMATS) await results.ask('runs.export', { ...RUN, format });
    });
    const took = performance.now() - began;
    clearInterval(ticking);
    expect(share).toBeLessThan(0.25);
    // If the result were computed in the main thread, one turn would last the whole time.
    expect(Math.max(...turns)).toBeLessThan(took / 3);
  });

  it('returns the same result as a direct computation, and stores it', async () => {
    const { text } = await results.ask('runs.result', RUN);
    const record = store.find(RUN.runId);
    const storedResult = store.result(record.key);
    expect(storedResult?.outcomes.requests.sent).toBeGreaterThan(0);
    expect(text).toBe(JSON.stringify(readResult(store, record)));
    expect(resultSchema.parse(JSON.parse(text))).toEqual({ ...storeResult(store, record), monitors: [] });
  });

  it('handles requests in order, and rejects with the errors of the thread', async () => {
    const order: string[] = [];
    await Promise.all([
      results.ask('own.live', RUN).then(() => order.push('live')),
      results.ask('runs.result', { runId: 'nobody' }).catch((thrown: unknown) => {
        expect(thrown).toMatchObject({ name: 'HoldfastError', code: 'NO_SUCH_RUN' });
        order.push('nobody');
      }),
    ]);
    expect(order).toEqual(['live', 'nobody']);
    expect(failures).toEqual([]);
  });

  it('restarts with the next request after it has ended', async () => {
    await results.close();
    expect((await results.read('own.live', RUN)).run.id).toBe(RUN.runId);
  });
});
