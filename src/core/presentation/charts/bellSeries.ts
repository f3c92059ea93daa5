import { type BellResult, OPENING_SECONDS, TENTH_SECONDS } from '#core/result/bells.ts';
import { type SeriesLook, SERIES } from './looks.ts';
import { chartNames } from './names.ts';
import { runChart } from './runSeries.ts';
import type { ChartData, ChartSeries, RunChart } from './types.ts';

/** Users of a bell by state, at the end of a tenth of a second after the bell. */
export interface OpeningState {
  readonly afterSeconds: number;
  readonly waiting: number;
  readonly served: number;
  readonly failed: number;
}

/** Returns the states of the opening. The three counts of each tenth add up to the number of users who waited. */
export function openingStates({ waited, opening }: Pick<BellResult, 'waited' | 'opening'>): OpeningState[] {
  let [served, failed] = [0, 0];
  return opening.map((tenth, index) => {
    served += tenth.served;
    failed += tenth.failed;
    // The time is rounded, because sums of tenths are not exact in binary.
    return { afterSeconds: Math.round((index + 1) * TENTH_SECONDS * 10) / 10, waiting: waited - served - failed, served, failed };
  });
}

/** Returns the opening: as layers, the users who still wait and those who were lost, and as a line, those who were served. */
export function openingData(bell: Pick<BellResult, 'waited' | 'opening'>): ChartData {
  const states = openingStates(bell);
  const { bellWaiting, bellFailed, bellServed } = chartNames.series;
  const seriesOf = (id: 'waiting' | 'served' | 'failed', name: string, look: SeriesLook): ChartSeries => ({
    id,
    name,
    label: name,
    look,
    shape: id === 'served' ? 'line' : 'stacked',
    values: states.map((state) => state[id]),
  });
  return {
    spans: states.map(({ afterSeconds }) => ({ second: Math.round((afterSeconds - TENTH_SECONDS) * 10) / 10, width: TENTH_SECONDS })),
    series: [
      seriesOf('waiting', bellWaiting, SERIES.inFlight),
      ...(states.some(({ failed }) => failed > 0) ? [seriesOf('failed', bellFailed, SERIES.status5xx)] : []),
      seriesOf('served', bellServed, SERIES.completed),
    ],
  };
}

/** A chart whose time axis begins with a bell. */
export interface OpeningChart {
  readonly bell: BellResult;
  readonly chart: RunChart;
  /** End of the time axis, in seconds after the bell. */
  readonly toSeconds: number;
}

/** Returns the opening of each bell for which users waited. */
export function openingCharts(bells: readonly BellResult[] = []): OpeningChart[] {
  return bells
    .filter(({ waited, opening }) => waited > 0 && opening.length > 0)
    .map((bell) => ({
      bell,
      chart: runChart(chartNames.titles.opening(bell.bell), 'count', openingData(bell), { about: chartNames.opening(bell.step) }),
      toSeconds: OPENING_SECONDS,
    }));
}
