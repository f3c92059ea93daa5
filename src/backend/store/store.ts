import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { BaselineOf } from '#core/comparison/baseline.ts';
import { HoldfastError } from '#core/base/errors.ts';
import type { MeasuredPath } from '#core/machines/checks/path/schema.ts';
import type { HostChange } from '#core/machines/checks/finding.ts';
import type { Host } from '#core/plan/schema/hosts.ts';
import type { MonitorInfo, MonitorPoint } from '#core/machines/monitors/result.ts';
import type { Distribution } from '#core/result/distribution.ts';
import type { EngineEndFacts } from '#core/result/stageTimes.ts';
import type { RunEvent, RunResult, RunState } from '#core/result/schema.ts';
import { storedSeries } from '#core/series/check.ts';
import { cellRunSchema } from '#core/series/result.ts';
import { storedSearch } from '#core/search/result.ts';
import { searchRunSchema } from '#core/search/run.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import type { SelfTestMachine, SelfTestReport } from '#core/measurement/selfTest/report.ts';
import type { Filmstrip, Visit } from '#core/result/visits.ts';
import type { Window } from '#core/measurement/window.ts';
import { makeOwnFolderSync } from '#engine/ownFolder.ts';
import { joinDatabase, limitSize, openDatabase, type SqliteDatabase, unsynced, createReserve } from './database.ts';
import {
  createAgreementTable,
  createHostChangeTable,
  createHostTable,
  createPathTable,
  createSelfTestTable,
  createUsedRowTable,
  createBaselineTable,
} from './machineTables.ts';
import {
  createDetailTable,
  createGeneratorTable,
  createSampleTable,
  type GeneratorFacts,
  createVisitTable,
  type VisitFacts,
} from './detailTable.ts';
import { diskFull, storeFailure, withStoreFailures } from './failures.ts';
import { foldsDue, foldGeneratorWindows, type GeneratorWindow, type InFlightByGenerator } from './folding.ts';
import type { RunRecord } from './rows.ts';
import { createRunTable, type NewRun, type RunEnding, type RunSearch, type RunSummary } from './runTable.ts';
import { createRunGroupTable } from './runGroupTable.ts';
import { createMonitorTable, createWindowTable, type OnPart, type SecondsRange } from './windowTable.ts';

export const DATABASE_NAME = 'holdfast.sqlite';

/** What lists show of an active run. */
export interface Progress {
  readonly requests: number;
  readonly completedPerSecond: number | null;
  readonly nowMs: number;
}

export interface StoreOptions {
  /** Maximum size of the database file. Writing more fails with `DISK_FULL`. By default the disk is the limit. */
  readonly maxBytes?: number | undefined;
}

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the store in `directory`. Several processes may have it open: each writes only its own runs. Each write is one short transaction
 * that takes the write lock first, so none fails half way. All errors are HoldfastErrors (see failures.ts). On a full disk, the reserve is
 * released; if that is not enough, a copy elsewhere is opened read-only.
 */
export function openStore(directory: string, { maxBytes }: StoreOptions = {}) {
  const path = join(directory, DATABASE_NAME);
  const copy = { directory: null as string | null };
  const database = onFullDisk(
    () => openDatabase(path),
    () =>
      onFullDisk(
        () => (createReserve(directory).giveUp() ? openDatabase(path) : refuseFull(path)),
        () => openCopy(path, copy),
      ),
  );
  if (maxBytes !== undefined) limitSize(database, maxBytes);
  return storeOn(database, path, copy.directory);
}

function onFullDisk<Result>(work: () => Result, otherwise: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof HoldfastError && thrown.code === 'DISK_FULL') return otherwise();
    throw thrown;
  }
}

function refuseFull(path: string): never {
  throw new HoldfastError(diskFull(path));
}

/** Maximum size of a database that is copied. A larger copy would take long and might fill the disk of temporary files. */
const MAX_COPIED_BYTES = 500_000_000;

/** Copies the database and its write-ahead log to a disk with free space, and opens the copy. Throws `DISK_FULL` if there is no such disk. */
function openCopy(path: string, copy: { directory: string | null }): SqliteDatabase {
  const files = ['', '-wal'].map((end) => `${path}${end}`).filter((file) => existsSync(file));
  if (files.reduce((sum, file) => sum + statSync(file).size, 0) > MAX_COPIED_BYTES) refuseFull(path);
  const directory = makeOwnFolderSync('store');
  try {
    for (const file of files) copyFileSync(file, join(directory, basename(file)));
    const database = openDatabase(join(directory, basename(path)));
    copy.directory = directory;
    return database;
  } catch {
    rmSync(directory, { recursive: true, force: true });
    return refuseFull(path);
  }
}

/** Opens another connection to the store that this process has open in `directory`, for a thread. */
export function joinStore(directory: string): Store {
  const path = join(directory, DATABASE_NAME);
  return storeOn(joinDatabase(path), path);
}

/** Like {@link openStore}, for an open database. `path` is named in errors. `copy`: the folder of the copy, if the database is a read-only copy. */
export function storeOn(database: SqliteDatabase, path: string, copy: string | null = null) {
  const runs = createRunTable(database);
  const details = createDetailTable(database);
  const windows = createWindowTable(database);
  const generators = createGeneratorTable(database);
  const samples = createSampleTable(database);
  const monitors = createMonitorTable(database);
  const visits = createVisitTable(database);
  const selfTests = createSelfTestTable(database);
  const hosts = createHostTable(database);
  const hostChanges = createHostChangeTable(database);
  const paths = createPathTable(database);
  const baselines = createBaselineTable(database);
  const agreements = createAgreementTable(database);
  const usedRows = createUsedRowTable(database);
  /** Committed data survives a power failure. */
  const write = <Result>(work: () => Result): Result =>
    copy === null ? withStoreFailures(path, () => database.transaction(work).immediate()) : refuseFull(path);
  /**
   * Writes during a load do not wait for the disk. A power failure may lose the last seconds; the next {@link write} makes them durable.
   */
  const writeAlong = (work: () => void): void => unsynced(database, () => write(work));
  const reserve = createReserve(dirname(path));
  const read = <Result>(work: () => Result): Result => withStoreFailures(path, work);
  const series = createRunGroupTable(
    database,
    { write, read },
    {
      table: 'series',
      runsTable: 'series_runs',
      groupColumn: 'series',
      buildDocument: storedSeries,
      makeRun: (stored) => cellRunSchema.parse(stored),
      noSuch: noSuchSeries,
    },
  );
  const searches = createRunGroupTable(
    database,
    { write, read },
    {
      table: 'studies',
      runsTable: 'study_runs',
      groupColumn: 'study',
      buildDocument: storedSearch,
      makeRun: (stored) => searchRunSchema.parse(stored),
      noSuch: noSuchSearch,
    },
  );
  const mustHaveChanged = (changed: boolean, id: string): void => {
    if (!changed) throw noSuchRun(id);
  };

  return {
    path,
    /** The folder from which the database is read. */
    directory: copy ?? dirname(path),
    isReadOnly: copy !== null,
    create(run: NewRun): number {
      reserve.take();
      return write(() => runs.create(run));
    },
    /** Frees space on a full disk by deleting the reserve; false if there was none. */
    makeRoom: (): boolean => reserve.giveUp(),
    /** Generators of a run are numbered from 0. */
    setGenerator: (run: number, number: number, facts: GeneratorFacts): void => write(() => generators.set(run, number, facts)),
    generators: (run: number) => read(() => generators.of(run)),
    setState: (run: number, state: RunState, nowMs: number): void => writeAlong(() => runs.setState(run, state, nowMs)),
    addSample: (run: number, sample: Sample): void => writeAlong(() => samples.add(run, sample)),
    addEvent: (run: number, event: RunEvent): void => writeAlong(() => details.addEvent(run, event)),
    /** Stores a window and folds what has become old, in one transaction. */
    append(run: number, generatorWindow: GeneratorWindow, { requests, completedPerSecond, nowMs }: Progress): void {
      writeAlong(() => {
        windows.insert(run, generatorWindow);
        runs.progress(run, requests, completedPerSecond, nowMs);
        for (const { from, to, width } of foldsDue(generatorWindow.window.second)) {
          const narrow = windows.narrowerThan(run, from, to, width);
          if (narrow.length > 1) windows.replace(run, from, to, width, foldGeneratorWindows(narrow, width));
        }
      });
    },
    /** Returns false if the run had ended before: the first end counts. */
    end: (run: number, ending: RunEnding, engineEnd: EngineEndFacts | null): boolean =>
      write(() => {
        if (!runs.end(run, ending)) return false;
        if (engineEnd) details.setEngineEnd(run, engineEnd);
        return true;
      }),
    saveResult(run: number, result: RunResult, summary: RunSummary): void {
      write(() => {
        details.setResult(run, result);
        runs.summarize(run, summary);
      });
    },
    /** Throws `NO_SUCH_RUN`. */
    find(id: string): RunRecord {
      const record = read(() => runs.find(id));
      if (!record) throw noSuchRun(id);
      return record;
    },
    going: () => read(() => runs.going()),
    /** Ended runs without a stored result. Reads all runs. */
    withoutResult: () => read(() => runs.withoutResult()),
    list: (search: RunSearch) => read(() => runs.list(search)),
    namesOf: (ids: readonly string[]) => read(() => runs.namesOf(ids)),
    /** Ended runs of one cell of a series. */
    endedOfCell: (seriesId: string, cell: string) => read(() => runs.endedOfCell(seriesId, cell)),
    endedOfNames: (names: readonly string[]) => read(() => runs.endedOfNames(names)),
    details: (run: number) => read(() => details.read(run)),
    /** The plan's name, even if the run was renamed. */
    planName: (run: number): string => read(() => details.planName(run)),
    result: (run: number) => read(() => details.result(run)),
    saveDistribution: (run: number, distribution: Distribution): void => write(() => details.setDistribution(run, distribution)),
    distribution: (run: number) => read(() => details.distribution(run)),
    samples: (run: number) => read(() => samples.of(run)),
    events: (run: number) => read(() => details.events(run)),
    /**
     * Yields the merged windows of all generators in a range, in order. `inFlight`: outstanding requests of the windows before, updated
     * while reading. `onPart` gets the window of each generator, which is valid only during the call.
     */
    *windows(run: number, range: SecondsRange, inFlight: InFlightByGenerator, onPart: OnPart): Generator<Window> {
      try {
        yield* windows.windows(run, range, inFlight, onPart);
      } catch (thrown) {
        throw storeFailure(thrown, path);
      }
    },
    /** Yields all merged windows, some seconds per slice. The store can be written to between slices. */
    *windowSlices(run: number): Generator<readonly Window[]> {
      try {
        yield* windows.slices(run);
      } catch (thrown) {
        throw storeFailure(thrown, path);
      }
    },
    countWindows: (run: number): number => read(() => windows.count(run)),
    /** Returns the number and total width of the windows that begin before a second. Reads no counters. */
    windowExtent: (run: number, before: number) => read(() => windows.extent(run, before)),
    /** Windows of the same second are adjacent. */
    generatorWindows: (run: number, fromSecond?: number) => read(() => windows.generatorWindows(run, fromSecond)),
    readings: (run: number, generator: number) => read(() => windows.readings(run, generator)),
    overloadedSeconds: (run: number, generator: number) => read(() => windows.overloadedSeconds(run, generator)),
    saveMonitor: (run: number, info: MonitorInfo): void => writeAlong(() => monitors.save(run, info)),
    /** Stores new monitor readings and folds what has become old. */
    appendMonitor: (run: number, info: MonitorInfo, points: readonly MonitorPoint[]): void =>
      writeAlong(() => monitors.append(run, info, points)),
    /** Stores all readings of a monitor and replaces an earlier one with its number. */
    attachMonitor: (run: number, info: MonitorInfo, points: readonly MonitorPoint[]): void =>
      write(() => {
        monitors.remove(run, info.number);
        monitors.save(run, info);
        monitors.append(run, info, points);
      }),
    monitorInfos: (run: number) => read(() => monitors.infos(run)),
    monitorPoints: (run: number, number: number, fromSecond?: number) => read(() => monitors.points(run, number, fromSecond)),
    monitors: (run: number) => read(() => monitors.all(run)),
    setVisitFacts: (run: number, facts: VisitFacts): void => writeAlong(() => visits.setFacts(run, facts)),
    addVisit: (run: number, visit: Visit): void => writeAlong(() => visits.add(run, visit)),
    /** Stores the film of a visit. Only a limited number per run is kept. */
    setVisitFilm: (run: number, number: number, frames: Filmstrip['frames']): void => writeAlong(() => visits.setFilm(run, number, frames)),
    visits: (run: number) => read(() => visits.log(run)),
    visitFilms: (run: number) => read(() => visits.films(run)),
    rename: (id: string, name: string): void => write(() => mustHaveChanged(runs.rename(id, name), id)),
    annotate: (id: string, note: string): void => write(() => mustHaveChanged(runs.annotate(id, note), id)),
    /** Throws `RUN_GOING` if the run has not ended, or `NO_SUCH_RUN`. */
    remove(id: string, nowMs: number): void {
      write(() => {
        if (runs.remove(id, nowMs)) return;
        if (!runs.find(id)) throw noSuchRun(id);
        throw new HoldfastError({ code: 'RUN_GOING', message: 'This run is still running.', hint: 'Stop it first, then delete it.' });
      });
    },
    restore: (id: string): void => write(() => mustHaveChanged(runs.restore(id), id)),
    /** Deletes for good what was removed before that instant, and shrinks the file. */
    purge(beforeMs: number): number {
      const purged = write(() => runs.purge(beforeMs));
      if (purged > 0) read(() => database.pragma('incremental_vacuum'));
      return purged;
    },
    addSelfTest: (report: SelfTestReport): void => write(() => selfTests.add(report)),
    lastSelfTest: (machine: SelfTestMachine) => read(() => selfTests.last(machine)),
    series,
    searches,
    /** Returns false if the name exists and must not be replaced. */
    addHost: (host: Host, mayReplace: boolean): boolean => write(() => hosts.add(host, mayReplace)),
    hosts: () => read(() => hosts.list()),
    findHost: (name: string) => read(() => hosts.find(name)),
    removeHost: (name: string): boolean => write(() => hosts.remove(name)),
    /** Hashes of the used rows of feeds with `order: once`. */
    usedRows: {
      among: (hashes: readonly string[]): ReadonlySet<string> => read(() => usedRows.among(hashes)),
      add: (hashes: readonly string[]): void => writeAlong(() => usedRows.add(hashes, new Date().toISOString())),
      remove: (hashes: readonly string[]): void => write(() => usedRows.remove(hashes)),
    },
    hasAgreement: (hash: string): boolean => read(() => agreements.has(hash)),
    addAgreement: (hash: string, givenAt: string): void => write(() => agreements.add(hash, givenAt)),
    addHostChange: (change: Omit<HostChange, 'id'>): HostChange => write(() => hostChanges.add(change)),
    /** Changes of settings that were not reverted. */
    openHostChanges: () => read(() => hostChanges.open()),
    revertHostChange: (id: number, at: string): boolean => write(() => hostChanges.revert(id, at)),
    keepPath: (path: MeasuredPath): void => write(() => paths.keep(path)),
    /** The last measurement of the path from a host to an origin. */
    findPath: (from: string, to: string) => read(() => paths.find(from, to)),
    setBaseline: (of: BaselineOf, runKeys: readonly number[], nowMs: number): void => write(() => baselines.set(of, runKeys, nowMs)),
    /** Returns false if there was none. */
    removeBaseline: (of: BaselineOf): boolean => write(() => baselines.remove(of)),
    findBaseline: (of: BaselineOf) => read(() => baselines.find(of)),
    listBaselines: () => read(() => baselines.list()),
    close(): void {
      if (database.open) database.close();
      if (copy !== null) rmSync(copy, { recursive: true, force: true });
    },
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
    hint: 'Probably it was deleted. The page History and holdfast runs list all runs.',
  });
}
