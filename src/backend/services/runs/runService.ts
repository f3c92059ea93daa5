import { setTimeout as pause } from 'node:timers/promises';
import type { LiveSnapshot } from '#contract/replies.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listCountCommands } from '#core/plan/schema/populate.ts';
import { showReferences } from '#core/plan/hiddenText.ts';
import type { RunEvent, RunHead, Ending } from '#core/result/schema.ts';
import type { SelfTestSummary } from '#core/measurement/selfTest/report.ts';
import { loadParts } from '#engine/loadParts.ts';
import type { Log } from '#backend/log.ts';
import { readOwnIdentity } from '#engine/processIdentity.ts';
import type { RunMetrics } from '#backend/otlp/runMetrics.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import { closingError, type LoadLock, loadElsewhereError, loadGoingError, CLOSED, STOPPED_BY_USER } from '../loadLock.ts';
import { mayRunCommands } from '../runCommand.ts';
import { createActiveRuns, listTrends, readHistory, followRun, type ActiveRuns } from './activeRuns.ts';
import { importK6Run } from './importK6Run.ts';
import type { Generator } from './generators/group.ts';
import { localGenerator, markVisitedSeconds, type LoadGenerator } from './loadGenerator.ts';
import {
  requireK6,
  requireValidPlan,
  eventsBeforeRun,
  tlsOfferEvent,
  type PreparedRun,
  type PrepareParts,
  prepareRun,
} from './prepareRun.ts';
import { newRunId, OutstandingResults, recoverRuns } from './recovery.ts';
import { resolveJob } from '../resolveJob.ts';
import { RowsOfRun } from './usedRows.ts';
import { RunSession } from './runSession.ts';
import type { LoadJob } from '#engine/engine.ts';

export interface RunServiceParts extends Omit<PrepareParts, 'here'> {
  readonly store: Store;
  readonly log: Log;
  readonly results: ResultThread;
  readonly workerEntry: URL;
  /** The last self-test of this machine, stored with each run. */
  readonly selfTest: () => SelfTestSummary | null;
  readonly lock: LoadLock;
  /** Whether plans may run commands on this computer, once the user has agreed to each command. */
  readonly runsCommands?: boolean;
  /** Address of an OTLP receiver that gets metrics of every run. */
  readonly metricsSink?: URL | undefined;
}

interface StartOptions {
  readonly series?: RunHead['series'];
  /** Names of the load generators, `here` for this computer; default: this computer. */
  readonly on?: readonly string[] | undefined;
}

type RunCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `runs.${string}`>>;

/** Parameters, besides the plan, of a run in a series. */
export interface GroupRunStart {
  readonly series: NonNullable<RunHead['series']>;
  /** Names of the load generators; null: this computer. */
  readonly on: readonly string[] | null;
  /** Events from before the load. */
  readonly events: readonly RunEvent[];
}

export interface StartedGroupRun {
  readonly runId: string;
  /** Resolves when the run has ended and its result was stored or storing it has failed. Never rejects. */
  readonly done: Promise<void>;
  stop(because: Ending): void;
}

/** Maximum time to wait for the drain of a run when the process ends. */
const MAX_CLOSE_MS = 10_000;

/** The runs of this process, one at a time, and the stored runs of all processes. */
export class RunService {
  readonly calls: RunCalls = {
    'runs.start': async ({ plan, on }) => ({ runId: (await this.start(plan, { on })).id }),
    'runs.stop': ({ runId }) => {
      const record = this.parts.store.find(runId);
      if (this.session?.id === runId) this.session.stop(STOPPED_BY_USER);
      else if (record.ended_at === null) throw loadElsewhereError('RUN', 'run', record.owner_pid);
    },
    'runs.list': async (search) => {
      this.recover();
      // Lists show values from results, so missing results are computed first.
      await this.outstanding.waitForAll();
      return this.parts.store.list(search);
    },
    'runs.trends': ({ runIds }) => listTrends(this.parts.store, runIds),
    'runs.history': ({ runId }) => readHistory(this.parts.store, runId),
    'runs.result': (input) => this.parts.results.ask('runs.result', input),
    'runs.points': (input) => this.parts.results.ask('runs.points', input),
    'runs.range': (input) => this.parts.results.ask('runs.range', input),
    'runs.distribution': (input) => this.parts.results.ask('runs.distribution', input),
    'runs.export': (input) => this.parts.results.ask('runs.export', input),
    'runs.importK6': (input) => importK6Run(this.parts, input),
    'runs.rename': ({ runId, name }) => {
      this.parts.store.rename(runId, name);
      if (this.session?.id === runId) this.session.relabel({ name });
      this.active.notifyReaders();
    },
    'runs.note': ({ runId, note }) => {
      this.parts.store.annotate(runId, note);
      if (this.session?.id === runId) this.session.relabel({ note });
    },
    'runs.remove': ({ runId }) => this.parts.store.remove(runId, Date.now()),
    'runs.restore': ({ runId }) => this.parts.store.restore(runId),
    // The others are the slowest requests with a trace id, which are in the result.
    'runs.samples': ({ runId }) => this.parts.store.samples(this.parts.store.find(runId).key).filter(({ failure }) => failure !== null),
  };

  readonly streams: Pick<StreamHandlers, 'runs.watch' | 'runs.active'> = {
    'runs.watch': ({ runId }, sink) => {
      const { session } = this;
      if (session?.id === runId && !session.isSettled) return session.feed.subscribe(sink);
      this.recover();
      const { store } = this.parts;
      if (store.find(runId).ended_at === null) return followRun({ store, recover: () => this.recover() }, runId, sink);
      return this.sendFinalState(runId, sink);
    },
    'runs.active': (_nothing, sink) => this.active.subscribe(sink),
  };

  private readonly parts: RunServiceParts;
  private readonly here: LoadGenerator;
  private readonly self = readOwnIdentity();
  private readonly outstanding: OutstandingResults;
  private readonly active: ActiveRuns;
  private starting = false;
  private closed = false;
  private session: RunSession | null = null;
  private closeGenerators = (): void => {};

  constructor(parts: RunServiceParts) {
    const { store, log, results, lock } = parts;
    this.parts = parts;
    this.here = localGenerator(parts.workerEntry, parts.selfTest);
    this.outstanding = new OutstandingResults((runId) => results.ask('own.storeResult', { runId }), log);
    this.active = createActiveRuns(store, () => this.recover(), log);
    lock.register('run', () => (this.starting || (this.session && !this.session.isSettled) ? runGoing(this.session?.id) : null));
    lock.register('anyRun', () => {
      this.recover();
      const [other] = store.listUnended();
      return this.starting || other ? runGoing(other?.id) : null;
    });
  }

  /** Starts a run as a cell of a series. Throws the errors of the call `runs.start`. */
  async startGroupRun(plan: Plan, { series, on, events }: GroupRunStart): Promise<StartedGroupRun> {
    const startedRunSession = await this.start(plan, { series, on: on ?? undefined });
    for (const event of events) startedRunSession.record(event);
    return { runId: startedRunSession.id, done: startedRunSession.done, stop: (because) => startedRunSession.stop(because) };
  }

  /** Returns the head of a run of this process whose end could not be stored, or null. */
  unstoredHead(): RunHead | null {
    return this.session?.unstoredHead ?? null;
  }

  /**
   * Marks runs whose process has ended, and requests their results. Never throws, because lists must work even if a full disk prevents
   * that.
   */
  recover(): void {
    const { store, log } = this.parts;
    try {
      this.outstanding.add(recoverRuns(store, this.self, log));
    } catch (thrown) {
      log.failure('interrupted runs could not be marked', thrown);
    }
  }

  /** Requests the results of runs whose process was killed between their end and their result. */
  requestMissingResults(): void {
    this.outstanding.add(this.parts.store.withoutResult().map(({ id }) => id));
  }

  /** Stops active runs, waits a limited time for their outstanding requests, and leaves the store consistent. */
  async close(): Promise<void> {
    this.closed = true;
    this.active.close();
    const { session } = this;
    if (!session) return;
    session.stop(CLOSED);
    await Promise.race([session.done, pause(MAX_CLOSE_MS, undefined, { ref: false })]);
    await Promise.race([session.abandon(), pause(MAX_CLOSE_MS, undefined, { ref: false })]);
    // A host must not continue a load whose controlling process has ended.
    this.closeGenerators();
  }

  private async start(plan: Plan, { series, on }: StartOptions = {}): Promise<RunSession> {
    const { lock, runsCommands } = this.parts;
    lock.claim(series === undefined ? 'run' : 'cell');
    this.starting = true;
    try {
      requireValidPlan(plan);
      mayRunCommands(listCountCommands(plan.stored), runsCommands === true, 'This plan');
      await lock.waitForMeasurement();
      await requireK6(plan, on);
      const preparedRun = await prepareRun(plan, { on, mustWork: series === undefined }, { ...this.parts, here: this.here });
      try {
        return await this.startLoad(preparedRun, series);
      } catch (thrown) {
        preparedRun.release();
        throw thrown;
      }
    } finally {
      this.starting = false;
    }
  }

  private async startLoad(preparedRun: PreparedRun, series: RunHead['series']): Promise<RunSession> {
    const { store, log, redaction, version, results } = this.parts;
    const { generators, storable, values, feeds, files, largeFiles, monitors, visits, stored, offers } = preparedRun;
    if (this.closed) throw closingError();
    const now = new Date();
    const head = { ...newRunHead(storable, newRunId(now), now, version), ...(series === undefined ? {} : { series }) };
    const target = showReferences(storable.targets[0]?.url ?? '');
    const key = store.create({ head, target, plan: storable, owner: this.self, nowMs: now.getTime() });
    const job = resolveJob(storable, { runId: head.id, version, values, feeds, files, largeFiles });
    const startedRunSession = await this.beginOrFail(key, async () => {
      const loads = await this.prepareLoads(job, preparedRun);
      const metrics = await this.openMetrics(head, storable, loads);
      if (this.closed) throw closingError();
      return new RunSession(
        { store, log, redaction, results, onChange: this.active.notifyReaders },
        {
          key,
          head,
          plan: storable,
          job,
          generators: loads,
          isLoadMadeHere: generators.includes(this.here),
          monitors,
          visits,
          stored,
          rows: new RowsOfRun(storable, feeds),
          metrics,
        },
      );
    });
    this.session = startedRunSession;
    this.closeGenerators = () => {
      for (const generator of generators) generator.close();
    };
    void startedRunSession.done.then(this.closeGenerators);
    // Not in a series, because its next run begins at once and would be disturbed by the reading.
    if (series === undefined) void startedRunSession.done.then(() => this.prepareDistribution(head.id));
    const names = generators.map(({ name }) => name);
    for (const note of [...eventsBeforeRun(store, names, storable, now), ...offers.map((offer) => tlsOfferEvent(offer, storable))])
      startedRunSession.record(note);
    log.info('run started', { run: head.id });
    this.active.notifyReaders();
    return startedRunSession;
  }

  /** OpenTelemetry's SDK is loaded with the first run that needs it. */
  private async openMetrics(head: RunHead, plan: Plan, generators: readonly Generator[]): Promise<RunMetrics | null> {
    const { metricsSink } = this.parts;
    if (metricsSink === undefined) return null;
    const { RunMetrics } = await import('#backend/otlp/runMetrics.ts');
    return new RunMetrics(metricsSink, { head, plan, generators: generators.map(({ name }) => name) });
  }

  /** Gives each generator its part of the load. */
  private prepareLoads(job: LoadJob, { generators, storable, visits }: PreparedRun): Promise<Generator[]> {
    const cores = generators.map((generator) => generator.cores);
    const parts = generators.length === 1 ? [undefined] : loadParts(storable, cores);
    return Promise.all(
      generators.map(async (generator, index) => {
        const load = await generator.prepare({ ...job, part: parts[index] });
        return { name: generator.name, load: visits !== null && generator === this.here ? markVisitedSeconds(load, visits) : load };
      }),
    );
  }

  /** Begins a run. If that fails, the run is stored as failed. */
  private async beginOrFail(key: number, begin: () => Promise<RunSession>): Promise<RunSession> {
    const { store, log, redaction } = this.parts;
    try {
      return await begin();
    } catch (thrown) {
      const text = redaction.sentence(toProblem(thrown).message);
      const ending = { state: 'failed', endedAt: new Date().toISOString(), because: { code: 'failure', text } } as const;
      try {
        store.end(key, ending, null);
      } catch (unstored) {
        log.failure('the end of a run that did not begin could not be stored', unstored);
      }
      throw thrown;
    }
  }

  private async prepareDistribution(runId: string): Promise<void> {
    const { results, log } = this.parts;
    try {
      await results.ask('own.prepareDistribution', { runId });
    } catch (thrown) {
      log.failure('the thread of results did not prepare how the times of a run are spread', thrown);
    }
  }

  /** Sends the final state of an ended run to a reader. */
  private sendFinalState(runId: string, sink: Sink<LiveSnapshot>): () => void {
    this.parts.results.read('own.live', { runId }).then(
      (live) => {
        sink.item(live);
        sink.end();
      },
      (thrown: unknown) => sink.end(toProblem(thrown)),
    );
    return () => {};
  }
}

function newRunHead(plan: Plan, id: string, now: Date, holdfastVersion: string): RunHead {
  return {
    id,
    name: plan.name,
    note: '',
    preset: plan.preset ?? null,
    startedAt: now.toISOString(),
    endedAt: null,
    state: 'preparing',
    endedBecause: null,
    holdfastVersion,
  };
}

function runGoing(runId: string | undefined): HoldfastError {
  return loadGoingError('RUN', 'Another run is active. Two at once would disturb each other’s figures.', { runId: runId ?? null });
}
