import type { SimulatedServer } from '#core/testing/queueRun.ts';

/** Serves so many at a time in 50 ms each; one more, and it stands still for so long, of which a proxy waits 20 s. Remembers it from one run to the next. */
export function stoodStill(room: number, seconds: number): (second: number) => SimulatedServer {
  let untilSecond = 0;
  return (begunAt) => {
    let inside: number[] = [];
    return {
      workers: Infinity,
      patienceMs: 20_000,
      refuses(_n, second) {
        const atMs = 1_000 * (begunAt + second);
        // Whoever has just been answered asks again at that instant, but for what floating point makes of it.
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
