import { describe, expect, it } from 'vitest';
import { createHistogram, record } from '#core/statistics/histogram.ts';
import { findOrAddCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { makeDistribution } from '#core/result/testing/distributionOf.ts';
import { renderHtml } from '../html/renderHtml.ts';
import { renderMarkdown } from '../formats/markdown.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { runReport } from './runReport.ts';
import { spreadBlocks } from './spread.ts';

/** Returns one minute of 1,000 responses, every hundredth of which takes ten times as long. */
const windowsOfAMinute = () =>
  Array.from({ length: 60 }, (_, second) => {
    const window = emptyWindow(second, 1);
    const times = createHistogram();
    for (let index = 0; index < 1_000; index += 1) record(times, (index % 100 === 0 ? 200_000 : 20_000) + 10 * index);
    findOrAddCell(window, 1, 0).times = { serviceOk: times };
    return window;
  });
const result = sampleResult();
const distributed = () => makeDistribution(result.plan, windowsOfAMinute());

describe('the latency distribution in a report', () => {
  it('has charts, a table and a summary in words', () => {
    const [plot, table, map, words] = spreadBlocks(distributed());
    expect([plot?.kind, table?.kind, map?.kind, words?.kind]).toEqual(['percentiles', 'table', 'heatmap', 'text']);
    if (table?.kind !== 'table') return;
    expect(table.rows.map(([name]) => name)).toEqual(['50 %', '90 %', '99 %', '99.9 %', '99.99 %', '100 %']);
    expect(table.rows.at(-1)?.[1]).toMatch(/^20\d ms$/);
    expect(words).toMatchObject({ text: expect.stringMatching(/^At 0:00 most responses took \d+(\.\d)? ms to \d+(\.\d)? ms\./) });
  });

  it('is part of the HTML and the Markdown of a run, in one colour', () => {
    const report = runReport(result, distributed());
    expect(report.sections.map(({ id }) => id)).toContain('spread');
    const html = renderHtml(report, 'A4');
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
    const map = /<strong>Latency heatmap<\/strong>.*?<\/figure>/s.exec(html)?.[0] ?? '';
    expect(new Set(map.match(/fill="#\w+" fill-opacity/g))).toEqual(new Set(['fill="#1b242a" fill-opacity']));
    expect(map.length).toBeLessThan(40_000);
    expect(renderMarkdown(report)).toContain('**Latency heatmap** (darker: more responses at that time). At 0:00 most responses took');
  });

  it('is left out without responses, or if it was not read', () => {
    expect(spreadBlocks(makeDistribution(result.plan, []))).toEqual([]);
    expect(spreadBlocks('tooLong')).toMatchObject([{ kind: 'text' }]);
    expect(runReport(result).sections.map(({ id }) => id)).not.toContain('spread');
  });
});
