import type { Requirement } from '../figures/requirement.ts';
import { medianOf, percentileOf, type ByRound } from '../figures/statistics.ts';
import { formatFigure, formatSigned } from '../output/table.ts';
import { measureSubject, type Measurement } from '../running/measureSubject.ts';
import { findDoubts, runRounds, type Track } from '../running/rounds.ts';
import { describeDelay, type Delay } from '../targets/delays.ts';
import { startLoggingTarget } from '../targets/loggingTarget.ts';
import { byRound, commandLimits, type BenchContext, type PartResult, type Section } from './part.ts';

export interface Times {
  readonly measurement: Measurement;
  /** Times from the server's own log for the requests of this test. */
  readonly server: { readonly responses: number; readonly p50Ms: number; readonly p99Ms: number };
}
type Percentile = 'p50Ms' | 'p99Ms';

/** Measures how accurate the percentiles of tools are, by comparing them with the server's log of the same requests. */
export async function times(context: BenchContext): Promise<PartResult> {
  const sections: Section[] = [];
  const requirements: Requirement[] = [];
  const data: unknown[] = [];
  for (const { text, delay } of context.options.delays) {
    const tracks = await measureTimes(context, text);
    sections.push(timesSection(context, delay, tracks));
    requirements.push(...timesRequirements(delay, tracks));
    data.push({ delay: text, tracks });
  }
  return { part: 'times', sections, requirements, data };
}

async function measureTimes(context: BenchContext, delay: string): Promise<readonly Track<Times>[]> {
  const { options, found, cores, notify } = context;
  const target = await startLoggingTarget(delay, cores.target);
  const load = { url: target.url, connections: options.connections, seconds: options.seconds };
  try {
    return await runRounds<Times>({
      found,
      rounds: options.rounds,
      measure: async (each) => {
        await target.start();
        const measurement = await measureSubject(each, (folder) => each.subject.closed(load, folder), commandLimits(context));
        const tookMs = (await target.take()).tookMs.sort();
        const server = { responses: tookMs.length, p50Ms: percentileOf(tookMs, 50), p99Ms: percentileOf(tookMs, 99) };
        return { measurement, server };
      },
      notify,
    });
  } finally {
    await target.stop();
  }
}

const tool =
  (percentile: Percentile) =>
  (value: Times): number | null =>
    value.measurement.reading?.[percentile] ?? null;
const server =
  (percentile: Percentile) =>
  (value: Times): number | null =>
    value.measurement.reading === null ? null : value.server[percentile];
const surplusMs =
  (percentile: Percentile) =>
  (value: Times): number | null => {
    const [reported, truth] = [tool(percentile)(value), server(percentile)(value)];
    return reported === null || truth === null ? null : reported - truth;
  };
const surplusPercent =
  (percentile: Percentile) =>
  (value: Times): number | null => {
    const surplus = surplusMs(percentile)(value);
    return surplus === null ? null : (surplus / value.server[percentile]) * 100;
  };

function timesSection({ options }: BenchContext, delay: Delay, tracks: readonly Track<Times>[]): Section {
  return {
    title: `Times: ${describeDelay(delay)}`,
    caption: [
      `A server that writes down how long it took; ${options.connections} connections, ${options.seconds} s.`,
      'Medians over the rounds; the error is what the tool tells beyond what the server wrote down for the same requests, in % of the latter.',
      'Responses beyond the log: good responses that the tool counts less those that the server gave.',
    ].join(' '),
    head: [
      'generator',
      'server p50 ms',
      'its p50 ms',
      'error %',
      'server p99 ms',
      'its p99 ms',
      'error %',
      'responses beyond the log',
      'remarks',
    ],
    rows: tracks.map((track) => timesRow(tracks, track)),
  };
}

/** Returns the cells for a generator: the values of server and tool and the error, for p50 and for p99, then responses and remarks. */
export function timesRow(tracks: readonly Track<Times>[], track: Track<Times>): readonly string[] {
  const medianOfRounds = (pick: (value: Times) => number | null): number | null => medianOf(byRound(tracks, track.id, pick));
  const beyond = medianOfRounds(({ measurement: { reading }, server }) => (reading === null ? null : reading.responses - server.responses));
  const computeFigures = (percentile: Percentile): string[] => [
    formatFigure(medianOfRounds(server(percentile)), 2),
    formatFigure(medianOfRounds(tool(percentile)), 2),
    formatSigned(medianOfRounds(surplusPercent(percentile)), 1),
  ];
  return [track.id, ...computeFigures('p50Ms'), ...computeFigures('p99Ms'), formatSigned(beyond, 0), findDoubts(track)];
}

/**
 * Returns the requirements: p50 within 2 % or 1 ms of the log (aim: 1 %, 0.3 ms), tails that come from the server within 3 % (aim: 1 %),
 * and Holdfast's times compared with those of wrk.
 */
export function timesRequirements(delay: Delay, tracks: readonly Track<Times>[]): Requirement[] {
  const medianOfRounds = (id: string, pick: (value: Times) => number | null): ByRound => byRound(tracks, id, pick);
  const absoluteMedian = (values: ByRound): number | null => {
    const middle = medianOf(values);
    return middle === null ? null : Math.abs(middle);
  };
  const truthMs = medianOf(medianOfRounds('holdfast-native', server('p50Ms'))) ?? 0;
  const where = describeDelay(delay);
  const requireNearServer = (percentile: Percentile, limit: number, aim: number): Requirement => ({
    what: `${percentile.slice(0, 3)} of holdfast-native off the server's log, ${where}`,
    value: absoluteMedian(medianOfRounds('holdfast-native', surplusMs(percentile))),
    unit: ' ms',
    limit: { kind: 'atMost', value: limit },
    aim,
  });
  const p99Ms = medianOf(medianOfRounds('holdfast-native', server('p99Ms'))) ?? 0;
  return [
    requireNearServer('p50Ms', Math.max(0.02 * truthMs, 1), Math.max(0.01 * truthMs, 0.3)),
    // With constant service times, the tail is caused by the machine and not by the server.
    ...(delay.kind === 'fixed' ? requireNearWrk(medianOfRounds, where) : [requireNearServer('p99Ms', 0.03 * p99Ms, 0.01 * p99Ms)]),
  ];
}

/** Returns the requirements for a whole run of the app, compared with wrk: p50 within 3 %, p99 within the range of wrk plus 15 %. */
function requireNearWrk(of: (id: string, pick: (value: Times) => number | null) => ByRound, where: string): Requirement[] {
  const [p50, wrkP50] = [medianOf(of('holdfast-app-autocannon', tool('p50Ms'))), medianOf(of('wrk', tool('p50Ms')))];
  const p99 = medianOf(of('holdfast-app-autocannon', tool('p99Ms')));
  const wrkP99 = of('wrk', tool('p99Ms')).filter((value) => value !== null);
  const hasBoth = p99 !== null && wrkP99.length > 0;
  return [
    {
      what: `p50 of holdfast-app-autocannon off wrk's, ${where}`,
      value: p50 === null || wrkP50 === null ? null : Math.abs(p50 / wrkP50 - 1) * 100,
      unit: ' %',
      limit: { kind: 'atMost', value: 3 },
      aim: null,
    },
    {
      what: `p99 of holdfast-app-autocannon ÷ wrk's largest, ${where}`,
      value: hasBoth ? p99 / Math.max(...wrkP99) : null,
      unit: '',
      limit: { kind: 'atMost', value: 1.15 },
      aim: null,
    },
    {
      what: `p99 of holdfast-app-autocannon ÷ wrk's smallest, ${where}`,
      value: hasBoth ? p99 / Math.min(...wrkP99) : null,
      unit: '',
      limit: { kind: 'atLeast', value: 0.85 },
      aim: null,
    },
  ];
}
