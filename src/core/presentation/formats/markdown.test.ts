import { describe, expect, it } from 'vitest';
import { runReport } from '../document/runReport.ts';
import { renderMarkdown } from './markdown.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';

describe('the report as Markdown', () => {
  it('contains everything in the report, with charts in words', () => {
    const report = runReport(sampleResult());
    const text = renderMarkdown(report);
    expect(text.startsWith(`# ${report.title}\n`)).toBe(true);
    for (const { title } of report.sections) expect(text).toContain(`\n## ${title}\n`);
    expect(text).toMatch(/^\*\*Passed\*\* at 50 connections/m);
    expect(text).toMatch(/^\*\*Latency\*\* \(service time\)\. max: between /m);
    expect(text).toMatch(/^Warning, likely, from 3:20 to 4:20$/m);
    expect(text).toContain('```\nholdfast: 1\n');
  });

  it('escapes names that would be markup or break a table', () => {
    const sample = sampleResult();
    const text = renderMarkdown(runReport({ ...sample, stages: sample.stages.map((stage) => ({ ...stage, name: 'a | b\n<b>*c*</b>' })) }));
    const rows = text.split('\n').filter((line) => line.includes('a \\| b'));
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toContain('\\<b\\>\\*c\\*\\</b\\>');
    const [head = '', rule = '', ...body] = text.slice(text.indexOf('| Stage, step')).split('\n');
    const cells = (line: string): number => line.replaceAll('\\|', '').split('|').length;
    expect(cells(rule)).toBe(cells(head));
    expect(cells(body[0] ?? '')).toBe(cells(head));
  });

  it('uses a longer fence for a plan that contains fences', () => {
    const sample = sampleResult();
    const text = renderMarkdown(runReport({ ...sample, plan: { ...sample.plan, story: 'see ```` here' } }));
    expect(text).toContain('\n`````\nholdfast: 1');
  });
});
