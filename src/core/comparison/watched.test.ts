import { describe, expect, it } from 'vitest';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import type { RunResult } from '#core/result/schema.ts';
import { listVisitFigures, listMonitorFigures } from './comparedRun.ts';

const sample = sampleResult();
/**
 * Returns a monitor with the given values. The load of the sample's counted stage runs from second 30 to 330, with 200 responses per
 * second.
 */
function monitor(values: MonitorResult['values'], changes: Partial<MonitorResult> = {}): MonitorResult {
  const head = { number: 1, name: 'web1', kind: 'machine', role: 'target', host: 'web1', quantities: [], limits: [] } as const;
  return { ...head, state: 'ended', problem: null, errorMs: null, second: [100, 200], width: [1, 1], values, ...changes } as MonitorResult;
}
const computeFigures = (result: RunResult) =>
  listMonitorFigures(result).map(({ scope, measure, value }) => [scope.name, measure, value === null ? null : Number(value.toFixed(9))]);
const watched = (...monitors: MonitorResult[]) => computeFigures(sampleResult({ monitors }));

describe('listMonitorFigures', () => {
  it('covers watched machines other than load generators, and nothing else', () => {
    const busy = { 'memory.used': [5, 6] };
    expect(watched(monitor(busy))).toEqual([['web1', 'memory', 6]]);
    expect(watched(monitor(busy, { role: 'generator' }), monitor(busy, { kind: 'nginx' }))).toEqual([]);
  });

  it('uses each reading whose time overlaps the load', () => {
    // A reading of ten seconds from second 25 overlaps the load. One from second 20 ends as the load begins, and one at 330 begins as it
    // ends.
    const at = (second: number[], width: number[], memory: number[]) => watched(monitor({ 'memory.used': memory }, { second, width }));
    expect(at([20, 25, 329, 330], [10, 10, 1, 1], [9, 2, 3, 9])).toEqual([['web1', 'memory', 3]]);
    expect(at([20, 25], [10, 10], [9, 2])).toEqual([['web1', 'memory', 2]]);
    expect(at([29, 29.5], [], [9, 4])).toEqual([['web1', 'memory', 4]]);
    expect(at([20], [10], [9])).toEqual([]);
  });

  it('covers all counted stages', () => {
    const [warmUp, main] = sample.stages;
    if (warmUp === undefined || main === undefined) throw new Error('the sample has two stages');
    const stages = [warmUp, main, { ...main, startedAtSecond: 400, endedAtSecond: 500 }];
    const plan = {
      ...sample.plan,
      load: { ...sample.plan.load, stages: [0, 1, 1].map((stage) => sample.plan.load.stages[stage]) },
    } as RunResult['plan'];
    expect(computeFigures({ ...sample, plan, stages, monitors: [monitor({ 'memory.used': [1, 7] }, { second: [350, 450] })] })).toEqual([
      ['web1', 'memory', 7],
    ]);
  });

  it('weights busy cores by the width of readings, and divides by responses', () => {
    const cores = { 'cpu.used': [0.2, 0.8], 'core.used:0': [0, 0], 'core.used:1': [0, 0], 'core.used:2': [0, 0] };
    // (0.2 × 3 s + 0.8 × 1 s) / 4 s of 3 cores are 1.05 cores; for 200 responses per second 5.25 ms each.
    expect(watched(monitor(cores, { width: [3, 1] }))).toEqual([
      ['web1', 'cpuUsed', 1.05],
      ['web1', 'cpuMsPerResponse', 5.25],
    ]);
    const perResponse = (completedPerSecond: number | null) =>
      computeFigures({ ...sample, rates: { ...sample.rates, completedPerSecond }, monitors: [monitor(cores)] })[1];
    expect([perResponse(100), perResponse(0), perResponse(null)]).toEqual([
      ['web1', 'cpuMsPerResponse', 15],
      ['web1', 'cpuMsPerResponse', null],
      ['web1', 'cpuMsPerResponse', null],
    ]);
  });

  it('omits a processor if its number of cores or its utilization is unknown', () => {
    expect(watched(monitor({ 'cpu.used': [0.5, 0.5] }))).toEqual([]);
    expect(watched(monitor({ 'core.used:0': [0.5, 0.5] }))).toEqual([]);
    expect(watched(monitor({ 'cpu.used': [null, null], 'core.used:0': [0.5, 0.5] }))).toEqual([]);
  });

  it('names each program and container, and returns only processor and memory', () => {
    const values = {
      'process.cpu:db': [1, 3],
      'process.memory:db': [4, 2],
      'container.cpu:app': [null, 1],
      'process.files:db': [9, 9],
      'process.cpu': [8, 8],
    };
    expect(watched(monitor(values))).toEqual([
      ['web1: db', 'cpuUsed', 2],
      ['web1: db', 'cpuMsPerResponse', 10],
      ['web1: db', 'memory', 4],
      ['web1: app', 'cpuUsed', 1],
      ['web1: app', 'cpuMsPerResponse', 5],
    ]);
  });
});

describe('listVisitFigures', () => {
  type VisitResults = NonNullable<RunResult['visits']>;
  const stages = sample.stages;
  /** Returns an undisturbed visit of the second page in the counted stage. */
  const visit = (largestPaintMs: number | null, changes: Partial<VisitResults['visits'][number]> = {}) =>
    ({ page: 1, stage: 1, slowedBy: null, problem: null, largestPaintMs, ...changes }) as VisitResults['visits'][number];
  const seenBy = (...visits: VisitResults['visits'][number][]) =>
    listVisitFigures({ stages, visits: { pages: [{ name: 'home' }, { name: 'shop' }], visits } as unknown as VisitResults });

  it('returns the median largest paint of each page, over the counted visits', () => {
    const disturbed = [
      visit(1, { page: 0, stage: 0 }),
      visit(2, { stage: 0 }),
      visit(3, { stage: null }),
      visit(4, { stage: 7 }),
      visit(5, { slowedBy: 'steal' }),
      visit(6, { problem: 'It did not come.' }),
      visit(null),
    ];
    expect(seenBy(visit(800), ...disturbed, visit(1_000), visit(1_300), visit(500, { page: 0 }))).toEqual([
      { scope: { kind: 'watched', name: '“home”' }, measure: 'largestPaint', value: 500 },
      { scope: { kind: 'watched', name: '“shop”' }, measure: 'largestPaint', value: 1_000 },
    ]);
    expect(seenBy(...disturbed).map(({ value }) => value)).toEqual([null, null]);
  });

  it('returns nothing without visits', () => expect(listVisitFigures({ stages, visits: null })).toEqual([]));
});
