import { expect, it, vi } from 'vitest';
import { buildJob } from '#engine/testing/runLoad.ts';
import type { Wakefulness } from '#engine/keepAwake.ts';
import { localGenerator } from './loadGenerator.ts';

it('the load generator lets this computer sleep again if it is closed before its request to stay awake was granted', async () => {
  const { promise, resolve } = Promise.withResolvers<Wakefulness>();
  const generator = localGenerator(
    new URL('file:///nothing'),
    () => null,
    () => promise,
  );
  const begun = generator.prepare(
    buildJob(['http://127.0.0.1:9/'], { load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] } }),
  );
  // The generator is closed because another generator of the same run failed to start.
  generator.close();
  const release = vi.fn();
  resolve({ isHeld: true, release });
  await begun;
  expect(release).toHaveBeenCalledOnce();
});
