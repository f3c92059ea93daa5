import { capacityOfRun, type Capacity } from '#core/judgement/capacity/capacity.ts';
import { capacityOfSeries } from '#core/series/capacity.ts';
import type { Cycle } from '#core/judgement/capacity/cycles.ts';
import { capacitySentences, scalingTable } from '#core/judgement/capacity/words.ts';
import { matrixTexts } from '#core/series/matrix.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import type { RunResult } from '#core/result/schema.ts';
import { apdexWords } from '../text/textPages.ts';
import { list, table } from './blocks.ts';
import type { Block } from './model.ts';
import { timeCell } from './words.ts';

/** How much the server of a run can do; its head-room stands among the findings. */
export function runCapacityBlocks(result: RunResult): Block[] {
  const capacity = capacityOfRun(result);
  return [
    ...list('How much it can do', capacitySentences({ ...capacity, headroom: null })),
    ...cycleBlocks(capacity.cycles),
    ...levelBlocks(capacity),
  ];
}

/** The same of a series, and its matrix where it goes through two fields of the load. */
export function seriesCapacityBlocks(result: SeriesResult): Block[] {
  const capacity = capacityOfSeries(result);
  return [
    ...matrixTexts(result.rows).flatMap(({ title, table: [head = [], ...rows], notes }) => [
      ...table(title, numbersFrom(head, 1), rows, 'What is no whole measurement says what became of it instead of a figure.'),
      ...list('What became of them', notes),
    ]),
    ...list('How much it can do', capacitySentences(capacity)),
    ...levelBlocks(capacity),
  ];
}

function cycleBlocks(cycles: readonly Cycle[]): Block[] {
  if (cycles.length < 2) return [];
  const counted = cycles[0]?.counted ?? 'requests';
  return table(
    'Cycle by cycle',
    ['Cycle', '#At a time', `#Good ${counted}/s`, '#In all', '#Failed', '#Fastest', '#Mean', '#19 of 20', '#Slowest', '#Apdex'],
    cycles.map(({ name, at, perSecond, total, failed, times, apdex }) => [
      name,
      formatCount(at),
      perSecond === null ? '–' : formatNumber(perSecond),
      formatCount(total),
      total === 0 ? '–' : formatPercent(failed / total),
      ...[times.min, times.mean, times.p95, times.max].map(timeCell),
      apdexWords(apdex),
    ]),
    'Times are of what was answered. Apdex is of whole pages; where single requests were sent none is told.',
  );
}

function levelBlocks({ sets }: Capacity): Block[] {
  return sets.flatMap((one) => {
    const [head = [], ...rows] = scalingTable(one);
    return table(one.set.name === '' ? 'Levels and the curve' : `Levels and the curve: ${one.set.name}`, numbersFrom(head, 1), rows);
  });
}

function numbersFrom(head: readonly string[], first: number): string[] {
  return head.map((name, index) => (index < first ? name : `#${name}`));
}
