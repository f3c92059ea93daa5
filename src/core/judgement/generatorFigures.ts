import type { Window } from '#core/measurement/window.ts';
import { endingAt, generatorPointOfWindow } from '#core/result/pointSeries.ts';
import type { GeneratorPoint, RunResult } from '#core/result/schema.ts';
import { StartTimes } from '#core/result/stageTimes.ts';
import { stepFiguresOf } from '#core/result/stepFigures.ts';
import { Totals } from '#core/result/totals.ts';
import { shownStages, type TalliedInput } from './measuredRun.ts';

export type GeneratorFigures = NonNullable<RunResult['generators'][number]['figures']>;

/** Sums of the windows of one of several load generators, in order of time. */
export class GeneratorRunTally {
  readonly totals = new Totals();
  readonly starts = new StartTimes();
  readonly points: GeneratorPoint[] = [];

  add(window: Window): void {
    this.totals.add(window);
    this.starts.add(window);
    this.points.push(generatorPointOfWindow(window));
  }
}

/** Returns one load generator's part of a run: counts of everything, rates and times of the counted stages. */
export function generatorFigures(
  input: Pick<TalliedInput, 'plan' | 'head' | 'end'>,
  { totals, starts, points }: GeneratorRunTally,
): GeneratorFigures {
  const { plan, head, end } = input;
  const { shown, loadedSeconds } = shownStages(input, starts);
  const isShown = ({ stage }: { readonly stage: number }): boolean => shown.includes(stage);
  const { rates, latency, phases } = stepFiguresOf(totals.sum(isShown), totals.sumLoaded(isShown), loadedSeconds(shown), null);
  const { journeys, requests } = totals.outcomes(plan, head.endedAt !== null).outcomes;
  return {
    sent: requests.sent,
    ok: requests.ok,
    notStartedGenerator: journeys.notStarted.generator,
    rates,
    service: latency.service,
    response: latency.response,
    phases,
    points: endingAt(points, end?.endedAtSecond ?? totals.endSecond),
  };
}
