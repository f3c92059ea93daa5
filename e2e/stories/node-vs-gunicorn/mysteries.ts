import type { CharacterAnswer } from '#core/search/characterize/schema.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { oneStep } from '../framework/readings.ts';
import type { Scene } from '../framework/scene.ts';

/** A server that does not say what it is. */
export interface Mystery {
  /** Where it answers. */
  readonly url: string;
  /** What it logged of everything that had a query. */
  lines(): Promise<LoggedRequest[]>;
}

export interface Mysteries {
  /** So many workers, who take that long for each request. */
  readonly synchronous: Mystery;
  /** Every answer takes that long, however many ask. */
  readonly asynchronous: Mystery;
  stop(): Promise<void>;
}

interface Told {
  readonly workers?: number;
  readonly serviceMs?: number;
  readonly delayMs?: number;
}

/** Starts both; of what is told, the number of workers and the delay are what may be shifted. */
export async function startMysteries(scene: Scene, { workers, serviceMs, delayMs }: Told): Promise<Mysteries> {
  const options: GivenOptions = {
    'mystery-first': 'sync',
    replicas: 1,
    'mystery-workers': workers === undefined ? null : scene.hidden(workers),
    'mystery-sync-ms': serviceMs ?? null,
    'mystery-async-ms': delayMs === undefined ? null : scene.hidden(delayMs),
  };
  const lab = await scene.lab('node-vs-gunicorn', options);
  const mystery = (number: number): Mystery => ({
    url: lab.address(`Mystery ${number}`),
    lines: () => lab.lines(`mystery-${number}`, ({ path }) => path.includes('?')),
  });
  return { synchronous: mystery(1), asynchronous: mystery(2), stop: () => lab.stop() };
}

export interface Found {
  readonly result: SearchResult;
  readonly answer: CharacterAnswer;
  /** Requests of all its runs. */
  readonly sent: number;
}

/** Only `load` has to be there: the search makes its own. */
const LOAD = { model: 'users' as const, stages: [{ users: 1, seconds: 1 }] };

/** Lets the app find out what a server is. */
export async function findOut(
  scene: Scene,
  { url }: Mystery,
  settings: { readonly maxUsers: number; readonly secondsEach: number },
): Promise<Found> {
  const result = await scene.search({
    kind: 'characterize',
    plan: { ...oneStep(url, '?asked'), load: LOAD },
    settings: { ...settings, idleSeconds: 0, coolDownSeconds: 0 },
  });
  const { answer, runs } = result;
  if (answer.kind !== 'characterize') throw new Error('It was asked what the server is, and told where it breaks.');
  return { result, answer, sent: runs.reduce((sum, { requests }) => sum + requests, 0) };
}
