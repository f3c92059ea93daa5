import { expect, it } from 'vitest';
import { formatQuantity, keyOf, keyParts, type Quantity, formatValueName } from './result.ts';

it.each<[number | null, Quantity['unit'], string]>([
  [0.255, 'share', '25.5 %'],
  [1_200, 'count', '1,200'],
  [2.5, 'count', '2.5'],
  [12.5, 'perSecond', '12.5/s'],
  [2_048, 'bytes', '2.05 kB'],
  [2_048, 'bytesPerSecond', '2.05 kB/s'],
  [1_500, 'ms', '1.5 s'],
  [1, 'cores', '1 core'],
  [2.5, 'cores', '2.5 cores'],
  [null, 'share', 'unknown'],
])('formatQuantity: writes %s of unit %s as “%s”', (value, unit, words) => {
  expect(formatQuantity(value, unit)).toBe(words);
});

it('keyOf: returns a unique key for each instance, with any name', () => {
  expect(keyParts('cpu.used')).toEqual({ id: 'cpu.used', instance: null });
  expect(keyParts(keyOf('net.in', 'eth0:1'))).toEqual({ id: 'net.in', instance: 'eth0:1' });
});

it('formatValueName: puts the instance before the quantity', () => {
  const received: Quantity = { id: 'net.in', words: 'in', unit: 'bytesPerSecond', chart: 'Network' };
  expect(formatValueName('net.in', received)).toBe('in');
  expect(formatValueName('net.in:eth0', received)).toBe('eth0: in');
  expect(formatValueName('net.in:eth0', { ...received, words: '' })).toBe('eth0');
});
