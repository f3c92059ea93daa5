import { expect, it } from 'vitest';
import { collectGarbage } from './collectGarbage.ts';

it('frees at once what nobody holds any more', () => {
  const left = new WeakRef({ held: Array.from({ length: 1_000 }, () => ({})) });
  return new Promise<void>((resolve) => {
    // A WeakRef keeps what it was asked for until the end of the turn.
    setImmediate(() => {
      collectGarbage();
      expect(left.deref()).toBeUndefined();
      resolve();
    });
  });
});
