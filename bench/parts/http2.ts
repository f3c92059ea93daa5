import { startNginx } from '#workers/testing/nginx.ts';
import type { Requirement } from '../figures/requirement.ts';
import { medianOf, medianRatio, type ByRound } from '../figures/statistics.ts';
import { formatFigure } from '../output/table.ts';
import type { Found } from '../running/findSubjects.ts';
import { measureSubject, type Measurement } from '../running/measureSubject.ts';
import { findDoubts, runRounds, type Track } from '../running/rounds.ts';
import type { Invocation, StreamsLoad } from '../subjects/subject.ts';
import { CPU_CAPTION, cpuCells, CPU_HEAD } from './cpu.ts';
import { byRound, commandLimits, type BenchContext, type PartResult, type Section } from './part.ts';

interface Speed {
  readonly measurement: Measurement;
}

/** Shapes of load: many users with one request at a time, and a few users whose pages send many requests at once. */
const SHAPES = [
  { connections: 50, streams: 1, tls: false },
  { connections: 10, streams: 10, tls: false },
  { connections: 50, streams: 1, tls: true },
  { connections: 10, streams: 10, tls: true },
] as const;

const perSecond = ({ measurement: { reading } }: Speed): number | null => (reading === null ? null : reading.responses / reading.seconds);

/** Measures requests per second over HTTP/2, with and without TLS, against nginx with responses of 11 bytes. */
export async function http2(context: BenchContext): Promise<PartResult> {
  const { options, found, cores, notify } = context;
  const http = 'keepalive_requests 1000000000;';
  const sections: Section[] = [];
  const requirements: Requirement[] = [];
  const data: unknown[] = [];
  for (const { tls, ...shape } of SHAPES) {
    const nginx = await startNginx({
      accessLog: false,
      http,
      http2: true,
      isSecure: tls,
      ...(cores.target === null ? {} : { core: cores.target }),
    });
    try {
      const load: StreamsLoad = { url: nginx.url, seconds: options.seconds, ...shape };
      const tracks = await runRounds<Speed>({
        found: found.filter(({ subject }) => subject.http2 !== undefined && (tls || subject.http2NeedsTls === undefined)),
        rounds: options.rounds,
        measure: async (each) => ({
          measurement: await measureSubject(each, (folder) => makeInvocation(each, load, folder), commandLimits(context)),
        }),
        notify,
      });
      const title = `${tls ? 'over TLS' : 'without TLS'}, ${shape.connections} connections of ${shape.streams === 1 ? 'one stream' : `${shape.streams} streams`}`;
      sections.push(makeSection(`HTTP/2 ${title}`, tracks, options.seconds));
      requirements.push(...http2Requirements(title, (id) => byRound(tracks, id, perSecond)));
      data.push({ ...shape, tls, tracks });
    } finally {
      await nginx.stop();
    }
  }
  return { part: 'http2', sections, requirements, data };
}

function makeInvocation({ subject }: Found, load: StreamsLoad, folder: string): Invocation {
  if (subject.http2 === undefined) throw new Error(`${subject.id} does not speak HTTP/2`);
  return subject.http2(load, folder);
}

function makeSection(title: string, tracks: readonly Track<Speed>[], seconds: number): Section {
  const rates = (id: string): ByRound => byRound(tracks, id, perSecond);
  return {
    title,
    caption: `nginx returning 11 bytes, ${seconds} s. Ratios are medians of those within a round. ${CPU_CAPTION}`,
    head: ['generator', 'version', 'requests/s', '÷ h2load', ...CPU_HEAD, 'remarks'],
    rows: tracks.map((track) => [
      track.id,
      track.version ?? 'unknown',
      formatFigure(medianOf(rates(track.id)), 0),
      formatFigure(medianRatio(rates(track.id), rates('h2load')), 2),
      ...cpuCells(tracks, track.id),
      findDoubts(track),
    ]),
  };
}

/** Returns the requirements for the native driver over HTTP/2, based on the rates of each subject in each round. */
export function http2Requirements(shape: string, rates: (id: string) => ByRound): readonly Requirement[] {
  const ratio = (other: string, least: number, aim: number | null): Requirement => ({
    what: `requests/s over HTTP/2, ${shape}, holdfast-native ÷ ${other}`,
    value: medianRatio(rates('holdfast-native'), rates(other)),
    unit: '',
    limit: { kind: 'atLeast', value: least },
    aim,
  });
  return [ratio('h2load', 0.5, 0.8), ratio('oha', 1.2, null), ratio('k6', 3, null)];
}
