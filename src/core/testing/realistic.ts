import { createHistogram, record, type Histogram } from '#core/statistics/histogram.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import type { Window } from '#core/measurement/window.ts';

/** Returns deterministic pseudo-random numbers in (0, 1), by xorshift32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return ((state >>> 0) + 0.5) / 4_294_967_296;
  };
}

/** Returns log-normal times around `medianUs`, as those of real servers are. 0.2 % of them are ten times as long. */
function times(count: number, medianUs: number, random: () => number): Histogram {
  const histogram = createHistogram();
  for (let index = 0; index < count; index += 1) {
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    record(histogram, medianUs * Math.exp(0.5 * normal) * (random() < 0.002 ? 10 : 1));
  }
  return histogram;
}

/** Returns a second of one step as a worker records it: service and first-byte times of each request, and a few connects. */
export function realisticWindow(perSecond: number): Window {
  const random = randomNumbers(perSecond);
  const window = emptyWindow(1_234, 1);
  const cell = findOrAddCell(window, 1, 0);
  cell.started = perSecond;
  cell.outcomes = { ok: perSecond };
  cell.statuses.set(200, perSecond);
  cell.bytesReceived = perSecond * 7_299;
  cell.bytesSent = perSecond * 180;
  cell.bodyBytes = perSecond * 6_844;
  cell.requestsOnReusedConnection = perSecond - 1;
  cell.connectionsOpened = Math.ceil(perSecond / 1_000);
  const medianUs = perSecond > 10_000 ? 1_200 : 20_000;
  cell.times.serviceOk = times(perSecond, medianUs, random);
  cell.times.firstByte = times(perSecond, medianUs * 0.95, random);
  cell.times.connect = times(cell.connectionsOpened, 300, random);
  window.journeys.started = perSecond;
  window.journeys.finished = perSecond;
  window.inFlight = 60;
  return window;
}
