import { describe, expect, it } from 'vitest';
import { passageLines } from '../text/textTable.ts';
import { differenceTable, dissimilarityTable } from './seriesTables.ts';
import type { Passage } from './model.ts';

const linesOf = (passages: readonly Passage[]): string[] => passageLines(passages, 240);

describe('tables of a comparison', () => {
  const spread = (median: number) => ({ median, least: median - 1, most: median + 1 });
  const difference = {
    scope: { kind: 'run', name: '' },
    measure: 'p95',
    from: spread(20),
    to: spread(30),
    scale: 'ratio',
    change: 0.5,
    interval: { from: 0.4, to: 0.6 },
    judgement: 'differs',
    direction: 'worse',
  } as const;

  it('show each figure with its change', () => {
    const differences = [
      difference,
      { ...difference, measure: 'goodPerSecond', direction: 'better', change: -0.1 },
      {
        ...difference,
        scope: { kind: 'stage', name: 'high' },
        from: null,
        change: null,
        interval: null,
        judgement: 'notKnown',
        direction: null,
      },
      { ...difference, judgement: 'withinNoise', direction: null },
    ] as never;
    expect(differenceTable('Figures', { differences }, 'old', 'new')).toEqual([
      {
        kind: 'table',
        title: 'Figures',
        columns: [
          { name: 'Figure' },
          { name: 'old', numeric: true },
          { name: 'new', numeric: true },
          { name: 'Change', numeric: true },
          { name: '99 % interval', numeric: true },
          { name: 'Conclusion' },
        ],
        rows: [
          [
            { text: 'p95', about: 'the whole run' },
            { text: '20 ms', about: '19 ms to 21 ms' },
            { text: '30 ms', about: '29 ms to 31 ms' },
            '+50 %',
            '+40 % to +60 %',
            { text: 'worse', mark: 'failed' },
          ],
          [
            { text: 'Successful responses a second', about: 'the whole run' },
            { text: '20/s', about: '19/s to 21/s' },
            { text: '30/s', about: '29/s to 31/s' },
            '−10 %',
            '+40 % to +60 %',
            { text: 'better', mark: 'passed' },
          ],
          [{ text: 'p95', about: 'stage “high”' }, '–', { text: '30 ms', about: '29 ms to 31 ms' }, '–', '–', 'unknown'],
          [
            { text: 'p95', about: 'the whole run' },
            { text: '20 ms', about: '19 ms to 21 ms' },
            { text: '30 ms', about: '29 ms to 31 ms' },
            '+50 %',
            '+40 % to +60 %',
            'smaller than noise',
          ],
        ],
      },
    ]);
  });

  it('list the circumstances that differ between runs', () => {
    const dissimilar = [{ aspect: 'version', what: 'Version of Holdfast', values: [['1', '2'], ['3']], isWithinSide: true }] as never;
    expect(linesOf(dissimilarityTable({ dissimilar }, ['old', 'new', 'third']))).toEqual([
      'Differences between the runs, by side',
      '  Difference           Kind                     old   new  third',
      '  Version of Holdfast  The version of Holdfast  1, 2  3',
    ]);
    expect(dissimilarityTable({ dissimilar: [] }, ['old'])).toEqual([]);
  });
});
