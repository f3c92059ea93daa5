import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ThreadWatch } from './threadHealth.ts';

const nowUs = (): number => Math.round(performance.now() * 1_000);

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("ThreadWatch reports a block that crosses the end of a second in the next second's reading", async () => {
  const watch = new ThreadWatch(nowUs);
  try {
    await sleep(100);
    block(300);
    // This reading comes before the timer of the sampler.
    watch.read();
    await sleep(100);
    expect(watch.read().eventLoopDelayMs).toBeGreaterThan(250);
  } finally {
    watch.close();
  }
});
