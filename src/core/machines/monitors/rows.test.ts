import { expect, it } from 'vitest';
import type { MonitorResult } from './result.ts';
import { monitorRows } from './monitorTables.ts';

const QUANTITIES: MonitorResult['quantities'] = [
  { id: 'cpu.used', words: 'in use', unit: 'share', chart: 'Processor' },
  { id: 'core.used', words: 'in use', unit: 'share', chart: 'Cores' },
  { id: 'net.in', words: 'in', unit: 'bytesPerSecond', chart: 'Network' },
  { id: 'sockets', words: 'all', unit: 'count', chart: 'TIME_WAIT' },
];
const monitor = (values: MonitorResult['values'], second = [0, 1, 2], width = [1, 1, 1]) =>
  ({ quantities: QUANTITIES, values, second, width }) as unknown as MonitorResult;

it('monitorRows: returns the time-weighted mean and the maximum with its second', () => {
  expect(monitorRows(monitor({ 'cpu.used': [0.1, 0.5, 0.9] }, [0, 8, 9], [8, 1, 1]))).toEqual([
    { name: 'Processor: in use', mean: '22 %', highest: '90 %', atSecond: 9 },
  ]);
});

it('monitorRows: reports the first of equal maxima', () => {
  expect(monitorRows(monitor({ 'cpu.used': [0.5, 0.9, 0.9] }))[0]?.atSecond).toBe(1);
});

it('monitorRows: never rounds the mean above the maximum', () => {
  expect(monitorRows(monitor({ sockets: [1_495, 1_495, 1_495] }))).toMatchObject([{ mean: '1,495', highest: '1,495' }]);
});

it('monitorRows: leaves unknown values out of the mean', () => {
  expect(monitorRows(monitor({ 'cpu.used': [null, 0.2, 0.4] }))[0]).toMatchObject({ mean: '30 %', highest: '40 %', atSecond: 2 });
});

it('monitorRows: returns a row for each instance', () => {
  const rows = monitorRows(monitor({ 'net.in:eth0': [1_000, 3_000, 2_000], 'net.in:lo': [1, 1, 1] }));
  expect(rows.map(({ name, mean }) => [name, mean])).toEqual([
    ['Network: eth0: in', '2 kB/s'],
    ['Network: lo: in', '1 B/s'],
  ]);
});

it("monitorRows: omits quantities that stayed 0, were never read, or are part of the machine's total", () => {
  expect(monitorRows(monitor({ 'cpu.used': [0, 0, 0], 'net.in:lo': [null, null, null], 'core.used:0': [0.5, 0.5, 0.5] }))).toEqual([]);
});
