import type { CharacterConclusion } from '#core/search/characterize/schema.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import type { LoggedRequest } from '#lab/readLog.ts';
import { oneStepPlan } from '../framework/readings.ts';
import type { Scene } from '../framework/scene.ts';

/** A server whose settings are hidden. */
export interface Mystery {
  readonly url: string;
  /** Returns the lines in the server's log about requests with a query. */
  lines(): Promise<LoggedRequest[]>;
}

export interface Mysteries {
  /** The server with a fixed number of workers and a fixed time per request. */
  readonly synchronous: Mystery;
  /** The server with a fixed response time, whatever the load. */
  readonly asynchronous: Mystery;
  stop(): Promise<void>;
}

interface Reported {
  readonly workers?: number;
  readonly serviceMs?: number;
  readonly delayMs?: number;
}

/** Starts both servers. The mutation may shift the number of workers and the delay. */
export async function startMysteries(scene: Scene, { workers, serviceMs, delayMs }: Reported): Promise<Mysteries> {
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
  readonly conclusion: CharacterConclusion;
  /** Number of requests in all runs of the search. */
  readonly sent: number;
}

/** A placeholder for the load, because the search makes loads of its own. */
const LOAD = { model: 'users' as const, stages: [{ users: 1, seconds: 1 }] };

/** Lets the app find the hidden settings of a server. Returns what the app found. */
export async function findOut(
  scene: Scene,
  { url }: Mystery,
  settings: { readonly maxUsers: number; readonly secondsEach: number },
): Promise<Found> {
  const result = await scene.search({
    kind: 'characterize',
    plan: { ...oneStepPlan(url, '?asked'), load: LOAD },
    settings: { ...settings, idleSeconds: 0, coolDownSeconds: 0 },
  });
  const { conclusion, runs } = result;
  if (conclusion.kind !== 'characterize') throw new Error('It was asked what the server is, and told where it breaks.');
  return { result, conclusion, sent: runs.reduce((sum, { requests }) => sum + requests, 0) };
}
