import { formatCount, formatMs, formatSeconds, UNKNOWN_TEXT } from '#core/base/units.ts';
import type { CharacterConclusion, CharacterizeSettings, Interval, ServerKind } from './schema.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { type SearchRun, type SearchStep, TIME_USED_UP_MESSAGE } from '../run.ts';
import { chooseNextUsers, planOfUsers } from './levels.ts';
import type { IdleReading, UsersReading } from './reading.ts';

/** A property of a server. */
interface CharacterFact {
  readonly name: string;
  readonly value: string;
  /** Confidence interval: "3 to 5"; empty for a single value. */
  readonly range: string;
  /** Whether a known value is a number. */
  readonly numeric: boolean;
}

/** A column of {@link characterTable}. */
type CharacterColumn = Pick<CharacterFact, 'name' | 'numeric'>;

const KIND_WORDS: Readonly<Record<ServerKind, string>> = {
  synchronous: 'synchronous',
  asynchronous: 'asynchronous',
  unknown: UNKNOWN_TEXT,
};

/** Title of the response time, which is counted from the request to the last byte, including any wait. */
const RESPONSE_TIME_TITLE = 'Time of a response';

/** Returns the properties in the words and the order that screens, terminals and reports share. */
export function characterFacts(conclusion: CharacterConclusion): CharacterFact[] {
  const { server, serviceMs, workers, queueLength, queueAtLeast, timeoutMs, longestMs } = conclusion;
  return [
    fact('Kind', KIND_WORDS[server]),
    intervalFact(RESPONSE_TIME_TITLE, serviceMs, formatMs),
    server === 'asynchronous' ? number('Workers', 'no limit found') : intervalFact('Workers', workers, formatCount),
    queueLength === null && queueAtLeast !== null
      ? number('Queue', `at least ${formatCount(queueAtLeast)}`)
      : intervalFact('Queue', queueLength, formatCount),
    fact(
      'Time-out',
      timeoutMs === null ? (longestMs === null ? UNKNOWN_TEXT : `not within ${formatMs(longestMs)}`) : `after ${formatMs(timeoutMs)}`,
    ),
    fact('Idle connections', formatIdle(conclusion.keepAlive)),
  ];
}

/** Returns the properties as a table of one row with the server's name, so that rows of several servers can be combined. */
export function characterTable(
  conclusion: CharacterConclusion,
  url: string,
): { readonly columns: CharacterColumn[]; readonly row: string[] } {
  const facts = characterFacts(conclusion);
  return {
    columns: [{ name: 'Server', numeric: false }, ...facts.map(({ name, numeric }) => ({ name, numeric }))],
    row: [url, ...facts.map(({ value, range }) => (range === '' ? value : `${value} (${range})`))],
  };
}

function fact(name: string, value: string): CharacterFact {
  return { name, value, range: '', numeric: false };
}

function number(name: string, value: string, range = ''): CharacterFact {
  return { name, value, range, numeric: true };
}

function intervalFact(name: string, interval: Interval | null, format: (value: number) => string): CharacterFact {
  if (interval === null) return number(name, UNKNOWN_TEXT);
  const [low, high] = [format(interval.low), format(interval.high)];
  return number(name, format(interval.value), low === high ? '' : `${low} to ${high}`);
}

function formatIdle({ reuses, closedAfterSeconds, openForSeconds }: CharacterConclusion['keepAlive']): string {
  if (reuses === false) return 'closed after each response';
  if (closedAfterSeconds !== null) return `closed after ${formatSeconds(closedAfterSeconds)}`;
  return openForSeconds === null ? UNKNOWN_TEXT : `open for ${formatSeconds(openForSeconds)} or more`;
}

/** Returns the next step of a profile: a run with users, then an idle connection. */
export function chooseNextRun(plan: Plan, settings: CharacterizeSettings, runs: readonly SearchRun[]): SearchStep {
  const spentSeconds = runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0);
  const level = chooseNextUsers(settings, usersReadings(runs));
  const hasFailed = runs.some(({ purpose, reading }) => purpose === 'users' && reading === null);
  const fits = level !== null && spentSeconds + level.startUpSeconds + level.seconds <= settings.maxSeconds;
  if (level !== null && fits && !hasFailed) {
    const name = level.users === 1 ? 'one user' : `${formatCount(level.users)} users`;
    const repeat = runs.filter((run) => run.level === level.users).length + 1;
    return { kind: 'run', purpose: 'users', name, level: level.users, repeat, plan: planOfUsers(plan, level) };
  }
  if (settings.idleSeconds > 0 && !hasFailed && !runs.some(({ purpose }) => purpose === 'idle'))
    return { kind: 'idle', purpose: 'idle', name: 'an idle connection', seconds: settings.idleSeconds };
  return { kind: 'end', because: level !== null && !fits ? TIME_USED_UP_MESSAGE : null };
}

export function usersReadings(runs: readonly SearchRun[]): UsersReading[] {
  return runs.flatMap(({ reading }) => (reading?.kind === 'users' ? [reading] : []));
}

export function findIdleReading(runs: readonly SearchRun[]): IdleReading | null {
  return runs.flatMap(({ reading }) => (reading?.kind === 'idle' ? [reading] : []))[0] ?? null;
}
