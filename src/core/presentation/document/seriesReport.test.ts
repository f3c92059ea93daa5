import { describe, expect, it } from 'vitest';
import { formatAfterOutcome } from '#core/judgement/verdict/labels.ts';
import { buildSeriesResult } from '#core/series/buildSeriesResult.ts';
import type { CellFigures } from '#core/series/result.ts';
import { parseSeries } from '#core/series/check.ts';
import { cellRun, documentWith, figuresWith } from '#core/series/testing/series.ts';
import { renderHtml } from '../html/renderHtml.ts';
import { seriesVerdict } from './groupVerdict.ts';
import { cellText } from './model.ts';
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
  const cells = ['node · 1 connection', 'node · 10 connections', 'gunicorn · 1 connection', 'gunicorn · 10 connections'];
  const runs = cells.flatMap((cell) => [cellRun(cell, 1), cellRun(cell, 2)]);
  const reported = () => seriesReport(buildSeriesResult(head, document, runs));

  it('begins with its verdict and the table of all cells', () => {
    const [verdict, first] = reported().sections[0]?.blocks ?? [];
    expect(verdict).toMatchObject({ kind: 'verdict', outcome: 'measured', title: 'Measured', load: expect.stringMatching(/^ 4 cells/) });
    expect(first).toMatchObject({ kind: 'table' });
    if (first?.kind !== 'table') return;
    expect(first.columns.filter(({ numeric }) => numeric !== true).map(({ name }) => name)).toEqual(['Cell', 'memory', 'State']);
    expect(first.rows).toHaveLength(4);
  });

  it('has each cell with its runs, and can be rendered', () => {
    const report = reported();
    const section = report.sections.find(({ id }) => id === 'cells');
    expect(section?.blocks.filter(({ kind }) => kind === 'heading')).toHaveLength(4);
    expect(renderHtml(report, 'Letter')).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('shows the criterion that each machine is closest to failing, and nothing without criteria', () => {
    const machines = documentWith({
      variants: [
        { name: 'small', factors: { memory: '4 GB' } },
        { name: 'large', factors: { memory: '8 GB' } },
      ],
      repeats: 2,
    });
    const judged = (...outcomes: readonly CellFigures['outcome'][]) => {
      const all = ['small', 'large'].flatMap((cell, place) =>
        [0, 1].map((index) => cellRun(cell, index + 1, { figures: figuresWith({ outcome: outcomes[2 * place + index] ?? 'passed' }) })),
      );
      const blocks = seriesReport(buildSeriesResult(head, machines, all)).sections[0]?.blocks ?? [];
      return blocks.flatMap((block) =>
        block.kind === 'table' && block.title.startsWith('Machines') ? [block.rows.map((row) => row.map(cellText))] : [],
      );
    };
    const largeKept = ['large', 'Passed', '2 of 2', '–'];
    expect(judged('passed', 'passed')).toEqual([[['small', 'Passed', '2 of 2', '–'], largeKept]]);
    expect(judged('failed', 'failed')).toEqual([[['small', 'Failed', '0 of 2', '–'], largeKept]]);
    expect(judged('passed', 'failed')).toEqual([[['small', 'Within noise', '1 of 2', '–'], largeKept]]);
    expect(judged('inconclusive', 'inconclusive')).toEqual([[['small', 'Inconclusive', '0 of 2', '–'], largeKept]]);
    expect(judged('inconclusive', 'inconclusive', 'inconclusive', 'inconclusive')).toEqual([]);
    expect(judged('measured', 'measured', 'measured', 'measured')).toEqual([]);
  });

  it('contains the series so that it can be repeated', () => {
    expect(parseSeries(seriesText(document)).document).toEqual(document);
  });

  it('describes variants without default values', () => {
    const own = documentWith({
      variants: [
        { name: 'node', targets: [{ url: 'http://127.0.0.1:8081/' }] },
        { name: 'gunicorn', before: ['./restart.sh'] },
      ],
    });
    const text = seriesText(own);
    expect(parseSeries(text)).toEqual({ document: own, issues: [] });
    expect(text.slice(text.indexOf('series:'))).toBe(`series:
  variants:
    - name: node
      targets:
        - url: http://127.0.0.1:8081/
    - name: gunicorn
      before:
        - run: ./restart.sh
          timeoutSeconds: 60
`);
  });

  it('has a table of both variants of a duet, and does not say that they ran one after the other', () => {
    const variants = ['base', 'head'].map((name, index) => ({ name, targets: [{ url: `http://127.0.0.1:${index + 1}/` }] }));
    const side = { ok: 300, failed: 0 };
    const duet: CellFigures['duet'] = {
      slotMs: 100,
      sides: [
        { name: 'base', typicalMs: 20, ...side },
        { name: 'head', typicalMs: 22, ...side },
      ],
      pairs: 30,
      change: { value: 0.1, low: 0.07, high: 0.13 },
      conclusion: 'slower',
    };
    const { sections } = seriesReport(
      buildSeriesResult(head, documentWith({ variants, duet: true }), [cellRun('base and head', 1, { figures: figuresWith({ duet }) })]),
    );
    const tables = sections.flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'table' ? [block] : [])));
    expect(tables.find(({ title }) => title === 'Variants')?.rows).toEqual([
      ['base', '20 ms', '300', '0'],
      ['head', '22 ms', '300', '0'],
    ]);
    expect(JSON.stringify(sections)).toContain('Both variants took turns in one run');
    expect(JSON.stringify(sections)).not.toContain('ran in turn');
  });

  it('has no repeated title within a section', () => {
    const machines = documentWith({
      variants: [
        { name: 'small', factors: { memory: '4 GB' } },
        { name: 'large', factors: { memory: '8 GB' } },
      ],
      levels: { connections: [1, 2, 4, 8, 16, 32] },
      repeats: 2,
    });
    const runsOfAll = ['small', 'large'].flatMap((variant) =>
      [1, 2, 4, 8, 16, 32].flatMap((count) =>
        [1, 2].map((repeat) =>
          cellRun(`${variant} · ${count} connection${count === 1 ? '' : 's'}`, repeat, { figures: figuresWith({ outcome: 'passed' }) }),
        ),
      ),
    );
    const { sections } = seriesReport(buildSeriesResult(head, machines, runsOfAll));
    const titles = sections.map(({ title, blocks }) => [title, ...blocks.flatMap((block) => ('title' in block ? [block.title] : []))]);
    expect(titles.flat()).toContain('Scaling');
    expect(titles.flat()).toContain('Smallest machine that passes');
    for (const all of titles) expect(all).toEqual([...new Set(all)]);
  });

  it('wraps lines only between figures, not within a figure or a spread', () => {
    const cell = 'node · 1 connection';
    const measured = [cellRun(cell, 1), cellRun(cell, 2, { figures: figuresWith({ p95: 24 }) })];
    expect(renderHtml(seriesReport(buildSeriesResult(head, document, measured)))).toContain(
      '<td class="number long">22\u00A0ms <small>20\u00A0ms\u00A0to\u00A024\u00A0ms</small></td>',
    );
  });

  it.each([
    [['passed', 'passed'], 'passed', 'Passed in all 2 cells.'],
    [['passed', 'failed'], 'failed', 'Failed in 1 of 2 cells; passed in 1. Failed: “b”.'],
    [['passed', 'inconclusive'], 'inconclusive', 'Inconclusive: 1 of 2 cells passed. Inconclusive: “b”.'],
    [['measured', 'measured'], 'measured', 'Measured 2 cells.'],
  ] as const)('has a verdict for cells with the outcomes %s', (outcomes, outcome, sentence) => {
    const two = documentWith({ variants: [{ name: 'a' }, { name: 'b' }], repeats: 1 });
    const made = ['a', 'b'].map((cell, index) => cellRun(cell, 1, { figures: figuresWith({ outcome: outcomes[index] ?? 'passed' }) }));
    const block = seriesVerdict(buildSeriesResult(head, two, made));
    expect([block.outcome, `${block.title}${formatAfterOutcome(block)}`]).toEqual([outcome, sentence]);
  });
});
