import { arrivalAccuracy, BURST_WINDOW_MS, type ArrivalAccuracy } from '../figures/arrivalAccuracy.ts';
import type { Requirement } from '../figures/requirement.ts';
import { medianOf } from '../figures/statistics.ts';
import { formatFigure } from '../output/table.ts';
import type { Found } from '../running/findSubjects.ts';
import { measureSubject, type Measurement } from '../running/measureSubject.ts';
import { findDoubts, runRounds, type Track } from '../running/rounds.ts';
import type { Invocation, RateLoad } from '../subjects/subject.ts';
import { startLoggingTarget } from '../targets/loggingTarget.ts';
import { CPU_CAPTION, cpuCells, CPU_HEAD } from './cpu.ts';
import { byRound, commandLimits, type BenchContext, type PartResult } from './part.ts';

interface Arrivals {
  readonly measurement: Measurement;
  /** Accuracy according to the server's own log; null if too few requests arrived. */
  readonly accuracy: ArrivalAccuracy | null;
}

/**
 * Delay of responses. It is so long that a tool that waits for responses cannot keep the rate, and so short that each tool has enough
 * connections.
 */
const DELAY = 'fixed:5';

/** Measures how well tools keep a rate, based on when requests arrive at the server. */
export async function arrivals(context: BenchContext): Promise<PartResult> {
  const { options, found, cores, notify } = context;
  const target = await startLoggingTarget(DELAY, cores.target);
  const load: RateLoad = { url: target.url, connections: options.connections, seconds: options.seconds, perSecond: options.rate };
  try {
    const tracks = await runRounds<Arrivals>({
      found: found.filter(({ subject }) => subject.rate !== undefined),
      rounds: options.rounds,
      measure: async (each) => {
        await target.start();
        const measurement = await measureSubject(each, (folder) => makeInvocation(each, load, folder), commandLimits(context));
        const { arrivedMs } = await target.take();
        return { measurement, accuracy: measurement.reading === null ? null : arrivalAccuracy(arrivedMs, load.perSecond, load.seconds) };
      },
      notify,
    });
    return {
      part: 'arrivals',
      sections: [
        {
          title: `Arrivals: ${options.rate} requests/s, evenly`,
          caption: [
            `Instants at which requests reached a server that takes 5 ms; ${options.seconds} s, at most ${options.connections} connections where a tool wants to know. Medians over the rounds.`,
            'Offered: requests that arrived, of those asked for. Variation of the gaps: standard deviation ÷ mean, 0 for a metronome, 1 for chance, more for bursts.',
            `Deviation: from the even schedule that fits best. Burst: most arrivals within ${BURST_WINDOW_MS} ms, of which an even schedule has ${formatFigure((options.rate * BURST_WINDOW_MS) / 1_000, 0)}.`,
            CPU_CAPTION,
          ].join(' '),
          head: ['generator', 'offered %', 'variation of gaps', 'deviation p50 ms', 'deviation p99 ms', 'burst', ...CPU_HEAD, 'remarks'],
          rows: tracks.map((track) => arrivalRow(tracks, track)),
        },
      ],
      requirements: arrivalRequirements(context, tracks),
      data: { delay: DELAY, rate: options.rate, tracks },
    };
  } finally {
    await target.stop();
  }
}

function makeInvocation({ subject }: Found, load: RateLoad, folder: string): Invocation {
  if (subject.rate === undefined) throw new Error(`${subject.id} cannot keep a rate`);
  return subject.rate(load, folder);
}

const makeAccuracy =
  (key: keyof ArrivalAccuracy) =>
  ({ accuracy }: Arrivals): number | null =>
    accuracy?.[key] ?? null;

function arrivalRow(tracks: readonly Track<Arrivals>[], track: Track<Arrivals>): string[] {
  const medianOfRounds = (key: keyof ArrivalAccuracy): number | null => medianOf(byRound(tracks, track.id, makeAccuracy(key)));
  const offered = medianOfRounds('offeredShare');
  return [
    track.id,
    formatFigure(offered === null ? null : offered * 100, 2),
    formatFigure(medianOfRounds('gapVariation'), 2),
    formatFigure(medianOfRounds('deviationP50Ms'), 2),
    formatFigure(medianOfRounds('deviationP99Ms'), 2),
    formatFigure(medianOfRounds('burst'), 0),
    ...cpuCells(tracks, track.id),
    findDoubts(track),
  ];
}

/** Returns the requirements. Every planned request must arrive, and no request may be very late. */
function arrivalRequirements({ options }: BenchContext, tracks: readonly Track<Arrivals>[]): Requirement[] {
  const medianOfRounds = (key: keyof ArrivalAccuracy): number | null => medianOf(byRound(tracks, 'holdfast-native', makeAccuracy(key)));
  const offered = medianOfRounds('offeredShare');
  const missing = offered === null ? null : Math.abs(1 - offered) * 100;
  const rate = `${options.rate}/s`;
  return [
    {
      what: `offered by holdfast-native at ${rate}, off what was asked for`,
      value: missing,
      unit: ' %',
      limit: { kind: 'atMost', value: 0.05 },
      aim: 0,
    },
    {
      what: `deviation p99 of holdfast-native from its schedule at ${rate}`,
      value: medianOfRounds('deviationP99Ms'),
      unit: ' ms',
      limit: { kind: 'atMost', value: 5 },
      aim: 1,
    },
  ];
}
