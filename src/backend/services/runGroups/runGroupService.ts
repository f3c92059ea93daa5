import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { StorableDocument } from '#core/plan/hideSecrets.ts';
import type { SeriesHead } from '#core/series/result.ts';
import { isGone, readOwnIdentity, type ProcessIdentity } from '#engine/processIdentity.ts';
import type { Log } from '#backend/log.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { RunGroupRecord, RunGroupTable } from '#backend/store/runGroupTable.ts';
import type { Store } from '#backend/store/store.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import type { Ending } from '#core/result/schema.ts';
import { type LoadLock, loadElsewhereError, loadGoingError, STOPPED_BY_USER, CLOSED } from '../loadLock.ts';
import type { LoadGenerator } from '../runs/loadGenerator.ts';
import { newRunId } from '../runs/recovery.ts';
import type { RunService } from '../runs/runService.ts';
import type { Secrets } from '../secrets.ts';
import { RunGroupSession, type GroupRun, type RunGroupName, type Steps, type StepWork } from './runGroupSession.ts';

/** The parts that the services for series and for searches both need. */
export interface RunGroupServiceParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly secrets: Secrets;
  readonly runs: Pick<RunService, 'startGroupRun' | 'recover'>;
  readonly results: ResultThread;
  /** Connects to a host for a load. Throws if the host cannot generate load. */
  readonly openHost: (name: string) => Promise<Pick<LoadGenerator, 'close'>>;
  /** Connects to a host for purposes other than load. */
  readonly enterHost: (name: string) => Promise<Pick<LoadGenerator, 'close'>>;
  readonly lock: LoadLock;
}

/** Parts of a service whose groups may run commands on this computer. */
export interface RunGroupWithCommandsParts extends RunGroupServiceParts {
  readonly runsCommands: boolean;
}

/** The calls and streams for one kind of group. */
export interface RunGroupService<Prefix extends 'series' | 'searches'> {
  readonly calls: Pick<CallHandlers, Extract<keyof CallHandlers, `${Prefix}.${string}`>>;
  readonly streams: Pick<StreamHandlers, `${Prefix}.watch`>;
  close(): Promise<void>;
}

interface StatedRun extends GroupRun {
  readonly state: string;
}

/** How groups of one kind are recovered after their process has ended. */
export interface RunGroupRecovery<Document, Run extends StatedRun> {
  readonly called: RunGroupName;
  readonly table: RunGroupTable<Document, Run>;
  readonly ownerGone: string;
  /** Returns the final state of a run that was waiting or active. */
  readonly recovered: (run: Run) => Run | Promise<Run>;
}

export interface NewGroup<Document, Run> {
  readonly name: string;
  readonly document: StorableDocument<Document>;
  readonly runs: readonly Run[];
  readonly createSteps: CreateSteps<Run>;
}

type CreateSteps<Run> = (work: StepWork<Run>) => Steps;

/** A kind of run group. A process runs at most one group of each kind at a time. */
export interface GroupKind<Document, Run extends StatedRun, Result> extends RunGroupRecovery<Document, Run> {
  /** Prefix of the ids of groups. */
  readonly prefix: string;
  /** Prefix of the error codes. */
  readonly code: 'SERIES' | 'SEARCH';
  readonly idName: 'seriesId' | 'searchId';
  /** Message that says that a group of this kind is running. */
  readonly runningMessage: string;
  /** Throws before the first run if something would prevent all runs. */
  readonly mayStart: (document: Document) => void;
  /** Connects to hosts before the first run, so that the user is asked at the start and not hours later. */
  readonly enterHosts: (document: Document) => Promise<void>;
  readonly begin: (given: Document) => NewGroup<Document, Run>;
  /** Throws if no group has this id. */
  readonly result: (id: string) => Result;
  readonly isEnded: (result: Result) => boolean;
}

/**
 * Ends groups whose process has ended, and keeps what they have measured. Throws if a run cannot be recovered now; the group is then
 * recovered later.
 */
export async function recoverRunGroups<Document, Run extends StatedRun>(
  { called, table, ownerGone, recovered }: RunGroupRecovery<Document, Run>,
  { self, log, runs }: { readonly self: ProcessIdentity; readonly log: Log; readonly runs: Pick<RunService, 'recover'> },
): Promise<void> {
  const nowMs = Date.now();
  for (const { key, head, owner, heartbeatMs } of table.listUnended()) {
    if (!isGone(owner, nowMs - heartbeatMs, self)) continue;
    runs.recover();
    for (const run of table.runs(key)) {
      if (run.state === 'waiting' || run.state === 'running') table.saveRun(key, await recovered(run), nowMs);
    }
    table.end(key, { state: 'interrupted', endedAt: new Date(heartbeatMs).toISOString(), because: ownerGone });
    log.info(`${called} was interrupted`, { [called]: head.id });
  }
}

/** Starts, stops, recovers, removes and watches groups of one kind. */
export class RunGroups<Document, Run extends StatedRun, Result> {
  private readonly parts: RunGroupServiceParts;
  private readonly kind: GroupKind<Document, Run, Result>;
  private readonly self = readOwnIdentity();
  private readonly active = new LongWorkHolder<RunGroupSession<Run>>();
  private recovering: Promise<void> | null = null;

  constructor(parts: RunGroupServiceParts, kind: GroupKind<Document, Run, Result>) {
    this.parts = parts;
    this.kind = kind;
    // Prevents other loads from starting, also between the runs of a group.
    parts.lock.register(kind.called, () => this.active.current && this.isGoing(this.active.current.id));
  }

  readonly recover = (): Promise<void> => {
    const { log, runs } = this.parts;
    this.recovering ??= recoverRunGroups(this.kind, { self: this.self, log, runs })
      .catch((thrown: unknown) => log.failure(`an interrupted ${this.kind.called} could not be marked`, thrown))
      .finally(() => {
        this.recovering = null;
      });
    return this.recovering;
  };

  /** Starts a group and returns its id. */
  async start(given: Document): Promise<string> {
    const { prefix, table } = this.kind;
    await this.requireStart(given);
    const { name, document, runs: known, createSteps } = this.kind.begin(given);
    const now = new Date();
    const id = `${prefix}${newRunId(now)}`;
    const head: SeriesHead = { id, name, startedAt: now.toISOString(), endedAt: null, state: 'running', endedBecause: null };
    const key = table.create({ head, document, runs: known, owner: this.self, nowMs: now.getTime() });
    this.runGroup(key, head, createSteps);
    return id;
  }

  /** Continues a group that ended early, with newly planned runs. */
  async resumeGroup(
    { key, head, document, owner }: RunGroupRecord<Document>,
    plannedRuns: readonly Run[],
    createSteps: CreateSteps<Run>,
  ): Promise<void> {
    const { table } = this.kind;
    await this.requireStart(document);
    if (!table.reopen(key, this.self, Date.now())) throw this.elsewhereError(owner.pid);
    for (const run of plannedRuns) table.saveRun(key, run, Date.now());
    this.runGroup(key, { ...head, state: 'running', endedAt: null, endedBecause: null }, createSteps);
  }

  /** Returns a group that has ended. Throws if a process is still running it. */
  async findEnded(id: string): Promise<RunGroupRecord<Document>> {
    await this.recover();
    const record = this.kind.table.find(id);
    if (this.active.current?.id === id) throw this.isGoing(id);
    if (record.head.endedAt === null) throw this.elsewhereError(record.owner.pid);
    return record;
  }

  stop(id: string): void {
    this.requireGoing(id);
    if (this.active.current?.id === id) this.active.current.stop(STOPPED_BY_USER);
  }

  /** Throws if another process runs this group, or if there is none with this id. */
  requireGoing(id: string): void {
    const { head, owner } = this.kind.table.find(id);
    if (this.active.current?.id !== id && head.endedAt === null) throw this.elsewhereError(owner.pid);
  }

  async remove(id: string): Promise<void> {
    this.kind.table.remove((await this.findEnded(id)).key);
  }

  async result(id: string): Promise<Result> {
    await this.recover();
    return this.kind.result(id);
  }

  async list<Row>(limit: number, offset: number, rowOf: (record: RunGroupRecord<Document>) => Row) {
    await this.recover();
    const { groups, total } = this.kind.table.list(limit, offset);
    return { rows: groups.map(rowOf), total };
  }

  watch(id: string, sink: Sink<Result>): () => void {
    const { result, isEnded } = this.kind;
    return this.active.watch(id, { read: result, isEnded, recover: this.recover }, sink);
  }

  readonly close = (): Promise<void> => this.active.close();

  private isGoing(id: string): HoldfastError {
    const { code, runningMessage, idName } = this.kind;
    return loadGoingError(code, `${runningMessage} Another load at the same time would disturb its figures.`, { [idName]: id });
  }

  private elsewhereError(pid: number): HoldfastError {
    return loadElsewhereError(this.kind.code, this.kind.called, pid);
  }

  /**
   * Throws if something prevents a start. This is checked before and after the questions about hosts, because another load may have begun
   * in between.
   */
  private async requireStart(document: Document): Promise<void> {
    const requireFree = (): void => {
      this.parts.lock.claim(this.kind.called);
      this.kind.mayStart(document);
    };
    requireFree();
    await this.kind.enterHosts(document);
    requireFree();
  }

  private runGroup(key: number, head: SeriesHead, createSteps: CreateSteps<Run>): void {
    const { called, table } = this.kind;
    const { log, redaction, runs, results } = this.parts;
    const onChange = this.active.reportResult;
    const session = new RunGroupSession<Run>({ called, table, log, redaction, runs, results, onChange }, key, head, createSteps);
    this.active.runGroup(session, () => {
      try {
        table.beat(key, Date.now());
      } catch (thrown) {
        log.failure(`the ${called} could not say that it is alive`, thrown);
      }
    });
    log.info(`${called} started`, { [called]: head.id });
  }
}

/** Calls `work` `everyMs` after a request. Requests in the meantime cause no further call. */
function throttle(work: () => void, everyMs: number): { call: () => void; cancel: () => void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    call: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        work();
      }, everyMs);
    },
    cancel: () => clearTimeout(timer),
  };
}

/** Work that extends over several runs. A process has at most one at a time. */
interface LongWork {
  readonly id: string;
  /** Resolves when it has ended; never rejects. */
  readonly done: Promise<unknown>;
  stop(because: Ending): void;
}

interface WatchedResult<Result> {
  /** Returns the result. Throws if there is no work with this id. */
  read(id: string): Result;
  isEnded(result: Result): boolean;
  /** Ends stored work whose process has ended. */
  recover(): Promise<void> | void;
}

/** Minimum interval between two items for the same reader. */
const UPDATE_INTERVAL_MS = 500;
const HEARTBEAT_INTERVAL_MS = 5_000;
const MAX_CLOSE_MS = 15_000;

/** Holds the current long work of this process, sends its heartbeats to the store, and notifies readers of changes. */
class LongWorkHolder<Work extends LongWork> {
  private work: Work | null = null;
  private readonly watchers = new Set<() => void>();

  get current(): Work | null {
    return this.work;
  }

  readonly reportResult = (): void => this.watchers.forEach((report) => report());

  runGroup(work: Work, beat: () => void): void {
    this.work = work;
    const beating = setInterval(beat, HEARTBEAT_INTERVAL_MS);
    void work.done.then(() => {
      clearInterval(beating);
      this.work = null;
      this.reportResult();
    });
  }

  /** Sends a reader each changed result until the work has ended. Returns a function that removes the reader. */
  watch<Result>(id: string, { read, isEnded, recover }: WatchedResult<Result>, sink: Sink<Result>): () => void {
    let last = '';
    let hasLeft = false;
    const reportResult = async (): Promise<void> => {
      try {
        if (this.work?.id !== id) await recover();
        if (hasLeft) return;
        const current = read(id);
        const text = JSON.stringify(current);
        if (text !== last) sink.item(current);
        last = text;
        if (!isEnded(current)) return;
        stopWatching();
        sink.end();
      } catch (thrown) {
        stopWatching();
        sink.end(toProblem(thrown));
      }
    };
    const throttled = throttle(() => void reportResult(), UPDATE_INTERVAL_MS);
    // Work of this process notifies its readers itself; work of another process is polled from the store.
    const poll = (): void => (this.work?.id === id ? undefined : throttled.call());
    const timer = setInterval(poll, 2 * UPDATE_INTERVAL_MS);
    this.watchers.add(throttled.call);
    const stopWatching = (): void => {
      hasLeft = true;
      clearInterval(timer);
      throttled.cancel();
      this.watchers.delete(throttled.call);
    };
    void reportResult();
    return stopWatching;
  }

  async close(): Promise<void> {
    if (!this.work) return;
    this.work.stop(CLOSED);
    await Promise.race([this.work.done, new Promise((resolve) => setTimeout(resolve, MAX_CLOSE_MS).unref())]);
  }
}
