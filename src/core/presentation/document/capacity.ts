import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import type { Capacity, ScaledSet } from '#core/judgement/capacity/capacity.ts';
import type { Cycle } from '#core/judgement/capacity/cycles.ts';
import { MOST_FAILED, meanRate } from '#core/judgement/capacity/scaling.ts';
import { capacitySentences } from '#core/judgement/capacity/words.ts';
import { dashOr } from './figures.ts';
import { column, list, numbers, type Passage, table } from './model.ts';
import { apdexWords } from './special.ts';
import { timeCell } from './words.ts';
import { TITLES } from './titles.ts';

/** How much something can do: in sentences, then its cycles, and its levels beside the curve that was laid through them. */
export function capacityBlocks(capacity: Capacity): Passage[] {
  return [...list(TITLES.capacity, capacitySentences(capacity)), ...cycleTable(capacity.cycles), ...capacity.sets.flatMap(levelTable)];
}

function cycleTable(cycles: readonly Cycle[]): Passage[] {
  if (cycles.length < 2) return [];
  const counted = cycles[0]?.counted ?? 'requests';
  return table(
    'Cycle by cycle',
    cycles,
    [
      column('Cycle', ({ name }) => name),
      numbers('At a time', ({ at }) => formatCount(at)),
      numbers(`Good ${counted}/s`, ({ perSecond }) => dashOr(perSecond, formatNumber)),
      numbers('In all', ({ total }) => formatCount(total)),
      numbers('Failed', ({ failed, total }) => (total === 0 ? '–' : formatPercent(failed / total))),
      numbers('Fastest', ({ times }) => timeCell(times.min), { minor: true }),
      numbers('Mean', ({ times }) => timeCell(times.mean), { minor: true }),
      numbers('19 of 20', ({ times }) => timeCell(times.p95), { term: 'p95' }),
      numbers('Slowest', ({ times }) => timeCell(times.max)),
      numbers('Apdex', ({ apdex }) => apdexWords(apdex)),
    ],
    'Times are of what was answered. Apdex is of whole pages; where single requests were sent none is told.',
  );
}

/** The levels beside what the curve says of them; without a curve the measurements alone. */
export function levelTable({ set, scaling }: ScaledSet): Passage[] {
  const told = new Map((scaling.kind === 'refused' ? [] : scaling.residuals).map((residual) => [residual.name, residual]));
  return table(set.name === '' ? 'Levels and the curve' : `Levels and the curve: ${set.name}`, set.levels, [
    column('Level', ({ name }) => name),
    numbers(set.unit === 'users' ? 'Users' : 'Connections', ({ at }) => formatCount(at)),
    numbers('Done, a second', (level) => formatNumber(meanRate(level))),
    numbers('By the curve', ({ name }) => formatNumberOrDash(told.get(name)?.curve)),
    numbers('Off by', ({ name, failedShare, isDoubted }) => {
      const off = told.get(name)?.off;
      if (off !== undefined) return `${off >= 0 ? '+' : '−'}${formatPercent(Math.abs(off), 2)}`;
      return failedShare > MOST_FAILED ? `left out: ${formatPercent(failedShare)} failed` : isDoubted ? 'in doubt' : '–';
    }),
  ]);
}

function formatNumberOrDash(value: number | undefined): string {
  return value === undefined ? '–' : formatNumber(value);
}
