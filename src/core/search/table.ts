import type { LevelOutcome, LevelReading } from './breakingPoint/reading.ts';
import type { UsersReading } from './characterize/reading.ts';
import { formatCount, formatMs, formatRate, formatShare, NOT_KNOWN } from '#core/base/units.ts';
import type { StudyResult } from './result.ts';
import type { StudyRun } from './run.ts';

export const LEVEL_OUTCOME_WORDS: Readonly<Record<LevelOutcome, string>> = { held: 'borne', broke: 'too much', unclear: 'not known' };

/** What became of a run that shows nothing. */
const STATE_WORDS: Readonly<Record<StudyRun['state'], string>> = {
  running: 'going',
  value: 'measured',
  aborted: 'cut off',
  unread: 'result not read',
  notRun: 'not run',
};

/** The runs of a study as a table, names of columns first: the same on a terminal, in reports and in CSV. */
export function studyTable({ study, runs }: Pick<StudyResult, 'study' | 'runs'>): string[][] {
  const head =
    study.kind === 'breakingPoint'
      ? ['level', 'what became of it', 'good answers/s', 'time of one', '19 of 20 within', 'failed', 'given up']
      : ['at a time', 'requests', 'good answers/s', 'time of one', '19 of 20 within', 'failed', 'turned away or given up'];
  return [head, ...runs.filter(({ purpose }) => purpose === 'level' || purpose === 'users').map(rowOf)];
}

function rowOf(run: StudyRun): string[] {
  const { reading, name, repeat, state } = run;
  const called = repeat === 1 ? name : `${name}, run ${formatCount(repeat)}`;
  if (reading?.kind === 'level')
    return [called, LEVEL_OUTCOME_WORDS[reading.outcome], ...figuresOf(reading), formatCount(reading.timeouts)];
  if (reading?.kind === 'users') return [called, formatCount(reading.sent), ...figuresOfUsers(reading), turnedAway(reading)];
  return [called, STATE_WORDS[state], NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN, run.reason ?? ''];
}

function figuresOf({ okPerSecond, meanMs, p95, failed, sent }: LevelReading): string[] {
  return [formatRate(okPerSecond), formatMs(meanMs), formatMs(p95), formatShare(sent === 0 ? null : Math.min(1, failed / sent))];
}

function figuresOfUsers({ okPerSecond, meanMs, p95Ms, failed, sent }: UsersReading): string[] {
  return [formatRate(okPerSecond), formatMs(meanMs), formatMs(p95Ms), formatShare(sent === 0 ? null : failed / sent)];
}

function turnedAway({ errorAnswers, refused, reset, timeouts }: UsersReading): string {
  const parts = [
    errorAnswers > 0 ? `${formatCount(errorAnswers)} with status 5xx` : '',
    refused > 0 ? `${formatCount(refused)} refused` : '',
    reset > 0 ? `${formatCount(reset)} broken off` : '',
    timeouts > 0 ? `${formatCount(timeouts)} without an answer` : '',
  ];
  return parts.filter((part) => part !== '').join(', ') || 'none';
}

/** A run that has ended, in a line. */
export function studyRunLine({ name, repeat, state, reading, reason }: StudyRun): string {
  const called = repeat === 1 ? name : `${name}, run ${formatCount(repeat)}`;
  switch (reading?.kind) {
    case 'level':
      return `${called} · ${LEVEL_OUTCOME_WORDS[reading.outcome]} · ${formatRate(reading.okPerSecond, 'good answers')} · 19 of 20 within ${formatMs(reading.p95)} · ${reading.text}`;
    case 'probe':
      return `${name} · ${formatCount(reading.sent)} requests · half of them within ${formatMs(reading.p50Ms)}, 9 of 10 within ${formatMs(reading.p90Ms)} · ${formatCount(reading.failed)} failed`;
    case 'users':
      return `${called} · ${formatRate(reading.okPerSecond, 'good answers')} · ${formatMs(reading.meanMs)} each · ${formatCount(reading.failed)} failed`;
    case 'recovery':
      return `${called} · ${reading.seconds === null ? (reading.reason ?? 'it was not itself again while it was watched') : `itself again after ${formatMs(1_000 * reading.seconds)}`}`;
    case 'idle':
      return `${called} · ${reading.problem ?? (reading.closedAfterSeconds === null ? 'still open' : `closed after ${formatMs(1_000 * reading.closedAfterSeconds)}`)}`;
    case undefined:
      return `${called} · ${STATE_WORDS[state]}${reason === null ? '' : ` · ${reason}`}`;
    default:
      return reading satisfies never;
  }
}
