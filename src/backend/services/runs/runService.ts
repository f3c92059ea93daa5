import { setTimeout as pause } from 'node:timers/promises';
import type { Live } from '#contract/replies.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { storedCommands } from '#core/plan/schema/populate.ts';
import { shownText } from '#core/plan/hiddenText.ts';
import type { RunEvent, RunHead, Ending } from '#core/result/schema.ts';
import type { SelfTestSummary } from '#core/measurement/selfTest/report.ts';
import { loadParts } from '#engine/loadParts.ts';
import type { Log } from '#backend/log.ts';
import { ownIdentity } from '#engine/processIdentity.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import { closing, type LoadLock, loadElsewhere, loadGoing, CLOSED, STOPPED_BY_USER } from '../loadLock.ts';
import { mayRunCommands } from '../runCommand.ts';
import { createActiveRuns, listTrends, followRun } from './activeRuns.ts';
import { importK6Run } from './importK6Run.ts';
import type { Generator } from './generators/group.ts';
import { thisComputer, visitedLoad } from './loadGenerator.ts';
import { k6MayStart, mayStart, notesBefore, offerNote, type PreparedRun, type PrepareParts, prepareRun } from './prepareRun.ts';
import { newRunId, OutstandingResults, recoverRuns } from './recovery.ts';
import { resolveJob } from '../resolveJob.ts';
import { RowsOfRun } from './usedRows.ts';
import { RunSession } from './runSession.ts';

export interface RunServiceParts extends Omit<PrepareParts, 'here'> {
  readonly store: Store;
  readonly log: Log;
  readonly results: ResultThread;
  readonly workerEntry: URL;
  /** The last self-test of this machine, stored with each run. */
  readonly selfTest: () => SelfTestSummary | null;
  readonly lock: LoadLock;
  /** Whether plans may run commands on this computer after an agreement to each. */
  readonly runsCommands?: boolean;
}

interface StartOptions {
  readonly series?: RunHead['series'];
  /** Names of the load generators, `here` for this computer; default: this computer. */
  readonly on?: readonly string[] | undefined;
}

type RunCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `runs.${string}`>>;

/** The parameters of a run of a series beside its plan. */
export interface GroupRunStart {
  readonly series: NonNullable<RunHead['series']>;
  /** Names of its load generators; null: this computer. */
  readonly on: readonly string[] | null;
  /** Events before its load. */
  readonly events: readonly RunEvent[];
}

export interface StartedGroupRun {
  readonly runId: string;
  /** Resolves when the run has ended and its result is stored, or could not be. Never rejects. */
  readonly done: Promise<void>;
  stop(because: Ending): void;
}

export interface RunService {
  readonly calls: RunCalls;
  readonly streams: Pick<StreamHandlers, 'runs.watch' | 'runs.active'>;
  /** Starts a run as a cell of a series. Throws the errors of `runs.start`. */
  startGroupRun(plan: Plan, cell: GroupRunStart): Promise<StartedGroupRun>;
  /** The head of a run of this process whose end could not be stored. */
  unstoredHead(): RunHead | null;
  /** Marks runs whose process has ended, and requests their results. Never throws. */
  recover(): void;
  /** Requests the results of runs whose process was killed between their end and their result. */
  makeMissing(): void;
  /** Stops active runs, waits a limited time for outstanding requests, and leaves the store consistent. */
  close(): Promise<void>;
}

/** Maximum wait for the drain of a run when the process ends. */
const MAX_CLOSE_MS = 10_000;

export function createRunService(parts: RunServiceParts): RunService {
  const { store, log, redaction, secrets, version, results, lock } = parts;
  const here = thisComputer(parts.workerEntry, parts.selfTest);
  const self = ownIdentity();
  const outstanding = new OutstandingResults((runId) => results.ask('own.storeResult', { runId }), log);
  /** Lists must work even if a full disk prevents marking a dead run. */
  const recover = (): void => {
    try {
      outstanding.add(recoverRuns(store, self, log));
    } catch (thrown) {
      log.failure('interrupted runs could not be marked', thrown);
    }
  };
  const active = createActiveRuns(store, recover, log);
  let starting = false;
  let closed = false;
  let session: RunSession | null = null;
  let closeGenerators = (): void => {};

  lock.register('run', () => (starting || (session && !session.settled) ? runGoing(session?.id) : null));
  lock.register('anyRun', () => {
    recover();
    const [other] = store.going();
    return starting || other ? runGoing(other?.id) : null;
  });

  const sessionParts = { store, log, redaction, results, onChange: active.changed };

  /** Removes the run from the store if it fails to start. */
  async function begin(
    work: () => Promise<Generator[]>,
    create: (generators: Generator[]) => RunSession,
    key: number,
  ): Promise<RunSession> {
    try {
      const generators = await work();
      if (closed) throw closing();
      return create(generators);
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

  async function start(plan: Plan, { series, on }: StartOptions = {}): Promise<RunSession> {
    lock.claim(series === undefined ? 'run' : 'cell');
    starting = true;
    try {
      mayStart(plan);
      mayRunCommands(storedCommands(plan.stored), parts.runsCommands === true, 'This plan');
      await lock.untilQuiet();
      await k6MayStart(plan, on);
      const prepared = await prepareRun(plan, { on, mustWork: series === undefined }, { ...parts, here });
      try {
        return await startLoad(prepared, series);
      } catch (thrown) {
        prepared.release();
        throw thrown;
      }
    } finally {
      starting = false;
    }
  }

  async function startLoad(prepared: PreparedRun, series: RunHead['series']): Promise<RunSession> {
    const { generators, storable, values, feeds, files, largeFiles, monitors, visits, stored, offers } = prepared;
    if (closed) throw closing();
    const jobParts =
      generators.length === 1
        ? [undefined]
        : loadParts(
            storable,
            generators.map(({ cores }) => cores),
          );
    const now = new Date();
    const head = { ...headOfNew(storable, newRunId(now), now, version), ...(series === undefined ? {} : { series }) };
    const target = shownText(storable.targets[0]?.url ?? '');
    const key = store.create({ head, target, plan: storable, owner: self, nowMs: now.getTime() });
    const job = resolveJob(storable, { runId: head.id, version, values, feeds, files, largeFiles });
    const started = await begin(
      () =>
        Promise.all(
          generators.map(async (generator, index) => {
            const load = await generator.prepare({ ...job, part: jobParts[index] });
            return { name: generator.name, load: visits !== null && generator === here ? visitedLoad(load, visits) : load };
          }),
        ),
      (places) =>
        new RunSession(sessionParts, {
          key,
          head,
          plan: storable,
          job,
          generators: places,
          isLoadMadeHere: generators.includes(here),
          monitors,
          visits,
          stored,
          rows: new RowsOfRun(storable, feeds),
        }),
      key,
    );
    session = started;
    closeGenerators = () => {
      for (const generator of generators) generator.close();
    };
    void started.done.then(closeGenerators);
    // The next run of a series begins at once, so nothing may be read beside it.
    if (series === undefined) void started.done.then(() => prepareDistribution(head.id));
    const names = generators.map(({ name }) => name);
    for (const note of [...notesBefore(store, names, storable, now), ...offers.map((offer) => offerNote(offer, storable))])
      started.record(note);
    log.info('run started', { run: head.id });
    active.changed();
    return started;
  }

  async function prepareDistribution(runId: string): Promise<void> {
    try {
      await results.ask('own.prepareDistribution', { runId });
    } catch (thrown) {
      log.failure('the thread of results did not prepare how the times of a run are spread', thrown);
    }
  }

  /** Shows the final state of an ended run to a reader. */
  function showEnded(runId: string, sink: Sink<Live>): () => void {
    results.read('own.live', { runId }).then(
      (live) => {
        sink.item(live);
        sink.end();
      },
      (thrown: unknown) => sink.end(toProblem(thrown)),
    );
    return () => {};
  }

  return {
    calls: {
      'runs.start': async ({ plan, on }) => ({ runId: (await start(plan, { on })).id }),
      'runs.stop': ({ runId }) => {
        const record = store.find(runId);
        if (session?.id === runId) session.stop(STOPPED_BY_USER);
        else if (record.ended_at === null) throw loadElsewhere('RUN', 'run', record.owner_pid);
        return {};
      },
      'runs.list': async (search) => {
        recover();
        // Lists include values of the result.
        await outstanding.settled();
        return store.list(search);
      },
      'runs.trends': ({ runIds }) => listTrends(store, runIds),
      'runs.result': (asked) => results.ask('runs.result', asked),
      'runs.points': (asked) => results.ask('runs.points', asked),
      'runs.distribution': (asked) => results.ask('runs.distribution', asked),
      'runs.export': (asked) => results.ask('runs.export', asked),
      'runs.importK6': (asked) => importK6Run({ store, secrets, version, results }, asked),
      'runs.rename': ({ runId, name }) => {
        store.rename(runId, name);
        if (session?.id === runId) session.relabel({ name });
        active.changed();
        return {};
      },
      'runs.note': ({ runId, note }) => {
        store.annotate(runId, note);
        if (session?.id === runId) session.relabel({ note });
        return {};
      },
      'runs.remove': ({ runId }) => {
        store.remove(runId, Date.now());
        return {};
      },
      'runs.restore': ({ runId }) => {
        store.restore(runId);
        return {};
      },
      'runs.samples': ({ runId }) => store.samples(store.find(runId).key),
    },
    streams: {
      'runs.watch': ({ runId }, sink) => {
        if (session?.id === runId && !session.settled) return session.feed.subscribe(sink);
        recover();
        if (store.find(runId).ended_at === null) return followRun({ store, recover }, runId, sink);
        return showEnded(runId, sink);
      },
      'runs.active': (_nothing, sink) => active.subscribe(sink),
    },
    async startGroupRun(plan, { series, on, events }) {
      const started = await start(plan, { series, on: on ?? undefined });
      for (const event of events) started.record(event);
      return { runId: started.id, done: started.done, stop: (because) => started.stop(because) };
    },
    unstoredHead: () => session?.unstoredHead ?? null,
    recover,
    makeMissing: () => outstanding.add(store.withoutResult().map(({ id }) => id)),
    async close() {
      closed = true;
      active.close();
      if (!session) return;
      session.stop(CLOSED);
      await Promise.race([session.done, pause(MAX_CLOSE_MS, undefined, { ref: false })]);
      await Promise.race([session.abandon(), pause(MAX_CLOSE_MS, undefined, { ref: false })]);
      // A host must not continue for a process that does not return.
      closeGenerators();
    },
  };
}

function headOfNew(plan: Plan, id: string, now: Date, holdfastVersion: string): RunHead {
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
  return loadGoing('RUN', 'Another run is active. Two at once would disturb each other’s figures.', { runId: runId ?? null });
}
