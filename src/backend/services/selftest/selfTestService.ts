import { arch, availableParallelism, cpus, hostname } from 'node:os';
import type { StreamItem } from '#contract/api.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { type SelfTestMachine, type SelfTestProgress, type SelfTestSummary, summaryOfSelfTest } from '#core/measurement/selfTest/report.ts';
import { runSelfTest } from '#selftest/runSelfTest.ts';
import type { Log } from '#backend/log.ts';
import type { Store } from '#backend/store/store.ts';
import { type LoadLock, loadGoingError } from '../loadLock.ts';

/** Returns facts that identify this machine and installation and that a restart does not change. */
function identifyMachine(holdfastVersion: string): SelfTestMachine {
  return {
    hostname: hostname(),
    platform: `${process.platform} ${arch()}`,
    processor: cpus()[0]?.model ?? '',
    cores: availableParallelism(),
    nodeVersion: process.version,
    holdfastVersion,
  };
}

export interface SelfTestServiceParts {
  readonly store: Store;
  readonly log: Log;
  readonly workerEntry: URL;
  readonly serverEntry: URL;
  readonly version: string;
  readonly lock: LoadLock;
}

export interface SelfTestService {
  readonly calls: Pick<CallHandlers, 'selftest.last'>;
  readonly streams: Pick<StreamHandlers, 'selftest.run'>;
  /** Returns the summary that is stored with the runs of this machine; null if the machine was never tested. */
  summary(): SelfTestSummary | null;
  close(): Promise<void>;
}

/** Creates the service that runs one self-test at a time. If the reader of a test leaves, the test stops and its results are discarded. */
export function createSelfTestService(parts: SelfTestServiceParts): SelfTestService {
  const { store, log, version, lock } = parts;
  const machine = identifyMachine(version);
  let active: { readonly abort: AbortController; readonly done: Promise<void> } | null = null;

  lock.register('selfTest', () => (active === null ? null : selfTestGoing()));

  async function run(quick: boolean, signal: AbortSignal, sink: Sink<StreamItem<'selftest.run'>>): Promise<void> {
    const reported: SelfTestProgress[] = [];
    const onProgress = (progress: SelfTestProgress): void => {
      reported.splice(0, 1, progress);
      sink.item(progress);
    };
    try {
      await lock.waitForMeasurement();
      log.info('self-test started', { quick });
      const { workerEntry, serverEntry } = parts;
      const report = await runSelfTest({ workerEntry, serverEntry, machine, quick, signal, onProgress });
      store.addSelfTest(report);
      log.info('self-test ended', { passed: report.passed });
      for (const last of reported) sink.item({ ...last, report });
      sink.end();
    } catch (thrown) {
      if (!signal.aborted) log.failure('the self-test failed', thrown);
      sink.end(toProblem(thrown));
    }
  }

  return {
    calls: { 'selftest.last': () => ({ report: store.lastSelfTest(machine) }) },
    streams: {
      'selftest.run': ({ quick }, sink) => {
        lock.claim('selfTest');
        const abort = new AbortController();
        const done = run(quick, abort.signal, sink).finally(() => {
          active = null;
        });
        active = { abort, done };
        return () => abort.abort();
      },
    },
    summary() {
      const report = store.lastSelfTest(machine);
      return report && summaryOfSelfTest(report);
    },
    async close() {
      active?.abort.abort();
      await active?.done;
    },
  };
}

function selfTestGoing(): HoldfastError {
  return loadGoingError(
    'SELF_TEST',
    'The self-test of this computer is running. A second load at the same time would disturb its figures.',
  );
}
