import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Live } from '#contract/replies.ts';
import type { CallHandlers, Sink, StreamHandlers } from '#contract/rpc/server.ts';
import { HoldfastError, problemOf } from '#core/base/errors.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import { storedCommands, type StoredCount } from '#core/plan/schema/populate.ts';
import { revealed, shownText } from '#core/plan/hiddenText.ts';
import { hideSecrets, type Storable } from '#core/plan/hideSecrets.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import type { RunEvent, RunHead, Ending } from '#core/result/schema.ts';
import type { TlsOffer } from '#core/result/tlsOffer.ts';
import type { SelfTestSummary } from '#core/measurement/selfTest/report.ts';
import type { LoadJob } from '#engine/engine.ts';
import { loadParts } from '#engine/loadParts.ts';
import type { Log } from '#backend/log.ts';
import { ownIdentity } from '#engine/processIdentity.ts';
import type { Redaction } from '#backend/redaction.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import { openRunVisits, type VisitsParts } from '#backend/visits/openRunVisits.ts';
import type { RunVisits } from '#backend/visits/runVisits.ts';
import { connectFrom, type MonitorParts, RunMonitors } from '#backend/monitors/runMonitors.ts';
import { closing } from '../closing.ts';
import { mayRunCommands } from '../mayRunCommands.ts';
import type { Secrets } from '../secrets.ts';
import { requireUsable } from '../targets/certificates.ts';
import { askTlsOffers } from '../targets/tlsOffer.ts';
import { type LoadLock, loadElsewhere, loadGoing } from '../loadLock.ts';
import { createActiveRuns, trendsOf } from './activeRuns.ts';
import { followRun } from './followRun.ts';
import { importK6Run } from './importK6Run.ts';
import type { Generator } from './generators/group.ts';
import { generatorHosts, openGenerators } from './generators/openGenerators.ts';
import { type LoadGenerator, thisComputer } from './loadGenerator.ts';
import { k6MayStart, mayStart, notesBefore, offerNote } from './mayStart.ts';
import { newRunId, OwedResults, recoverRuns } from './recovery.ts';
import { resolveClientCertificate, resolveJob, secretVariables } from './resolveJob.ts';
import { readUploads } from './readUploads.ts';
import { readFeeds } from './readFeeds.ts';
import { RunSession } from './runSession.ts';
import { TargetCounts } from './targetCounts/targetCounts.ts';
import { CLOSED, STOPPED_BY_USER } from './runPhase.ts';
import { visitedLoad } from './visitedLoad.ts';

export interface RunServiceParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly secrets: Secrets;
  readonly results: ResultThread;
  readonly workerEntry: URL;
  /** Enters a host, so that a load can be run from there. */
  readonly openHost: (name: string) => Promise<LoadGenerator>;
  /** Enters a host, to look at how it is. */
  readonly enterHost: MonitorParts['enterHost'];
  readonly version: string;
  /** The last self-test of this machine, to be stored with each run. */
  readonly selfTest: () => SelfTestSummary | null;
  readonly lock: LoadLock;
  /** Whether plans may run commands on this computer once somebody has agreed to each. */
  readonly runsCommands?: boolean;
  /** How often each watched page is seen before a load, and again after it. */
  readonly visitsWithoutLoad?: number | undefined;
}

interface StartOptions {
  readonly series?: RunHead['series'];
  /** Names of the hosts to run it from, `here` for this computer; left out, this computer. */
  readonly on?: readonly string[] | undefined;
}

/** A run that may start, with everything that it takes. */
interface Prepared {
  readonly storable: Storable<Plan>;
  readonly values: ReadonlyMap<string, string>;
  readonly feeds: LoadJob['feeds'];
  readonly files: LoadJob['files'];
  readonly series: RunHead['series'];
  readonly monitors: RunMonitors;
  readonly visits: RunVisits | null;
  readonly stored: TargetCounts | null;
  /** What its https targets offer browsers, where this computer is one of the generators. */
  readonly offers: readonly TlsOffer[];
}

type RunCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `runs.${string}`>>;

/** What a cell of a series is beside its plan. */
export interface GroupRunStart {
  readonly series: NonNullable<RunHead['series']>;
  /** Names of the places where its load is made; null: this computer. */
  readonly on: readonly string[] | null;
  /** What happened before its load. */
  readonly events: readonly RunEvent[];
}

/** A run that a series has started. */
export interface StartedGroupRun {
  readonly runId: string;
  /** Resolves when the run has ended and its result is stored (or could not be). Never rejects. */
  readonly done: Promise<void>;
  stop(because: Ending): void;
}

export interface RunService {
  readonly calls: RunCalls;
  readonly streams: Pick<StreamHandlers, 'runs.watch' | 'runs.active'>;
  /** Starts a run as a cell of a series. Throws what `runs.start` does. */
  startGroupRun(plan: Plan, cell: GroupRunStart): Promise<StartedGroupRun>;
  /** How a run of this process has ended whose end the store could not be told of. */
  unstoredHead(): RunHead | null;
  /** Marks runs whose owner is gone, and has their results made. Never throws. */
  recover(): void;
  /** Has the results made of runs whose owner was killed after it had ended them, and before their result was stored. */
  makeMissing(): void;
  /** Stops what is going, waits a while for the answers that are owed, and leaves the store in order. */
  close(): Promise<void>;
}

/** How long the end of the process waits for a run to drain. */
const CLOSE_WAITS_MS = 10_000;

export function createRunService(parts: RunServiceParts): RunService {
  const { store, log, redaction, secrets, version, results, lock } = parts;
  const here = thisComputer(parts.workerEntry, parts.selfTest);
  const self = ownIdentity();
  const owed = new OwedResults((runId) => results.ask('own.storeResult', { runId }), log);
  /** Whoever asks for a list gets it, also when a full disk keeps a dead run from being marked. */
  const recover = (): void => {
    try {
      owed.add(recoverRuns(store, self, log));
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

  /** A run that is in the store must not stay there as going when it never began. */
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
      const text = redaction.text(problemOf(thrown).message);
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
      const storable = hideSecrets(plan, secrets.keep);
      const values = await secrets.resolve(secretReferences(storable));
      const clientCertificate = resolveClientCertificate(storable.tls, values);
      if (clientCertificate !== null) requireUsable(clientCertificate, Date.now());
      const shown = revealed(storable, values);
      const { monitors: watched = [], stored: counted = [] } = shown;
      const feeds = await readFeeds(storable);
      const files = await readUploads(storable);
      const secret = (value: TextOrSecret): string => (typeof value === 'string' ? value : (values.get(value.secret) ?? ''));
      const monitors = await RunMonitors.open(
        { monitors: watched, generators: generatorHosts(on), mustWork: series === undefined },
        { enterHost: parts.enterHost, secret },
      );
      let visits: RunVisits | null = null;
      try {
        const stored = await openStored(counted, secret);
        const offers = generatorHosts(on).includes(null) ? await askTlsOffers(storable, clientCertificate) : [];
        const generators = await openGenerators(on, here, parts.openHost);
        visits = await openVisits(shown, generators, {
          mustWork: series === undefined,
          entered: { id: randomUUID(), feeds, secrets: secretVariables(storable, values) },
        });
        const prepared = { storable, values, feeds, files, series, monitors, visits, stored, offers };
        return await startAt(generators, prepared);
      } catch (thrown) {
        monitors.end();
        void visits?.end();
        throw thrown;
      }
    } finally {
      starting = false;
    }
  }

  async function openVisits(
    plan: Plan,
    generators: readonly LoadGenerator[],
    ways: Pick<VisitsParts, 'mustWork' | 'entered'>,
  ): Promise<RunVisits | null> {
    try {
      const names = generators.map(({ name }) => name);
      return await openRunVisits(plan, {
        generators: names,
        enterHost: parts.enterHost,
        version,
        withoutLoad: parts.visitsWithoutLoad,
        ...ways,
      });
    } catch (thrown) {
      for (const generator of generators) generator.close();
      throw thrown;
    }
  }

  async function openStored(counts: readonly StoredCount[], secret: (value: TextOrSecret) => string): Promise<TargetCounts | null> {
    if (counts.length === 0) return null;
    return TargetCounts.open(counts, {
      way: { secret, connect: (address) => connectFrom(null, address) },
      clean: (text) => redaction.text(text),
    });
  }

  async function startAt(generators: readonly LoadGenerator[], prepared: Prepared): Promise<RunSession> {
    try {
      return await startLoad(generators, prepared);
    } catch (thrown) {
      for (const generator of generators) generator.close();
      throw thrown;
    }
  }

  async function startLoad(
    generators: readonly LoadGenerator[],
    { storable, values, feeds, files, series, monitors, visits, stored, offers }: Prepared,
  ): Promise<RunSession> {
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
    const job = resolveJob(storable, { runId: head.id, version, values, feeds, files });
    const started = await begin(
      () =>
        Promise.all(
          generators.map(async (generator, index) => {
            const load = await generator.prepare({ ...job, part: jobParts[index] });
            return { name: generator.name, load: visits !== null && generator === here ? visitedLoad(load, visits) : load };
          }),
        ),
      (generators) => new RunSession(sessionParts, { key, head, plan: storable, job, generators, monitors, visits, stored }),
      key,
    );
    session = started;
    closeGenerators = () => {
      for (const generator of generators) generator.close();
    };
    void started.done.then(closeGenerators);
    // The next run of a series begins at once: nothing may be read beside it.
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

  /** The last picture of a run that has ended, for one who watches it. */
  function showEnded(runId: string, sink: Sink<Live>): () => void {
    results.read('own.live', { runId }).then(
      (live) => {
        sink.item(live);
        sink.end();
      },
      (thrown: unknown) => sink.end(problemOf(thrown)),
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
        // What is listed of a run is part of its result.
        await owed.settled();
        return store.list(search);
      },
      'runs.trends': ({ runIds }) => trendsOf(store, runIds),
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
    makeMissing: () => owed.add(store.withoutResult().map(({ id }) => id)),
    async close() {
      closed = true;
      active.close();
      if (!session) return;
      session.stop(CLOSED);
      await Promise.race([session.done, pause(CLOSE_WAITS_MS, undefined, { ref: false })]);
      await Promise.race([session.abandon(), pause(CLOSE_WAITS_MS, undefined, { ref: false })]);
      // A host must not go on for somebody who does not come back.
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
