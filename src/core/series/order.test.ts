import { expect, it } from 'vitest';
import { seriesSchema } from '#core/plan/schema/series.ts';
import { listTurns, remainingRuns } from './cells.ts';
import { CELL_STATES } from './result.ts';
import { cellRun } from './testing/series.ts';

const turnTexts = (series: Parameters<typeof seriesSchema.parse>[0]): string[] =>
  listTurns(seriesSchema.parse(series)).map(({ cell, repeat }) => `${cell}/${repeat}`);
const variants = ['a', 'b'].map((name) => ({ name, factors: {} }));

it('listTurns: runs all variants at a level before the next, and begins each repeat with another variant', () => {
  // Cells 0 and 1 belong to variant a, and cells 2 and 3 to variant b.
  expect(turnTexts({ variants, levels: { connections: [1, 2] }, repeats: 2 })).toEqual([
    '0/1',
    '2/1',
    '1/1',
    '3/1',
    '2/2',
    '0/2',
    '3/2',
    '1/2',
  ]);
  expect(turnTexts({ repeats: 3 })).toEqual(['0/1', '0/2', '0/3']);
});

it('listTurns: runs all repeats of a cell before the next if not interleaved', () => {
  expect(turnTexts({ variants, levels: { connections: [1, 2] }, repeats: 2, interleaved: false })).toEqual([
    '0/1',
    '0/2',
    '1/1',
    '1/2',
    '2/1',
    '2/2',
    '3/1',
    '3/2',
  ]);
});

it('remainingRuns: returns the runs that were neither measured nor refused, as not begun', () => {
  const runs = CELL_STATES.map((state, index) => cellRun(`cell ${index}`, 2, { state, position: index, reason: 'so', phase: 'load' }));
  const left = remainingRuns(runs);
  expect(left.map(({ cell }) => runs.find((run) => run.cell === cell)?.state)).toEqual([
    'waiting',
    'running',
    'aborted',
    'unread',
    'notRun',
  ]);
  expect(left[2]).toEqual({
    position: 4,
    cell: 'cell 4',
    repeat: 2,
    state: 'waiting',
    phase: null,
    reason: null,
    runId: null,
    figures: null,
    commands: [],
    rest: null,
  });
});
