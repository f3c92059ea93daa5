import { formatSeconds } from '#core/base/units.ts';
import { PROCESSOR_ACCOUNTS_TITLE, processorAccountRows, type ProcessorAccount } from '#core/machines/monitors/processorAccounts.ts';
import type { MonitorResult } from '#core/machines/monitors/result.ts';
import { textTable } from './textTable.ts';
import { monitorRows, type MonitorRow } from '#core/machines/monitors/rows.ts';

/** What a machine is for the load, behind its name. */
export const ROLE_WORDS = { generator: ' (makes the load)', target: '', hop: ' (stands in between)' } as const;

/** What monitors have read, for a terminal: mean and highest value of each quantity, and when it was highest. What stayed 0 is left out. */
export function monitorsText(monitors: readonly MonitorResult[], width?: number): string[] {
  const watched = monitors.filter(({ second, problem, role }) => second.length > 0 || (problem !== null && role !== 'generator'));
  if (watched.length === 0) return [];
  const rows = watched.flatMap((monitor) => [[titleOf(monitor)] as const, ...monitorRows(monitor).map(rowOf)]);
  return ['How machines and services were', ...textTable({ columns: ['mean', 'highest', 'at'], rows, width })];
}

function titleOf({ name, role, problem, state, second }: MonitorResult): string {
  const trouble =
    state === 'lost' || state === 'unavailable' ? ` – ${second.length === 0 ? 'nothing is known' : 'lost'}: ${problem ?? ''}` : '';
  return `${name}${ROLE_WORDS[role]}${trouble}`;
}

function rowOf({ name, mean, highest, atSecond }: MonitorRow): readonly [string, ...string[]] {
  return [`  ${name}`, mean, highest, formatSeconds(Math.floor(atSecond))];
}

/** What other tools say of the processor of what was watched, for a terminal: a line each, with how far that is from what the kernel counted. */
export function processorAccountsText(accounts: readonly ProcessorAccount[]): string[] {
  if (accounts.length === 0) return [];
  const lines = processorAccountRows(accounts).map(
    ([by, of, said, counted, error, seconds]) =>
      `  ${by} says ${said} of a core for ${of}; the kernel counted ${counted} in the same ${seconds}: ${error}`,
  );
  return [PROCESSOR_ACCOUNTS_TITLE, ...lines];
}
