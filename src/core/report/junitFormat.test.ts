import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { buildSeriesResult } from '../series/buildSeriesResult.ts';
import { cellRun, documentWith, figuresWith } from '../series/testing/series.ts';
import { formatJunit, formatSeriesJunit } from './junitFormat.ts';
import { sampleResult } from './testing/sampleResult.ts';

interface Element {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function elementsOf(xml: string): Element[] {
  const all: Element[] = [];
  new Parser({ onopentag: (tag, attributes) => void all.push({ tag, attributes }) }, { xmlMode: true }).end(xml);
  return all;
}

describe('JUnit XML', () => {
  it('has a case for each limit, and says why one failed or is not known', () => {
    const sample = sampleResult();
    const [first, second] = sample.objectives;
    if (first === undefined || second === undefined) throw new Error('the sample has two objectives');
    const objectives = [
      first,
      { ...first, outcome: 'breaks' as const, reason: '“a” & <b> took longer.' },
      { ...second, outcome: 'unknown' as const, unknownBecause: 'tooFew' as const, reason: 'Only 7 answers.' },
    ];
    const all = elementsOf(formatJunit({ ...sample, objectives }));
    expect(all.find(({ tag }) => tag === 'testsuites')?.attributes).toMatchObject({ tests: '3', failures: '1', errors: '1' });
    expect(all.filter(({ tag }) => tag === 'testcase')).toHaveLength(3);
    expect(all.find(({ tag }) => tag === 'failure')?.attributes).toEqual({ type: 'responseTime', message: '“a” & <b> took longer.' });
    expect(all.find(({ tag }) => tag === 'error')?.attributes).toEqual({ type: 'tooFew', message: 'Only 7 answers.' });
    expect(all.find(({ tag }) => tag === 'testsuite')?.attributes).toMatchObject({ time: '330.400', timestamp: '2026-03-12T14:05:07' });
  });

  it('passes a run that was only measured, and none that was cut off', () => {
    const sample = sampleResult({ objectives: [] });
    const cases = (result: typeof sample): string[] => elementsOf(formatJunit(result)).map(({ tag }) => tag);
    expect(cases({ ...sample, verdict: { ...sample.verdict, outcome: 'measured' } })).not.toContain('error');
    expect(cases({ ...sample, verdict: { ...sample.verdict, outcome: 'inconclusive' } })).toContain('error');
  });

  it('has a suite for each cell of a series', () => {
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
      cellRun('a', 2, { figures: figuresWith({ outcome: 'breaks' }) }),
      cellRun('b', 1, { state: 'refused', reason: 'The target refused every connection.', figures: null }),
      cellRun('b', 2),
    ];
    const document = documentWith({ variants: [{ name: 'a' }, { name: 'b' }], repeats: 2 });
    const all = elementsOf(formatSeriesJunit(buildSeriesResult(head, document, runs)));
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
});
