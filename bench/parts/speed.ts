import { startNginx } from '#workers/testing/nginx.ts';
import type { Requirement } from '../figures/requirement.ts';
import { medianOf, medianRatio, type ByRound } from '../figures/statistics.ts';
import { formatFigure } from '../output/table.ts';
import { measureSubject, type Measurement } from '../running/measureSubject.ts';
import { findDoubts, runRounds } from '../running/rounds.ts';
import { CPU_CAPTION, cpuCells, CPU_HEAD } from './cpu.ts';
import { byRound, commandLimits, type BenchContext, type PartResult } from './part.ts';

interface Speed {
  readonly measurement: Measurement;
}

const perSecond = ({ measurement: { reading } }: Speed): number | null => (reading === null ? null : reading.responses / reading.seconds);
const peakMegabytes = ({ measurement: { peakBytes } }: Speed): number | null => (peakBytes === null ? null : peakBytes / 1e6);

/** Measures requests per second, CPU time per request and memory against an unmodified nginx with responses of 11 bytes. */
export function speed(context: BenchContext): Promise<PartResult> {
  return readSpeed(context, { part: 'speed', title: 'Speed', found: context.found, requirements: speedRequirements });
}

interface SpeedPart {
  readonly part: string;
  readonly title: string;
  readonly tls?: boolean;
  readonly found: BenchContext['found'];
  readonly requirements: (rates: (id: string) => ByRound) => readonly Requirement[];
}

/** Measures these generators, each against an nginx of its own. */
export async function readSpeed(context: BenchContext, { part, title, tls = false, found, requirements }: SpeedPart): Promise<PartResult> {
  const { options, cores, notify } = context;
  // By default, nginx limits the number of requests per connection to 1,000. Opening new connections would then be measured too.
  const http = 'keepalive_requests 1000000000;';
  const nginx = await startNginx({ accessLog: false, http, isSecure: tls, ...(cores.target === null ? {} : { core: cores.target }) });
  const load = { url: nginx.url, connections: options.connections, seconds: options.seconds };
  try {
    const tracks = await runRounds<Speed>({
      found,
      rounds: options.rounds,
      measure: async (each) => ({
        measurement: await measureSubject(each, (folder) => each.subject.closed(load, folder), commandLimits(context)),
      }),
      notify,
    });
    const rates = (id: string): ByRound => byRound(tracks, id, perSecond);
    const rows = tracks.map((track) => {
      const own = rates(track.id).filter((rate) => rate !== null);
      return [
        track.id,
        track.version ?? 'unknown',
        formatFigure(medianOf(own), 0),
        own.length === 0 ? '–' : `${formatFigure(Math.min(...own), 0)}–${formatFigure(Math.max(...own), 0)}`,
        formatFigure(medianRatio(rates(track.id), rates('wrk')), 2),
        formatFigure(medianRatio(rates('holdfast-native'), rates(track.id)), 2),
        ...cpuCells(tracks, track.id),
        formatFigure(medianOf(byRound(tracks, track.id, peakMegabytes)), 1),
        findDoubts(track),
      ];
    });
    return {
      part,
      sections: [
        {
          title,
          caption: [
            `nginx returning 11 bytes${tls ? ' over TLS' : ''}, ${options.connections} connections with keep-alive, ${options.seconds} s. Ratios are medians of those within a round.`,
            CPU_CAPTION,
          ].join(' '),
          head: ['generator', 'version', 'requests/s', 'range', '÷ wrk', 'holdfast-native ÷ it', ...CPU_HEAD, 'peak MB', 'remarks'],
          rows,
        },
      ],
      requirements: requirements(rates),
      data: { target: 'nginx', tracks },
    };
  } finally {
    await nginx.stop();
  }
}

/** Returns the requirements for the engines, based on the rates of each subject in each round. */
export function speedRequirements(rates: (id: string) => ByRound): readonly Requirement[] {
  const ratio = (one: string, other: string, kind: 'atLeast' | 'above', least: number, aim: number | null): Requirement => ({
    what: `requests/s, ${one} ÷ ${other}`,
    value: medianRatio(rates(one), rates(other)),
    unit: '',
    limit: { kind, value: least },
    aim,
  });
  return [
    ratio('holdfast-native', 'wrk', 'atLeast', 0.7, 1),
    ratio('holdfast-native', 'autocannon-worker', 'atLeast', 1.6, 2.2),
    ratio('holdfast-native', 'ab', 'atLeast', 1, null),
    ratio('holdfast-native', 'oha', 'above', 1, null),
    ratio('holdfast-native', 'hey', 'above', 1, null),
    ratio('holdfast-native', 'k6', 'above', 1, null),
    ratio('holdfast-app-autocannon', 'autocannon-worker', 'atLeast', 0.9, null),
  ];
}
