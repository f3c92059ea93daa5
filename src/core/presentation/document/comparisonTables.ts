import { capitalized } from '#core/base/text.ts';
import {
  ASPECT_WORDS,
  changeWords,
  formatFigure,
  intervalWords,
  judgementWords,
  measureTitle,
  scopeWords,
} from '#core/comparison/words.ts';
import type { Comparison, FigureDifference, Pair } from '#core/comparison/schema.ts';
import { type Cell, column, numbers, type TableBlock, table } from './model.ts';
import { spreadCell } from './seriesTables.ts';

/** Returns every figure of two sides, named `from` and `to`, with the change, its interval, and whether the change exceeds noise. */
export function differenceTable(title: string, { differences }: Pick<Pair, 'differences'>, from: string, to: string): TableBlock[] {
  const hasScopes = differences.some(({ scope }) => scope.kind !== 'run');
  return table(title, differences, [
    column('Figure', ({ measure, scope }) => ({
      text: measureTitle(measure),
      about: hasScopes ? scopeWords(scope) : '',
    })),
    numbers(from, (one) => sideCell(one, 'from')),
    numbers(to, (one) => sideCell(one, 'to')),
    numbers('Change', (one) => (one.change === null ? '–' : changeWords(one.change, one))),
    numbers('99 % interval', (one) => intervalWords(one) ?? '–'),
    column('Conclusion', judgementCell),
  ]);
}

function sideCell({ measure, ...sides }: FigureDifference, side: 'from' | 'to'): Cell {
  return spreadCell(sides[side], (value) => formatFigure(value, measure));
}

function judgementCell(difference: FigureDifference): Cell {
  const text = judgementWords(difference);
  const { judgement, direction } = difference;
  return judgement === 'differs' && direction !== null ? { text, mark: direction === 'better' ? 'passed' : 'failed' } : text;
}

/** Returns every circumstance that differs between runs and may explain a difference in the figures. */
export function dissimilarityTable({ dissimilar }: Pick<Comparison, 'dissimilar'>, sides: readonly string[]): TableBlock[] {
  return table('Differences between the runs, by side', dissimilar, [
    column('Difference', ({ what }) => what),
    column('Kind', ({ aspect }) => capitalized(ASPECT_WORDS[aspect])),
    ...sides.map((side, index) => column<Comparison['dissimilar'][number]>(side, ({ values }) => values[index]?.join(', ') ?? '')),
  ]);
}
