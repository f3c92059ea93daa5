import { HoldfastError, toProblem } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { STORED_EVENT, formatStored } from '#core/result/readings.ts';
import { type GeneratorReading, type RunEvent, type RunHead, type Ending } from '#core/result/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import type { EngineEndFacts } from '#core/result/stageTimes.ts';
import type { EngineEnd, LoadJob } from '#engine/engine.ts';
import type { Log } from '#backend/log.ts';
import { nowMs } from '#backend/monitors/source.ts';
import type { RunMetrics } from '#backend/otlp/runMetrics.ts';
import { sinkEvent } from '#backend/otlp/sinkReport.ts';
import type { RunVisits } from '#backend/visits/runVisits.ts';
import type { RunMonitors } from '#backend/monitors/runMonitors.ts';
import { cleanSample, type Redaction } from '#backend/redaction.ts';
import type { GeneratorFacts } from '#backend/store/detailTable.ts';
import { type GeneratorWindow, worstReading } from '#backend/store/folding.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import { cleanCounts, cleanWindow, LiveFeed } from './liveFeed.ts';
import { type Generator, GeneratorGroup, type GroupSink, type Loss } from './generators/group.ts';
import { LiveView } from './liveView.ts';
import { MonitorLog, VisitLog } from './runLogs.ts';
import { EarlyResultReader, RunWriter, SampleSelection } from './runWriter.ts';
import { isSettled, nextPhase, PREPARING, type RunPhase, type RunSignal } from './runPhase.ts';
import { secretValues } from './readFiles.ts';
import type { RowsOfRun } from './usedRows.ts';
import type { TargetCounts } from './targetCounts.ts';

export interface SessionParts {
  readonly store: Store;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly results: Pick<ResultThread, 'ask'>;
  /** Called when the lists of active runs change. */
  readonly onChange: () => void;
}

export interface SessionStart {
  /** Key of the new run in the store. */
  readonly key: number;
  readonly head: RunHead;
  readonly plan: Plan;
  readonly job: LoadJob;
  readonly generators: readonly Generator[];
  /** Whether this computer is one of the load generators. */
  readonly isLoadMadeHere: boolean;
  /** Monitors of the run, which are closed at its end. */
  readonly monitors: RunMonitors;
  /** The visiting browser, which is closed at the end of the run; null if no pages are watched. */
  readonly visits: RunVisits | null;
  /** Counts at the target, read before the load; null if the plan names none. */
  readonly stored: TargetCounts | null;
  readonly rows: RowsOfRun;
  /** Sends the windows to a metrics receiver; null if there is none. */
  readonly metrics: RunMetrics | null;
}

const RETRY_MS = 5_000;

/**
 * A run of this process, from the start of the engine to the stored result. The result is computed from the store, so the load stops if the
 * store fails.
 */
export class RunSession {
  readonly id: string;
  readonly key: number;
  readonly feed: LiveFeed;
  /** Resolves when the run has ended and its result was stored or storing it has failed. Never rejects. */
  readonly done: Promise<void>;
  private readonly parts: SessionParts;
  private head: RunHead;
  private phase: RunPhase = PREPARING;
  private requests = 0;
  /** Throughput in the last second that all generators have reported; null before the first. */
  private completedPerSecond: number | null = null;
  private readonly jar = new SampleSelection();
  private readonly secrets: readonly string[];
  private readonly writer = new RunWriter((thrown) => this.fail('run cannot be stored', thrown));
  private readonly ahead: EarlyResultReader | null;
  private abandoned = false;
  private isEndStored = false;
  private readonly engine: GeneratorGroup;
  private readonly facts: GeneratorFacts[];
  private readonly monitors: RunMonitors;
  private readonly visits: RunVisits | null;
  private readonly storedCounts: TargetCounts | null;
  private readonly rows: RowsOfRun;
  private readonly metrics: RunMetrics | null;
  private readonly monitorLog: MonitorLog;

  constructor(parts: SessionParts, start: SessionStart) {
    this.parts = parts;
    this.id = start.head.id;
    this.key = start.key;
    this.head = start.head;
    this.secrets = [...Object.values(start.job.secrets), ...secretValues(start.plan, start.job.feeds)];
    this.feed = new LiveFeed(new LiveView(start.plan), () => ({ head: this.head, stage: this.phase.stage }));
    this.ahead = start.isLoadMadeHere ? null : new EarlyResultReader(this.id, parts.results);
    this.monitors = start.monitors;
    this.storedCounts = start.stored;
    this.rows = start.rows;
    this.metrics = start.metrics;
    this.monitorLog = new MonitorLog(parts.redaction, {
      show: (news) => this.feed.addMonitor(news),
      saveInfo: (info) => this.writeToStore(() => parts.store.saveMonitor(this.key, info)),
      savePoints: (info, points) => this.writeToStore(() => parts.store.appendMonitor(this.key, info, points)),
      report: (event) => this.record(event),
    });
    this.visits = start.visits;
    if (this.visits !== null) this.visits.attach(this.visitKeeper(this.visits));
    this.engine = new GeneratorGroup(start.generators, start.plan, this.createSink());
    this.monitors.attach(this.monitorLog);
    this.done = this.engine.done
      .then((end) => this.finish(end))
      .catch((thrown: unknown) => parts.log.failure('run could not be ended', thrown));
    this.facts = this.engine.runs.flatMap((run, number) => start.generators[number]?.load.facts(run) ?? []);
    for (const number of this.facts.keys()) this.storeFacts(number);
    this.feed.setGenerators(this.facts);
  }

  get isSettled(): boolean {
    return isSettled(this.phase);
  }

  /** The head of the run if its end could not be stored, else null. */
  get unstoredHead(): RunHead | null {
    return this.head.endedAt !== null && !this.isEndStored ? this.head : null;
  }

  /** Stores an event and shows it, without secrets. */
  record(event: RunEvent): void {
    const { sentence, value } = this.parts.redaction;
    const clean = { ...event, text: sentence(event.text), ...(event.data === undefined ? {} : { data: value(event.data) }) };
    this.writeToStore(() => this.parts.store.addEvent(this.key, clean));
    this.feed.addEvent(clean);
  }

  relabel(changes: Partial<Pick<RunHead, 'name' | 'note'>>): void {
    this.head = { ...this.head, ...changes };
    this.feed.scheduleUpdate();
  }

  stop(because: Ending): void {
    this.signal({ kind: 'stopRequested', because });
    this.engine.stop();
  }

  /** Ends the run as interrupted, with the data that is stored so far, because the process cannot wait. */
  async abandon(): Promise<void> {
    this.abandoned = true;
    this.storedCounts?.end();
    if (this.isSettled) return;
    this.signal({ kind: 'abandoned' });
    if (this.storeEnd(null)) await this.requestResult();
  }

  /** Receives the events of the load. An error while handling one ends this run, not the process. */
  private createSink(): GroupSink {
    const guardListener =
      <Given extends unknown[]>(take: (...given: Given) => void) =>
      (...given: Given): void => {
        try {
          take(...given);
        } catch (thrown) {
          this.fail('run cannot continue', thrown);
        }
      };
    return {
      onBegin: guardListener((atMs) => this.onLoadBegan(atMs)),
      onStage: guardListener((stage) => {
        this.visits?.stageBegan(stage);
        this.signal({ kind: 'stage', stage });
      }),
      onDraining: guardListener(() => {
        this.visits?.loadEnded();
        this.signal({ kind: 'draining' });
      }),
      onGeneratorWindow: guardListener((generatorWindow) =>
        this.keep({ ...generatorWindow, window: this.clean(generatorWindow.window), reading: this.cleanReading(generatorWindow.reading) }),
      ),
      onWindow: guardListener((window, readings) =>
        this.showSecond(
          this.clean(window),
          readings.map((reading) => this.cleanReading(reading)),
        ),
      ),
      onLost: guardListener((number, loss) => this.storeLoss(number, loss)),
      onEvent: guardListener((event) => this.record(event)),
      onSample: guardListener((sample) => this.keepSample(sample)),
      onItems: guardListener((count, items) => this.storedCounts?.expect(count, items)),
      onRows: guardListener((report) => {
        const hashes = this.rows.take(report);
        this.writeToStore(() => this.parts.store.usedRows.add(hashes));
      }),
    };
  }

  private onLoadBegan(atMs: number): void {
    this.monitors.runBegan(atMs);
    this.visits?.loadBegan(atMs);
  }

  private visitKeeper({ seenWith }: RunVisits): VisitLog {
    const { store, redaction } = this.parts;
    return new VisitLog(redaction, {
      browser: seenWith.name,
      from: seenWith.from,
      show: (visit) => this.feed.addVisit(visit),
      saveFacts: (facts) => this.writeToStore(() => store.setVisitFacts(this.key, facts)),
      saveVisit: (visit) => this.writeToStore(() => store.addVisit(this.key, visit)),
      saveFilm: (number, frames) => this.writeToStore(() => store.setVisitFilm(this.key, number, frames)),
      report: (event) => this.record(event),
    });
  }

  private storeFacts(number: number): void {
    const facts = this.facts[number];
    if (facts !== undefined) this.writeToStore(() => this.parts.store.setGenerator(this.key, number, facts));
  }

  private storeLoss(number: number, { second, text }: Loss): void {
    const facts = this.facts[number];
    if (facts === undefined) return;
    this.facts[number] = { ...facts, lost: { second, text: this.parts.redaction.sentence(text) } };
    this.storeFacts(number);
    this.feed.setGenerators(this.facts);
  }

  private keepSample(sample: Sample): void {
    const clean = cleanSample(sample, this.secrets, this.parts.redaction);
    if (this.jar.admit(clean)) this.writeToStore(() => this.parts.store.addSample(this.key, clean));
  }

  /** Redacts names and errors in windows once a second, because servers may repeat secrets in them. */
  private clean(window: Window): Window {
    return cleanWindow(window, this.parts.redaction.text);
  }

  /** Redacts watched names. They may contain a secret, because the job holds secrets in clear text. */
  private cleanReading(reading: GeneratorReading): GeneratorReading {
    return { ...reading, watched: cleanCounts(reading.watched, this.parts.redaction.text) };
  }

  private keep(generatorWindow: GeneratorWindow): void {
    if (this.isSettled) return;
    this.signal({ kind: 'window' });
    // If the start of the load was not reported, it is estimated from the seconds that were reported.
    this.onLoadBegan(nowMs() - (generatorWindow.window.second + generatorWindow.window.width) * 1_000);
    for (const cell of generatorWindow.window.cells) this.requests += cell.started;
    this.feed.addGeneratorWindow(generatorWindow);
    this.metrics?.add(generatorWindow);
    const { requests, completedPerSecond } = this;
    this.writeToStore(() => this.parts.store.append(this.key, generatorWindow, { requests, completedPerSecond, nowMs: Date.now() }));
  }

  private showSecond(window: Window, readings: readonly GeneratorReading[]): void {
    if (this.isSettled) return;
    this.visits?.secondPassed(window.second, window.width, window.overloadedBy.length > 0);
    this.ahead?.onSecondPassed(window.second);
    const [first, ...others] = readings;
    const { completed, width } = this.feed.add(window, first === undefined ? null : worstReading(first, others));
    this.completedPerSecond = width > 0 ? completed / width : null;
    this.parts.onChange();
  }

  private signal(signal: RunSignal): void {
    const before = this.phase;
    this.phase = nextPhase(before, signal);
    if (this.phase === before) return;
    this.head = { ...this.head, state: this.phase.state, endedBecause: this.phase.because };
    if (!this.isSettled && this.phase.state !== before.state)
      this.writeToStore(() => this.parts.store.setState(this.key, this.phase.state, Date.now()));
    this.feed.scheduleUpdate();
    this.parts.onChange();
  }

  /** Writes to the store. The first failure stops the load, because the data of a run that cannot be stored would be lost. */
  private writeToStore(work: () => void): void {
    this.writer.write(work);
  }

  private fail(fault: string, thrown: unknown): void {
    this.parts.log.failure(fault, thrown);
    const { message, hint } = toProblem(thrown);
    this.signal({ kind: 'stopRequested', because: { code: 'failure', text: `${message} ${hint}` } });
    this.engine.stop();
  }

  private async finish(end: EngineEnd): Promise<void> {
    this.signal({ kind: 'ended', reason: end.reason, problem: end.problem });
    if (end.problem) this.parts.log.failure('run ended early', new HoldfastError(end.problem));
    await Promise.all([this.monitors.readRest(), this.recordCounts(end.endedAtSecond), this.endMetrics(end.endedAtSecond)]);
    for (const refusal of this.rows.refusalEvents(end.endedAtSecond)) this.record(refusal);
    if (this.phase.state === 'finished') await this.visits?.visitAfterLoad();
    if (this.storeEnd(end) || (this.parts.store.makeRoom() && this.storeEnd(end))) return this.requestResult();
    this.endUnstored();
    void this.endAfterCounts(end);
  }

  /**
   * Ends the run for its readers even though its end cannot be stored. The result is computed at the next start of Holdfast at the latest.
   */
  private endUnstored(): void {
    this.monitors.end();
    void this.visits?.end();
    this.head = { ...this.head, ...this.ending() };
    this.feed.end();
    this.parts.onChange();
  }

  private async endAfterCounts(end: EngineEnd): Promise<void> {
    do await new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS).unref());
    while (!this.storeEnd(end) && !this.abandoned);
    if (this.isEndStored) await this.requestResult();
  }

  /** Returns state, reason without secrets, and time of the end. */
  private ending(): Pick<RunHead, 'state' | 'endedAt' | 'endedBecause'> {
    const { state, because } = this.phase;
    const endedBecause = because && { ...because, text: this.parts.redaction.sentence(because.text) };
    return { state, endedAt: new Date().toISOString(), endedBecause };
  }

  /** Sends the last metrics, and records whether they arrived. */
  private async endMetrics(endedAtSecond: number | null): Promise<void> {
    if (this.metrics !== null) this.record(sinkEvent(await this.metrics.end(), endedAtSecond ?? 0));
  }

  /** Records the target's counts once they are stable. */
  private async recordCounts(endedAtSecond: number | null): Promise<void> {
    const counted = (await this.storedCounts?.waitForCounts(this.feed.slowestMs)) ?? [];
    for (const { problem, ...reading } of counted) {
      const text = formatStored(reading, null) ?? `“${reading.name}” could not be counted after the load: ${problem ?? ''}`;
      this.record({ second: endedAtSecond ?? 0, kind: STORED_EVENT, text, data: reading });
    }
  }

  /** Stores the end. Returns false if that failed; the end is then stored later. */
  private storeEnd(end: EngineEnd | null): boolean {
    if (this.isEndStored) return true;
    this.monitors.end();
    void this.visits?.end();
    this.monitorLog.flush();
    const { store, log, redaction } = this.parts;
    const ended = { ...this.head, ...(this.head.endedAt === null ? this.ending() : {}) };
    const { state, endedAt, endedBecause } = ended;
    // The end that the engine reports describes all windows. If some windows were lost, the run counts as interrupted.
    const facts = end === null || this.writer.hasLost ? null : engineEndFacts(end, redaction);
    try {
      this.writer.flush();
      store.end(this.key, { state, endedAt: endedAt ?? new Date().toISOString(), because: endedBecause }, facts);
    } catch (thrown) {
      log.failure('the end of the run could not be stored; it is tried again', thrown);
      return false;
    }
    this.isEndStored = true;
    this.head = ended;
    log.info('run ended', { run: this.id, state });
    return true;
  }

  /** Requests the result, and then notifies readers of the end of the run. */
  private async requestResult(): Promise<void> {
    const { results, log } = this.parts;
    try {
      await results.ask('own.storeResult', { runId: this.id });
    } catch (thrown) {
      log.failure('the result could not be stored; it is computed again when it is asked for', thrown);
    }
    this.feed.end();
    this.parts.onChange();
  }
}

function engineEndFacts(end: EngineEnd, redaction: Redaction): EngineEndFacts {
  const { firstBodyLengths, serverSoftware, addresses, silentAddresses, leftOut, stages, endedAtSecond } = end;
  return {
    firstBodyLengths: [...firstBodyLengths],
    // A server may repeat received secrets in its headers.
    serverSoftware: serverSoftware === null ? null : redaction.text(serverSoftware),
    addresses: cleanCounts(addresses, redaction.text),
    silentAddresses: cleanCounts(silentAddresses, redaction.text),
    leftOut: cleanCounts(leftOut, redaction.text),
    stages: [...stages],
    endedAtSecond,
  };
}
