import { searchDocumentSchema } from '#core/search/result.ts';
import { playSearch } from '#core/search/testing/play.ts';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { exponential, type Random, type SimulatedServer } from '#core/testing/queueRun.ts';
import { type BreakingPointAnswer, breakingPointSettingsSchema } from '../schema.ts';
import { playLevels } from './playLevels.ts';
import { stoodStill } from './servers.ts';

/** How arrivals come and how long a request takes: like clockwork (D), or by chance (M), in Kendall's letters. */
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

/** 40 to 160 a second. */
export function drawnServer(random: Random): DrawnServer {
  const serviceMs = 60 + Math.floor(140 * random());
  const workers = Math.max(3, Math.round(((40 + 120 * random()) * serviceMs) / 1_000));
  return { workers, serviceMs, limit: (1_000 * workers) / serviceMs };
}

export function serverOf({ service }: QueueKind, { workers, serviceMs }: DrawnServer): SimulatedServer {
  return {
    workers,
    serviceMs: (random) => (service === 'steady' ? serviceMs * (0.99 + 0.02 * random()) : exponential(serviceMs, random)),
  };
}

/** So much of the time the computer stands still, for so long on average, both by chance. */
const HELD_UP = { share: 0.1, meanMs: 200 };
const WATCHED_MS = 200_000;

/** When a computer goes on that is held up so. */
function heldUp(random: Random): (ms: number) => number {
  const ends: number[] = [];
  const starts: number[] = [];
  for (let at = 0; at < WATCHED_MS;) {
    at += exponential((HELD_UP.meanMs * (1 - HELD_UP.share)) / HELD_UP.share, random);
    starts.push(at);
    at += exponential(HELD_UP.meanMs, random);
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
 * What such a computer bears. Whether it stands still is a Markov chain, so a request that takes s ends while it does with the probability share × (1 − e^(−s/τ)), 1/τ being the sum of both rates,
 * and then takes as long as a stand-still does on average, since those have no memory.
 */
function heldUpLimit({ service }: QueueKind, { workers, serviceMs }: DrawnServer): number {
  const relaxationMs = HELD_UP.meanMs * (1 - HELD_UP.share);
  const forgotten = service === 'steady' ? Math.exp(-serviceMs / relaxationMs) : 1 / (1 + serviceMs / relaxationMs);
  return (1_000 * workers) / (serviceMs + HELD_UP.share * (1 - forgotten) * HELD_UP.meanMs);
}

/** A search whose truth is known. */
export interface PlayedSearch {
  readonly limit: number;
  readonly answer: BreakingPointAnswer;
  readonly levels: number;
  readonly seconds: number;
}

/** A whole search at a rate for the limit of a server that is drawn. */
export function searchAtRate(kind: QueueKind, random: Random, isHeldUp: boolean): PlayedSearch {
  const server = drawnServer(random);
  const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 1, seconds: 10 }], { spacing: kind.spacing }) });
  const settings = breakingPointSettingsSchema.parse({ from: server.limit * (0.15 + 0.45 * random()), recovery: false });
  const { answer, levels, seconds } = playLevels(
    plan,
    settings,
    () => ({ ...serverOf(kind, server), ...(isHeldUp ? { goesOnAtMs: heldUp(random) } : {}) }),
    random,
  );
  return { limit: isHeldUp ? heldUpLimit(kind, server) : server.limit, answer, levels, seconds };
}

/** Among connections, whose limit is the last number of them that is borne: one that stands still beyond it for a while, and its aftermath. */
function searchWithAftermath(random: Random): PlayedSearch {
  const limit = 8 + Math.floor(40 * random());
  return searchOfConnections(limit, stoodStill(limit, 30 + 60 * random()), {}, random);
}

const MEAN_MS = 30;

/** Answers take longer the more connections ask, by chance (exponentially), and 19 of 20 are to take no longer than a limit. */
function searchForTime(random: Random): PlayedSearch {
  const limit = 12.5 + Math.floor(30 * random());
  const slowing = 5 + 40 * random();
  const meanMs = (inside: number): number => MEAN_MS * (1 + inside / slowing);
  const limitMs = Math.log(20) * meanMs(limit);
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
  return searchOfConnections(limit, server, { objectives: [{ kind: 'responseTime', percentile: 95, limitMs }] }, random);
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
  const { answer, runs } = playSearch(document, server, random);
  if (answer.kind !== 'breakingPoint') throw new TypeError('It was a search.');
  const levels = new Set(runs.flatMap(({ purpose, level }) => (purpose === 'level' ? (level ?? []) : [])));
  return { limit, answer, levels: levels.size, seconds: runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0) };
}

export interface SearchKind {
  readonly name: string;
  readonly search: (random: Random) => PlayedSearch;
}

/** Servers whose limit is known: with noise, freezes, an aftermath, a limit on a time. */
export const SEARCH_KINDS: readonly SearchKind[] = [
  ...QUEUE_KINDS.map((kind): SearchKind => ({ name: kind.name, search: (random) => searchAtRate(kind, random, false) })),
  ...QUEUE_KINDS.map((kind): SearchKind => ({ name: `${kind.name}, held up`, search: (random) => searchAtRate(kind, random, true) })),
  { name: 'stands still beyond it', search: searchWithAftermath },
  { name: 'a limit on a time', search: searchForTime },
];

/** Whether what an answer says with 95 % confidence of the limit is so; an end that it does not know is no statement. */
export function isHeldBy({ range }: Pick<BreakingPointAnswer, 'range'>, limit: number): boolean {
  return (range.low ?? 0) <= limit && limit <= (range.high ?? Infinity);
}
