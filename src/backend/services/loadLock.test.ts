import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import { LoadLock, type Claim, type LoadKind } from './loadLock.ts';

const CLAIMS: readonly Claim[] = ['run', 'cell', 'series', 'search', 'populate', 'selfTest', 'path', 'print'];

function claimsRefusedBeside(kind: LoadKind): Claim[] {
  const lock = new LoadLock();
  lock.register(kind, () => new HoldfastError({ code: 'GOING', message: `${kind} goes.`, hint: 'Wait.' }));
  return CLAIMS.filter((claim) => {
    try {
      lock.claim(claim);
      return false;
    } catch {
      return true;
    }
  });
}

it.each<{ readonly kind: LoadKind; readonly refused: readonly Claim[] }>([
  { kind: 'selfTest', refused: ['run', 'cell', 'series', 'search', 'populate', 'selfTest', 'path'] },
  { kind: 'populate', refused: ['run', 'cell', 'series', 'search', 'populate', 'selfTest', 'path'] },
  { kind: 'series', refused: ['run', 'series', 'search', 'populate', 'selfTest', 'path', 'print'] },
  { kind: 'search', refused: ['run', 'series', 'search', 'populate', 'selfTest', 'path', 'print'] },
  { kind: 'run', refused: ['run', 'cell'] },
  { kind: 'anyRun', refused: ['series', 'search', 'populate', 'selfTest', 'path', 'print'] },
])('the load lock rejects everything that would disturb $kind or be disturbed by it', ({ kind, refused }) => {
  expect(claimsRefusedBeside(kind)).toEqual(refused);
});

it('the load lock allows everything without a load', () => {
  const lock = new LoadLock();
  lock.register('series', () => null);
  for (const claim of CLAIMS) expect(() => lock.claim(claim)).not.toThrow();
});

it('the load lock lets only one path be measured at a time, and delays a load until the measurement ends', async () => {
  let isLoading = false;
  const lock = new LoadLock();
  lock.register('populate', () => (isLoading ? new HoldfastError({ code: 'GOING', message: 'a load is going', hint: '' }) : null));
  const order: string[] = [];
  const first = Promise.withResolvers<void>();
  const measured = lock.measure(async () => {
    order.push('first began');
    await first.promise;
    order.push('first ended');
    return 'its result';
  });
  const refused = lock.measure(async () => void order.push('second began'));
  await nextTurn();
  isLoading = true;
  const load = lock.waitForMeasurement().then(() => order.push('load'));
  const later = lock.measure(async () => void order.push('third began'));
  first.resolve();
  expect(await measured).toBe('its result');
  await expect(refused).rejects.toThrow('a load is going');
  await load;
  await expect(later).rejects.toThrow('a load is going');
  expect(order).toEqual(['first began', 'first ended', 'load']);
});

it('the load lock is released after a failed measurement', async () => {
  const lock = new LoadLock();
  await expect(lock.measure(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  await lock.waitForMeasurement();
  expect(await lock.measure(async () => 1)).toBe(1);
});
