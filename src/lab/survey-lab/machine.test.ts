import { describe, expect, it } from 'vitest';
import { BLOCK_BYTES, BYTES_PER_MB, Machine } from './machine.ts';

const machineFor = (blocks: number | null): Machine =>
  new Machine({ 'memory-mb': blocks === null ? null : (blocks * BLOCK_BYTES + 1) / BYTES_PER_MB, cores: 1, 'disk-ms': 0.01, 'cpu-ms': 0 });

describe('the memory of a machine', () => {
  it('keeps blocks of each table until the memory is emptied', async () => {
    const machine = machineFor(null);
    expect(await machine.read('one', [1, 2, 3, 2])).toBe(3);
    expect(await machine.read('one', [3, 4])).toBe(1);
    expect(await machine.read('other', [3])).toBe(1);
    machine.forget();
    expect(await machine.read('one', [3])).toBe(1);
  });

  it('drops the least recently used blocks when it is full', async () => {
    const machine = machineFor(3);
    await machine.read('table', [1, 2, 3]);
    expect(await machine.read('table', [1, 4])).toBe(1);
    expect(await machine.read('table', [1, 3, 4])).toBe(0);
    expect(await machine.read('table', [2])).toBe(1);
  });

  it('does not help scans larger than its size, nor any scan if its size is zero', async () => {
    const small = machineFor(4);
    for (let scan = 0; scan < 3; scan += 1) expect(await small.read('table', [1, 2, 3, 4, 5])).toBe(5);
    const none = machineFor(0);
    for (let scan = 0; scan < 2; scan += 1) expect(await none.read('table', [1, 1])).toBe(2);
  });
});
