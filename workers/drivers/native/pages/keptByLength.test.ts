import { expect, it } from 'vitest';
import { KeptByLength } from './keptByLength.ts';

it('KeptByLength deletes the oldest values when it exceeds its limit of characters', () => {
  const kept = new KeptByLength<number>(10);
  for (const [index, name] of ['aa', 'bb', 'cc'].entries()) kept.set(name, index, 1);
  expect(['aa', 'bb', 'cc'].map((name) => kept.get(name))).toEqual([0, 1, 2]);
  kept.set('dd', 3, 1);
  expect(['aa', 'bb', 'cc', 'dd'].map((name) => kept.has(name))).toEqual([false, true, true, true]);
});

it('KeptByLength counts a replaced value once, and keeps no value that exceeds the limit by itself', () => {
  const kept = new KeptByLength<number>(10);
  for (let time = 0; time < 100; time += 1) kept.set('aaaaaaaa', time, 1);
  expect(kept.get('aaaaaaaa')).toBe(99);
  kept.set('b'.repeat(11), 1, 0);
  expect([kept.has('b'.repeat(11)), kept.has('aaaaaaaa')]).toEqual([false, false]);
  kept.set('cc', 2, 0);
  kept.clear();
  kept.set('dddddddddd', 3, 0);
  expect(kept.has('dddddddddd')).toBe(true);
});
