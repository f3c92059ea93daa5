import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { compareSides } from '#core/comparison/compareSides.ts';
import { WHOLE_RUN } from '#core/comparison/comparedRun.ts';
import { runWith } from '#core/comparison/testing/simulated.ts';
import { buildSeriesResult } from '#core/series/buildSeriesResult.ts';
import { cellRun, documentWith, figuresWith } from '#core/series/testing/series.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { formatComparisonJunit, formatJunit, formatSeriesJunit } from './junitFormat.ts';

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function findElements(xml: string): Element[] {
  const all: Element[] = [];
  new Parser({ onopentag: (tag, attributes) => void all.push({ tag, attributes }) }, { xmlMode: true }).end(xml);
  return all;
}

describe('JUnit XML', () => {
  it('has a test case per criterion, with the reason if failed or unknown', () => {
    const sample = sampleResult();
    const [first, second] = sample.criteria;
    if (first === undefined || second === undefined) throw new Error('the sample has two criteria');
    const criteria = [
      first,
      { ...first, outcome: 'failed' as const, reason: '“a” & <b> took longer.' },
      { ...second, outcome: 'unknown' as const, unknownBecause: 'tooFew' as const, reason: 'Only 7 answers.' },
    ];
    const all = findElements(formatJunit({ ...sample, criteria }));
    expect(all.find(({ tag }) => tag === 'testsuites')?.attributes).toMatchObject({ tests: '3', failures: '1', errors: '1' });
    expect(all.filter(({ tag }) => tag === 'testcase')).toHaveLength(3);
    expect(all.find(({ tag }) => tag === 'failure')?.attributes).toEqual({ type: 'responseTime', message: '“a” & <b> took longer.' });
    expect(all.find(({ tag }) => tag === 'error')?.attributes).toEqual({ type: 'tooFew', message: 'Only 7 answers.' });
    expect(all.find(({ tag }) => tag === 'testsuite')?.attributes).toMatchObject({ time: '330.400', timestamp: '2026-03-12T14:05:07' });
  });

  it('passes a run without criteria, and fails an interrupted one', () => {
    const sample = sampleResult({ criteria: [] });
    const listTags = (result: typeof sample): string[] => findElements(formatJunit(result)).map(({ tag }) => tag);
    expect(listTags({ ...sample, verdict: { ...sample.verdict, outcome: 'measured' } })).not.toContain('error');
    expect(listTags({ ...sample, verdict: { ...sample.verdict, outcome: 'inconclusive' } })).toContain('error');
  });

  it('has a test suite for each cell of a series', () => {
    const head = {
      id: 's-1',
      name: 'A & B',
      startedAt: '2026-01-01T12:00:00.000Z',
      endedAt: '2026-01-01T12:10:00.000Z',
      state: 'finished' as const,
      endedBecause: null,
    };
    const runs = [
      cellRun('a', 1),
      cellRun('a', 2, { figures: figuresWith({ outcome: 'failed' }) }),
      cellRun('b', 1, { state: 'refused', reason: 'The target refused every connection.', figures: null }),
      cellRun('b', 2),
    ];
    const document = documentWith({ variants: [{ name: 'a' }, { name: 'b' }], repeats: 2 });
    const all = findElements(formatSeriesJunit(buildSeriesResult(head, document, runs)));
    expect(
      all
        .filter(({ tag }) => tag === 'testsuite')
        .map(({ attributes }) => [attributes['name'], attributes['failures'], attributes['errors']]),
    ).toEqual([
      ['a', '1', '0'],
      ['b', '0', '1'],
    ]);
    expect(all.find(({ tag }) => tag === 'testsuites')?.attributes).toMatchObject({ name: 'A & B', tests: '4' });
  });

  it('has an error, like the exit code, if run-to-run variation is too large for a conclusion', () => {
    const side = (name: string, first: number) => ({
      name,
      runs: [0, 2, 4, 6, 8].map((minute) =>
        runWith(first + minute, { figures: [{ scope: WHOLE_RUN, measure: 'p95', value: 100 + 15 * ((3 * minute + first) % 5) }] }),
      ),
    });
    const comparison = compareSides([side('before', 0), side('after', 1)], null);
    expect(comparison.pairs.map(({ conclusion }) => conclusion)).toEqual(['withinNoise']);
    const all = findElements(formatComparisonJunit(comparison, 0.05));
    expect(all.find(({ tag }) => tag === 'error')?.attributes).toMatchObject({
      type: 'notReportedApart',
      message: comparison.pairs[0]?.sentence,
    });
    expect(all.find(({ tag }) => tag === 'testsuite')?.attributes).toMatchObject({ tests: '2', failures: '0', errors: '1' });
  });

  it('fails figures that are worse with confidence, beyond the tolerance', () => {
    const side = (name: string, first: number, p95: number) => ({
      name,
      runs: [0, 2, 4, 6, 8].map((minute) =>
        runWith(first + minute, { figures: [{ scope: WHOLE_RUN, measure: 'p95', value: p95 + minute / 10 }] }),
      ),
    });
    const comparison = compareSides([side('before', 0, 100), side('after <1>', 1, 120)], null);
    const worse = findElements(formatComparisonJunit(comparison, 0.05));
    expect(worse.map(({ tag }) => tag)).toEqual(['testsuites', 'testsuite', 'properties', 'property', 'testcase', 'failure']);
    expect(worse[1]?.attributes).toMatchObject({ name: 'before / after <1>', tests: '1', failures: '1', errors: '0' });
    expect(worse.at(-1)?.attributes).toMatchObject({
      type: 'worse',
      message: '120 ms (120 ms to 121 ms) instead of 100 ms (100 ms to 101 ms): worse',
    });
    expect(findElements(formatComparisonJunit(comparison, 0.5)).at(-1)?.tag).toBe('testcase');
  });
});
