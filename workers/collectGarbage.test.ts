import { expect, it } from 'vitest';
import { collectGarbage } from './warmUp.ts';

it('collectGarbage frees unreachable objects immediately', () => {
  const left = new WeakRef({ held: Array.from({ length: 1_000 }, () => ({})) });
  return new Promise<void>((resolve) => {
    // A WeakRef keeps its target until the end of the current turn.
    setImmediate(() => {
      collectGarbage();
      expect(left.deref()).toBeUndefined();
      resolve();
    });
  });
});
