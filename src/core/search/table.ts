import type { LevelOutcome } from './breakingPoint/reading.ts';
import type { UsersReading } from './characterize/reading.ts';
import { formatCount, formatMs, formatPortion, formatRate } from '#core/base/units.ts';
import type { SearchRun } from './run.ts';

export const LEVEL_OUTCOME_WORDS: Readonly<Record<LevelOutcome, string>> = { held: 'passed', broke: 'failed', unclear: 'inconclusive' };

/** What became of a run that shows nothing. */
export const RUN_STATE_WORDS: Readonly<Record<SearchRun['state'], string>> = {
  running: 'running',
  value: 'measured',
  aborted: 'interrupted',
  unread: 'result not read',
  notRun: 'not run',
};

/** What of its requests a server did not answer. */
export function turnedAway({ errorAnswers, refused, reset, timeouts }: UsersReading): string {
  const parts = [
    errorAnswers > 0 ? `${formatCount(errorAnswers)} with status 5xx` : '',
    refused > 0 ? `${formatCount(refused)} refused` : '',
    reset > 0 ? `${formatCount(reset)} reset` : '',
    timeouts > 0 ? `${formatCount(timeouts)} timed out` : '',
  ];
  return parts.filter((part) => part !== '').join(', ') || 'none';
}

/** A run that has ended, in a line. */
export function searchRunLine({ name, repeat, state, reading, reason }: SearchRun): string {
  const called = repeat === 1 ? name : `${name}, run ${formatCount(repeat)}`;
  const showed = reading === null ? `${RUN_STATE_WORDS[state]}${reason === null ? '' : ` · ${reason}`}` : whatRunShowed(reading);
  return `${called} · ${showed}`;
}

/** What a run has shown, in a line. */
export function whatRunShowed(reading: NonNullable<SearchRun['reading']>): string {
  switch (reading.kind) {
    case 'level':
      return `${LEVEL_OUTCOME_WORDS[reading.outcome]} · ${formatRate(reading.okPerSecond, 'successful responses')} · ${formatPortion(95)} within ${formatMs(reading.p95)} · ${reading.text}`;
    case 'probe':
      return `${formatCount(reading.sent)} requests · ${formatPortion(50)} within ${formatMs(reading.p50Ms)}, ${formatPortion(90)} within ${formatMs(reading.p90Ms)} · ${formatCount(reading.failed)} failed`;
    case 'users':
      return `${formatRate(reading.okPerSecond, 'successful responses')} · ${formatMs(reading.meanMs)} each · ${formatCount(reading.failed)} failed`;
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
