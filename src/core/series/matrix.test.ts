import { describe, expect, it } from 'vitest';
import { buildSeriesResult } from './buildSeriesResult.ts';
import { matrixNotes, matrixTables } from '#core/presentation/document/seriesTables.ts';
import { listMatrices } from './matrix.ts';
import { cellRun, documentWith, figuresWith } from './testing/series.ts';

const head = {
  id: 's-1',
  name: 'Varnish',
  startedAt: '2026-01-01T12:00:00.000Z',
  endedAt: '2026-01-01T12:10:00.000Z',
  state: 'finished' as const,
  endedBecause: null,
};
/** The rates come from a table that printed “no data” for three different reasons. */
const rates: Readonly<Record<string, number>> = {
  '1 connection, 100 requests': 242.94,
  '1 connection, 10,000 requests': 242.78,
  '100 connections, 100 requests': 357.7,
  '100 connections, 10,000 requests': 358.1,
};
const document = documentWith({ levels: { connections: [1, 100, 1_000], requests: [100, 10_000] } });
const runs = [
  ...Object.entries(rates).map(([cell, rate]) =>
    cellRun(cell, 1, { figures: figuresWith({ completedPerSecond: rate, okPerSecond: rate }) }),
  ),
  cellRun('1,000 connections, 100 requests', 1, { state: 'refused', reason: 'There are fewer requests than connections.', figures: null }),
  cellRun('1,000 connections, 10,000 requests', 1, {
    state: 'aborted',
    reason: 'A connection was reset.',
    figures: figuresWith({ sent: 9_990 }),
  }),
];
const { rows } = buildSeriesResult(head, document, runs);

describe('listMatrices', () => {
  it('returns a figure, “Refused” or “Cut off” in each place, with the reason', () => {
    const [found] = matrixTables({ rows }, 'throughput');
    expect([found?.columns.map(({ name }) => name), ...(found?.rows ?? [])]).toEqual([
      ['Requests', '1 connection', '100 connections', '1,000 connections'],
      ['100 requests', '243/s', '358/s', 'Refused'],
      ['10,000 requests', '243/s', '358/s', 'Cut off'],
    ]);
    expect(matrixNotes({ rows })).toEqual([
      'Refused: There are fewer requests than connections.',
      'Aborted after 9,990 of 10,000 requests: A connection was reset.',
    ]);
  });

  it('shows the requested measure', () => {
    const places = (measure: 'p95' | 'failedShare') => listMatrices(rows, measure)[0]?.rows[0]?.places.map(({ figure }) => figure);
    expect(places('p95')).toEqual(['20 ms', '20 ms', null]);
    expect(places('failedShare')).toEqual(['0 %', '0 %', null]);
  });

  it('returns nothing for a series over one field', () => {
    const one = documentWith({ levels: { connections: [1, 10] } });
    expect(listMatrices(buildSeriesResult(head, one, []).rows, 'p95')).toEqual([]);
  });
});
