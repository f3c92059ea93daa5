import { addNames } from '#core/base/foreignNames.ts';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import type { Engine } from '#core/review/engines/engineFor.ts';
import { share, threadAmongAll } from '#core/work/load/part.ts';
import { listBeginnings, listLegs } from '#core/work/load/stages.ts';
import { STANDSTILL_US, type Window } from '#core/measurement/window.ts';
import { decodeWindow } from '#core/measurement/windowCodec.ts';
import { type FromWorker, type ThreadHealth, type WorkerData, packFeed } from '#workers/messages.ts';
import { Aggregator } from './aggregator.ts';
import { type EngineEnd, type EngineOptions, type EngineSink, type LoadJob, hrtimeUs } from './engine.ts';
import { NoResponseGuard, SafetyGuard, formatClockStep, requestLimitReached, threadSilent, timeLimitReached } from './guards.ts';
import { journeysNotStarted, LoadTally, type LoadEnding, stageSpans } from './loadTally.ts';
import { SelfWatch } from './selfWatch.ts';
import { threadCount } from './loadParts.ts';
import { WorkerHandle } from './workerHandle.ts';

/** Time between a start message and the instant of the start: every thread must have received the message before that instant. */
const START_LEAD_US = 50_000;
const TICK_MS = 250;
const MAX_SILENCE_US = 30_000_000;
/** Maximum time for a thread to load its code and its feeds. It sends nothing meanwhile. */
const MAX_PREPARATION_US = 120_000_000;
/** Time to process the threads' messages after a standstill of this process, before a thread counts as silent. */
const STANDSTILL_GRACE_US = 3_000_000;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Controls the worker threads through the stages of one run. */
export class Conductor {
  readonly threads: number;
  private readonly job: LoadJob;
  private readonly sink: EngineSink;
  private readonly tally = new LoadTally();
  private readonly aggregator: Aggregator<ThreadHealth>;
  private readonly watch: SelfWatch;
  private readonly safetyGuard: SafetyGuard;
  private readonly noResponseGuard = new NoResponseGuard();
  private readonly workers: WorkerHandle[];
  private readonly lastMessageUs: number[];
  private readonly firstBodyLengths: Int32Array;
  private readonly journeysInFlight = createSharedNumbers(1, 0);
  private readonly rowsTaken = createSharedNumbers(1, 0);
  private readonly legs: readonly (readonly number[])[];
  private readonly stages: EngineEnd['stages'][number][] = [];
  /** Stages of the running leg that have not begun, with the instants of their starts. */
  private upcoming: { readonly stage: number; readonly atSecond: number }[] = [];
  private addresses: Record<string, number> = {};
  private silentAddresses: Record<string, number> = {};
  private leftOut: Record<string, number> = {};
  private originUs: number | null = null;
  private endedUs = 0;
  private server: { readonly software: string | null; readonly atUs: number } | null = null;
  private isLastLeg = false;
  private finishing = false;
  private tickedUs = hrtimeUs();
  private silenceAllowedUntilUs = 0;
  private awaitedStart: { readonly leg: number; readonly resolve: (startUs: number | null) => void } | null = null;
  private timeLimit: NodeJS.Timeout | null = null;
  /** The newest window. At the end of the run it is held back, because the last window reports the journeys that were not started. */
  private held: { readonly window: Window; readonly healths: readonly ThreadHealth[] } | null = null;

  constructor(engine: Engine, job: LoadJob, options: EngineOptions, sink: EngineSink) {
    this.job = job;
    this.sink = sink;
    this.threads = job.part?.threads ?? threadCount(job.plan);
    this.legs = listLegs(job.plan);
    this.watch = new SelfWatch(job.plan);
    this.safetyGuard = new SafetyGuard(job.plan.safety);
    this.aggregator = new Aggregator(this.threads, (window, healths) => this.takeSecond(window, healths));
    this.firstBodyLengths = createSharedNumbers(listRecordedRequests(job.plan).length, -1);
    const budget = this.maxRequests === null ? null : createSharedNumbers(1, this.maxRequests);
    this.lastMessageUs = Array.from({ length: this.threads }, hrtimeUs);
    const feeds = Object.fromEntries(Object.entries(job.feeds).map(([name, feed]) => [name, packFeed(feed)]));
    this.workers = this.lastMessageUs.map((_, thread) => this.startWorker(engine, options.workerEntry, { thread, budget, feeds }));
  }

  async run(): Promise<EngineEnd> {
    const ticker = setInterval(() => this.tick(), TICK_MS);
    try {
      for (const leg of this.legs.keys()) if (this.tally.ending === null) await this.runLeg(leg);
    } catch (error) {
      this.endWith({ reason: 'failed', problem: toProblem(error) }, 'abort');
    }
    this.finishing = true;
    // Threads that waited for other load generators were silent although they did not hang.
    if (this.originUs === null) this.lastMessageUs.fill(hrtimeUs());
    if (this.timeLimit !== null) clearTimeout(this.timeLimit);
    await Promise.all(this.workers.map((worker, thread) => this.finishWorker(worker, thread)));
    clearInterval(ticker);
    // A reading is emitted only together with a window.
    if (this.tally.ending === null && (await this.watch.waitUntilConstant()))
      this.held ??= { window: this.tally.emptyNextWindow(), healths: [] };
    this.watch.stop();
    return this.close();
  }

  stop(): void {
    this.endWith({ reason: 'stopped', problem: null }, 'drain');
  }

  private startWorker(
    engine: Engine,
    entry: URL,
    { thread, budget, feeds }: Pick<WorkerData, 'thread' | 'budget' | 'feeds'>,
  ): WorkerHandle {
    const { runId, plan, targets, namedTargets, steps, secrets, files, sampling, userAgent, clientCertificate } = this.job;
    const data: WorkerData = {
      runId,
      plan,
      targets: targets.map(({ url, headers }) => ({ url, headers: { ...headers } })),
      ...(namedTargets === undefined ? {} : { namedTargets: structuredClone(namedTargets) as WorkerData['namedTargets'] }),
      steps: steps.map(({ headers, body }) => ({ headers: { ...headers }, body })),
      secrets: { ...secrets },
      feeds,
      files: { ...files },
      ...(this.job.largeFiles === undefined ? {} : { largeFiles: this.job.largeFiles }),
      sampling,
      userAgent,
      clientCertificate,
      ...threadAmongAll(this.job.part, thread, this.threads),
      generator: { index: this.job.part?.generator ?? 0, count: this.job.part?.generators ?? 1 },
      firstBodyLengths: this.firstBodyLengths,
      budget,
      journeysInFlight: this.journeysInFlight,
      rowsTaken: this.rowsTaken,
    };
    return new WorkerHandle(entry, data, engine.youngObjectsMb, {
      onMessage: (message) => this.take(thread, message),
      onLost: (problem) => this.handleLostThread(thread, problem),
    });
  }

  private async runLeg(leg: number): Promise<void> {
    this.isLastLeg = leg === this.legs.length - 1;
    const ready = this.workers.map((worker) => worker.next('ready'));
    for (const worker of this.workers) worker.send({ type: 'prepare', leg });
    await Promise.all(ready);
    if (this.tally.ending !== null) return;
    const startUs = await this.startOf(leg);
    if (startUs === null) return;
    if (this.originUs === null) this.begin(startUs);
    const originUs = this.originUs ?? startUs;
    const ended = this.workers.map((worker) => worker.next('legEnded'));
    for (const worker of this.workers) worker.send({ type: 'start', startUs, originUs });
    const startSecond = (startUs - originUs) / 1_000_000;
    const [first, ...later] = listBeginnings(this.job.plan, this.legs[leg] ?? []).map(({ stage, atSecond }) => ({
      stage,
      atSecond: startSecond + atSecond,
    }));
    this.upcoming = later;
    if (first) this.sink.onStage(first.stage, first.atSecond);
    const ends = (await Promise.all(ended)).filter((end) => end !== null);
    this.addresses = addNames([this.addresses, ...ends.map((end) => end.addresses)]);
    this.silentAddresses = addNames([this.silentAddresses, ...ends.map((end) => end.silentAddresses)]);
    this.leftOut = addNames([this.leftOut, ...ends.map((end) => end.leftOut)]);
    const loadEndedUs = Math.max(startUs, ...ends.map((end) => end.loadEndedUs));
    this.endedUs = Math.max(this.endedUs, startUs, ...ends.map((end) => end.endedUs));
    this.recordSpans(leg, startSecond, (loadEndedUs - originUs) / 1_000_000);
    this.upcoming = [];
  }

  /** Returns the start instant of a leg in µs, agreed upon with other load generators if there are any; null if the run has ended. */
  private async startOf(leg: number): Promise<number | null> {
    if (this.job.part === undefined) return hrtimeUs() + START_LEAD_US;
    const { promise, resolve } = Promise.withResolvers<number | null>();
    this.awaitedStart = { leg, resolve };
    this.sink.onReady?.(leg);
    const startUs = await promise;
    return this.tally.ending === null ? startUs : null;
  }

  startAt(leg: number, atMs: number): void {
    if (this.awaitedStart?.leg === leg) this.awaitedStart.resolve(atMs * 1_000);
  }

  /** Maximum number of requests of this load generator; null if there is no limit. */
  private get maxRequests(): number | null {
    const { plan, part } = this.job;
    const { maxRequests } = plan.safety;
    if (maxRequests === undefined) return null;
    return part === undefined ? maxRequests : share(maxRequests, part.generator, part.generators);
  }

  private recordSpans(leg: number, startSecond: number, loadEndedSecond: number): void {
    const beginnings = listBeginnings(this.job.plan, this.legs[leg] ?? []);
    const times = beginnings.map(({ countsFromSecond }, position) => {
      const next = beginnings[position + 1];
      return { fromSecond: startSecond + countsFromSecond, toSecond: next === undefined ? null : startSecond + next.atSecond };
    });
    this.stages.push(...stageSpans(times, loadEndedSecond));
  }

  private announceStages(): void {
    const nowSecond = this.secondNow();
    const begun = this.upcoming.filter(({ atSecond }) => atSecond <= nowSecond);
    this.upcoming = this.upcoming.slice(begun.length);
    for (const { stage, atSecond } of begun) this.sink.onStage(stage, atSecond);
  }

  private begin(startUs: number): void {
    this.originUs = startUs;
    this.sink.onBegin?.(startUs / 1_000);
    this.watch.start();
    const { maxSeconds } = this.job.plan.safety;
    if (maxSeconds === undefined) return;
    const delayMs = Math.min(MAX_TIMER_MS, START_LEAD_US / 1_000 + maxSeconds * 1_000);
    this.timeLimit = setTimeout(() => this.endWith({ reason: 'safety', problem: timeLimitReached(maxSeconds) }, 'abort'), delayMs);
  }

  private take(thread: number, message: FromWorker): void {
    this.lastMessageUs[thread] = hrtimeUs();
    switch (message.type) {
      case 'window':
        this.aggregator.add(thread, decodeWindow(message.bytes), message.health);
        return;
      case 'server':
        if (this.server === null || message.atUs < this.server.atUs) this.server = { software: message.software, atUs: message.atUs };
        return;
      case 'sample':
        this.sink.onSample?.(message.sample);
        return;
      case 'items':
        this.sink.onItems?.(message.count, message.items);
        return;
      case 'rows':
        this.sink.onRows?.({ taken: message.taken, refused: message.refused });
        return;
      case 'budgetSpent':
        this.endWith(
          { reason: 'safety', problem: requestLimitReached(this.job.plan.safety.maxRequests ?? 0, this.maxRequests ?? 0) },
          'drain',
        );
        return;
      case 'draining':
        if (this.tally.ending !== null || this.isLastLeg) this.reportDraining();
        return;
      case 'ready':
      case 'legEnded':
      case 'finished':
      case 'failed':
        return;
    }
  }

  private handleLostThread(thread: number, problem: Problem): void {
    this.aggregator.close(thread);
    this.endWith({ reason: 'failed', problem }, 'drain');
  }

  /** Ends the run. Only the first reason to end counts; a later failure is only reported as an event. */
  private endWith(ending: LoadEnding, way: 'drain' | 'abort'): void {
    if (!this.tally.end(ending) && way === 'drain') return;
    if (ending.problem !== null) {
      this.sink.onEvent({ second: this.secondNow(), kind: ending.reason, text: ending.problem.message });
    }
    if (this.originUs !== null) this.reportDraining();
    this.awaitedStart?.resolve(null);
    for (const worker of this.workers) worker.send({ type: way });
  }

  private reportDraining(): void {
    if (this.tally.drain()) this.sink.onDraining(this.secondNow());
  }

  private tick(): void {
    const nowUs = hrtimeUs();
    this.watch.look();
    const stepMs = this.watch.takeStepMs();
    if (stepMs !== 0 && this.originUs !== null)
      this.sink.onEvent({ second: this.secondNow(), kind: 'clockStep', text: formatClockStep(stepMs) });
    if (nowUs - this.tickedUs >= STANDSTILL_US) {
      this.silenceAllowedUntilUs = nowUs + STANDSTILL_GRACE_US;
      this.lastMessageUs.fill(nowUs);
    }
    this.tickedUs = nowUs;
    if (this.originUs !== null && nowUs >= this.silenceAllowedUntilUs) this.aggregator.advance(Math.floor(this.secondNow()));
    this.announceStages();
    const limitUs = this.maxSilenceUs;
    for (const [thread, worker] of this.workers.entries()) {
      const isSilent = nowUs - (this.lastMessageUs[thread] ?? nowUs) > limitUs;
      if (isSilent && !worker.lost) void worker.terminate(threadSilent(limitUs / 1_000_000));
    }
  }

  /** Maximum silence of a thread. It is unlimited while all threads wait for an agreed start instant. */
  private get maxSilenceUs(): number {
    if (this.originUs !== null) return MAX_SILENCE_US;
    return this.awaitedStart === null || this.finishing ? MAX_PREPARATION_US : Infinity;
  }

  private async finishWorker(worker: WorkerHandle, thread: number): Promise<void> {
    const finished = worker.next('finished');
    worker.send({ type: 'finish' });
    await finished;
    this.aggregator.close(thread);
  }

  private takeSecond(window: Window, healths: readonly ThreadHealth[]): void {
    this.tally.add(window);
    // One of several load generators does not know the error share of the whole load.
    const problem = this.noResponseGuard.add(window) ?? (this.job.part === undefined ? this.safetyGuard.add(window) : null);
    if (problem !== null && this.tally.ending === null) this.endWith({ reason: 'safety', problem }, 'drain');
    this.releaseHeld();
    this.held = { window, healths };
    if (this.tally.ending === null && !this.finishing) this.releaseHeld();
  }

  private releaseHeld(): void {
    if (this.held === null) return;
    const { window, healths } = this.held;
    const reading = this.watch.read(window, healths);
    window.overloadedBy = reading.overloadedBy;
    this.sink.onWindow(window, reading);
    this.held = null;
  }

  private close(): EngineEnd {
    const ending = this.tally.ending ?? { reason: 'completed', problem: null };
    // One of several load generators does not know how many journeys the others have started.
    const isWhole = this.job.part === undefined;
    const notStarted = isWhole ? journeysNotStarted(this.job.plan, this.tally.journeysSettled, ending.reason === 'completed') : 0;
    if (notStarted > 0) {
      this.held ??= { window: this.tally.emptyNextWindow(), healths: [] };
      this.held.window.journeys.notStartedStopped += notStarted;
    }
    this.releaseHeld();
    return {
      ...ending,
      endedAtSecond: this.originUs === null ? 0 : Math.max(0, (this.endedUs - this.originUs) / 1_000_000),
      firstBodyLengths: Array.from(this.firstBodyLengths, (length) => (length < 0 ? null : length)),
      serverSoftware: this.server?.software ?? null,
      addresses: this.addresses,
      silentAddresses: this.silentAddresses,
      leftOut: this.leftOut,
      stages: this.stages,
    };
  }

  private secondNow(): number {
    return this.originUs === null ? 0 : Math.max(0, (hrtimeUs() - this.originUs) / 1_000_000);
  }
}

function createSharedNumbers(length: number, value: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT)).fill(value);
}
