import type { GeneratorReading } from '#core/result/schema.ts';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { withLoaded } from '#core/testing/windows.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import type { OverloadCause, Window } from '#core/measurement/window.ts';
import type { GeneratorWindow } from '../store/folding.ts';

export interface SyntheticLoad {
  readonly perSecond: number;
  readonly steps?: number;
  readonly overloadedBy?: OverloadCause[];
  /** Seed for the times. Different seeds give different times. */
  readonly seed?: number;
}

/** Returns a generator of uniformly distributed numbers in [0, 1) (Mulberry32). The seed makes tests repeatable. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Creates one second of a realistic load: log-normal times around 20 ms with a long tail, all successful. */
export function syntheticWindow(second: number, { perSecond, steps = 1, overloadedBy = [], seed = 0 }: SyntheticLoad): Window {
  const random = randomFrom(second * 7_919 + seed);
  const window = emptyWindow(second, 1);
  for (let step = 0; step < steps; step++) {
    const cell = findOrAddCell(window, 0, step);
    const count = Math.floor(perSecond / steps);
    const service = createHistogram();
    const firstByte = createHistogram();
    for (let index = 0; index < count; index++) {
      const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
      const timeUs = 20_000 * Math.exp(0.5 * normal);
      record(service, timeUs);
      record(firstByte, timeUs * (0.8 + 0.2 * random()));
    }
    cell.started = count;
    cell.outcomes = { ok: count };
    cell.statuses.set(200, count);
    cell.bytesReceived = count * 7_100;
    cell.bytesSent = count * 180;
    cell.bodyBytes = count * 6_844;
    cell.requestsOnReusedConnection = count;
    cell.times = { serviceOk: service, firstByte };
  }
  window.journeys.started = perSecond;
  window.journeys.finished = perSecond;
  window.overloadedBy = overloadedBy;
  return withLoaded(window);
}

export function syntheticReading(second: number, overloadedBy: OverloadCause[] = []): GeneratorReading {
  const random = randomFrom(second + 1);
  return {
    second,
    threadCpu: random(),
    threadWait: random(),
    machineCpu: random(),
    steal: 0,
    eventLoopDelayMs: 20 * random(),
    scheduleLagMs: null,
    garbageCollectionMs: 5 * random(),
    stoodStillMs: 0,
    memoryBytes: Math.floor(3e8 * random()),
    openFiles: 60 + Math.floor(10 * random()),
    timeWaitSockets: Math.floor(1_000 * random()),
    sockets: null,
    watched: {},
    overloadedBy,
  };
}

export function syntheticGeneratorWindow(second: number, load: SyntheticLoad): GeneratorWindow {
  return { generator: 0, window: syntheticWindow(second, load), reading: syntheticReading(second, load.overloadedBy) };
}
