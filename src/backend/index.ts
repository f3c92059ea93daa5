import { type Client, createClient } from '#contract/rpc/client.ts';
import { type Port, portPair } from '#contract/rpc/port.ts';
import { type Handlers, serve } from '#contract/rpc/server.ts';
import { sweepOwnFolders } from '#engine/ownFolder.ts';
import { agreementKey, type Agreements, createAgreements } from './agreements/agreements.ts';
import { requireAgreements } from './agreements/door.ts';
import { addedPresetsIn, prepareDataDirectory, closeToOthers } from './dataDirectory.ts';
import { guardHandlers } from './guarded.ts';
import { type Log, openLog } from './log.ts';
import type { BackendOptions } from './options.ts';
import { createRedaction, type Redaction } from './redaction.ts';
import { ResultThread } from './results/resultThread.ts';
import { makeSurroundings } from './remote/ssh/surroundings.ts';
import { createAppCalls, createPlanCalls, createPresetCalls } from './services/app.ts';
import { createFileCalls, removeUnusedFiles } from './services/keptFiles.ts';
import { CheckService } from './services/checks/checkService.ts';
import { LoadLock } from './services/loadLock.ts';
import { HostService } from './services/hosts/hostService.ts';
import { createInvitationServices } from './services/hosts/invitations.ts';
import { createBaselineCalls } from './services/baselines/baselineService.ts';
import { createCrawlService } from './services/crawl/crawlService.ts';
import { LabService } from './services/lab/labService.ts';
import { createPopulateService } from './services/populate/populateService.ts';
import { createGraphCalls } from './services/monitors/graphs.ts';
import { RecordingService } from './services/recordings/recordingService.ts';
import { createReportService } from './services/reports/reportService.ts';
import { RunService } from './services/runs/runService.ts';
import { createSeriesService } from './services/runGroups/seriesService.ts';
import { createSearchService } from './services/runGroups/searchService.ts';
import { createSelfTestService } from './services/selftest/selfTestService.ts';
import { createSecrets, type Secrets } from './services/secrets.ts';
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
  /** Returns a client in this process. It uses the same contract as all others. */
  client(): Client;
  /** Stops runs, ends child processes and closes the store. */
  close(): Promise<void>;
}

/** Minimum time during which a deleted run can be restored, even if other processes start in that time. */
const PURGE_AFTER_MS = 3_600_000;

/**
 * Starts the backend. Throws `DATA_DIRECTORY`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_READ_ONLY`, `STORE_BUSY` or `DISK_FULL`; nothing
 * stays open after an error.
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
  const secrets = createSecrets({ environment: process.env, resolveAsk: options.resolveAsk, onKnown: redaction.add });
  const agreements = createAgreements(store, { key: agreementKey(dataDirectory), valueOf: secrets.keptValue });
  const { services, runs, close } = createServices(options, { store, log, redaction, secrets, agreements, notice });
  tidyStore(store, runs, log);
  removeUnusedFiles(dataDirectory, store.isNamed, Date.now()).catch((thrown: unknown) =>
    log.failure('kept files could not be removed', thrown),
  );
  const handlers = guardHandlers(requireAgreements(services, agreements, store), log, redaction);
  void sweepOwnFolders();
  log.info('backend started', { version });
  return createBackend(handlers, async () => {
    await close();
    store.close();
    log.info('backend closed');
  });
}

interface OpenedParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly secrets: Secrets;
  readonly agreements: Agreements;
  /** What the user should fix about the data directory, or null. */
  readonly notice: string | null;
}

/** Creates all services, each from the parts that it needs. */
function createServices(options: BackendOptions, openedParts: OpenedParts) {
  const { store, log, agreements, notice } = openedParts;
  const { dataDirectory, runsCommands = false } = options;
  const readUnstoredHead = (): ReturnType<RunService['unstoredHead']> => runs.unstoredHead();
  const results = new ResultThread({
    entry: options.resultEntry,
    dataDirectory: store.directory,
    version: options.version,
    log,
    unstored: readUnstoredHead,
  });
  const shared = { ...options, ...openedParts, runsCommands, results, usedRows: store.usedRows, lock: new LoadLock() };
  const selfTest = createSelfTestService({ ...shared, serverEntry: options.selfTestEntry });
  const hosts = new HostService({ ...shared, surroundings: makeSurroundings(dataDirectory, options.ssh), resolveAsk: options.resolveAsk });
  const invites = createInvitationServices({ ...shared, hosts });
  const parts = {
    ...shared,
    hosts,
    openHost: (name: string) => hosts.open(name),
    enterHost: (name: string) => hosts.connect(name),
    selfTest: selfTest.summary,
  };
  const runs = new RunService({ ...parts, ...invites.runParts });
  const series = createSeriesService({ ...parts, runs });
  const searches = createSearchService({ ...parts, runs });
  const crawl = createCrawlService(parts);
  const populate = createPopulateService(parts);
  const reports = createReportService({ ...parts, report: (input) => results.read('own.report', input) });
  const recordings = new RecordingService(parts);
  const lab = new LabService(options.labEntry, log);
  const services: Handlers = {
    calls: {
      ...createPresetCalls({ shipped: options.presetsDirectory, added: addedPresetsIn(dataDirectory) }, log),
      ...createAppCalls({ version: options.version, dataDirectory, logFile: log.file, notice }),
      ...createPlanCalls(agreements),
      ...createFileCalls(dataDirectory),
      ...createTargetCalls(parts),
      ...new CheckService(parts).calls,
      ...createGraphCalls(store),
      'comparisons.make': (input) => results.ask('comparisons.make', input),
      'sealed.verify': (input) => results.ask('sealed.verify', input),
      'baselines.compare': (input) => results.ask('baselines.compare', input),
      'baselines.standings': (input) => results.ask('baselines.standings', input),
      ...createBaselineCalls(store),
      ...createTryCalls(parts),
      ...crawl.calls,
      ...runs.calls,
      ...lab.calls,
      ...hosts.calls,
      ...invites.calls,
      ...series.calls,
      ...recordings.calls,
      ...reports.calls,
      ...searches.calls,
      ...selfTest.calls,
      ...populate.calls,
    },
    streams: {
      ...crawl.streams,
      ...invites.streams,
      ...runs.streams,
      ...series.streams,
      ...searches.streams,
      ...selfTest.streams,
      ...populate.streams,
      ...recordings.streams,
      ...reports.streams,
    },
  };
  const close = async (): Promise<void> => {
    await series.close();
    await searches.close();
    hosts.close();
    await populate.close();
    await Promise.all([runs.close(), selfTest.close(), lab.close(), recordings.close()]);
    invites.close();
    await results.close();
  };
  return { services, runs, close };
}

/** Marks abandoned runs and removes old data. If a full disk prevents this, a later start does it. Stored data stays readable. */
function tidyStore(store: Store, runs: RunService, log: Log): void {
  runs.recover();
  try {
    runs.requestMissingResults();
    store.purge(Date.now() - PURGE_AFTER_MS);
  } catch (thrown) {
    log.failure('the store could not be tidied', thrown);
  }
}

function createBackend(handlers: Handlers, closeParts: () => Promise<void>): Backend {
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
