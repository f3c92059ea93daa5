import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { newHistogram, newTotalHistogram, record } from '#core/stats/histogram.ts';
import { summarize } from '#core/stats/latency.ts';
import type { Window } from '#core/stats/window.ts';
import { decodeWindow, encodeWindow } from '#core/stats/windowCodec.ts';
import { cellOf, emptyWindow } from '#core/stats/windowFold.ts';
import { unknownReading } from '#core/report/unknownReading.ts';
import { Aggregator } from '#engine/aggregator.ts';
import { openStore } from '#backend/store/store.ts';
import { newRun } from '#backend/testing/runs.ts';
import { temporaryDirectory } from '#backend/testing/temporaryDirectory.ts';
import { resultOf } from './resultOf.ts';

const THREADS = 2;
const SECONDS = 3;
const PROGRESS = { requests: 0, completedPerSecond: null, nowMs: 0 };

/** Answered in this second by this thread of this generator, after so many microseconds. */
interface Answer {
  readonly generator: number;
  readonly thread: number;
  readonly second: number;
  readonly timeUs: number;
}

const answer = fc.record({
  generator: fc.nat(2),
  thread: fc.nat(THREADS - 1),
  second: fc.nat(SECONDS - 1),
  // As many fast as slow ones: from microseconds to minutes.
  timeUs: fc.double({ min: 0, max: 8, noNaN: true }).map((power) => 10 ** power),
});

function windowOf(second: number, answers: readonly Answer[]): Window {
  const window = emptyWindow(second, 1);
  if (answers.length === 0) return window;
  const serviceOk = newHistogram();
  for (const { timeUs } of answers) record(serviceOk, timeUs);
  Object.assign(cellOf(window, 0, 0), {
    started: answers.length,
    outcomes: { ok: answers.length },
    statuses: { '200': answers.length },
    times: { serviceOk },
  });
  window.journeys.started = answers.length;
  window.journeys.finished = answers.length;
  return window;
}

it('times of several generators with several threads, stored second by second, are those of one histogram over all of them', () => {
  const directory = temporaryDirectory();
  const store = openStore(directory);
  let run = 0;
  fc.assert(
    fc.property(fc.array(answer, { minLength: 1, maxLength: 300 }), (answers) => {
      const id = `run ${(run += 1)}`;
      const key = store.create(newRun(id));
      for (const generator of [0, 1, 2]) {
        const aggregator = new Aggregator<null>(THREADS, (window) =>
          store.append(key, { generator, window: decodeWindow(encodeWindow(window)), reading: unknownReading(window.second) }, PROGRESS),
        );
        for (let second = 0; second < SECONDS; second += 1)
          for (let thread = 0; thread < THREADS; thread += 1) {
            const own = answers.filter((one) => one.generator === generator && one.thread === thread && one.second === second);
            aggregator.add(thread, decodeWindow(encodeWindow(windowOf(second, own))), null);
          }
      }
      const one = newTotalHistogram();
      for (const { timeUs } of answers) record(one, timeUs);
      const { latency, ledger } = resultOf(store, store.find(id));
      expect(ledger.requests.ok).toBe(answers.length);
      expect(latency.service).toEqual(summarize(one));
    }),
    { numRuns: 30 },
  );
  store.close();
  rmSync(directory, { recursive: true });
});
