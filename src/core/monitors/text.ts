import { formatSeconds } from '../units.ts';
import { PROCESSOR_ACCOUNTS_TITLE, processorAccountRows, type ProcessorAccount } from './processorAccounts.ts';
import type { MonitorResult } from './result.ts';
import { monitorRows } from './rows.ts';

const WIDTH = 50;
/** What a machine is for the load, behind its name. */
export const ROLE_WORDS = { generator: ' (makes the load)', target: '', hop: ' (stands in between)' } as const;

/** What monitors have read, for a terminal: mean and highest value of each quantity, and when it was highest. What stayed 0 is left out. */
export function monitorsText(monitors: readonly MonitorResult[]): string[] {
  const watched = monitors.filter(({ second, problem, role }) => second.length > 0 || (problem !== null && role !== 'generator'));
  if (watched.length === 0) return [];
  const head = `  ${''.padEnd(WIDTH)}${['mean', 'highest', 'at'].map((name) => name.padStart(12)).join('')}`;
  return ['How machines and services were', head, ...watched.flatMap(linesOf)];
}

function linesOf(monitor: MonitorResult): string[] {
  const { name, role, problem, state, second } = monitor;
  const trouble =
    state === 'lost' || state === 'unavailable' ? ` – ${second.length === 0 ? 'nothing is known' : 'lost'}: ${problem ?? ''}` : '';
  const lines = monitorRows(monitor).map((row) => {
    const cells = [row.mean, row.highest, formatSeconds(Math.floor(row.atSecond))];
    return `    ${row.name.slice(0, WIDTH - 2).padEnd(WIDTH - 2)}${cells.map((cell) => cell.padStart(12)).join('')}`;
  });
  return [`  ${name}${ROLE_WORDS[role]}${trouble}`, ...lines];
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
