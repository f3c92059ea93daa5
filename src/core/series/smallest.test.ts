import { describe, expect, it } from 'vitest';
import { buildSeriesResult } from './buildSeriesResult.ts';
import type { Budget } from './result.ts';
import type { CellRun, SeriesHead, SmallestMachine } from './result.ts';
import { findSmallest as smallestOfRows, formatSmallest } from './smallest.ts';
import { cellRun, documentWith, figuresWith } from './testing/series.ts';

const head: SeriesHead = {
  id: 's-1',
  name: 'Machines',
  startedAt: '2026-01-01T12:00:00.000Z',
  endedAt: '2026-01-01T12:10:00.000Z',
  state: 'finished',
  endedBecause: null,
};
const LIMIT_MS = 800;

interface Machine {
  readonly name: string;
  readonly factors?: Record<string, string | number>;
  readonly cost?: number;
  /** p95 of each run. */
  readonly p95: readonly (number | 'never' | null)[];
}

const budget = (p95: Machine['p95'][number]): Budget => ({
  text: '19 of 20 answers within 800 ms',
  outcome: p95 === null ? 'unknown' : p95 === 'never' || p95 > LIMIT_MS ? 'failed' : 'passed',
  measured: p95,
  limit: LIMIT_MS,
  unit: 'ms',
});

function cellRuns(cell: string, times: Machine['p95']): CellRun[] {
  return times.map((p95, index) => {
    const one = budget(p95);
    const outcome = one.outcome === 'unknown' ? 'inconclusive' : one.outcome;
    return cellRun(cell, index + 1, { figures: figuresWith({ p95, outcome, budgets: [one] }) });
  });
}

function findSmallest(machines: readonly Machine[], machine?: string[]) {
  const variants = machines.map(({ p95: _p95, ...variant }) => variant);
  const document = documentWith({ variants, repeats: 5, ...(machine === undefined ? {} : { machine }) });
  const runs = machines.flatMap(({ name, p95 }) => cellRuns(name, p95));
  return smallestOfRows(buildSeriesResult({ ...head, endedAt: null }, document, runs).rows, document.series);
}

const textOf = (conclusion: SmallestMachine | undefined): string => formatSmallest(conclusion === undefined ? [] : [conclusion]).join('\n');

const vm = (memory: number, cores: number, p95: Machine['p95']): Machine => ({
  name: `${memory} GB, ${cores} cores`,
  factors: { memory: `${memory} GB`, cores },
  p95,
});
const SLOW = [2_000, 2_010, 1_990, 2_005, 1_995];
const FAST = [300, 301, 299, 302, 298];

describe('smallest machine that passes every criterion', () => {
  it('is found whatever the order of the machines in the plan', () => {
    const [conclusion, ...others] = findSmallest([vm(16, 4, FAST), vm(8, 2, FAST), vm(4, 2, SLOW), vm(4, 4, SLOW), vm(8, 4, FAST)]);
    expect(others).toEqual([]);
    expect(conclusion?.smallest).toEqual(['8 GB, 2 cores']);
    expect(textOf(conclusion)).toBe(
      '“8 GB, 2 cores” is the smallest machine that passes every criterion; closest to failing is “19 of 20 answers within 800 ms” with 300 ms.',
    );
    expect(conclusion?.machines[0]).toMatchObject({ name: '4 GB, 2 cores', judgement: 'failed', passed: 0, runs: 5 });
    expect(conclusion?.machines.at(-1)?.name).toBe('16 GB, 4 cores');
  });

  it('is one of several if factors do not order them, and a single one if costs do', () => {
    const two = [vm(4, 4, FAST), vm(8, 2, FAST), vm(8, 4, FAST), vm(4, 2, SLOW)];
    expect(findSmallest(two)[0]?.smallest).toEqual(['4 GB, 4 cores', '8 GB, 2 cores']);
    expect(textOf(findSmallest(two)[0])).toMatch(
      /^“4 GB, 4 cores” and “8 GB, 2 cores” pass every criterion, and nothing smaller does\. .* a cost of each/,
    );
    const costs = [30, 20, 50, 10];
    expect(findSmallest(two.map((machine, index) => ({ ...machine, cost: costs[index] ?? 0 })))[0]?.smallest).toEqual(['8 GB, 2 cores']);
  });

  it('is found by cost alone', () => {
    const named = [
      { name: 'r3.8xlarge', cost: 2.66, p95: FAST },
      { name: 't2.medium', cost: 0.05, p95: SLOW },
      { name: 'm4.large', cost: 0.1, p95: FAST },
    ];
    expect(findSmallest(named)[0]?.smallest).toEqual(['m4.large']);
  });

  it('is absent, with the margin of the best machine, if no machine passes', () => {
    const [conclusion] = findSmallest([vm(4, 2, SLOW), vm(8, 2, [895, 897, 896, 896, 900])]);
    expect(conclusion?.smallest).toEqual([]);
    expect(textOf(conclusion)).toBe(
      'No machine passes every criterion. “8 GB, 2 cores” comes nearest, and fails “19 of 20 answers within 800 ms” with 896 ms, by 12 %.',
    );
    expect(textOf(findSmallest([vm(4, 2, SLOW), vm(8, 2, [890, 1_000])])[0]), 'of one run, where there is none in the middle').toMatch(
      / with 890 ms, by 11 %\.$/,
    );
    expect(textOf(findSmallest([vm(4, 2, ['never']), vm(8, 2, ['never'])])[0])).toMatch(
      /fails “19 of 20 answers within 800 ms” with never\.$/,
    );
  });

  it('is marked if the result is within noise', () => {
    const [some] = findSmallest([vm(4, 2, [790, 810, 795, 820, 799]), vm(8, 2, FAST)]);
    expect(some?.smallest).toEqual(['8 GB, 2 cores']);
    expect(textOf(some)).toContain('Whether the smaller “4 GB, 2 cores” is enough is within noise: 3 of 5 runs passed every criterion.');
    expect(some?.machines[0]).toMatchObject({ name: '4 GB, 2 cores', judgement: 'withinNoise', passed: 3, runs: 5 });
    const [none] = findSmallest([vm(4, 2, SLOW), vm(8, 2, [790, 810, 795, 820, null])]);
    expect(none?.machines.map(({ judgement }) => judgement)).toEqual(['failed', 'withinNoise']);
    expect(textOf(none)).toMatch(
      /whether it is enough is within noise: 2 of 5 runs passed every criterion, and of 1 the result is inconclusive: more/,
    );
    const [tight] = findSmallest([vm(4, 2, [700, 780, 720, 795, 690]), vm(8, 2, FAST)]);
    expect(tight?.smallest).toEqual(['4 GB, 2 cores']);
    expect(textOf(tight)).toMatch(/“4 GB, 2 cores” passes by less than noise: .* could exceed that limit by \d+ %\.$/);
    expect(textOf(findSmallest([vm(4, 2, [300]), vm(8, 2, [300])])[0])).toContain('“4 GB, 2 cores” was run once');
  });

  it('is unknown, not noisy, if too few requests were made', () => {
    const [conclusion] = findSmallest([vm(4, 2, [null, 300, null]), vm(8, 2, FAST)]);
    expect(conclusion?.machines[0]).toMatchObject({ judgement: 'unclear', passed: 1, runs: 3 });
    expect(textOf(conclusion)).toContain(
      'Whether the smaller “4 GB, 2 cores” is enough is inconclusive: 1 of 3 runs passed every criterion, and of 2',
    );
    const [missed] = findSmallest([vm(4, 2, [null, 820, null]), vm(8, 2, FAST)]);
    expect(missed?.machines[0]).toMatchObject({ judgement: 'failed', passed: 0, runs: 3 });
  });

  it('is not claimed for machines that were not measured, or without criteria', () => {
    const [unmeasured] = findSmallest([vm(4, 2, []), vm(8, 2, FAST)]);
    expect(textOf(unmeasured)).toContain('Not measured, though smaller: “4 GB, 2 cores”.');
    expect(textOf(findSmallest([vm(4, 2, []), vm(8, 2, [])])[0])).toBe('Which machine is enough is unknown: none was measured.');
    const variants = [vm(4, 2, []), vm(8, 2, [])].map(({ name, factors }) => ({ name, factors: factors ?? {} }));
    const noLimits = buildSeriesResult(
      head,
      documentWith({ variants }),
      variants.map(({ name }) => cellRun(name, 1)),
    );
    expect(textOf(noLimits.smallest[0])).toBe('Which machine is enough is unknown: the plan sets no pass criteria.');
  });

  it('is reported with a larger machine that failed', () => {
    expect(textOf(findSmallest([vm(4, 2, FAST), vm(8, 2, SLOW)])[0])).toContain(
      '“8 GB, 2 cores” is larger and failed a criterion all the same.',
    );
  });

  it('is found for each amount of data, unless the series states otherwise', () => {
    const rows = [
      { name: 'few', factors: { rows: '1k' }, p95: FAST },
      { name: 'many', factors: { rows: '100k' }, p95: SLOW },
    ];
    expect(findSmallest(rows)).toEqual([]);
    expect(findSmallest(rows, ['rows'])[0]?.smallest).toEqual(['few']);
    const both = [4, 8].flatMap((memory) =>
      ['1k', '100k'].map((count) => ({
        name: `${memory} ${count}`,
        factors: { memory: `${memory} GB`, rows: count },
        p95: memory === 4 && count === '100k' ? SLOW : FAST,
      })),
    );
    expect(findSmallest(both).map(({ condition, smallest }) => [condition, smallest])).toEqual([
      ['rows 1k', ['4 1k']],
      ['rows 100k', ['8 100k']],
    ]);
  });

  it('is found for each level', () => {
    const variants = [vm(4, 2, []), vm(8, 2, [])].map(({ name, factors }) => ({ name, factors: factors ?? {} }));
    const runs = [
      ...cellRuns('4 GB, 2 cores · 1 connection', FAST),
      ...cellRuns('4 GB, 2 cores · 10 connections', SLOW),
      ...cellRuns('8 GB, 2 cores · 1 connection', FAST),
      ...cellRuns('8 GB, 2 cores · 10 connections', FAST),
    ];
    const { smallest } = buildSeriesResult(head, documentWith({ variants, levels: { connections: [1, 10] }, repeats: 5 }), runs);
    expect(formatSmallest(smallest).map((text) => text.slice(0, 40))).toEqual([
      'At 1 connection: “4 GB, 2 cores” is the ',
      'At 10 connections: “8 GB, 2 cores” is th',
    ]);
  });

  it('is described with common sentences of several conditions only once', () => {
    const machines = [vm(4, 2, []), vm(8, 2, [])].map(({ name, factors }) => ({ name, factors: factors ?? {} }));
    const levels = { connections: [1, 10, 20] };
    const [small, large] = ['4 GB, 2 cores', '8 GB, 2 cores'];
    const reported = (times: Record<string, Machine['p95']>): string[] => {
      const runs = Object.entries(times).flatMap(([cell, p95]) => cellRuns(cell, p95));
      return formatSmallest(buildSeriesResult(head, documentWith({ variants: machines, levels }), runs).smallest);
    };
    expect(
      reported({
        [`${small} · 1 connection`]: [300],
        [`${small} · 10 connections`]: [400],
        [`${large} · 20 connections`]: FAST,
        [`${large} · 10 connections`]: SLOW,
      }),
    ).toEqual([
      `At 1 connection: “${small}” is the smallest machine that passes every criterion; closest to failing is “19 of 20 answers within 800 ms” with 300 ms.`,
      `At 10 connections: “${small}” is the smallest machine that passes every criterion; closest to failing is “19 of 20 answers within 800 ms” with 400 ms. “${large}” is larger and failed a criterion all the same.`,
      `At 20 connections: “${large}” is the smallest machine that passes every criterion; closest to failing is “19 of 20 answers within 800 ms” with 300 ms. Not measured, though smaller: “${small}”.`,
      `At 1 connection and 10 connections: “${small}” was run once, so how much of its figures is chance is unknown.`,
    ]);
    expect(reported({})).toEqual([
      'At 1 connection, 10 connections and 20 connections: which machine is enough is unknown: none was measured.',
    ]);
  });
});
