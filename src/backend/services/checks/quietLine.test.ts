import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { QuietLine } from './quietLine.ts';

it('measures one after the other, lets a load wait for the one that goes, and begins none beside it', async () => {
  let isLoading = false;
  const line = new QuietLine(() => {
    if (isLoading) throw new Error('a load is going');
  });
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const measured = line.measure(async () => {
    order.push('first began');
    await first.promise;
    order.push('first ended');
    return 'its result';
  });
  const refused = line.measure(async () => void order.push('second began'));
  await nextTurn();
  isLoading = true;
  const load = line.untilQuiet().then(() => order.push('load'));
  const later = line.measure(async () => void order.push('third began'));
  first.resolve();
  expect(await measured).toBe('its result');
  await expect(refused).rejects.toThrow('a load is going');
  await load;
  await expect(later).rejects.toThrow('a load is going');
  expect(order).toEqual(['first began', 'first ended', 'load']);
});

it('is free again after a measurement that failed', async () => {
  const line = new QuietLine(() => {});
  await expect(line.measure(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  await line.untilQuiet();
  expect(await line.measure(async () => 1)).toBe(1);
});
