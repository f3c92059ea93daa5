import type { Point } from '#core/result/schema.ts';

/** Returns a second without problems: 100 successful responses. */
export function samplePoint(second: number, changes: Partial<Point> = {}): Point {
  return {
    second,
    width: 1,
    started: 100,
    completed: 100,
    ok: 100,
    failed: 0,
    inFlight: 4,
    bytesReceived: 730_000,
    p50: 20,
    p90: 23,
    p99: 29,
    max: 40,
    status: { '200': 100 },
    errors: {},
    service: null,
    notStarted: { target: 0, generator: 0 },
    waiting: 0,
    overloadedBy: [],
    ...changes,
  };
}
