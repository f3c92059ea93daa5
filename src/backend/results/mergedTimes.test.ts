import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { markStorable } from '#core/plan/hideSecrets.ts';
import { createHistogram, createTotalHistogram, record } from '#core/statistics/histogram.ts';
import { summarize } from '#core/statistics/latency.ts';
import type { CacheCount, Window } from '#core/measurement/window.ts';
import { decodeWindow, encodeWindow } from '#core/measurement/windowCodec.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { unknownReading } from '#core/result/readings.ts';
import { Aggregator } from '#engine/aggregator.ts';
import { openStore } from '#backend/store/store.ts';
import { planFor } from '#backend/testing/plans.ts';
import { newRun } from '#backend/testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { readResult } from './resultOf.ts';

const THREADS = 2;
const SECONDS = 3;
const PROGRESS = { requests: 0, completedPerSecond: null, nowMs: 0 };

/** A response in a given second, received by one thread of one load generator, with its time in microseconds. */
interface Response {
  readonly generator: number;
  readonly thread: number;
  readonly second: number;
  readonly timeUs: number;
  /** Whether the response came from a cache; null if its headers do not show this. */
  readonly isFromCache: boolean | null;
}

const response = fc.record({
  generator: fc.nat(2),
  thread: fc.nat(THREADS - 1),
  second: fc.nat(SECONDS - 1),
  // Times are drawn evenly on a logarithmic scale, from microseconds to minutes.
  timeUs: fc.double({ min: 0, max: 8, noNaN: true }).map((power) => 10 ** power),
  isFromCache: fc.option(fc.boolean()),
});

function makeWindow(second: number, responses: readonly Response[]): Window {
  const window = emptyWindow(second, 1);
  if (responses.length === 0) return window;
  const serviceOk = createHistogram();
  for (const { timeUs } of responses) record(serviceOk, timeUs);
  const cache = getCache(responses);
  Object.assign(findOrAddCell(window, 0, 0), {
    started: responses.length,
    outcomes: { ok: responses.length },
    statuses: new Map([[200, responses.length]]),
    times: { serviceOk },
    // A second without cache headers has no cache count.
    ...(cache.fromCache + cache.fromServer === 0 ? {} : { cache }),
  });
  window.journeys.started = responses.length;
  window.journeys.finished = responses.length;
  return window;
}

function getCache(responses: readonly Response[]): CacheCount {
  const [fromCache, fromServer] = [true, false].map((wanted) => responses.filter(({ isFromCache }) => isFromCache === wanted));
  const sumUs = (some: readonly Response[] = []): number => some.reduce((sum, { timeUs }) => sum + Math.round(timeUs), 0);
  return {
    fromCache: fromCache?.length ?? 0,
    fromServer: fromServer?.length ?? 0,
    fromCacheUs: sumUs(fromCache),
    fromServerUs: sumUs(fromServer),
  };
}

it('times and cache counts of several load generators and threads are merged exactly like one histogram', () => {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  const plan = markStorable({ ...planFor('http://127.0.0.1:1/'), countsCache: true });
  let run = 0;
  fc.assert(
    fc.property(fc.array(response, { minLength: 1, maxLength: 300 }), (responses) => {
      const id = `run ${(run += 1)}`;
      const key = store.create(newRun(id, { plan }));
      for (const generator of [0, 1, 2]) {
        const aggregator = new Aggregator<null>(THREADS, (window) =>
          store.append(key, { generator, window: decodeWindow(encodeWindow(window)), reading: unknownReading(window.second) }, PROGRESS),
        );
        for (let second = 0; second < SECONDS; second += 1)
          for (let thread = 0; thread < THREADS; thread += 1) {
            const ownResponses = responses.filter((one) => one.generator === generator && one.thread === thread && one.second === second);
            aggregator.add(thread, decodeWindow(encodeWindow(makeWindow(second, ownResponses))), null);
          }
      }
      const one = createTotalHistogram();
      for (const { timeUs } of responses) record(one, timeUs);
      const { latency, outcomes, cache, windows } = readResult(store, store.find(id));
      expect(outcomes.requests.ok).toBe(responses.length);
      expect(latency.service).toEqual(summarize(one));
      const { fromCache, fromServer, fromCacheUs } = getCache(responses);
      expect(cache?.all).toMatchObject({
        responded: responses.length,
        fromCache,
        fromServer,
        unsaid: responses.length - fromCache - fromServer,
      });
      expect(cache?.all.fromCacheMs).toEqual(fromCache === 0 ? null : fromCacheUs / fromCache / 1_000);
      expect(windows.reduce((sum, point) => sum + (point.cache?.fromCache ?? 0), 0)).toBe(fromCache);
    }),
    { numRuns: 30 },
  );
  store.close();
  rmSync(directory, { recursive: true });
});
