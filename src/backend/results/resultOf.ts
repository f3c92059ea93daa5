import { countDue, sumFailures } from '#core/measurement/requestOutcomes.ts';
import { reduceMonitor } from '#core/machines/monitors/foldPoints.ts';
import { buildResultFrom, ResultTally } from '#core/judgement/buildResult.ts';
import { generatorFigures, GeneratorRunTally } from '#core/judgement/measuredRun.ts';
import { reduceGeneratorPoints, reducePoints, ratePoints } from '#core/result/pointSeries.ts';
import { chooseFilms } from '#core/result/visits.ts';
import type { RunHead, RunResult, Point } from '#core/result/schema.ts';
import { reduceReadings, InFlightByGenerator } from '#backend/store/folding.ts';
import { headOf, type RunRecord } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';
import type { Window } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunSummary } from '../store/runTable.ts';

/** Returns the result of a run: the stored one, or one computed from its windows if it is active or its process was killed. */
export function readResult(store: Store, record: RunRecord, maxPoints?: number): RunResult {
  const result = (record.ended_at === null ? null : store.result(record.key)) ?? computeResult(store, record, tallyFor(store, record));
  // Name and note may have changed since the result was stored.
  const current = {
    ...result,
    run: headOf(record),
    monitors: store.monitors(record.key),
    visits: addFilms(store, record.key, result),
  };
  return maxPoints === undefined ? current : reduced(current, maxPoints);
}

/** Returns the record of a run as if its end had been stored. */
export function withEnd(record: RunRecord, { state, endedAt, endedBecause }: RunHead): RunRecord {
  return { ...record, state, ended_at: endedAt, ended_code: endedBecause?.code ?? null, ended_text: endedBecause?.text ?? null };
}

/** Computes the result from the windows and stores it with its summary. `talliedWindows`: windows that were already read during the run. */
export function storeResult(store: Store, record: RunRecord, talliedWindows: TalliedWindows | null = null): RunResult {
  const result = computeResult(store, record, talliedWindows?.isCurrent === true ? talliedWindows : tallyFor(store, record));
  // Monitor readings are left out, because they are already stored in their own table.
  store.saveResult(record.key, { ...result, monitors: [] }, getSummary(result));
  return result;
}

/** Creates an empty tally for a run. */
export function tallyFor(store: Store, { key }: Pick<RunRecord, 'key'>): TalliedWindows {
  return new TalliedWindows(store, key, store.details(key).plan, store.generators(key).length);
}

function computeResult(store: Store, record: RunRecord, talliedWindows: TalliedWindows): RunResult {
  const { plan, engineEnd } = store.details(record.key);
  const base = {
    head: headOf(record),
    plan,
    end: engineEnd,
    events: store.events(record.key),
    monitors: store.monitors(record.key),
    visits: store.visits(record.key),
    samples: store.samples(record.key),
  };
  talliedWindows.readUntil();
  const { whole, parts } = talliedWindows;
  for (const { totals } of parts) whole.run.totals.join(totals);
  const generators = store.generators(record.key).map((known, number) => {
    const part = parts[number];
    return {
      ...known,
      figures: part === undefined ? null : generatorFigures(base, part),
      overloadedSeconds: store.overloadedSeconds(record.key, number, engineEnd?.endedAtSecond ?? Number.MAX_VALUE),
      readings: store.readings(record.key, number),
    };
  });
  return buildResultFrom({ ...base, generators }, whole);
}

/** Adds the stored filmstrips: of the median visit without load, of the median visit at the highest load, and of each opening. */
function addFilms(store: Store, key: number, { visits, bells = [] }: RunResult): RunResult['visits'] {
  return visits === null ? null : { ...visits, filmstrips: chooseFilms(visits, store.visitFilms(key), bells) };
}

function reduced(result: RunResult, maxPoints: number): RunResult {
  return {
    ...result,
    windows: reducePoints(result.windows, maxPoints),
    generators: result.generators.map((generator) => ({
      ...generator,
      figures: generator.figures && { ...generator.figures, points: reduceGeneratorPoints(generator.figures.points, maxPoints) },
      readings: reduceReadings(generator.readings, maxPoints),
    })),
    monitors: result.monitors.map((monitor) => reduceMonitor(monitor, maxPoints)),
  };
}

/** Sums of a run's windows, in total and per load generator. Each window is read once, either at the end or step by step during the run. */
export class TalliedWindows {
  readonly whole: ResultTally;
  /** Tallies by generator number; empty if there is only one generator. */
  readonly parts: readonly GeneratorRunTally[];
  private readonly store: Store;
  private readonly key: number;
  private readonly inFlight = new InFlightByGenerator();
  private before = -Number.MAX_VALUE;
  private count = 0;
  private seconds = 0;

  constructor(store: Store, key: number, plan: Plan, generators: number) {
    this.store = store;
    this.key = key;
    this.whole = new ResultTally(plan, generators > 1);
    this.parts = generators > 1 ? Array.from({ length: generators }, () => new GeneratorRunTally()) : [];
  }

  /** Reads the windows that begin before `second`; by default all. */
  readUntil(second = Number.MAX_VALUE): void {
    if (second <= this.before) return;
    const range = { from: this.before, before: second };
    const addWindow = (generator: number, window: Window): void => {
      this.count += 1;
      this.seconds += window.width;
      this.parts[generator]?.add(window);
    };
    for (const window of this.store.windows(this.key, range, this.inFlight, addWindow)) this.whole.add(window);
    this.before = second;
  }

  /**
   * Whether the store still holds exactly the windows that were read. A late window adds seconds, and merging windows reduces their number.
   */
  get isCurrent(): boolean {
    const { windows, seconds } = this.store.windowExtent(this.key, this.before);
    return windows === this.count && Math.abs(seconds - this.seconds) < 1e-6 * Math.max(1, seconds);
  }
}

const SPARKLINE_VALUES = 40;

/** Returns the completed requests per second over the run, as at most 40 values. Several points are averaged. */
export function drawSparkline(points: readonly Pick<Point, 'completed' | 'width'>[]): number[] {
  const size = Math.max(1, Math.ceil(points.length / SPARKLINE_VALUES));
  const values: number[] = [];
  for (let start = 0; start < points.length; start += size) {
    let completed = 0;
    let seconds = 0;
    for (const point of points.slice(start, start + size)) {
      completed += point.completed;
      seconds += point.width;
    }
    values.push(seconds > 0 ? Math.round((completed / seconds) * 10) / 10 : 0);
  }
  return values;
}

/** Returns the figures of a result that lists show. For the 95th percentile, failed and outstanding requests count as never responding. */
function getSummary(result: RunResult): RunSummary {
  return {
    outcome: result.verdict.outcome,
    sentence: result.verdict.sentence,
    requests: result.outcomes.requests.sent,
    completedPerSecond: result.rates.completedPerSecond,
    p95: result.latency.errorAdjusted.p95,
    sparkline: drawSparkline(ratePoints(result.windows)),
    rules: result.verdict.rules ?? null,
    failed: sumFailures(result.outcomes),
    due: countDue(result.outcomes),
  };
}
