import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import type { Capacity, ScaledSet } from '#core/judgement/capacity/capacity.ts';
import type { Cycle, LoadLevel } from '#core/judgement/capacity/levels.ts';
import { MAX_FAILED_SHARE, meanRate } from '#core/judgement/capacity/scaling.ts';
import { capacitySentences } from '#core/judgement/capacity/sentences.ts';
import { dashOr } from './figures.ts';
import { column, type ColumnOf, list, numbers, type Passage, table } from './model.ts';
import { formatApdex } from './special.ts';
import { timeCell, TITLES } from './words.ts';

export function capacityBlocks(capacity: Capacity, title: string = TITLES.capacity): Passage[] {
  return [...list(title, capacitySentences(capacity)), ...cycleTable(capacity.cycles), ...capacity.sets.flatMap(levelTable)];
}

function cycleTable(cycles: readonly Cycle[]): Passage[] {
  if (cycles.length < 2) return [];
  const counted = cycles[0]?.counted ?? 'requests';
  return table(
    'Cycle by cycle',
    cycles,
    [
      column('Cycle', ({ name }) => name),
      numbers('Concurrency', ({ at }) => formatCount(at)),
      numbers(`Successful ${counted}/s`, ({ perSecond }) => dashOr(perSecond, formatNumber)),
      numbers('Total', ({ total }) => formatCount(total)),
      numbers('Failed', ({ failed, total }) => (total === 0 ? '–' : formatPercent(failed / total))),
      numbers('Min', ({ times }) => timeCell(times.min), { minor: true }),
      numbers('Mean', ({ times }) => timeCell(times.mean), { minor: true }),
      numbers('p95', ({ times }) => timeCell(times.p95), { term: 'p95' }),
      numbers('Max', ({ times }) => timeCell(times.max)),
      numbers('Apdex', ({ apdex }) => formatApdex(apdex)),
    ],
    'Times cover completed requests only. Apdex covers whole pages only.',
  );
}

/** Returns the levels with the fitted curve and the deviations from it; without a curve, only the measurements. */
export function levelTable({ set, scaling }: ScaledSet): Passage[] {
  const reported = new Map((scaling.kind === 'refused' ? [] : scaling.residuals).map((residual) => [residual.name, residual]));
  const columns: readonly ColumnOf<LoadLevel>[] = [
    column('Level', ({ name }) => name),
    numbers(set.unit === 'users' ? 'Users' : 'Connections', ({ at }) => formatCount(at)),
    numbers('Measured/s', (level) => formatNumber(meanRate(level))),
    numbers('Curve', ({ name }) => formatNumberOrDash(reported.get(name)?.curve)),
    numbers('Deviation', ({ name, failedShare, isDoubted }) => {
      const off = reported.get(name)?.deviation;
      if (off !== undefined) return `${off >= 0 ? '+' : '−'}${formatPercent(Math.abs(off), 2)}`;
      return failedShare > MAX_FAILED_SHARE ? `excluded: ${formatPercent(failedShare)} failed` : isDoubted ? 'doubtful' : '–';
    }),
  ];
  const title = reported.size === 0 ? 'Levels' : 'Levels and fitted curve';
  return table(
    set.name === '' ? title : `${title}: ${set.name}`,
    set.levels,
    // Without a curve, these columns would contain only dashes.
    columns.filter(({ cell }) => set.levels.some((level) => cell(level) !== '–')),
  );
}

function formatNumberOrDash(value: number | undefined): string {
  return value === undefined ? '–' : formatNumber(value);
}
