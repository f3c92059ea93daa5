import { type LiveSnapshot, MAX_LIVE_EVENTS, MAX_LIVE_POINTS } from '#contract/replies.ts';
import { BellTally } from '#core/result/bells.ts';
import { CacheTally, reportsCache } from '#core/measurement/cache/figures.ts';
import { countPlannedRequests, computePlannedSeconds } from '#core/work/load/planned.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { joinLiveMonitors, type LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import { pointOfWindow, reduceGeneratorPoints, reducePoints } from '#core/result/pointSeries.ts';
import { type LiveGenerator, type PointOfGenerator, pickGeneratorFields, GeneratorTally } from '#core/result/liveGenerators.ts';
import type { GeneratorReading, GeneratorPoint, Point, RunEvent, RunHead } from '#core/result/schema.ts';
import { OverloadTally } from '#core/result/overload.ts';
import { listWatchedReadings, type WatchedReading } from '#core/result/readings.ts';
import { ServerTally } from '#core/result/servers.ts';
import { StreamTally } from '#core/result/streams.ts';
import type { Visit } from '#core/result/visits.ts';
import type { Window } from '#core/measurement/window.ts';
import { Totals } from '#core/result/totals.ts';
import type { GeneratorWindow } from '#backend/store/folding.ts';
import type { RunPhase } from './runPhase.ts';

type KnownGenerator = Pick<LiveGenerator, 'name' | 'lost'>;

/** The part of a run's state that a reader has not received. */
export interface LiveUpdate {
  readonly points: Point[];
  readonly watched: WatchedReading[];
  readonly generatorPoints: PointOfGenerator[];
  readonly events: RunEvent[];
  readonly monitors: LiveMonitor[];
}

/** The state of an active run, computed from its windows. Its size does not depend on the length of the run. */
export class LiveView {
  private readonly plan: Plan;
  private readonly totals = new Totals();
  private points: Point[] = [];
  private readonly overload = new OverloadTally();
  private readonly servers: ServerTally;
  private readonly cache: CacheTally | null;
  private readonly streams = new StreamTally();
  private readonly bells: BellTally | null;
  private watched: WatchedReading[] = [];
  private waiting = 0;
  private events: RunEvent[] = [];
  private monitors: LiveMonitor[] = [];
  private visit: Visit | null = null;
  private generator: GeneratorReading | null = null;
  private generators: readonly KnownGenerator[] = [];
  private readonly tallies: GeneratorTally[] = [];
  private readonly pointsByGenerator: GeneratorPoint[][] = [];
  private highestStage: number | null = null;
  private isStartingUp = false;

  /** `plan` is the plan as stored, because readers receive it. */
  constructor(plan: Plan) {
    this.plan = plan;
    this.servers = new ServerTally(plan);
    this.cache = reportsCache(plan) ? new CacheTally() : null;
    this.bells = plan.bells === undefined ? null : new BellTally();
  }

  /** Adds a second of all generators. `reading` is the worst reading among them; null if none was reported. */
  add(window: Window, reading: GeneratorReading | null): Point {
    this.totals.add(window);
    const stages = this.plan.load.stages.length;
    const started = window.cells.filter((cell) => cell.started > 0).map(({ stage }) => stage);
    for (const stage of started) this.highestStage = Math.max(this.highestStage ?? 0, stage % stages);
    if (started.length > 0) this.isStartingUp = started.every((stage) => stage >= stages);
    this.overload.add(window);
    this.servers.add(window);
    this.cache?.add(window);
    this.bells?.add(window);
    this.waiting += countNewlyWaiting(window);
    this.streams.add(window);
    const point = this.streams.addOpenStreams({ ...pointOfWindow(window), waiting: this.waiting });
    this.points.push(point);
    if (reading !== null) this.watched.push(...listWatchedReadings([reading]));
    if (this.watched.length > 2 * MAX_LIVE_POINTS) this.watched = this.watched.filter((_reading, index) => index % 2 === 0);
    if (this.points.length > 2 * MAX_LIVE_POINTS) this.points = reducePoints(this.points, MAX_LIVE_POINTS);
    this.generator = reading ?? this.generator;
    return point;
  }

  /** Sets the load generators; called again when a generator is lost. */
  setGenerators(generators: readonly KnownGenerator[]): void {
    this.generators = generators.map(({ name, lost }) => ({ name, lost }));
  }

  /** Adds a second from one of several generators, for the comparison of generators. */
  addGeneratorWindow({ generator, window }: Pick<GeneratorWindow, 'generator' | 'window'>): PointOfGenerator[] {
    if (this.generators.length < 2) return [];
    const point = pickGeneratorFields((this.tallies[generator] ??= new GeneratorTally()).add(window));
    const points = [...(this.pointsByGenerator[generator] ?? []), point];
    this.pointsByGenerator[generator] = points.length > 2 * MAX_LIVE_POINTS ? reduceGeneratorPoints(points, MAX_LIVE_POINTS) : points;
    return [{ generator, ...point }];
  }

  addVisit(visit: Visit): void {
    this.visit = visit;
  }

  addEvent(event: RunEvent): void {
    this.events = [...this.events, event].slice(-MAX_LIVE_EVENTS);
  }

  addMonitors(news: readonly LiveMonitor[]): void {
    this.monitors = joinLiveMonitors(this.monitors, news);
  }

  /** Time of the slowest response, in ms; if some responses never came, the plan's time-out. */
  get slowestMs(): number {
    const { requests } = this.totals.outcomes(this.plan, true).outcomes;
    const { max } = this.totals.latency();
    if (requests.timeout > 0 || requests.inFlight > 0 || max === 'never') return this.plan.timeoutSeconds * 1_000;
    return max ?? 0;
  }

  /** Returns the full state for a new reader of the run. */
  fullState(run: RunHead, stage: RunPhase['stage']): LiveSnapshot {
    const { watched, events, monitors } = this;
    const generatorPoints = this.pointsByGenerator.flatMap((points, generator) => points.map((point) => ({ generator, ...point })));
    const points = reducePoints(this.points, MAX_LIVE_POINTS);
    return { ...this.update(run, stage, { points, watched, generatorPoints, events, monitors }), plan: this.plan };
  }

  /** Returns the current state with the parts that readers have not received yet. */
  update(run: RunHead, stage: RunPhase['stage'], { points, watched, generatorPoints, events, monitors }: LiveUpdate): LiveSnapshot {
    const { outcomes, balances } = this.totals.outcomes(this.plan, run.endedAt !== null);
    return {
      run,
      elapsedSeconds: this.totals.endSecond,
      plannedSeconds: computePlannedSeconds(this.plan),
      plannedRequests: countPlannedRequests(this.plan),
      stage: run.state === 'running' ? stageOf(this.plan, stage ?? this.highestStage, this.isStartingUp) : null,
      outcomes,
      balances,
      latency: this.totals.latency(),
      points,
      resync: false,
      generator: this.generator,
      overload: this.overload.overload(),
      generators: this.generators.map((knownGenerator, number) => ({
        ...knownGenerator,
        figures: this.tallies[number]?.figures() ?? null,
      })),
      generatorPoints,
      watched,
      servers: this.servers.results(),
      ...(this.visit === null ? {} : { visit: this.visit }),
      ...(this.cache === null ? {} : { cache: this.cache.figures() }),
      ...(this.bells === null ? {} : { bells: this.bells.results(this.plan) }),
      events,
      monitors,
    };
  }
}

/** Returns by how many the outstanding results increased during the window. */
function countNewlyWaiting({ cells }: Window): number {
  return cells.reduce((sum, { waitsBegun, times }) => sum + waitsBegun - (times.waited?.totalCount ?? 0), 0);
}

/** Returns the stage that is shown. It does not count while users start one after the other. */
function stageOf(plan: Plan, index: number | null, isStartingUp: boolean): LiveSnapshot['stage'] {
  const stage = index === null ? undefined : plan.load.stages[index];
  if (index === null || !stage) return null;
  return { index, name: stageName(plan, index), counted: stage.counted && !isStartingUp };
}
