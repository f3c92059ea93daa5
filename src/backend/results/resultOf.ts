import { reduceMonitor } from '#core/machines/monitors/foldPoints.ts';
import { resultFrom } from '#core/judgement/buildResult.ts';
import { generatorFigures } from '#core/judgement/generatorFigures.ts';
import { reduceGeneratorPoints, reducePoints } from '#core/result/pointSeries.ts';
import { shownFilms } from '#core/result/visits.ts';
import type { RunHead, RunResult } from '#core/result/schema.ts';
import { reduceReadings } from '#backend/store/folding.ts';
import { headOf, type RunRecord } from '#backend/store/rows.ts';
import { summaryOf } from '#backend/store/sparkline.ts';
import type { Store } from '#backend/store/store.ts';
import { TalliedWindows } from './talliedWindows.ts';

/** Returns the result of a run: the stored one, or one computed from its windows if it is active or its process was killed. */
export function resultOf(store: Store, record: RunRecord, maxPoints?: number): RunResult {
  const result = (record.ended_at === null ? null : store.result(record.key)) ?? computeResult(store, record, tallyFor(store, record));
  // Name and note may have changed since.
  const current = {
    ...result,
    run: headOf(record),
    monitors: store.monitors(record.key),
    visits: withFilms(store, record.key, result.visits),
  };
  return maxPoints === undefined ? current : reduced(current, maxPoints);
}

/** Returns the record of a run as if its end had been stored. */
export function endedAs(record: RunRecord, { state, endedAt, endedBecause }: RunHead): RunRecord {
  return { ...record, state, ended_at: endedAt, ended_code: endedBecause?.code ?? null, ended_text: endedBecause?.text ?? null };
}

/** Computes the result from the windows and stores it with its summary. `tallied`: windows that were read during the run. */
export function storeResult(store: Store, record: RunRecord, tallied: TalliedWindows | null = null): RunResult {
  const result = computeResult(store, record, tallied?.isCurrent === true ? tallied : tallyFor(store, record));
  // Monitor readings are stored once, in their own table.
  store.saveResult(record.key, { ...result, monitors: [] }, summaryOf(result));
  return result;
}

/** Creates an empty tally for a run. */
export function tallyFor(store: Store, { key }: Pick<RunRecord, 'key'>): TalliedWindows {
  return new TalliedWindows(store, key, store.details(key).plan, store.generators(key).length);
}

function computeResult(store: Store, record: RunRecord, tallied: TalliedWindows): RunResult {
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
  tallied.readOn();
  const { whole, parts } = tallied;
  for (const { totals } of parts) whole.run.totals.join(totals);
  const generators = store.generators(record.key).map((known, number) => {
    const part = parts[number];
    return {
      ...known,
      figures: part === undefined ? null : generatorFigures(base, part),
      sickSeconds: store.sickSeconds(record.key, number),
      readings: store.readings(record.key, number),
    };
  });
  return resultFrom({ ...base, generators }, whole);
}

/** Adds the stored films of the median visit without load and of the median visit at the highest load. */
function withFilms(store: Store, key: number, visits: RunResult['visits']): RunResult['visits'] {
  return visits === null ? null : { ...visits, filmstrips: shownFilms(visits, store.visitFilms(key)) };
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
