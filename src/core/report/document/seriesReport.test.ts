import { describe, expect, it } from 'vitest';
import { buildSeriesResult } from '#core/series/buildSeriesResult.ts';
import { parseSeries } from '#core/series/parse.ts';
import { cellRun, documentWith } from '#core/series/testing/series.ts';
import { renderHtml } from '../html/renderHtml.ts';
import { seriesText } from './planText.ts';
import { seriesReport } from './seriesReport.ts';

const document = documentWith({
  variants: [{ name: 'node', factors: { memory: '4 GB' } }, { name: 'gunicorn' }],
  levels: { connections: [1, 10] },
  repeats: 2,
});
const head = {
  id: 's-1',
  name: 'Node or Gunicorn',
  startedAt: '2026-01-01T12:00:00.000Z',
  endedAt: '2026-01-01T12:10:00.000Z',
  state: 'finished' as const,
  endedBecause: null,
};

describe('the report of a series', () => {
  const cells = ['node, 1 connection', 'node, 10 connections', 'gunicorn, 1 connection', 'gunicorn, 10 connections'];
  const runs = cells.flatMap((cell) => [cellRun(cell, 1), cellRun(cell, 2)]);
  const report = seriesReport(buildSeriesResult(head, document, runs));

  it('begins with the table of all cells', () => {
    const [first] = report.sections[0]?.blocks ?? [];
    expect(first).toMatchObject({ kind: 'table' });
    if (first?.kind !== 'table') return;
    expect(first.columns.filter(({ numeric }) => numeric !== true).map(({ name }) => name)).toEqual(['cell', 'memory', 'state']);
    expect(first.rows).toHaveLength(4);
  });

  it('has each cell with its runs, and can be drawn', () => {
    const section = report.sections.find(({ id }) => id === 'cells');
    expect(section?.blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(4);
    expect(renderHtml(report, 'Letter')).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('holds the series as it can be run again', () => {
    expect(parseSeries(seriesText(document)).document).toEqual(document);
  });
});
