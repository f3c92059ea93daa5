import { describe, expect, it } from 'vitest';
import { processorAccountRows, processorAccounts } from './monitorTables.ts';
import type { MonitorResult } from './result.ts';

function monitor(kind: string, name: string, values: MonitorResult['values'], changes: Partial<MonitorResult> = {}): MonitorResult {
  const count = Math.max(...Object.values(values).map(({ length }) => length));
  return {
    number: 0,
    name,
    kind,
    role: 'target',
    host: null,
    quantities: [],
    limits: [],
    state: 'ended',
    problem: null,
    errorMs: null,
    second: Array.from({ length: count }, (_, second) => second),
    width: Array.from({ length: count }, () => 1),
    values,
    ...changes,
  };
}

const kernel = monitor('machine', 'web1', { 'process.cpu:node': [0.1, 1, 0.98, 1, 0.2], 'cpu.used': [0.5, 0.5, 0.5, 0.5, 0.5] });
const graph = (name: string, words: string, values: (number | null)[], changes: Partial<MonitorResult> = {}): MonitorResult =>
  monitor('graph', name, { 'graph.1': values }, { quantities: [{ id: 'graph.1', words, unit: 'share', chart: words }], ...changes });
const loaded = [{ from: 0.4, to: 4.3 }];

describe('processorAccounts', () => {
  it("compares a graph with the kernel's counters in the same whole seconds of the load", () => {
    const accounts = processorAccounts([kernel, graph('docker stats', 'CPU %', [0.95, 0.95, 0.95, 0.95, 0.95])], loaded);
    expect(accounts).toEqual([
      { by: 'docker stats: CPU %', of: 'node', seconds: 3, statedCores: expect.closeTo(0.95), countedCores: expect.closeTo(2.98 / 3) },
    ]);
    expect(processorAccountRows(accounts)).toEqual([['docker stats: CPU %', 'node', '95 %', '99.3 %', '−4.3 points', '3 s']]);
  });

  it('splits rows across seconds and leaves out unknown values', () => {
    const shifted = graph('Grafana', 'cpu', [0.8, null, 0.9], { second: [0.5, 1.5, 2.5] });
    expect(processorAccounts([kernel, shifted], loaded)).toEqual([
      {
        by: 'Grafana: cpu',
        of: 'node',
        seconds: 1.5,
        statedCores: expect.closeTo((0.5 * 0.8 + 0.9) / 1.5),
        countedCores: expect.closeTo((0.5 * 1 + 0.5 * 0.98 + 0.5 * 1) / 1.5),
      },
    ]);
  });

  it('compares rows of any length with those of the kernel', () => {
    const long = graph('Grafana', 'cpu', [0.5, 0.9], { second: [0, 2], width: [2, 3] });
    const [coarse] = processorAccounts([kernel, long], loaded);
    expect(coarse).toMatchObject({ seconds: 3, statedCores: expect.closeTo((0.5 + 2 * 0.9) / 3), countedCores: expect.closeTo(2.98 / 3) });
    const short = graph('Grafana', 'cpu', [0.5, 0.9, 1], { second: [1, 1.5, 3.75], width: [0.5, 0.25, 0.25] });
    const [fine] = processorAccounts([kernel, short], loaded);
    expect(fine).toMatchObject({ seconds: 1, statedCores: expect.closeTo(0.25 + 0.225 + 0.25), countedCores: expect.closeTo(1) });
  });

  it('names the machine of a program if several were monitored', () => {
    const other = monitor('machine', 'web2', { 'process.cpu:node': [0.1, 0.5, 0.5, 0.5, 0.2] });
    const accounts = processorAccounts([kernel, other, graph('docker stats', 'CPU %', [1, 1, 1, 1, 1])], loaded);
    expect(accounts.map(({ of, countedCores }) => [of, countedCores.toFixed(2)])).toEqual([
      ['node on web1', '0.99'],
      ['node on web2', '0.50'],
    ]);
  });

  it('matches the program named in the graph, or else all programs', () => {
    const two = monitor('machine', 'web1', { 'process.cpu:nginx': [0, 0.1, 0.1, 0.1, 0], 'container.cpu:shop': [0, 1, 1, 1, 0] });
    const of = (name: string): string[] =>
      processorAccounts([two, graph(name, 'Processor', [1, 1, 1, 1, 1])], loaded).map((account) => account.of);
    expect(of('docker stats shop')).toEqual(['shop']);
    expect(of('docker stats')).toEqual(['nginx', 'shop']);
  });

  it('ignores other graphs, counts, and graphs outside the load', () => {
    const memory = graph('docker stats', 'memory', [0.5, 0.5, 0.5]);
    const count = graph('docker stats', 'CPU', [95, 95, 95], {
      quantities: [{ id: 'graph.1', words: 'CPU', unit: 'count', chart: 'CPU' }],
    });
    const later = graph('docker stats', 'CPU', [0.95], { second: [60] });
    expect(processorAccounts([kernel, memory, count, later], loaded)).toEqual([]);
  });
});
