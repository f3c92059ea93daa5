import { searchDocumentSchema } from '#core/search/result.ts';
import { playSearch } from '#core/search/testing/play.ts';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { exponential, type Random, type SimulatedServer } from '#core/testing/queueRun.ts';
import { type BreakingPointConclusion, breakingPointSettingsSchema } from '../schema.ts';
import { playLevels } from './playLevels.ts';
import { stoodStill } from './servers.ts';

/** Distribution of arrivals and service times: constant (D) or exponential (M), in Kendall's notation. */
export interface QueueKind {
  readonly name: string;
  readonly spacing: 'uniform' | 'poisson';
  readonly service: 'steady' | 'exponential';
}
export const QUEUE_KINDS: readonly QueueKind[] = [
  { name: 'D/D/m', spacing: 'uniform', service: 'steady' },
  { name: 'M/D/m', spacing: 'poisson', service: 'steady' },
  { name: 'D/M/m', spacing: 'uniform', service: 'exponential' },
  { name: 'M/M/m', spacing: 'poisson', service: 'exponential' },
];

export interface DrawnServer {
  readonly workers: number;
  readonly serviceMs: number;
  readonly limit: number;
}

/** Returns a server with a limit of 40 to 160 requests per second. */
export function drawnServer(random: Random): DrawnServer {
  const serviceMs = 60 + Math.floor(140 * random());
  const workers = Math.max(3, Math.round(((40 + 120 * random()) * serviceMs) / 1_000));
  return { workers, serviceMs, limit: (1_000 * workers) / serviceMs };
}

export function simulatedServer({ service }: QueueKind, { workers, serviceMs }: DrawnServer): SimulatedServer {
  return { workers, serviceMs: (random) => (service === 'steady' ? serviceMs * (0.99 + 0.02 * random()) : exponential(serviceMs, random)) };
}

/** Share of the time in which the computer is suspended, and mean duration of a suspension in ms. The actual durations are random. */
const SUSPENSIONS = { share: 0.1, meanMs: 200 };
const MAX_WATCHED_MS = 200_000;

/** Returns a function that gives the time at which a suspended computer continues. */
function suspensionEnds(random: Random): (ms: number) => number {
  const ends: number[] = [];
  const starts: number[] = [];
  for (let at = 0; at < MAX_WATCHED_MS;) {
    at += exponential((SUSPENSIONS.meanMs * (1 - SUSPENSIONS.share)) / SUSPENSIONS.share, random);
    starts.push(at);
    at += exponential(SUSPENSIONS.meanMs, random);
    ends.push(at);
  }
  return (ms) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) <= ms) low = middle + 1;
      else high = middle;
    }
    return ms >= (starts[low] ?? Infinity) ? (ends[low] ?? ms) : ms;
  };
}

/**
 * Returns the limit of a server on a computer that is suspended at times. Suspension is a Markov chain. A request of s ms ends during a
 * suspension with probability share × (1 − e^(−s/τ)), where 1/τ is the sum of both rates. It then takes a mean suspension longer, because
 * suspensions are memoryless.
 */
function suspendedLimit({ service }: QueueKind, { workers, serviceMs }: DrawnServer): number {
  const relaxationMs = SUSPENSIONS.meanMs * (1 - SUSPENSIONS.share);
  const forgotten = service === 'steady' ? Math.exp(-serviceMs / relaxationMs) : 1 / (1 + serviceMs / relaxationMs);
  return (1_000 * workers) / (serviceMs + SUSPENSIONS.share * (1 - forgotten) * SUSPENSIONS.meanMs);
}

/** A search with a known true limit. */
export interface PlayedSearch {
  readonly limit: number;
  readonly conclusion: BreakingPointConclusion;
  readonly levels: number;
  readonly seconds: number;
}

/** Runs a whole search at a rate against a random server. */
export function searchAtRate(kind: QueueKind, random: Random, isHeldUp: boolean): PlayedSearch {
  const server = drawnServer(random);
  const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 1, seconds: 10 }], { spacing: kind.spacing }) });
  const settings = breakingPointSettingsSchema.parse({ from: server.limit * (0.15 + 0.45 * random()), recovery: false });
  const { conclusion, levels, seconds } = playLevels(
    plan,
    settings,
    () => ({ ...simulatedServer(kind, server), ...(isHeldUp ? { resumesAtMs: suspensionEnds(random) } : {}) }),
    random,
  );
  return { limit: isHeldUp ? suspendedLimit(kind, server) : server.limit, conclusion, levels, seconds };
}

/**
 * Runs a search over numbers of connections. The limit is the highest number that passes. Above it, the server freezes for a while, with
 * an aftermath.
 */
function searchWithAftermath(random: Random): PlayedSearch {
  const limit = 8 + Math.floor(40 * random());
  return searchOfConnections(limit, stoodStill(limit, 30 + 60 * random()), {}, random);
}

const MEAN_MS = 30;

/** Runs a search for a time limit. Response times are exponential and grow with the connections; 95 % must be within the limit. */
function searchForTime(random: Random): PlayedSearch {
  const limit = 12.5 + Math.floor(30 * random());
  const slowing = 5 + 40 * random();
  const meanMs = (inside: number): number => MEAN_MS * (1 + inside / slowing);
  const maxMs = Math.log(20) * meanMs(limit);
  let done: number[] = [];
  const server: SimulatedServer = {
    workers: Infinity,
    serviceMs(r, n, second) {
      const atMs = 1_000 * second;
      if (n === 0) done = [];
      done = done.filter((doneMs) => doneMs > atMs + 0.01);
      const takesMs = exponential(meanMs(done.length + 1), r);
      done.push(atMs + takesMs);
      return takesMs;
    },
  };
  return searchOfConnections(limit, server, { criteria: [{ kind: 'responseTime', percentile: 95, maxMs }] }, random);
}

function searchOfConnections(
  limit: number,
  server: Parameters<typeof playSearch>[1],
  changes: Parameters<typeof planWith>[0],
  random: Random,
): PlayedSearch {
  const document = searchDocumentSchema.parse({
    kind: 'breakingPoint',
    plan: planWith({ load: stages({ connections: 8, seconds: 30 }), ...changes }),
    settings: { from: Math.max(1, Math.round(limit * (0.15 + 0.45 * random()))) },
  });
  const { conclusion, runs } = playSearch(document, server, random);
  if (conclusion.kind !== 'breakingPoint') throw new TypeError('It was a search.');
  const levels = new Set(runs.flatMap(({ purpose, level }) => (purpose === 'level' ? (level ?? []) : [])));
  return { limit, conclusion, levels: levels.size, seconds: runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0) };
}

export interface SearchKind {
  readonly name: string;
  readonly search: (random: Random) => PlayedSearch;
}

/** Servers with known limits: with noise, freezes, an aftermath, or a response time limit. */
export const SEARCH_KINDS: readonly SearchKind[] = [
  ...QUEUE_KINDS.map((kind): SearchKind => ({ name: kind.name, search: (random) => searchAtRate(kind, random, false) })),
  ...QUEUE_KINDS.map((kind): SearchKind => ({ name: `${kind.name}, held up`, search: (random) => searchAtRate(kind, random, true) })),
  { name: 'stands still beyond it', search: searchWithAftermath },
  { name: 'a limit on a time', search: searchForTime },
];

/** Returns whether the 95 % interval covers the limit. An end that is null makes no statement. */
export function coversLimit({ range }: Pick<BreakingPointConclusion, 'range'>, limit: number): boolean {
  return (range.low ?? 0) <= limit && limit <= (range.high ?? Infinity);
}
