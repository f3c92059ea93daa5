import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ThreadWatch } from './threadHealth.ts';

const nowUs = (): number => Math.round(performance.now() * 1_000);

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('tells of a block that lasted beyond the end of a second in the next reading', async () => {
  const watch = new ThreadWatch(nowUs);
  try {
    await sleep(100);
    block(300);
    // Comes before the sampler has had its turn.
    watch.read();
    await sleep(100);
    expect(watch.read().eventLoopDelayMs).toBeGreaterThan(250);
  } finally {
    watch.close();
  }
});
