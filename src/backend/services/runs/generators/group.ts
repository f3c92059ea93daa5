import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import type { RowsReport, SentItem } from '#contract/agent/frames.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { GeneratorReading, RunEvent } from '#core/result/schema.ts';
import type { Sample } from '#core/work/samples/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { emptyWindow, mergeWindow } from '#core/measurement/windowFold.ts';
import { Aggregator } from '#engine/aggregator.ts';
import type { EngineEnd, EngineRun, EngineSink } from '#engine/engine.ts';
import { SafetyGuard } from '#engine/guards.ts';
import { journeysNotStarted, LoadTally, type LoadEnding } from '#engine/loadTally.ts';
import { unknownReading } from '#core/result/readings.ts';
import type { GeneratorWindow } from '#backend/store/folding.ts';
import type { Problem } from '#core/base/errors.ts';
import type { PreparedLoad } from '../loadGenerator.ts';
import { mergeEnds } from './openGenerators.ts';

/** A generator that has received its load. */
export interface Generator {
  readonly name: string;
  readonly load: PreparedLoad;
}

/** When and why a generator was lost. */
export interface Loss {
  readonly second: number;
  readonly text: string;
}

export interface GroupSink {
  /** Called when the load of a generator began, as in {@link EngineSink}. */
  onBegin(atMs: number): void;
  onStage(stage: number): void;
  onDraining(): void;
  onEvent(event: RunEvent): void;
  onSample(sample: Sample): void;
  onItems(count: number, items: readonly SentItem[]): void;
  onRows(report: RowsReport): void;
  /** Receives each second of one generator when it arrives, to store it. */
  onGeneratorWindow(generatorWindow: GeneratorWindow): void;
  /** Receives each second of all generators together, to show it. A late window becomes part of a later second. */
  onWindow(window: Window, readings: readonly GeneratorReading[]): void;
  onLost(generator: number, loss: Loss): void;
}

interface RunningGenerator extends Generator {
  readonly number: number;
  readyLeg: number;
  isDraining: boolean;
  readonly tally: LoadTally;
  aheadMs: number | null;
  end: EngineEnd | null;
}

const TICK_MS = 250;
/** Time by which the start lies ahead, in addition to the message delay, so that the start is in the future for all generators. */
const START_AHEAD_MS = 250;
/**
 * Maximum time until a generator is ready. It is longer than an engine waits for its threads, so that an engine reports its own time-out
 * first.
 */
const MAX_READY_SECONDS = 150;

/**
 * Combines the loads of several generators into one: agrees on the start of each leg, merges the generators' reports, and decides how the
 * run continues when a generator is lost. Reports of a single generator are passed on unchanged.
 */
export class GeneratorGroup {
  readonly done: Promise<EngineEnd>;
  readonly runs: readonly EngineRun[];
  private readonly plan: Plan;
  private readonly sink: GroupSink;
  private readonly generators: readonly RunningGenerator[];
  private readonly aggregator: Aggregator<GeneratorReading>;
  private readonly guard: SafetyGuard;
  private readonly settle: (end: EngineEnd) => void;
  private readonly ticker: NodeJS.Timeout | null;
  private readonly readyLimit: NodeJS.Timeout | null;
  /** The request outcomes of all generators together. In addition, each generator has a separate tally. */
  private readonly tally = new LoadTally();
  private nextLeg = 0;
  private originMs: number | null = null;

  constructor(generators: readonly Generator[], plan: Plan, sink: GroupSink) {
    this.plan = plan;
    this.sink = sink;
    this.guard = new SafetyGuard(plan.safety);
    this.aggregator = new Aggregator(generators.length, (window, readings) => this.takeSecond(window, readings));
    const { promise, resolve } = Promise.withResolvers<EngineEnd>();
    this.done = promise;
    this.settle = resolve;
    this.generators = generators.map(({ name, load }, number) => ({
      number,
      name,
      load,
      readyLeg: -1,
      isDraining: false,
      tally: new LoadTally(),
      aheadMs: null,
      end: null,
    }));
    this.ticker = this.isAlone ? null : setInterval(() => this.tick(), TICK_MS);
    this.readyLimit = this.isAlone ? null : setTimeout(() => this.endTooLate(), MAX_READY_SECONDS * 1_000);
    // Creates all generators before the first one is attached, because a host may report at once that it is ready.
    this.runs = this.generators.map(({ load, number }) => load.attach(this.createSink(number)));
    for (const [index, { done }] of this.runs.entries()) void done.then((end) => this.takeEnd(index, end));
  }

  /** Makes all generators send no more requests. */
  stop(): void {
    this.endAll({ reason: 'stopped', problem: null });
  }

  private get isAlone(): boolean {
    return this.generators.length === 1;
  }

  private createSink(index: number): EngineSink {
    return {
      onBegin: (atMs) => this.sink.onBegin(atMs),
      onReady: (leg) => this.takeReady(index, leg),
      onStage: (stage) => this.reportStage(stage),
      onDraining: () => this.takeDraining(index),
      onWindow: (window, reading) => this.takeWindow(index, window, reading),
      onEvent: (event) => this.sink.onEvent(event),
      onSample: (sample) => this.sink.onSample(sample),
      onItems: (count, items) => this.sink.onItems(count, items),
      onRows: (report) => this.sink.onRows(report),
    };
  }

  private takeWindow(index: number, window: Window, reading: GeneratorReading): void {
    this.generators[index]?.tally.add(window);
    this.sink.onGeneratorWindow({ generator: index, window, reading });
    this.aggregator.add(index, window, reading);
  }

  private takeSecond(window: Window, readings: readonly GeneratorReading[]): void {
    this.sink.onWindow(window, readings);
    if (this.isAlone) return;
    const problem = this.guard.add(window);
    if (problem !== null) this.endAll({ reason: 'safety', problem });
  }

  private reportStage(stage: number): void {
    if (this.tally.beginStage(stage)) this.sink.onStage(stage);
  }

  private takeDraining(index: number): void {
    const generator = this.generators[index];
    if (generator !== undefined) generator.isDraining = true;
    this.reportDraining();
  }

  private reportDraining(): void {
    const areDraining = this.generators.every(({ isDraining, end }) => isDraining || end !== null);
    if (areDraining && this.tally.drain()) this.sink.onDraining();
  }

  private takeReady(index: number, leg: number): void {
    const generator = this.generators[index];
    if (generator !== undefined) generator.readyLeg = leg;
    // Deferred, because the first generator may be ready before the last one is attached.
    setImmediate(() => this.startWhenReady());
  }

  private startWhenReady(): void {
    const runningGenerators = this.generators.filter(({ end }) => end === null);
    if (
      this.tally.ending !== null ||
      runningGenerators.length === 0 ||
      !runningGenerators.every(({ readyLeg }) => readyLeg === this.nextLeg)
    )
      return;
    if (this.readyLimit !== null) clearTimeout(this.readyLimit);
    const leg = this.nextLeg;
    this.nextLeg += 1;
    void this.startLeg(leg, runningGenerators);
  }

  /**
   * Starts all generators at the same time, which is converted to the clock of each. The clocks are read for each leg, because they drift.
   */
  private async startLeg(leg: number, runningGenerators: readonly RunningGenerator[]): Promise<void> {
    const trips = await Promise.all(runningGenerators.map((generator) => readClock(generator)));
    const unreadRunningGenerator = runningGenerators.find(({ aheadMs, end }) => aheadMs === null && end === null);
    if (unreadRunningGenerator !== undefined) return this.endAll({ reason: 'failed', problem: clockProblem(unreadRunningGenerator.name) });
    const startMs = performance.now() + START_AHEAD_MS + 2 * Math.max(...trips);
    this.originMs ??= startMs;
    for (const { number, aheadMs } of runningGenerators) if (aheadMs !== null) this.runs[number]?.startAt(leg, startMs + aheadMs);
  }

  private endTooLate(): void {
    const late = this.generators.filter(({ readyLeg, end }) => readyLeg < 0 && end === null).map(({ name }) => name);
    this.endAll({ reason: 'failed', problem: notReadyProblem(joinNames(late), MAX_READY_SECONDS) });
  }

  private takeEnd(index: number, end: EngineEnd): void {
    const generator = this.generators[index];
    if (generator === undefined) return;
    generator.end = end;
    this.aggregator.close(index);
    if (end.reason === 'failed') this.takeLoss(index, generator, end);
    else if (end.reason === 'safety') this.endAll(end);
    this.reportDraining();
    this.startWhenReady();
    const ends = this.generators.flatMap((one) => one.end ?? []);
    if (ends.length === this.generators.length) this.close(ends);
  }

  private takeLoss(index: number, { name, tally: { nextSecond } }: RunningGenerator, { problem }: EngineEnd): void {
    if (this.isAlone) return;
    const text = problem?.message ?? `${name} was lost.`;
    this.sink.onLost(index, { second: nextSecond, text });
    const others = this.generators.filter(({ end }) => end?.reason !== 'failed').map((generator) => generator.name);
    if (this.plan.onLostGenerator === 'stop' || others.length === 0) this.endAll({ reason: 'failed', problem });
    else if (this.tally.ending === null)
      this.sink.onEvent({
        second: nextSecond,
        kind: 'degraded',
        text: `Lost: ${name}. The run continues from ${others.join(' and ')}, with less load than planned.`,
      });
  }

  /** Ends all generators. Only the first reason to end counts. */
  private endAll({ reason, problem }: LoadEnding): void {
    if (!this.tally.end({ reason, problem })) return;
    if (!this.isAlone && problem !== null) this.sink.onEvent({ second: this.currentSecond(), kind: reason, text: problem.message });
    for (const { number, end } of this.generators) if (end === null) this.runs[number]?.stop();
  }

  private close(ends: readonly EngineEnd[]): void {
    if (this.ticker !== null) clearInterval(this.ticker);
    if (this.readyLimit !== null) clearTimeout(this.readyLimit);
    const [only] = ends;
    if (this.isAlone && only !== undefined) return this.settle(only);
    this.countNotStarted(ends);
    this.settle({ ...this.getEnding(ends), ...mergeEnds(ends) });
  }

  private getEnding(ends: readonly EngineEnd[]): LoadEnding {
    const { ending } = this.tally;
    if (ends.every(({ reason }) => reason === 'failed')) return { reason: 'failed', problem: ends.at(-1)?.problem ?? null };
    // A stop does not count if the load had already completed.
    if (ending === null || (ending.reason === 'stopped' && ends.every(({ reason }) => reason === 'completed')))
      return { reason: 'completed', problem: null };
    return ending;
  }

  /** Counts planned journeys that neither began nor were refused on any generator. */
  private countNotStarted(ends: readonly EngineEnd[]): void {
    const tally = this.generators.map((generator) => generator.tally);
    const settled = tally.reduce((sum, { journeysSettled }) => sum + journeysSettled, 0);
    const isCompleted = ends.every(({ reason }) => reason === 'completed');
    const notStarted = journeysNotStarted(this.plan, settled, isCompleted);
    if (notStarted === 0) return;
    const second = Math.max(...tally.map(({ nextSecond }) => nextSecond));
    const windows = tally.map((one) => one.emptyNextWindow(second));
    const [first] = windows;
    if (first === undefined) return;
    first.journeys.notStartedStopped = notStarted;
    this.sink.onGeneratorWindow({ generator: 0, window: first, reading: unknownReading(second) });
    const together = emptyWindow(second, 1);
    for (const window of windows) mergeWindow(together, window);
    this.sink.onWindow(together, []);
  }

  private tick(): void {
    if (this.originMs !== null) this.aggregator.advance(Math.floor(this.currentSecond()));
  }

  private currentSecond(): number {
    return this.originMs === null ? 0 : Math.max(0, (performance.now() - this.originMs) / 1_000);
  }
}

/**
 * Reads the clock of a generator and returns the round-trip time in ms. Returns 0 if the clock could not be read; the last reading is used
 * then.
 */
async function readClock(generator: RunningGenerator): Promise<number> {
  const clock = await generator.load.measureClock().catch(() => null);
  if (clock === null) return 0;
  generator.aheadMs = clock.aheadMs;
  return clock.roundTripMs;
}

function notReadyProblem(names: string, seconds: number): Problem {
  return {
    code: 'GENERATOR_NOT_READY',
    message: `${names} did not become ready for the load within ${seconds} s.`,
    hint: 'No request was sent. Probably it is overloaded, or has too little memory. Run the test again, or without it.',
  };
}

/** Returns the problem of a generator whose clock could not be read. Without a reading of each clock, there is no common start. */
function clockProblem(name: string): Problem {
  return {
    code: 'GENERATOR_CLOCK',
    message: `The clock of ${name} could not be read.`,
    hint: 'No request was sent. Probably it is overloaded, or the network in between is down. Run the test again, or without it.',
  };
}
