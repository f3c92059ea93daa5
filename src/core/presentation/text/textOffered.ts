import { formatCount, formatNumber, formatPercent } from '#core/base/units.ts';
import { lateMakers } from '#core/result/loadMakers.ts';
import type { RunResult } from '#core/result/schema.ts';

const COLUMNS = ['planned', 'a second', 'began', 'a second', 'share', 'owed', 'generator'] as const;
const WIDTH = 11;

/** What an open model had planned, and what of it began: a line for each stage in which anything was due. */
export function textOffered({ plan, stages, generators }: Pick<RunResult, 'plan' | 'stages' | 'generators'>): string[] {
  if (plan.load.model !== 'arrivals') return [];
  const due = stages.filter(({ journeys }) => journeys.planned !== null && journeys.planned > 0);
  const nameWidth = Math.min(30, Math.max(5, ...due.map(({ name }) => name.length)) + 2);
  const rows = due.map(({ name, journeys }) =>
    [
      formatCount(journeys.planned),
      formatNumber(journeys.plannedPerSecond),
      formatCount(journeys.started),
      formatNumber(journeys.startedPerSecond),
      formatPercent(journeys.offeredShare),
      formatCount(journeys.notStartedTarget),
      formatCount(journeys.notStartedGenerator),
    ].reduce((row, cell, index) => row + cell.padStart(widthOf(index)), `  ${name.slice(0, nameWidth - 2).padEnd(nameWidth)}`),
  );
  const leftOut = due.some(({ journeys }) => journeys.notStartedTarget + journeys.notStartedGenerator > 0);
  return [
    'Arrivals planned and begun',
    COLUMNS.reduce((row, name, index) => row + name.padStart(widthOf(index)), `  ${'stage'.padEnd(nameWidth)}`),
    ...rows,
    ...(leftOut
      ? [
          `  Not begun: because the server owed too many answers (owed), or because ${lateMakers(generators)} could not keep up (generator).`,
        ]
      : []),
  ];
}

function widthOf(column: number): number {
  return Math.max(WIDTH, (COLUMNS[column]?.length ?? 0) + 2);
}
