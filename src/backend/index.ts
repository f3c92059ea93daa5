import { type Client, createClient } from '#contract/rpc/client.ts';
import { type Port, portPair } from '#contract/rpc/port.ts';
import { type Handlers, serve } from '#contract/rpc/server.ts';
import { sweepOwnFolders } from '#engine/ownFolder.ts';
import { agreementKey, createAgreements } from './agreements/agreements.ts';
import { withDoor } from './agreements/door.ts';
import { prepareDataDirectory, closeToOthers } from './dataDirectory.ts';
import { addedPresetsIn } from './presets/presetFiles.ts';
import { guarded } from './guarded.ts';
import { type Log, openLog } from './log.ts';
import type { BackendOptions } from './options.ts';
import { createRedaction } from './redaction.ts';
import { ResultThread } from './results/resultThread.ts';
import { makeSurroundings } from './remote/ssh/surroundings.ts';
import { createAppCalls, createPlanCalls, createPresetCalls, createFileCalls } from './services/app.ts';
import { createCheckCalls } from './services/checks/checkService.ts';
import { LoadLock } from './services/loadLock.ts';
import { createHostService } from './services/hosts/hostService.ts';
import { createBaselineCalls } from './services/baselines/baselineService.ts';
import { createCrawlService } from './services/crawl/crawlService.ts';
import { createLabService } from './services/lab/labService.ts';
import { createPopulateService } from './services/populate/populateService.ts';
import { createGraphCalls } from './services/monitors/graphs.ts';
import { createRecordingService } from './services/recordings/recordingService.ts';
import { createReportService } from './services/reports/reportService.ts';
import { createRunService, type RunService } from './services/runs/runService.ts';
import { createSeriesService } from './services/runGroups/seriesService.ts';
import { createSearchService } from './services/runGroups/searchService.ts';
import { createSelfTestService } from './services/selftest/selfTestService.ts';
import { createSecrets } from './services/secrets.ts';
import { createTargetCalls } from './services/targets/targetCalls.ts';
import { createTryCalls } from './services/tries/tryService.ts';
import { DATABASE_NAME, openStore, type Store } from './store/store.ts';

export type { BackendOptions } from './options.ts';
export { defaultDataDirectory } from './dataDirectory.ts';

/** The implementation of the contract. One backend serves any number of connections. */
export interface Backend {
  readonly handlers: Handlers;
  /** Serves a connection until it closes. */
  connect(port: Port): void;
  /** Returns a client in this process, over the same contract as all others. */
  client(): Client;
  /** Stops runs, ends child processes and closes the store. */
  close(): Promise<void>;
}

/** Minimum time during which a deleted run can be restored, even if other processes start. */
const PURGE_AFTER_MS = 3_600_000;

/**
 * Starts the backend. Throws `DATA_DIRECTORY`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_READ_ONLY`, `STORE_BUSY` or `DISK_FULL`; nothing is
 * left open then.
 */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { dataDirectory, version } = options;
  prepareDataDirectory(dataDirectory);
  const redaction = createRedaction();
  const log = openLog(dataDirectory, redaction);
  const openTo = closeToOthers(dataDirectory, DATABASE_NAME);
  if (openTo !== null) {
    log.warn(openTo);
    options.onNotice?.(openTo);
  }
  const store = openStore(dataDirectory);
  const notice = store.isReadOnly ? `The disk of ${dataDirectory} is full. Earlier runs can be read; new ones cannot be stored.` : openTo;
  if (store.isReadOnly && notice !== null) options.onNotice?.(notice);
  const results = new ResultThread({
    entry: options.resultEntry,
    dataDirectory: store.directory,
    log,
    unstored: () => runs.unstoredHead(),
  });
  const secrets = createSecrets({ environment: process.env, resolveAsk: options.resolveAsk, onKnown: redaction.add });
  const agreements = createAgreements(store, { key: agreementKey(dataDirectory), valueOf: secrets.keptValue });
  const lock = new LoadLock();
  const selfTest = createSelfTestService({
    store,
    log,
    version,
    workerEntry: options.workerEntry,
    serverEntry: options.selfTestEntry,
    lock,
  });
  const hosts = createHostService({
    store,
    log,
    redaction,
    agentFile: options.agentFile,
    surroundings: makeSurroundings(dataDirectory, options.ssh),
    resolveAsk: options.resolveAsk,
  });
  const runs = createRunService({
    store,
    results,
    log,
    redaction,
    secrets,
    version,
    workerEntry: options.workerEntry,
    openHost: hosts.open,
    enterHost: hosts.connect,
    selfTest: selfTest.summary,
    runsCommands: options.runsCommands === true,
    visitsWithoutLoad: options.visitsWithoutLoad,
    lock,
  });
  const series = createSeriesService({
    store,
    log,
    redaction,
    secrets,
    runs,
    results,
    openHost: hosts.open,
    enterHost: hosts.connect,
    runsCommands: options.runsCommands === true,
    lock,
  });
  const searches = createSearchService({
    store,
    log,
    redaction,
    secrets,
    runs,
    results,
    openHost: hosts.open,
    enterHost: hosts.connect,
    lock,
  });
  const crawl = createCrawlService({ secrets, version });
  const populate = createPopulateService({
    store,
    log,
    redaction,
    secrets,
    version,
    workerEntry: options.workerEntry,
    runsCommands: options.runsCommands === true,
    lock,
  });
  const reports = createReportService({
    log,
    report: (asked) => results.read('own.report', asked),
    lock,
  });
  const recordings = createRecordingService({
    usedRows: store.usedRows,
    log,
    secrets,
    redaction,
    version,
    workerEntry: options.workerEntry,
    lock,
    ownWindow: options.ownWindow,
    openRecorder: options.openRecorder,
  });
  const lab = createLabService(options.labEntry, log);
  const checks = createCheckCalls({ store, log, secrets, redaction, hosts, agreements, lock });
  const services: Handlers = {
    calls: {
      ...createAppCalls({ version, dataDirectory, logFile: log.file, notice }),
      ...createPresetCalls({ shipped: options.presetsDirectory, added: addedPresetsIn(dataDirectory) }, log),
      ...createPlanCalls(agreements),
      ...createFileCalls(dataDirectory),
      ...createTargetCalls({ secrets, redaction, version }),
      ...checks,
      ...createGraphCalls(store),
      'comparisons.make': (asked) => results.ask('comparisons.make', asked),
      'baselines.compare': (asked) => results.ask('baselines.compare', asked),
      'baselines.standings': (asked) => results.ask('baselines.standings', asked),
      ...createBaselineCalls(store),
      ...createTryCalls({ usedRows: store.usedRows, secrets, redaction, version, workerEntry: options.workerEntry }),
      ...crawl.calls,
      ...runs.calls,
      ...lab.calls,
      ...hosts.calls,
      ...series.calls,
      ...recordings.calls,
      ...reports.calls,
      ...searches.calls,
      ...selfTest.calls,
      ...populate.calls,
    },
    streams: {
      ...crawl.streams,
      ...runs.streams,
      ...series.streams,
      ...searches.streams,
      ...selfTest.streams,
      ...populate.streams,
      ...recordings.streams,
      ...reports.streams,
    },
  };
  tidy(store, runs, log);
  const handlers = guarded(withDoor(services, agreements, store), log, redaction);
  void sweepOwnFolders();
  log.info('backend started', { version });
  return backendOver(handlers, async () => {
    await series.close();
    await searches.close();
    hosts.close();
    await populate.close();
    await Promise.all([runs.close(), selfTest.close(), lab.close(), recordings.close()]);
    await results.close();
    store.close();
    log.info('backend closed');
  });
}

/** What a full disk prevents now is done at a later start. Stored data stays readable. */
function tidy(store: Store, runs: RunService, log: Log): void {
  runs.recover();
  try {
    runs.makeMissing();
    store.purge(Date.now() - PURGE_AFTER_MS);
  } catch (thrown) {
    log.failure('the store could not be tidied', thrown);
  }
}

function backendOver(handlers: Handlers, closeParts: () => Promise<void>): Backend {
  const ports = new Set<Port>();
  const connect = (port: Port): void => {
    ports.add(port);
    port.onClose(() => void ports.delete(port));
    serve(port, handlers);
  };
  let closing: Promise<void> | undefined;
  return {
    handlers,
    connect,
    client() {
      const [here, there] = portPair();
      connect(there);
      return createClient(here);
    },
    close() {
      closing ??= closeParts().finally(() => {
        for (const port of ports) port.close();
      });
      return closing;
    },
  };
}
