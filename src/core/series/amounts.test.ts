import { describe, expect, it } from 'vitest';
import { amountOf, machineFactors } from './amounts.ts';

describe('amountOf', () => {
  it('reads numbers, amounts of data and other units', () => {
    expect(amountOf(4)).toEqual({ value: 4, unit: '' });
    expect(amountOf('4 GB')).toEqual({ value: 4e9, unit: 'B' });
    expect(amountOf('512MiB')).toEqual({ value: 2 ** 29, unit: 'B' });
    expect(amountOf('100k')).toEqual({ value: 1e5, unit: '' });
    expect(amountOf('1,000,000')).toEqual({ value: 1e6, unit: '' });
    expect(amountOf('2.5 GHz')).toEqual({ value: 2.5, unit: 'GHz' });
  });

  it('reads nothing from names', () => {
    for (const value of ['on', 'r3.8xlarge', '', '3.2.1', '-4', true, undefined]) expect(amountOf(value), String(value)).toBeNull();
  });
});

describe('machineFactors', () => {
  const rows = [{ factors: { Cores: 2, RAM: '4 GB', rows: 10, index: 'on' } }];

  it('knows machines by what they are usually called', () => {
    expect(machineFactors(undefined, rows)).toEqual(['Cores', 'RAM']);
  });

  it('goes by what the series says', () => {
    expect(machineFactors(['rows'], rows)).toEqual(['rows']);
  });
});
