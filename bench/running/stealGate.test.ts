import { expect, it } from 'vitest';
import { throughStealGate } from './stealGate.ts';

/** Returns a reader of /proc/stat for a machine with these stolen shares in successive measurements. */
function procStatOf(shares: readonly number[]): () => Promise<string> {
  let [reading, stolen] = [0, 0];
  return () => {
    const measurement = Math.floor(reading / 2);
    if (reading % 2 === 1) stolen += 1_000 * (shares[measurement] ?? 0);
    const total = 1_000 * Math.ceil(reading / 2);
    reading += 1;
    return Promise.resolve(`cpu  ${total - stolen} 0 0 0 0 0 0 ${stolen} 0 0\n`);
  };
}

const makeCounter = (): (() => Promise<number>) => {
  let count = 0;
  return () => Promise.resolve((count += 1));
};

it('the steal gate measures only once if no CPU was stolen', async () => {
  expect(await throughStealGate(makeCounter(), procStatOf([0.01]))).toEqual({ value: 1, stolenShare: 0.01, attempts: 1 });
});

it('the steal gate repeats a measurement until no CPU was stolen', async () => {
  expect(await throughStealGate(makeCounter(), procStatOf([0.3, 0.02, 0]))).toEqual({ value: 3, stolenShare: 0, attempts: 3 });
});

it('the steal gate stops after three repeats, and returns the measurement with the smallest stolen share', async () => {
  const gated = await throughStealGate(makeCounter(), procStatOf([0.3, 0.05, 0.2, 0.4, 0]));
  expect(gated).toEqual({ value: 2, stolenShare: 0.05, attempts: 4 });
});

it('the steal gate measures only once if the machine reports no stolen time', async () => {
  expect(await throughStealGate(makeCounter(), () => Promise.resolve(''))).toEqual({ value: 1, stolenShare: null, attempts: 1 });
});
