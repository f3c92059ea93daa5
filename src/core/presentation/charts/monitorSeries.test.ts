import { describe, expect, it } from 'vitest';
import type { LiveMonitor } from '#core/machines/monitors/foldPoints.ts';
import { MACHINE_CATALOGUE } from '#core/machines/monitors/machine/catalogue.ts';
import { summarizeMonitor, monitorCharts } from './monitorSeries.ts';

function machine(values: readonly Record<string, number>[]): LiveMonitor {
  return {
    info: {
      number: 0,
      name: 'web1',
      kind: 'machine',
      role: 'target',
      host: 'web1',
      quantities: [...MACHINE_CATALOGUE.quantities],
      limits: [{ chart: 'Network', value: 1.25e8, words: 'speed of eth0', instance: 'eth0' }],
      state: 'watching',
      problem: null,
      errorMs: 1,
    },
    points: values.map((of, second) => ({ second, width: 1, values: of })),
  };
}

describe('charts of a monitor', () => {
  const monitor = machine([
    { 'cpu.used': 0.5, 'cpu.steal': 0, 'net.in:eth0': 10, 'timeWait.connecting': 5 },
    { 'cpu.used': 0.6, 'cpu.steal': 0, 'timeWait.connecting': 9, 'timeWait.accepting': 1 },
  ]);

  it('contain a line for each value that is not always 0, with gaps and known limits', () => {
    const charts = monitorCharts(monitor);
    expect(charts.map(({ title, unit, data }) => [title, unit, data.series.map(({ name, values }) => [name, values])])).toEqual([
      ['Processor', 'share', [['in use', [0.5, 0.6]]]],
      ['Network', 'bytesPerSecond', [['eth0: in', [10, null]]]],
      [
        'TIME_WAIT',
        'count',
        [
          ['on the connecting side', [5, 9]],
          ['on the accepting side', [null, 1]],
        ],
      ],
    ]);
    expect(charts[1]?.limits).toEqual([{ value: 1.25e8, label: 'speed of eth0' }]);
  });

  it('draw only the highest of many lines', () => {
    const [cores] = monitorCharts(machine([Object.fromEntries(Array.from({ length: 20 }, (_, core) => [`core.used:${core}`, core / 20]))]));
    expect(cores?.data.series.map(({ name }) => name)).toEqual(Array.from({ length: 8 }, (_, index) => `${index + 12}: in use`));
  });

  it('have a summary of the latest values', () => {
    expect(summarizeMonitor(monitor)).toBe('processor 60 % · 9 in TIME_WAIT on the connecting side');
    expect(summarizeMonitor(machine([]))).toBe('');
  });
});
