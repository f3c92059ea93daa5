import { describe, expect, it } from 'vitest';
import { calmReadings, frozenWith32, frozenWith64 } from '#core/search/characterize/testing/frozenRuns.ts';
import { describeCharacter } from '#core/search/characterize/conclusion.ts';
import { searchDocumentSchema } from '#core/search/result.ts';
import { playSearch } from '#core/search/testing/play.ts';
import { arrivals, planWith } from '#core/testing/plans.ts';
import { randomFrom } from '#core/testing/queueRun.ts';
import { renderHtml } from '../html/renderHtml.ts';
import { renderMarkdown } from '../formats/markdown.ts';
import { failedLevel, passedLevel, readRun } from '#core/search/breakingPoint/testing/levelReadings.ts';
import { searchReport, searchTable } from './searchReport.ts';

const server = { workers: 4, serviceMs: () => 200 };
const NOT_A_VALUE = /NaN|undefined|Infinity|\bnull\b/;

describe('the report of a search', () => {
  it('for the characterization of a server has the deciding table, the reasons and the common mistake', () => {
    const report = searchReport(playSearch(searchDocumentSchema.parse({ kind: 'characterize', plan: planWith() }), server, randomFrom(1)));
    const [conclusion] = report.sections;
    const found = conclusion?.blocks.find(({ kind }) => kind === 'table');
    expect(found).toMatchObject({
      rows: [
        ['http://127.0.0.1:8080/', 'synchronous', '200 ms', '4', 'at least 124', expect.stringMatching(/^not within/), 'closed after 5 s'],
      ],
    });
    expect(renderMarkdown(report)).toContain('is a common mistake');
    for (const { title, blocks } of report.sections)
      expect(blocks.flatMap((block) => ('title' in block ? [block.title] : []))).not.toContain(title);
    expect(renderHtml(report, 'A4')).not.toMatch(NOT_A_VALUE);
  });

  it('for a server that froze begins with the freeze, and shows no rate for the frozen run', () => {
    const document = searchDocumentSchema.parse({ kind: 'characterize', plan: planWith() });
    const played = playSearch(document, server, randomFrom(1));
    const readings = [...calmReadings(), frozenWith32(), frozenWith64()];
    const runs = played.runs.slice(0, readings.length).map((run, index) => ({ ...run, reading: readings[index] ?? null }));
    const report = searchReport({ ...played, runs, conclusion: describeCharacter(readings, null) });
    expect(report.sections[0]?.blocks[0]).toMatchObject({
      kind: 'verdict',
      title: 'Freezes',
      load: expect.stringMatching(/^ for 58 s at 32 users;/),
    });
    const blocks = report.sections.find(({ id }) => id === 'runs')?.blocks ?? [];
    const table = blocks.find(({ kind }) => kind === 'table');
    expect(table?.kind === 'table' && table.rows.slice(-2)).toEqual([
      [
        expect.anything(),
        { text: 'Froze', mark: 'failed' },
        '354',
        '–',
        '4.48 s',
        '60.1 s',
        '0 %',
        'none',
        'No response for 58 s, from second 4 to 62, with 25 requests in flight.',
      ],
      [
        expect.anything(),
        { text: 'Froze', mark: 'failed' },
        '0',
        '–',
        '–',
        '–',
        '–',
        '–',
        'No response for 54 s, from second 9 to 63, with 64 requests in flight. No response came in the counted time; 314 requests were sent before it.',
      ],
    ]);
    const rates = blocks.find((block) => block.kind === 'levels');
    const [line] = rates?.kind === 'levels' ? rates.chart.lines : [];
    expect(line?.values.slice(-2)).toEqual([null, null]);
    expect(renderHtml(report, 'A4')).not.toMatch(NOT_A_VALUE);
  });

  it('names the load generators, also in the command that repeats the search', () => {
    const document = searchDocumentSchema.parse({ kind: 'characterize', plan: planWith(), on: ['web1', 'here'] });
    const text = renderMarkdown(searchReport(playSearch(document, server, randomFrom(1))));
    expect(text).toContain('from web1 and this computer');
    expect(text).toContain('holdfast characterize http://127.0.0.1:8080/ --on web1,here');
  });

  it('shows the share of what failed a level, although no request failed', () => {
    const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 20, seconds: 10 }]) });
    const played = playSearch(searchDocumentSchema.parse({ kind: 'breakingPoint', plan }), server, randomFrom(1));
    const byPeople = failedLevel(24, { because: 'criterion', failed: 0, missed: { over: 15, counted: 24, of: 'pupils' } });
    const readings = [byPeople, failedLevel(30, { failed: 0 }), passedLevel(12, { failed: 3 }), passedLevel(6, { sent: 0 })];
    const [table] = searchTable({ ...played, runs: readings.map((reading, index) => readRun(reading, index)) });
    const column = table?.columns.findIndex(({ name }) => name === 'Failed') ?? -1;
    expect(table?.rows.map((row) => row[column])).toEqual(['62.5 % of pupils', '0 % of requests', '2.5 % of requests', '–']);
  });

  it('for a breaking point has every level, and the plan to repeat the search', () => {
    const plan = planWith({ load: arrivals([{ kind: 'constant', perSecond: 20, seconds: 10 }]) });
    const result = playSearch(searchDocumentSchema.parse({ kind: 'breakingPoint', plan }), server, randomFrom(1));
    const report = searchReport(result);
    const table = report.sections.find(({ id }) => id === 'runs')?.blocks.find(({ kind }) => kind === 'table');
    expect(table?.kind === 'table' && table.rows.length).toBe(result.runs.filter(({ purpose }) => purpose === 'level').length);
    expect(renderMarkdown(report)).toContain('holdfast: 1');
    const drawn = report.sections.flatMap(({ blocks }) => blocks).find((block) => block.kind === 'levels');
    const levels = new Set(result.runs.flatMap(({ purpose, level }) => (purpose === 'level' ? (level ?? []) : [])));
    expect(drawn?.kind === 'levels' && drawn.chart.categories.length, 'one for each level, however often it was run').toBe(levels.size);
    expect(renderHtml(report, 'Letter')).not.toMatch(NOT_A_VALUE);
  });
});
