import { describe, expect, it } from 'vitest';
import { searchDocumentSchema } from '#core/search/result.ts';
import { playSearch } from '#core/search/testing/play.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { randomFrom } from '#core/testing/queueRun.ts';
import { renderHtml } from '../html/renderHtml.ts';
import { renderMarkdown } from '../formats/markdown.ts';
import { searchReport } from './searchReport.ts';

const server = { workers: 4, serviceMs: () => 200 };
const NOT_A_VALUE = /NaN|undefined|Infinity|\bnull\b/;

describe('the report of a search', () => {
  it('of a server has the table that it is told by, the reasons and the common mistake', () => {
    const report = searchReport(playSearch(searchDocumentSchema.parse({ kind: 'characterize', plan: planWith() }), server, randomFrom(1)));
    const [answer] = report.sections;
    const found = answer?.blocks.find(({ kind }) => kind === 'table');
    expect(found).toMatchObject({
      rows: [
        ['http://127.0.0.1:8080/', 'synchronous', '200 ms', '4', 'at least 124', expect.stringMatching(/^not within/), 'closed after 5 s'],
      ],
    });
    expect(renderMarkdown(report)).toContain('is a common mistake');
    expect(renderHtml(report, 'A4')).not.toMatch(NOT_A_VALUE);
  });

  it('names the hosts that made the load, also where it is told how to do it again', () => {
    const document = searchDocumentSchema.parse({ kind: 'characterize', plan: planWith(), on: ['web1', 'here'] });
    const text = renderMarkdown(searchReport(playSearch(document, server, randomFrom(1))));
    expect(text).toContain('from web1 and this computer');
    expect(text).toContain('holdfast characterize http://127.0.0.1:8080/ --on web1,here');
  });

  it('of a breaking point has every level, and the plan to do it again', () => {
    const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 20, seconds: 10 }]) });
    const result = playSearch(searchDocumentSchema.parse({ kind: 'breakingPoint', plan }), server, randomFrom(1));
    const report = searchReport(result);
    const table = report.sections.find(({ id }) => id === 'runs')?.blocks.find(({ kind }) => kind === 'table');
    expect(table?.kind === 'table' && table.rows.length).toBe(result.runs.filter(({ purpose }) => purpose === 'level').length);
    expect(renderMarkdown(report)).toContain('holdfast: 1');
    const bars = report.sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'bars');
    const levels = new Set(result.runs.flatMap(({ purpose, level }) => (purpose === 'level' ? (level ?? []) : [])));
    expect(bars?.kind === 'bars' && bars.bars.length, 'one for each level, however often it was run').toBe(levels.size);
    expect(renderHtml(report, 'Letter')).not.toMatch(NOT_A_VALUE);
  });
});
