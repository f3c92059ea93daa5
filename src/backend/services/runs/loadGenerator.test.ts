import { expect, it, vi } from 'vitest';
import { buildJob } from '#engine/testing/runLoad.ts';
import type { Wakefulness } from '#engine/keepAwake.ts';
import { localGenerator } from './loadGenerator.ts';

it('this computer may sleep again if the load generator is closed before its request to stay awake was granted', async () => {
  const { promise, resolve } = Promise.withResolvers<Wakefulness>();
  const generator = localGenerator(
    new URL('file:///nothing'),
    () => null,
    () => promise,
  );
  const begun = generator.prepare(
    buildJob(['http://127.0.0.1:9/'], { load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] } }),
  );
  // Another generator of the same run has failed to start.
  generator.close();
  const release = vi.fn();
  resolve({ isHeld: true, release });
  await begun;
  expect(release).toHaveBeenCalledOnce();
});
