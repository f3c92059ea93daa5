import type { SimulatedServer } from '#core/testing/queueRun.ts';

/**
 * Returns a server that serves `room` requests at a time, in 50 ms each. One more request freezes it for `seconds`, and a proxy waits 20 s.
 * The freeze continues from one run to the next.
 */
export function stoodStill(room: number, seconds: number): (second: number) => SimulatedServer {
  let untilSecond = 0;
  return (begunAt) => {
    let inside: number[] = [];
    return {
      workers: Infinity,
      patienceMs: 20_000,
      refuses(_n, second) {
        const atMs = 1_000 * (begunAt + second);
        // A client sends its next request at the instant of the response, apart from a floating-point error.
        inside = inside.filter((doneMs) => doneMs > atMs + 0.01);
        if (inside.length >= room && atMs >= 1_000 * untilSecond) untilSecond = atMs / 1_000 + seconds;
        return null;
      },
      serviceMs(random, _n, second) {
        const atMs = 1_000 * (begunAt + second);
        const doneMs = Math.max(atMs, 1_000 * untilSecond) + 50 * (0.99 + 0.02 * random());
        inside.push(doneMs);
        return doneMs - atMs;
      },
    };
  };
}
