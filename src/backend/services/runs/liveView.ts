import type { Live } from '#contract/api.ts';
import { plannedRequests, plannedSeconds } from '#core/load/planned.ts';
import { stageName } from '#core/plan/names.ts';
import type { Plan } from '#core/plan/schema.ts';
import { joinLiveMonitors, liveOfMonitor, type LiveMonitor } from '#core/monitors/live.ts';
import { pointOf } from '#core/report/points.ts';
import { reducePoints } from '#core/report/pointSeries.ts';
import type { GeneratorReading, Point, RunEvent, RunHead, RunResult } from '#core/report/result.ts';
import { Totals } from '#core/stats/totals.ts';
import type { Stretch } from '#backend/store/windowTable.ts';
import type { RunPhase } from './machine.ts';

export const MAX_LIVE_POINTS = 600;
const MAX_LIVE_EVENTS = 200;

/** What a run looks like so far, in memory that does not grow with its length. Fed by windows as they come. */
export class LiveView {
  private readonly plan: Plan;
  private readonly totals = new Totals();
  private points: Point[] = [];
  private events: RunEvent[] = [];
  private monitors: LiveMonitor[] = [];
  private generator: GeneratorReading | null = null;
  private highestStage: number | null = null;
  private isStartingUp = false;

  constructor(plan: Plan) {
    this.plan = plan;
  }

  add({ window, reading }: Stretch): Point {
    this.totals.add(window);
    const stages = this.plan.load.stages.length;
    const started = window.cells.filter((cell) => cell.started > 0).map(({ stage }) => stage);
    for (const stage of started) this.highestStage = Math.max(this.highestStage ?? 0, stage % stages);
    if (started.length > 0) this.isStartingUp = started.every((stage) => stage >= stages);
    const point = pointOf(window);
    this.points.push(point);
    if (this.points.length > 2 * MAX_LIVE_POINTS) this.points = reducePoints(this.points, MAX_LIVE_POINTS);
    this.generator = reading;
    return point;
  }

  addEvent(event: RunEvent): void {
    this.events = [...this.events, event].slice(-MAX_LIVE_EVENTS);
  }

  addMonitors(news: readonly LiveMonitor[]): void {
    this.monitors = joinLiveMonitors(this.monitors, news);
  }

  /** The whole picture for a reader who has seen nothing. */
  full(run: RunHead, stage: RunPhase['stage']): Live {
    return this.update(run, stage, reducePoints(this.points, MAX_LIVE_POINTS), this.events, this.monitors);
  }

  /** The state of now, with the points and events that the reader has not seen. */
  update(run: RunHead, stage: RunPhase['stage'], points: Point[], events: RunEvent[], monitors: LiveMonitor[]): Live {
    const { ledger, balances } = this.totals.ledger(this.plan, run.endedAt !== null);
    return {
      run,
      elapsedSeconds: this.totals.endSecond,
      plannedSeconds: plannedSeconds(this.plan),
      plannedRequests: plannedRequests(this.plan),
      stage: run.state === 'running' ? stageOf(this.plan, stage ?? this.highestStage, this.isStartingUp) : null,
      ledger,
      balances,
      latency: this.totals.latency(),
      points,
      resync: false,
      generator: this.generator,
      events,
      monitors,
    };
  }
}

/** While users start one after the other nothing counts: see `startUpStage`. */
function stageOf(plan: Plan, index: number | null, isStartingUp: boolean): Live['stage'] {
  const stage = index === null ? undefined : plan.load.stages[index];
  if (index === null || !stage) return null;
  return { index, name: stageName(plan, index), counted: stage.counted && !isStartingUp };
}

/** The last picture of a run that has ended. */
export function liveOfResult(result: RunResult): Live {
  const { plan, run, ledger, balances, generators } = result;
  return {
    run,
    elapsedSeconds: result.durationSeconds ?? endOf(result.windows.at(-1)),
    plannedSeconds: plannedSeconds(plan),
    plannedRequests: plannedRequests(plan),
    stage: null,
    ledger,
    balances,
    latency: result.latency.response,
    points: reducePoints(result.windows, MAX_LIVE_POINTS),
    resync: false,
    generator: generators[0]?.readings.at(-1) ?? null,
    events: result.events.slice(-MAX_LIVE_EVENTS),
    monitors: result.monitors.map(liveOfMonitor),
  };
}

function endOf(point: Point | undefined): number {
  return point ? point.second + point.width : 0;
}
