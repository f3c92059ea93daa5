import type { LevelOutcome, LevelReading } from './breakingPoint/reading.ts';
import { usersReadings } from './characterize/table.ts';
import type { UsersReading } from './characterize/reading.ts';
import { frozenUsers, isSilent } from './characterize/standstill.ts';
import { formatCount, formatMs, formatRate, formatSeconds } from '#core/base/units.ts';
import type { SearchRun } from './run.ts';
import { withoutAbsent } from '#core/base/lists.ts';

const LEVEL_OUTCOME_WORDS: Readonly<Record<LevelOutcome, string>> = { passed: 'passed', failed: 'failed', unclear: 'inconclusive' };

/**
 * Returns the outcome of a level in words. If its run is inconclusive in the history, the search still counts the level as passed or
 * failed.
 */
export function formatLevelOutcome({ outcome, isSure }: Pick<LevelReading, 'outcome' | 'isSure'>): string {
  return isSure ? LEVEL_OUTCOME_WORDS[outcome] : `inconclusive, counted as ${LEVEL_OUTCOME_WORDS[outcome]}`;
}

/** Text for each state of a run that has no reading. */
export const RUN_STATE_WORDS: Readonly<Record<SearchRun['state'], string>> = {
  running: 'running',
  value: 'measured',
  aborted: 'interrupted',
  unread: 'result not read',
  notRun: 'not run',
};

/** Lists the requests without a successful response. */
export function formatRejected({ errorResponses, refused, reset, timeouts }: UsersReading): string {
  const parts = [
    errorResponses > 0 ? `${formatCount(errorResponses)} with status 5xx` : '',
    refused > 0 ? `${formatCount(refused)} refused` : '',
    reset > 0 ? `${formatCount(reset)} reset` : '',
    timeouts > 0 ? `${formatCount(timeouts)} timed out` : '',
  ];
  return parts.filter((part) => part !== '').join(', ') || 'none';
}

/** Returns the readings in which the server froze. The readings with fewer users decide whether it did. */
export function frozenReadings(runs: readonly SearchRun[]): ReadonlySet<SearchRun['reading']> {
  return new Set(frozenUsers(usersReadings(runs)));
}

/** Summarizes an ended run in one line. */
export function searchRunLine({ name, repeat, state, reading, reason }: SearchRun, runs: readonly SearchRun[]): string {
  const called = repeat === 1 ? name : `${name}, run ${formatCount(repeat)}`;
  const showed =
    reading === null
      ? `${RUN_STATE_WORDS[state]}${reason === null ? '' : ` · ${reason}`}`
      : describeReading(reading, frozenReadings(runs).has(reading));
  return `${called} · ${showed}`;
}

/** Summarizes the result of a run in one line. */
export function describeReading(reading: NonNullable<SearchRun['reading']>, isFrozen = false): string {
  switch (reading.kind) {
    case 'level':
      return `${formatLevelOutcome(reading)} · ${formatRate(reading.okPerSecond, 'successful responses')} · p95 ${formatMs(reading.p95)} · ${reading.text}`;
    case 'probe':
      return `${formatCount(reading.sent)} requests · p50 ${formatMs(reading.p50Ms)}, p90 ${formatMs(reading.p90Ms)} · ${formatCount(reading.failed)} failed`;
    case 'users':
      return describeUsersReading(reading, isFrozen);
    case 'recovery':
      return reading.seconds === null
        ? (reading.reason ?? 'it did not recover while it was watched')
        : `recovered after ${formatMs(1_000 * reading.seconds)}`;
    case 'idle':
      return (
        reading.problem ??
        (reading.closedAfterSeconds === null ? 'still open' : `closed after ${formatMs(1_000 * reading.closedAfterSeconds)}`)
      );
    default:
      return reading satisfies never;
  }
}

/** Summarizes a reading of users. Omits the rate of a frozen run. */
function describeUsersReading(reading: UsersReading, isFrozen: boolean): string {
  const { freeze, okPerSecond, meanMs, failed } = reading;
  return withoutAbsent([
    isFrozen && freeze !== null && `froze for ${formatSeconds(Math.round(freeze.seconds))}`,
    ...(isSilent(reading)
      ? ['no response in the counted time']
      : [
          ...(isFrozen ? [] : [formatRate(okPerSecond, 'successful responses')]),
          `${formatMs(meanMs)} each`,
          `${formatCount(failed)} failed`,
        ]),
  ]).join(' · ');
}
