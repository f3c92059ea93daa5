import { capitalize } from '#core/base/text.ts';
import { characterTable } from '#core/search/characterize/table.ts';
import { joinGeneratorNames } from '#core/plan/hosts/generatorNames.ts';
import { describePlan } from '#core/review/describe.ts';
import type { SearchResult } from '#core/search/result.ts';
import { formatCount, formatMs, formatNumber, formatRate, formatSeconds, formatShare, UNKNOWN_TEXT } from '#core/base/units.ts';
import { searchVerdict } from './groupVerdict.ts';
import {
  type Block,
  column,
  type ColumnOf,
  list,
  numbers,
  pairs,
  plainTable,
  type Report,
  type RichCell,
  section,
  table,
  type TableBlock,
  text,
} from './model.ts';
import { planText } from './planText.ts';
import { instantText, NOT_FINISHED_TEXT, NO_SECRETS_NOTE, TITLES } from './words.ts';
import { formatSearchLevel } from '#core/search/breakingPoint/levels.ts';
import type { BreakingPointConclusion, Gauge } from '#core/search/breakingPoint/schema.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { LevelReading } from '#core/search/breakingPoint/reading.ts';
import type { UsersReading } from '#core/search/characterize/reading.ts';
import type { SearchRun } from '#core/search/run.ts';
import { isSilent, formatStandstillAt } from '#core/search/characterize/standstill.ts';
import { describeReading, frozenReadings, formatLevelOutcome, RUN_STATE_WORDS, formatRejected } from '#core/search/table.ts';
import type { CharacterConclusion } from '#core/search/characterize/schema.ts';
import type { LevelData, LevelLine, LevelValue } from '../charts/levels.ts';
import { variantLook } from '../charts/looks.ts';
import { chartNames } from '../charts/names.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Returns the report of a search: the verdict with its reasons, then the runs. */
export function searchReport(result: SearchResult): Report {
  const { search, document, runs } = result;
  const url = document.plan.targets[0]?.url ?? '';
  return {
    title: search.name,
    facts: withoutAbsent([
      instantText(search.startedAt),
      `${formatCount(runs.length)} runs`,
      url,
      document.on !== undefined && `from ${joinGeneratorNames(document.on)}`,
    ]),
    sections: [
      { id: 'conclusion', title: search.kind === 'breakingPoint' ? 'Breaking point' : 'Server profile', blocks: resultBlocks(result, url) },
      ...section('runs', 'Runs', runBlocks(result)),
      ...section('method', TITLES.method, methodBlocks(result)),
      ...section('repeat', TITLES.doAgain, repeatBlocks(result)),
    ],
    origin: `Holdfast · search ${search.id}`,
  };
}

function resultBlocks({ search, conclusion, document }: SearchResult, url: string): Block[] {
  const early = search.endedBecause === null ? '' : `It ended early: ${search.endedBecause}`;
  if (conclusion.kind === 'breakingPoint')
    return [
      searchVerdict({ conclusion }),
      ...text(early),
      ...pairs('Figures', searchFacts(conclusion, document.plan)),
      ...list('Why', conclusion.reasons),
    ];
  const { columns, row } = characterTable(conclusion, url);
  return [
    searchVerdict({ conclusion }),
    ...text(early),
    ...plainTable('Profile', columns, [row]),
    ...list(
      'Why',
      conclusion.reasoning.map((reason) => capitalize(`${reason.about}: ${reason.text}`)),
    ),
    ...list('Common mistake', conclusion.trap === null ? [] : [conclusion.trap]),
  ];
}

function runBlocks(result: SearchResult): Block[] {
  return [
    ...searchTable({ ...result, runs: result.runs.filter(reportsFigures) }),
    ...searchCharts(result).map((chart): Block => ({ kind: 'levels', chart })),
  ];
}

function methodBlocks({ document }: SearchResult): Block[] {
  const { settings } = document;
  const rest = `After each run there was no load until the connections to the target had closed, and for ${formatSeconds(settings.coolDownSeconds)} more.`;
  const how =
    document.kind === 'breakingPoint'
      ? [
          'The load grew until a level failed. Then the search halved the range between the highest sustained level and the lowest failed level.',
          `Each level was run ${document.settings.repeats === 1 ? 'once' : `at most ${formatCount(document.settings.repeats)} times, and the majority decides`}; inconclusive runs were repeated.`,
        ]
      : [
          'The number of users doubled from one. Each sent its next request shortly after a response. Counting began when all users were active.',
          'Intervals are 95 % confidence intervals.',
        ];
  return [
    ...list(TITLES.order, [...how, rest]),
    ...(document.kind === 'breakingPoint' ? list('Plan in words', describePlan(document.plan).sentences) : []),
  ];
}

function repeatBlocks({ search, document }: SearchResult): Block[] {
  const from = document.on === undefined ? '' : ` --on ${document.on.join(',')}`;
  const command =
    document.kind === 'breakingPoint'
      ? `holdfast breaking-point plan.yaml${from}`
      : `holdfast characterize ${document.plan.targets[0]?.url ?? 'URL'}${from}`;
  return withoutAbsent([
    ...pairs('This search', [
      ['Id', search.id],
      ['Started', instantText(search.startedAt)],
      ['Ended', search.endedAt === null ? NOT_FINISHED_TEXT : instantText(search.endedAt)],
    ]),
    ...list(TITLES.runAgain, [
      document.kind === 'breakingPoint' ? `Save the text below as plan.yaml and run: ${command}` : `Run: ${command}`,
      NO_SECRETS_NOTE,
    ]),
    document.kind === 'breakingPoint' && { kind: 'code' as const, title: 'Plan', text: planText(document.plan) },
  ]);
}

/** Returns the runs of a search in order, with outcomes and reasons. */
export function searchTable({ search, runs }: Pick<SearchResult, 'search' | 'runs'>): TableBlock[] {
  const isBreakingPoint = search.kind === 'breakingPoint';
  const frozen = frozenReadings(runs);
  const givenUp: ColumnOf<SearchRun> = isBreakingPoint
    ? numbers('Timed out', ({ reading }) => (reading?.kind === 'level' ? formatCount(reading.timeouts) : '–'))
    : column('Rejected or timed out', ({ reading }) => (reading?.kind === 'users' && !isSilent(reading) ? formatRejected(reading) : '–'));
  return table(
    'Runs in order',
    runs,
    withoutAbsent([
      column(isBreakingPoint ? 'Level' : 'Users', ({ name, repeat }) => ({
        text: name,
        about: repeat === 1 ? '' : `run ${formatCount(repeat)}`,
      })),
      column('Outcome', (run) => outcomeCell(run, frozen.has(run.reading))),
      !isBreakingPoint && numbers<SearchRun>('Requests', ({ reading }) => (reading?.kind === 'users' ? formatCount(reading.sent) : '–')),
      numbers('Successful/s', (run) => (frozen.has(run.reading) ? '–' : known(run, ({ okPerSecond }) => formatRate(okPerSecond))), {
        term: 'throughput',
      }),
      numbers('Mean service time', (run) => known(run, ({ meanMs }) => formatMs(meanMs))),
      numbers('p95', (run) => known(run, (reading) => formatMs(reading.kind === 'level' ? reading.p95 : reading.p95Ms)), { term: 'p95' }),
      numbers('Failed', (run) => known(run, formatFailed)),
      givenUp,
      column('Why', (run) => formatReason(run, frozen.has(run.reading)), { minor: true }),
    ]),
  );
}

function outcomeCell({ state, reading }: SearchRun, isFrozen: boolean): RichCell {
  if (reading?.kind === 'level' && state !== 'running') return { text: capitalize(formatLevelOutcome(reading)), mark: reading.outcome };
  if (reading?.kind === 'users' && state === 'value' && (isFrozen || isSilent(reading)))
    return { text: isFrozen ? 'Froze' : 'No response', mark: 'failed' };
  return { text: capitalize(RUN_STATE_WORDS[state]), mark: state };
}

/** Returns the share that violated the failed criterion of a level, such as “62.5 % of pupils”, or else the share of failed requests. */
function formatFailed(reading: LevelReading | UsersReading): string {
  const { failed, sent } = reading;
  const missed = reading.kind === 'level' ? reading.missed : undefined;
  if (missed !== undefined) return `${formatShare(missed.over / missed.counted)} of ${missed.of}`;
  const share = formatShare(sent === 0 ? null : Math.min(1, failed / sent));
  return reading.kind === 'level' && share !== UNKNOWN_TEXT ? `${share} of requests` : share;
}

function known({ reading }: SearchRun, say: (reading: LevelReading | UsersReading) => string): string {
  if (reading?.kind !== 'level' && reading?.kind !== 'users') return '–';
  const readingText = say(reading);
  return readingText === UNKNOWN_TEXT ? '–' : readingText;
}

/** Returns the reason for the outcome of a run, or the result of a recovery or idle connection check. */
function formatReason(run: SearchRun, isFrozen: boolean): string {
  const { reading, reason } = run;
  if (reading?.kind === 'level') return reading.text;
  if (reading?.kind === 'users') return formatStandstillAt(reading, isFrozen);
  return reason ?? (reading === null ? '' : describeReading(reading));
}

/** Returns whether a run measures a level or a number of users. Other runs check a single property. */
function reportsFigures({ purpose }: SearchRun): boolean {
  return purpose === 'level' || purpose === 'users';
}

export function searchFacts(conclusion: BreakingPointConclusion, plan: Plan): (readonly [name: string, text: string])[] {
  const level = (value: number | null): string => (value === null ? UNKNOWN_TEXT : formatSearchLevel(plan, value));
  const gauge = ({ upTo, from }: Gauge): string =>
    upTo === null ? (from === null ? UNKNOWN_TEXT : 'at no level') : `${from === null ? 'tested to' : 'up to'} ${level(upTo)}`;
  const { sustained, breakingPoint, withoutTimeout, withoutError, recovery, prediction } = conclusion;
  return withoutAbsent([
    ['Sustains', level(sustained)],
    ['Fails at', level(breakingPoint)],
    ['No time-outs', gauge(withoutTimeout)],
    ['No failures', gauge(withoutError)],
    prediction !== null && (['Predicted by queueing theory', level(prediction.level)] as const),
    recovery !== null && (['Recovered after', recoveryText(recovery)] as const),
  ]);
}

function recoveryText({ seconds, reason, watchedSeconds }: NonNullable<BreakingPointConclusion['recovery']>): string {
  if (seconds !== null) return formatSeconds(seconds);
  return reason === null ? `not within ${formatSeconds(watchedSeconds)}` : UNKNOWN_TEXT;
}

const { levels: texts } = chartNames;

/** Two charts over the same levels. */
interface SearchPicture extends Pick<LevelData, 'categories' | 'axisName'> {
  readonly numbers: readonly number[];
  readonly rate: readonly LevelLine[];
  readonly times: readonly LevelLine[];
}

/** Returns charts of rates and times over the levels of a search, with the model of the workers. Empty for a single level. */
export function searchCharts({ conclusion, runs }: Pick<SearchResult, 'conclusion' | 'runs'>): LevelData[] {
  const picture = conclusion.kind === 'breakingPoint' ? searchPicture(conclusion, runs) : characterPicture(conclusion, runs);
  if (picture === null) return [];
  const { rate, times, ...axis } = picture;
  return [
    { ...axis, title: texts.rate, about: '', unit: 'perSecond', lines: rate },
    { ...axis, title: conclusion.kind === 'breakingPoint' ? texts.within : texts.time, about: '', unit: 'ms', lines: times },
  ];
}

/** Minimum number of levels, because a line needs at least two points. */
const MIN_LEVELS = 2;

/** Returns rates and times by level in ascending order, with ranges for repeated levels. Returns null for fewer than two levels. */
export function searchPicture({ unit }: Pick<BreakingPointConclusion, 'unit'>, runs: readonly SearchRun[]): SearchPicture | null {
  const readings = runs.flatMap(({ reading }) => (reading?.kind === 'level' ? [reading] : []));
  const levels = [...new Set(readings.map(({ level }) => level))].sort((a, b) => a - b);
  if (levels.length < MIN_LEVELS) return null;
  const line = (pick: (reading: LevelReading) => number | null): LevelLine => ({
    name: texts.measured,
    look: variantLook(0),
    values: levels.map((level) => {
      const own = readings.filter((one) => one.level === level);
      return levelValue(
        own.flatMap((one) => pick(one) ?? []),
        decideOutcome(own),
      );
    }),
  });
  return {
    numbers: levels,
    categories: levels.map(unit === 'arrivalsPerSecond' ? formatNumber : formatCount),
    axisName: texts.axis[unit],
    rate: [line(({ okPerSecond }) => okPerSecond)],
    times: [line(({ p95 }) => (typeof p95 === 'number' ? p95 : null))],
  };
}

/**
 * Returns measured rates and times, times without waiting, and the model of the workers. Returns null for fewer than two numbers of users.
 */
export function characterPicture({ serviceMs, workers }: CharacterConclusion, runs: readonly SearchRun[]): SearchPicture | null {
  const readings = runs.flatMap(({ reading }) => (reading?.kind === 'users' ? [reading] : []));
  const users = [...new Set(readings.map((one) => one.users))].sort((a, b) => a - b);
  if (users.length < MIN_LEVELS || serviceMs === null) return null;
  const frozen = frozenReadings(runs);
  const listByUsers = (number: number): UsersReading[] => readings.filter((one) => one.users === number);
  const measuredColumn = (pick: (reading: UsersReading) => number | null) => ({
    name: texts.measured,
    look: variantLook(0),
    values: users.map((number) =>
      levelValue(
        listByUsers(number).flatMap((one) => pick(one) ?? []),
        listByUsers(number).some((one) => frozen.has(one)) ? 'failed' : undefined,
      ),
    ),
  });
  const formulaLine = (name: string, index: number, value: (number: number, pauseMs: number) => number): LevelLine => ({
    name,
    look: variantLook(index),
    values: users.map((number) => levelValue([value(number, listByUsers(number)[0]?.pauseMs ?? 0)])),
  });
  const unloadedMs = serviceMs.value;
  const workerCount = workers?.value ?? null;
  const time = (number: number, pauseMs: number): number =>
    Math.max(unloadedMs, (number * unloadedMs) / (workerCount ?? Number.POSITIVE_INFINITY) - pauseMs);
  const pool = (value: (number: number, pauseMs: number) => number): LevelLine[] =>
    workerCount === null ? [] : [formulaLine(texts.workers(formatCount(workerCount)), 1, value)];
  return {
    numbers: users,
    categories: users.map(formatCount),
    axisName: texts.axis.users,
    rate: [
      measuredColumn((one) => (frozen.has(one) ? null : one.okPerSecond)),
      ...pool((number, pauseMs) => (1_000 * number) / (time(number, pauseMs) + pauseMs)),
    ],
    times: [measuredColumn(({ meanMs }) => meanMs), ...pool(time), formulaLine(texts.noWaiting, 2, () => unloadedMs)],
  };
}

/** Returns the outcome of most runs of a level, omitted for passed; inconclusive if no run decides. */
function decideOutcome(readings: readonly LevelReading[]): LevelValue['outcome'] {
  const count = (outcome: LevelReading['outcome']): number => readings.filter((one) => one.outcome === outcome).length;
  if (count('failed') > count('passed')) return 'failed';
  return count('passed') === 0 ? 'inconclusive' : undefined;
}

function levelValue(values: readonly number[], outcome?: LevelValue['outcome']): LevelValue | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const [lowest = 0, highest = 0] = [sorted[0], sorted.at(-1)];
  const median = ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.floor(sorted.length / 2)] ?? 0)) / 2;
  return { median, least: lowest, most: highest, ...(outcome === undefined ? {} : { outcome }) };
}
