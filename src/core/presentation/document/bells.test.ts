import { describe, expect, it } from 'vitest';
import { sampleBell } from '#core/result/testing/sampleBell.ts';
import { arrivalsResult } from '#core/result/testing/sampleResult.ts';
import { passageLines } from '../text/textTable.ts';
import { bellBlocks, openingTiles } from './bells.ts';
import { runReport } from './runReport.ts';

const recovery = { beforeMs: 40, worstMs: 900, seconds: 3, watchedSeconds: 30, resolutionSeconds: 1, reason: null };

describe('bells in a report', () => {
  it('replace the charts over time on the first page by the opening', () => {
    const report = runReport({ ...arrivalsResult(), bells: [sampleBell()] });
    const titles = (id: string): string[] =>
      report.sections.flatMap((section) =>
        section.id === id ? section.blocks.flatMap((block) => (block.kind === 'chart' ? [block.chart.title] : [])) : [],
      );
    expect(titles('result')).toEqual(['Opening at the bell “start”']);
    expect(titles('charts').slice(0, 2)).toEqual(['Throughput', 'Latency']);
  });

  it('show each bell in a table, and its opening by seconds', () => {
    const lines = passageLines(bellBlocks({ bells: [sampleBell({ recovery })] }), 200);
    expect(lines).toContain('  After the bell  Waiting  Served  Lost');
    expect(lines).toContainEqual(expect.stringMatching(/^ +0\.5 s +60 +60 +0$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ +1 s +0 +118 +2$/));
    expect(lines.join('\n')).toContain('After 3 s the p90 of each second was again at most that before the bell (40 ms).');
  });

  it('show whether the server recovered, and unknown figures as unknown', () => {
    const readTiles = (changes: Parameters<typeof sampleBell>[0]): Map<string, string> =>
      new Map(openingTiles(sampleBell(changes)).map(({ name, value, note }) => [name, `${value} (${note})`]));
    expect(readTiles({ recovery }).get('Back to normal')).toBe('3 s (p90 again 40 ms or less)');
    expect(readTiles({ recovery: { ...recovery, seconds: null } }).get('Back to normal')).toBe('no (not within 30 s)');
    expect(readTiles({ recovery: { ...recovery, seconds: null, reason: 'Too few.' } }).get('Back to normal')).toMatch(/^unknown/);
    expect(readTiles({ late: 11, absent: 9 }).get('Not there in time')).toBe('20 (of 140 users)');
    expect(readTiles({ served: 0, failed: 0, unfinished: 120, lastServedMs: null })).toEqual(
      new Map([
        ['Served within 1 s', '118 (of 120 who waited)'],
        ['Served within 5 s', '118 (of 120 who waited)'],
        ['Served within 15 s', '118 (of 120 who waited)'],
        ['Last one served', '– (after the bell)'],
        ['Lost', '120 (120 without a response)'],
        ['Had to reload', '7 (of 120 who waited)'],
      ]),
    );
  });

  it('state that a bell did not ring, without figures of served users', () => {
    const blocks = bellBlocks({ bells: [sampleBell({ isCalledOff: true, waited: 87 })] });
    expect(passageLines(blocks, 120)).toEqual([
      'What happened at the bells',
      '  - Bell “start” was called off before it rang at 60 s. 87 users were waiting.',
    ]);
  });
});
