import type { Plan } from '#core/plan/schema/plan.ts';
import type { PopulateState } from '#core/work/populate/state.ts';
import { formatCount } from '#core/base/units.ts';

/** How far a populate is, in a line. */
export function progressOf({ mode, done, failed, left }: PopulateState): string {
  const parts = [
    `${formatCount(done)} ${mode === 'create' ? 'made' : 'removed'}`,
    `${formatCount(failed)} failed`,
    `${formatCount(left)} to go`,
  ];
  return parts.join(' · ');
}

const FAILURES_SHOWN = 20;

/** What became of it: how many, which failed and why, what is left, and how it is taken back. */
export function populateText(plan: Plan, state: PopulateState): string {
  const { mode, done, failed, left, before, total, failures, because, record } = state;
  const verb = mode === 'create' ? 'made' : 'removed';
  const shown = failures.slice(0, FAILURES_SHOWN).map(({ row, key, reason }) => `  row ${row} (${key}): ${reason}\n`);
  const more = failed > shown.length ? `  and ${formatCount(failed - shown.length)} more, see ${record}\n` : '';
  const there = mode === 'create' ? `, ${formatCount(before)} were there before` : '';
  return [
    `${formatCount(done)} of ${formatCount(total)} rows ${verb}${there}, ${formatCount(failed)} failed, ${formatCount(left)} were not tried.\n`,
    because === null ? '' : `It ended early: ${because}\n`,
    failed === 0 ? '' : `Failed:\n${shown.join('')}${more}`,
    failed + left === 0 ? '' : 'Call it again to go on with what is left.\n',
    ...(mode === 'create' ? plan.leavesBehind.map((text) => `It stays: ${text}\n`) : []),
    mode === 'create' && plan.populate?.remove !== undefined ? 'To remove it again: holdfast populate … --undo\n' : '',
    `Noted in ${record}\n`,
  ].join('');
}
