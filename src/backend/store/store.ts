import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import type { Distribution } from '#core/result/distribution.ts';
import type { EngineEndFacts } from '#core/result/stageTimes.ts';
import type { RunEvent, RunResult, RunState } from '#core/result/schema.ts';
import { readStoredSeries } from '#core/series/check.ts';
import { cellRunSchema } from '#core/series/result.ts';
import { readStoredSearch } from '#core/search/result.ts';
import { searchRunSchema } from '#core/search/run.ts';
import type { Window } from '#core/measurement/window.ts';
import { makeOwnFolderSync } from '#engine/ownFolder.ts';
import { openAnotherConnection, limitSize, openDatabase, type SqliteDatabase, withoutSync, createReserve } from './database.ts';
import {
  createAgreementTable,
  createHostChangeTable,
  createHostTable,
  createPathTable,
  createSelfTestTable,
  createUsedRowTable,
  createBaselineTable,
} from './machineTables.ts';
import { createDetailTable, createGeneratorTable, createSampleTable, createVisitTable, type DetailTable } from './detailTable.ts';
import { diskFullProblem, storeFailure, withStoreFailures } from './failures.ts';
import { listDueFolds, foldGeneratorWindows, type GeneratorWindow, type InFlightByGenerator } from './folding.ts';
import type { RunRecord, StoreAccess } from './rows.ts';
import { createRunTable, type NewRun, type RunEnding, type RunSearch, type RunSummary } from './runTable.ts';
import { createRunGroupTable } from './runGroupTable.ts';
import { createMonitorTable, createWindowTable, type PartListener, type SecondsRange, type WindowTable } from './windowTable.ts';

export const DATABASE_NAME = 'holdfast.sqlite';

/** The figures of an active run that lists show. */
export interface Progress {
  readonly requests: number;
  readonly completedPerSecond: number | null;
  readonly nowMs: number;
}

export interface StoreOptions {
  /** Maximum size of the database file. Writing more fails with `DISK_FULL`. By default, only the disk limits the size. */
  readonly maxBytes?: number | undefined;
}

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the store in `directory`. Several processes may have the store open; each writes only its own runs. Each write is one short
 * transaction that takes the write lock first, so that no write fails half way. All errors are HoldfastErrors (see failures.ts). On a full
 * disk, the reserve is released; if that is not enough, a copy on another disk is opened read-only.
 */
export function openStore(directory: string, { maxBytes }: StoreOptions = {}) {
  const path = join(directory, DATABASE_NAME);
  const copy = { directory: null as string | null };
  const database = withFullDiskFallback(
    () => openDatabase(path),
    () =>
      withFullDiskFallback(
        () => (createReserve(directory).releaseReserve() ? openDatabase(path) : throwDiskFull(path)),
        () => openCopy(path, copy),
      ),
  );
  if (maxBytes !== undefined) limitSize(database, maxBytes);
  return storeOn(database, path, copy.directory);
}

function withFullDiskFallback<Result>(work: () => Result, otherwise: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof HoldfastError && thrown.code === 'DISK_FULL') return otherwise();
    throw thrown;
  }
}

function throwDiskFull(path: string): never {
  throw new HoldfastError(diskFullProblem(path));
}

/** Maximum size of a database that is copied. A larger copy would take long and might fill the disk of temporary files. */
const MAX_COPIED_BYTES = 500_000_000;

/**
 * Copies the database and its write-ahead log to a disk with free space, and opens the copy. Throws `DISK_FULL` if no disk has enough
 * space.
 */
function openCopy(path: string, copy: { directory: string | null }): SqliteDatabase {
  const files = ['', '-wal'].map((end) => `${path}${end}`).filter((file) => existsSync(file));
  if (files.reduce((sum, file) => sum + statSync(file).size, 0) > MAX_COPIED_BYTES) throwDiskFull(path);
  const directory = makeOwnFolderSync('store');
  try {
    for (const file of files) copyFileSync(file, join(directory, basename(file)));
    const database = openDatabase(join(directory, basename(path)));
    copy.directory = directory;
    return database;
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return throwDiskFull(path);
  }
}

/** Opens another connection to the store that this process has open in `directory`, for a thread. */
export function openAnotherStore(directory: string): Store {
  const path = join(directory, DATABASE_NAME);
  return storeOn(openAnotherConnection(path), path);
}

/**
 * Returns the store of an open database, like {@link openStore}. `path` appears in errors. `copy` is the folder of the copy if the database
 * is a read-only copy.
 */
export function storeOn(database: SqliteDatabase, path: string, copy: string | null = null) {
  const write: StoreAccess['write'] = (work) =>
    copy === null ? withStoreFailures(path, () => database.transaction(work).immediate()) : throwDiskFull(path);
  const access: StoreAccess = {
    write,
    writeAlong: (work) => withoutSync(database, () => write(work)),
    read: (work) => withStoreFailures(path, work),
  };
  const reserve = createReserve(dirname(path));
  const { create, ...runs } = runStore(database, access, path);
  return {
    path,
    /** The folder from which the database is read. */
    directory: copy ?? dirname(path),
    isReadOnly: copy !== null,
    create(run: NewRun): number {
      reserve.take();
      return create(run);
    },
    ...runs,
    /** Frees space on a full disk by deleting the reserve. Returns false if there was none. */
    makeRoom: (): boolean => reserve.releaseReserve(),
    ...createGeneratorTable(database, access),
    ...createSampleTable(database, access),
    ...createMonitorTable(database, access),
    ...createVisitTable(database, access),
    ...createSelfTestTable(database, access),
    series: createRunGroupTable(database, access, {
      table: 'series',
      runsTable: 'series_runs',
      groupColumn: 'series',
      buildDocument: readStoredSeries,
      makeRun: (stored) => cellRunSchema.parse(stored),
      noSuch: noSuchSeries,
    }),
    searches: createRunGroupTable(database, access, {
      table: 'studies',
      runsTable: 'study_runs',
      groupColumn: 'study',
      buildDocument: readStoredSearch,
      makeRun: (stored) => searchRunSchema.parse(stored),
      noSuch: noSuchSearch,
    }),
    ...createHostTable(database, access),
    usedRows: createUsedRowTable(database, access),
    ...createAgreementTable(database, access),
    ...createHostChangeTable(database, access),
    ...createPathTable(database, access),
    ...createBaselineTable(database, access),
    close(): void {
      if (database.open) database.close();
      if (copy !== null) rmSync(copy, { recursive: true, force: true });
    },
  };
}

/** The runs of a store, with their details and windows. */
function runStore(database: SqliteDatabase, { write, writeAlong, read }: StoreAccess, path: string) {
  const runs = createRunTable(database);
  const details = createDetailTable(database);
  const windows = createWindowTable(database);
  const requireChange = (isChanged: boolean, id: string): void => {
    if (!isChanged) throw noSuchRun(id);
  };
  return {
    create: (run: NewRun): number => write(() => runs.create(run)),
    setState: (run: number, state: RunState, nowMs: number): void => writeAlong(() => runs.setState(run, state, nowMs)),
    addEvent: (run: number, event: RunEvent): void => writeAlong(() => details.addEvent(run, event)),
    /** Stores a window and folds old windows, in one transaction. */
    append(run: number, generatorWindow: GeneratorWindow, { requests, completedPerSecond, nowMs }: Progress): void {
      writeAlong(() => {
        windows.insert(run, generatorWindow);
        runs.progress(run, requests, completedPerSecond, nowMs);
        for (const { from, to, width } of listDueFolds(generatorWindow.window.second)) {
          const narrow = windows.narrowerThan(run, from, to, width);
          if (narrow.length > 1) windows.replace(run, from, to, width, foldGeneratorWindows(narrow, width));
        }
      });
    },
    /** Ends a run. Returns false if the run had already ended, because only the first end counts. */
    end: (run: number, ending: RunEnding, engineEnd: EngineEndFacts | null): boolean =>
      write(() => {
        if (!runs.end(run, ending)) return false;
        if (engineEnd) details.setEngineEnd(run, engineEnd);
        return true;
      }),
    saveResult: (run: number, result: RunResult, summary: RunSummary): void =>
      write(() => {
        details.setResult(run, result);
        runs.summarize(run, summary);
      }),
    /** Throws `NO_SUCH_RUN`. */
    find(id: string): RunRecord {
      const record = read(() => runs.find(id));
      if (!record) throw noSuchRun(id);
      return record;
    },
    listUnended: () => read(() => runs.listUnended()),
    /** Lists ended runs without a stored result. Reads all runs. */
    withoutResult: () => read(() => runs.withoutResult()),
    list: (search: RunSearch) => read(() => runs.list(search)),
    namesOf: (ids: readonly string[]) => read(() => runs.namesOf(ids)),
    endedOfCell: (seriesId: string, cell: string) => read(() => runs.endedOfCell(seriesId, cell)),
    finishedOf: (name: string, target: string, limit: number) => read(() => runs.finishedOf(name, target, limit)),
    endedOfNames: (names: readonly string[]) => read(() => runs.endedOfNames(names)),
    rename: (id: string, name: string): void => write(() => requireChange(runs.rename(id, name), id)),
    annotate: (id: string, note: string): void => write(() => requireChange(runs.annotate(id, note), id)),
    /** Removes a run. Throws `RUN_GOING` if the run has not ended, or `NO_SUCH_RUN`. */
    remove: (id: string, nowMs: number): void =>
      write(() => {
        if (runs.remove(id, nowMs)) return;
        if (!runs.find(id)) throw noSuchRun(id);
        throw new HoldfastError({ code: 'RUN_GOING', message: 'This run is still running.', hint: 'Stop it first, then delete it.' });
      }),
    restore: (id: string): void => write(() => requireChange(runs.restore(id), id)),
    /** Returns whether a stored plan, series or search contains a text. Removed runs count until they are permanently deleted. */
    isNamed: (text: string): boolean => read(() => runs.isNamed(text)),
    /** Permanently deletes runs that were removed before the given time, and shrinks the file. Returns their number. */
    purge(beforeMs: number): number {
      const purged = write(() => runs.purge(beforeMs));
      if (purged > 0) read(() => database.pragma('incremental_vacuum'));
      return purged;
    },
    ...detailStore(details, { write, read }),
    ...windowStore(windows, read, path),
  };
}

function detailStore(details: DetailTable, { write, read }: Pick<StoreAccess, 'write' | 'read'>) {
  return {
    details: (run: number) => read(() => details.read(run)),
    /** Returns the name of the plan, even if the run was renamed. */
    planName: (run: number): string => read(() => details.planName(run)),
    result: (run: number) => read(() => details.result(run)),
    saveDistribution: (run: number, distribution: Distribution): void => write(() => details.setDistribution(run, distribution)),
    distribution: (run: number) => read(() => details.distribution(run)),
    events: (run: number) => read(() => details.events(run)),
  };
}

function windowStore(windows: WindowTable, read: StoreAccess['read'], path: string) {
  return {
    /**
     * Yields the merged windows of all generators in a range, in order. `inFlight` holds the outstanding requests before the range, and is
     * updated while reading. `onPart` receives the window of each generator, which is valid only during the call.
     */
    *windows(run: number, range: SecondsRange, inFlight: InFlightByGenerator, onPart: PartListener): Generator<Window> {
      try {
        yield* windows.windows(run, range, inFlight, onPart);
      } catch (thrown) {
        throw storeFailure(thrown, path);
      }
    },
    /** Yields the merged windows of a range (default: all) in slices of some seconds. The store can be written to between slices. */
    *windowSlices(run: number, range?: SecondsRange): Generator<readonly Window[]> {
      try {
        yield* windows.slices(run, range);
      } catch (thrown) {
        throw storeFailure(thrown, path);
      }
    },
    countWindows: (run: number): number => read(() => windows.count(run)),
    /** Returns the number and total width of the windows that begin before a second. Reads no counters. */
    windowExtent: (run: number, before: number) => read(() => windows.extent(run, before)),
    /** Yields the windows of each generator. Windows of the same second are adjacent. */
    generatorWindows: (run: number, fromSecond?: number) => read(() => windows.generatorWindows(run, fromSecond)),
    readings: (run: number, generator: number) => read(() => windows.readings(run, generator)),
    overloadedSeconds: (run: number, generator: number, end: number) => read(() => windows.overloadedSeconds(run, generator, end)),
  };
}

function noSuchSeries(id: string): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_SERIES',
    message: `There is no series “${id}”.`,
    hint: 'Probably it was deleted. The page History links to all series, and holdfast series lists them.',
  });
}

function noSuchSearch(id: string): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_SEARCH',
    message: `There is no search “${id}”.`,
    hint: 'Probably it was deleted. The page Searches links to all, and holdfast breaking-point and holdfast characterize list them.',
  });
}

function noSuchRun(id: string): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_RUN',
    message: `There is no run “${id}”.`,
    hint: 'Probably it was deleted. The page History lists all runs, and so does “holdfast runs”.',
  });
}
