import { capitalized } from '#core/base/text.ts';
import { formatCount, formatMs, formatRate, formatSeconds, formatShare, NOT_KNOWN } from '#core/base/units.ts';
import { levelWords } from '#core/search/breakingPoint/levels.ts';
import type { BreakingPointAnswer, Gauge } from '#core/search/breakingPoint/schema.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { LevelReading } from '#core/search/breakingPoint/reading.ts';
import type { UsersReading } from '#core/search/characterize/reading.ts';
import type { SearchResult } from '#core/search/result.ts';
import type { SearchRun } from '#core/search/run.ts';
import { isSilent, standstillWords } from '#core/search/characterize/standstill.ts';
import { frozenReadings, levelOutcomeWords, RUN_STATE_WORDS, turnedAway, describeReading } from '#core/search/table.ts';
import { column, type ColumnOf, numbers, type RichCell, type TableBlock, table } from './model.ts';

/** Returns the runs of a search in order, with outcomes and reasons. */
export function searchTable({ search, runs }: Pick<SearchResult, 'search' | 'runs'>): TableBlock[] {
  const isBreakingPoint = search.kind === 'breakingPoint';
  const frozen = frozenReadings(runs);
  const givenUp: ColumnOf<SearchRun> = isBreakingPoint
    ? numbers('Timed out', ({ reading }) => (reading?.kind === 'level' ? formatCount(reading.timeouts) : '–'))
    : column('Rejected or timed out', ({ reading }) => (reading?.kind === 'users' && !isSilent(reading) ? turnedAway(reading) : '–'));
  return table('Runs in order', runs, [
    column(isBreakingPoint ? 'Level' : 'Users', ({ name, repeat }) => ({
      text: name,
      about: repeat === 1 ? '' : `run ${formatCount(repeat)}`,
    })),
    column('Outcome', (run) => outcomeCell(run, frozen.has(run.reading))),
    ...(isBreakingPoint
      ? []
      : [numbers<SearchRun>('Requests', ({ reading }) => (reading?.kind === 'users' ? formatCount(reading.sent) : '–'))]),
    numbers('Successful/s', (run) => (frozen.has(run.reading) ? '–' : known(run, ({ okPerSecond }) => formatRate(okPerSecond))), {
      term: 'throughput',
    }),
    numbers('Mean service time', (run) => known(run, ({ meanMs }) => formatMs(meanMs))),
    numbers('p95', (run) => known(run, (reading) => formatMs(reading.kind === 'level' ? reading.p95 : reading.p95Ms)), {
      term: 'p95',
    }),
    numbers('Failed', (run) => known(run, failedText)),
    givenUp,
    column('Why', (run) => whyText(run, frozen.has(run.reading)), { minor: true }),
  ]);
}

function outcomeCell({ state, reading }: SearchRun, isFrozen: boolean): RichCell {
  if (reading?.kind === 'level' && state !== 'running') return { text: capitalized(levelOutcomeWords(reading)), mark: reading.outcome };
  if (reading?.kind === 'users' && state === 'value' && (isFrozen || isSilent(reading)))
    return { text: isFrozen ? 'Froze' : 'No response', mark: 'failed' };
  return { text: capitalized(RUN_STATE_WORDS[state]), mark: state };
}

function failedText({ failed, sent }: LevelReading | UsersReading): string {
  return formatShare(sent === 0 ? null : Math.min(1, failed / sent));
}

function known({ reading }: SearchRun, say: (reading: LevelReading | UsersReading) => string): string {
  if (reading?.kind !== 'level' && reading?.kind !== 'users') return '–';
  const said = say(reading);
  return said === NOT_KNOWN ? '–' : said;
}

/** Returns the reason for the outcome of a run, or the result of a recovery or idle connection check. */
function whyText(run: SearchRun, isFrozen: boolean): string {
  const { reading, reason } = run;
  if (reading?.kind === 'level') return reading.text;
  if (reading?.kind === 'users') return standstillWords(reading, isFrozen);
  return reason ?? (reading === null ? '' : describeReading(reading));
}

/** Whether a run measures a level or a number of users. Other runs check a single property. */
export function tellsFigures({ purpose }: SearchRun): boolean {
  return purpose === 'level' || purpose === 'users';
}

/** Returns the figures of a breaking point. */
export function searchFacts(answer: BreakingPointAnswer, plan: Plan): (readonly [name: string, text: string])[] {
  const level = (value: number | null): string => (value === null ? NOT_KNOWN : levelWords(plan, value));
  const gauge = ({ upTo, from }: Gauge): string =>
    upTo === null ? (from === null ? NOT_KNOWN : 'at no level') : `${from === null ? 'tested to' : 'up to'} ${level(upTo)}`;
  const { sustained, breakingPoint, withoutTimeout, withoutError, recovery, prediction } = answer;
  return [
    ['Sustains', level(sustained)],
    ['Fails at', level(breakingPoint)],
    ['No time-outs', gauge(withoutTimeout)],
    ['No failures', gauge(withoutError)],
    ...(prediction === null ? [] : [['Predicted by queueing theory', level(prediction.level)] as const]),
    ...(recovery === null ? [] : [['Recovered after', recoveryText(recovery)] as const]),
  ];
}

function recoveryText({ seconds, reason, watchedSeconds }: NonNullable<BreakingPointAnswer['recovery']>): string {
  if (seconds !== null) return formatSeconds(seconds);
  return reason === null ? `not within ${formatSeconds(watchedSeconds)}` : NOT_KNOWN;
}
