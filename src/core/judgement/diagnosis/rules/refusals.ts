import { readErrorName, statusOfName } from '#core/base/errorNames.ts';
import { capitalize } from '#core/base/text.ts';
import { formatCount, formatMs, formatNumber, formatPart, formatPercent, formatSeconds, formatShare } from '#core/base/units.ts';
import { listAccountsRefused, formatAccountsRefused } from '#core/result/accountsRefused.ts';
import { countWanted } from '#core/measurement/requestOutcomes.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { isLogin } from '#core/work/journey/storing.ts';
import type { LevelUnit } from '#core/work/load/stages.ts';
import { formatErrorName, isCheckError, isReason } from '#core/work/bodyCheck/errorTexts.ts';
import {
  type Draft,
  figure,
  MAX_NEGLIGIBLE_SHARE,
  type MeasuredRun,
  MIN_NOTICEABLE_SHARE,
  sortByFrequency,
  rangeOf,
  rangeOfTimes,
  rule,
  serverQuote,
} from '../rule.ts';
import { sumOf } from '#core/base/lists.ts';

/** Minimum number of requests of a stage for stating a share. */
const MIN_REQUESTS = 20;
/** Minimum ratio of the highest to the lowest load. */
const MIN_RISE = 1.5;
/** Maximum difference of two shares, in standard errors, at which they count as equal (normal approximation of two proportions). */
const MAX_STANDARD_ERRORS = 2.5;
/** Maximum share of refusals. Above it, the step never succeeded, which other rules report. */
const MAX_SHARE = 0.99;

const UNIT_WORDS: Readonly<Record<LevelUnit, string>> = {
  connections: 'connections',
  users: 'users',
  arrivalsPerSecond: 'arrivals a second',
};

interface RefusedLevel {
  readonly level: number;
  readonly refused: number;
  readonly complete: number;
}

/**
 * Finds a step with the same share of refusals (by status or content) at low and high load. The cause is the accounts, the data or a rule
 * of the server, because failures by overload would grow with the load.
 */
export const refusedAtAnyLoad = rule('refusedAtAnyLoad', (facts) =>
  listRecordedRequests(facts.plan).flatMap(({ name, resource, isMeasured }) => {
    if (resource !== null || !isMeasured) return [];
    const levels = levelsOf(facts, name);
    const found = findConstantShare(levels);
    if (found === null) return [];
    const unit = UNIT_WORDS[facts.stages[0]?.level.unit ?? 'users'];
    return {
      of: name,
      level: 'problem',
      sentence: `${formatRefused(name, found, (level) => `${formatNumber(level)} ${unit}`)}${serverQuote(facts, name, isRefusal)}`,
      evidence: ['Failures of an overloaded server become more frequent as the load grows.'],
      figures: levels.map((one) =>
        figure(capitalize(`refused at ${formatNumber(one.level)} ${unit}`), `${formatCount(one.refused)} of ${formatCount(one.complete)}`),
      ),
      remedy:
        'Check the accounts and data of these requests: wrong passwords, accounts without access, expired tokens, or a rule of the server.',
      confidence: 'likely',
      insteadOf: ['wrongContent', ...REFUSED_STATUSES],
    };
  }),
);

/** Share of refused accounts from which another cause is more probable than earlier use of the accounts. */
const MIN_OTHER_CAUSE_SHARE = 0.5;

/** Finds refused accounts of a kind that can be used only once, and names the accounts. */
export const accountsRefused = rule('accountsRefused', (facts) =>
  listAccountsRefused(facts.events).map((refused) => {
    const areFew = refused.count < MIN_OTHER_CAUSE_SHARE * refused.of;
    const quote = serverQuote(facts, refused.step, isRefusal);
    const insteadOf = ['wrongContent', `refusedAtAnyLoad.${refused.step}`, ...REFUSED_STATUSES];
    const closedAtSecond = refused.count >= MIN_CLOSED_SHARE * refused.of ? findClosing(facts, refused.step) : null;
    if (closedAtSecond !== null && !SERVER_FAULT_PATTERN.test(quote))
      return { ...describeClosing(facts, refused, closedAtSecond), of: refused.step, level: 'problem', confidence: 'likely', insteadOf };
    const advice = SERVER_FAULT_PATTERN.test(quote)
      ? SERVER_FAULT
      : hasStarted(facts, refused.step)
        ? STARTED
        : adviceFor(facts, refused.step, areFew);
    return {
      of: refused.step,
      level: 'problem',
      sentence: `${formatAccountsRefused(refused)}${quote}`,
      ...advice,
      confidence: areFew ? 'likely' : 'possible',
      insteadOf,
    };
  }),
);

/** Minimum share of the users that a site refuses once it is closed. */
const MIN_CLOSED_SHARE = 0.9;
const MIN_CLOSED_REFUSALS = 5;
/** Maximum share of successes after the first refusals, of requests that were on the way. */
const MAX_OK_AFTER_CLOSING = 0.05;

/**
 * Returns the second from which every request failed, although users had been let in and the step had succeeded before; null if there is
 * none. A step that never succeeded has another cause.
 */
function findClosing(facts: MeasuredRun, step: string): number | null {
  const { windows, steps } = facts;
  const hadSuccess = steps.some(({ name, requests }) => name === step && requests.ok >= MIN_CLOSED_REFUSALS);
  if (!hadSuccess || !hasStarted(facts, step)) return null;
  const first = windows.find(({ failed }) => failed > 0);
  if (first === undefined) return null;
  const failures = sumOf(windows, ({ failed }) => failed);
  const okAfter = sumOf(windows, ({ second, ok }) => (second > first.second ? ok : 0));
  const okBefore = sumOf(windows, ({ second, ok }) => (second < first.second ? ok : 0));
  const isClosed = failures >= MIN_CLOSED_REFUSALS && okBefore >= failures && okAfter <= MAX_OK_AFTER_CLOSING * failures;
  return isClosed ? first.second : null;
}

function describeClosing(
  { bells = [] }: MeasuredRun,
  { step, count, of }: ReturnType<typeof listAccountsRefused>[number],
  second: number,
): Pick<Draft, 'sentence' | 'evidence' | 'remedy'> {
  const next = bells.find(({ atSecond }) => atSecond > second);
  return {
    sentence: `From second ${formatCount(second)} on, the site refused everybody at “${step}”: ${formatPart(count, of)} users. Probably the time is over there.`,
    evidence: [
      'They had been let in, and nobody succeeded later. So the site closed for all of them at one time.',
      next !== undefined && `In the plan, the bell “${next.bell}” only rings at ${formatSeconds(next.atSecond)}.`,
      'Lost sessions of all users, as after a restart of the server, look the same.',
    ],
    remedy: STARTED.remedy,
  };
}

/** Matches error messages of a program or a database, which do not concern an account. */
const SERVER_FAULT_PATTERN = /sql|database|exception|\bfatal\b|\bPDO\b/i;

/** Returns whether users at this step had been let in before: it comes after the first bell of the plan. */
function hasStarted({ plan: { journey } }: MeasuredRun, step: string): boolean {
  const gate = journey.findIndex((one) => one.gate !== undefined);
  return gate >= 0 && journey.findIndex(({ name }) => name === step) > gate;
}

function adviceFor({ plan }: MeasuredRun, name: string, areFew: boolean): Pick<Draft, 'evidence' | 'remedy'> {
  const step = plan.journey.find((one) => one.name === name);
  if (!areFew) return MANY;
  return step !== undefined && isLogin(step, plan) ? FEW_LOGINS : FEW_USED;
}

export const ERROR_LOGS_REMEDY = 'Look at the error logs of the server and its database at that time.';
const SERVER_FAULT = {
  evidence: ['These are words of a server that failed, not of an account that was refused.'],
  remedy: ERROR_LOGS_REMEDY,
};
const STARTED = {
  evidence: ['These users had been let in before. The time on the site may be over, or the server lost their sessions.'],
  remedy: 'Check on the site when the exam or event ends and its time limit. Both have to be later than the end of the load.',
};
const FEW_LOGINS = {
  evidence: [
    'The other accounts of the list could log in. The passwords of these are probably wrong, or the accounts are locked or missing.',
  ],
  remedy: 'Log in with one of these accounts in a browser, and correct the list or the accounts.',
};
const FEW_USED = {
  evidence: ['Each account of this list can do this once. These were probably used before, outside of Holdfast.'],
  remedy: 'Reset these accounts on the server, or remove them from the list.',
};
const MANY = { evidence: [], remedy: 'Walk the journey once with one of these accounts: holdfast try.' };

const REFUSED_STATUSES = ['400', '401', '403', '404', '409', '422'].map((status) => `unexpectedStatus.${status}`);

/** Share of refused requests, at the lowest and the highest level. */
interface SameShare {
  readonly share: number;
  readonly lowest: RefusedLevel;
  readonly highest: RefusedLevel;
}

/**
 * Returns the share of refused requests if it is the same from the lowest to the highest level; null if it differs, or if too few requests
 * were sent.
 */
export function findConstantShare(loads: readonly RefusedLevel[]): SameShare | null {
  const byLevel = new Map<number, RefusedLevel>();
  for (const { level, refused, complete } of loads) {
    const before = byLevel.get(level) ?? { level, refused: 0, complete: 0 };
    byLevel.set(level, { level, refused: before.refused + refused, complete: before.complete + complete });
  }
  const levels = [...byLevel.values()].filter(({ complete }) => complete >= MIN_REQUESTS).toSorted((one, other) => one.level - other.level);
  const [lowest, highest] = [levels[0], levels.at(-1)];
  if (lowest === undefined || highest === undefined || highest.level < MIN_RISE * lowest.level) return null;
  const share = sumOf(levels, ({ refused }) => refused) / sumOf(levels, ({ complete }) => complete);
  const isSame = share >= MIN_NOTICEABLE_SHARE && share <= MAX_SHARE && levels.every((one) => isLike(one, share));
  return isSame ? { share, lowest, highest } : null;
}

/** Example: “10 % of requests of “login” are refused at any load: 10 % at 5 users, 9.8 % at 40 users. Load is not the cause.” */
export function formatRefused(name: string, { share, lowest, highest }: SameShare, levelWords: (level: number) => string): string {
  return `${formatPercent(share)} of requests of “${name}” are refused at any load: ${formatPercent(shareOf(lowest))} at ${levelWords(lowest.level)}, ${formatPercent(shareOf(highest))} at ${levelWords(highest.level)}. Load is not the cause.`;
}

/**
 * Counts the requests of a step that were refused by content or status. Statuses from 500 on may be due to overload and are no refusals.
 */
export function countRefused({ requests, status }: Pick<MeasuredRun['steps'][number], 'requests' | 'status'>, level: number): RefusedLevel {
  const overloaded = sumOf(Object.entries(status), ([code, count]) => (Number(code) >= 500 ? count : 0));
  return {
    level,
    refused: requests.wrongBody + Math.max(0, requests.httpError - overloaded),
    complete: countWanted(requests) - requests.inFlight,
  };
}

function isRefusal(failure: string): boolean {
  return isCheckError(failure) || statusOfName(failure) !== null;
}

function levelsOf({ stages }: MeasuredRun, name: string): RefusedLevel[] {
  return stages.flatMap(({ level, steps }) => {
    const step = steps.find((one) => one.name === name);
    return step === undefined || level.from !== level.to ? [] : [countRefused(step, level.highest)];
  });
}

function shareOf({ refused, complete }: RefusedLevel): number {
  return refused / complete;
}

function isLike(one: RefusedLevel, share: number): boolean {
  return Math.abs(shareOf(one) - share) <= MAX_STANDARD_ERRORS * Math.sqrt((share * (1 - share)) / one.complete);
}

/** Minimum number of logins, because fewer may end at the same age by coincidence. */
const MIN_LOGINS = 3;
/** Maximum ratio of the ages. A user notices the end of a login only at the next request, up to one pause after the server's limit. */
const MAX_SPREAD = 1.5;
const MIN_AGE_MS = 500;

/** Finds logins that all end at the same age, because the server lets sessions or tokens expire during the run. */
export const sessionExpires = rule('sessionExpires', ({ steps }) => {
  const noticed = steps.flatMap(({ name, sessionAge }) => {
    if (sessionAge === undefined || typeof sessionAge.min !== 'number' || typeof sessionAge.max !== 'number') return [];
    return [{ name, count: sessionAge.count, minMs: sessionAge.min, maxMs: sessionAge.max }];
  });
  const count = sumOf(noticed, (step) => step.count);
  const minMs = Math.min(...noticed.map((step) => step.minMs));
  const maxMs = Math.max(...noticed.map((step) => step.maxMs));
  if (count < MIN_LOGINS || minMs < MIN_AGE_MS || maxMs > MAX_SPREAD * minMs) return [];
  const names = noticed.map(({ name }) => `“${name}”`).join(', ');
  return {
    level: 'problem',
    sentence: `Logins expire after about ${formatMs(minMs)}: then ${names} was refused, which had been successful with the same login.`,
    evidence: [`${formatCount(count)} logins were first refused at an age from ${formatMs(minMs)} to ${formatMs(maxMs)}.`],
    figures: [figure('Shortest age', formatMs(minMs)), figure('Longest age', formatMs(maxMs)), figure('Logins', formatCount(count))],
    remedy:
      'Let users log in again as the app does: add renew to the login step, with onStatus: [401] or with afterSeconds below this age.',
    confidence: 'likely',
    insteadOf: ['refusedAtAnyLoad.*'],
  };
});

/** Returns the reasons that a side call returned, the most frequent first. */
function listReasons({ errors }: NonNullable<MeasuredRun['sideCalls']>[number]) {
  const reasons = sortByFrequency(errors).filter(([error]) => isReason(error));
  return { stated: reasons, count: sumOf(reasons, ([, count]) => count) };
}

/** Finds journeys that ended because a side call failed, with the reasons that the side call returned. */
export const sideCallsFailed = rule('sideCallsFailed', ({ sideCalls = [] }) =>
  sideCalls.flatMap((call) => {
    const { name, requests, errors } = call;
    const { stated, count } = listReasons(call);
    const failed = countWanted(requests) - requests.ok - count;
    return [
      count > 0 && {
        rule: 'siteSaysWhy',
        of: name,
        level: 'problem' as const,
        sentence: `${formatCount(count)} ${count === 1 ? 'time' : 'times'} the site itself gave the reason for a failure: ${readErrorName(stated[0]?.[0] ?? '').label ?? ''}`,
        evidence: Object.entries(errors).map(([error, times]) => isReason(error) && `${formatErrorName(error)}: ${formatCount(times)}`),
        remedy: 'Correct what it names, in the plan or in the site’s settings, and run the test again.',
      },
      failed !== 0 && {
        of: name,
        level: 'problem' as const,
        sentence: `${capitalize(formatPart(failed, requests.sent))} side calls of “${name}” failed, and each journey that needed one ended there.`,
        evidence: [
          ...Object.entries(errors).map(([error, times]) => !isReason(error) && `${formatErrorName(error)}: ${formatCount(times)}`),
          requests.inFlight > 0 && `no response: ${formatCount(requests.inFlight)}`,
        ],
        remedy:
          'The target got less load than planned. Make sure the server of the side calls responds, then run the test again. “Failure samples” shows its responses.',
      },
    ];
  }),
);

const MIN_RESPONSES = 5;
/** Interval in ms at which gunicorn checks its workers. Its limit is in whole seconds. */
const CHECK_INTERVAL_MS = 1_000;
/** Maximum delay by the network and the machine, in ms. */
const LATE_TOLERANCE_MS = 400;
/** Maximum time in ms by which a failure may be early, because the server's clock starts at another moment of the request. */
const EARLY_TOLERANCE_MS = 30;
/** Default time-out of gunicorn, in seconds. */
const DEFAULT_LIMIT_SECONDS = 30;
/** Time-out in seconds from which people usually set multiples of five. */
const MIN_ROUND_SECONDS = 10;
/** Minimum share of seconds with successes while requests wait. With fewer, the whole server stood still for another reason. */
const MIN_SUCCESS_SHARE = 0.5;

/**
 * Finds requests that failed after a whole number of seconds, plus at most one, while others succeeded, because hanging workers were
 * killed. gunicorn first aborts a worker, which then sends 500 if the application executes Python code. If it does not, gunicorn kills the
 * worker a second later, which the proxy reports as 502.
 */
export const workerTimeout = rule('workerTimeout', ({ latencyByStatusClass, status, windows }) => {
  const [aborted, killed] = [status['500'] ?? 0, status['502'] ?? 0];
  const count = aborted + killed;
  const complete = sumOf(Object.values(status), (responses) => responses);
  const failures = sumOf(Object.entries(status), ([code, responses]) => (code.startsWith('5') ? responses : 0));
  const times = latencyByStatusClass['5xx'];
  // The times of 500 and 502 responses are known only if all failures have one of the two statuses.
  if (times === undefined || count < MIN_RESPONSES || count < MAX_NEGLIGIBLE_SHARE * complete || count < failures) return [];
  const { min, p50, max } = times;
  if (typeof min !== 'number' || typeof p50 !== 'number' || typeof max !== 'number') return [];
  const shortest = Math.floor((min + EARLY_TOLERANCE_MS) / 1_000);
  const looks = killed > 0 ? 2 : 1;
  if (shortest < 1 || max > 1_000 * shortest + looks * CHECK_INTERVAL_MS + LATE_TOLERANCE_MS) return [];
  const limit = aborted > 0 ? shortest : findKillSeconds(shortest);
  const after = limit === null ? `${shortest - 1} to ${formatSeconds(shortest)}` : formatSeconds(limit);
  const hit = windows.filter((point) => (point.status['500'] ?? 0) + (point.status['502'] ?? 0) > 0);
  const range = rangeOf(hit);
  const windowsDuringFailures = windows.filter(
    ({ second }) => range !== null && second >= range.fromSecond - shortest && second < range.toSecond,
  );
  if (windowsDuringFailures.filter(({ ok }) => ok > 0).length < MIN_SUCCESS_SHARE * windowsDuringFailures.length) return [];
  const codes = [...(aborted > 0 ? ['500'] : []), ...(killed > 0 ? ['502'] : [])].join(' and ');
  return {
    level: 'problem',
    sentence: `${formatShare(count / complete)} of responses failed after ${after} (${codes}) while others succeeded: probably workers that do not respond for that long are killed.`,
    evidence: [
      `All of them came between ${formatMs(min)} and ${formatMs(max)}: a limit in whole seconds that is checked once a second, like gunicorn’s.${
        limit === DEFAULT_LIMIT_SECONDS ? ' Its default is 30 s.' : ''
      }`,
      'Each of them removes a worker until another has loaded the application; meanwhile other requests wait longer.',
    ],
    figures: [
      figure('Worker time-out', after),
      figure(codes, `${formatCount(count)} of ${formatCount(complete)} responses (${formatPercent(count / complete)})`),
      rangeOfTimes(min, p50, max),
    ],
    remedy:
      'Look for “WORKER TIMEOUT” in gunicorn’s log and find out why these pages take so long. Move long work elsewhere, or raise the limit (gunicorn --timeout, uWSGI harakiri, php-fpm request_terminate_timeout); the proxy’s must be longer. Waits for a database connection also end after a fixed time.',
    confidence: aborted > 0 ? 'possible' : 'likely',
    range,
    insteadOf: ['unexpectedStatus.500', 'unexpectedStatus.502', 'slowTail', 'averageHides.*'],
  };
});

/**
 * Returns the time-out behind 502 responses; the first of them came after `shortest`. gunicorn kills a worker at the next check after it
 * aborted the worker, up to a second later; others kill at once. Returns null if both are plausible.
 */
function findKillSeconds(shortest: number): number | null {
  if (shortest === 1) return 1;
  if (shortest < MIN_ROUND_SECONDS) return null;
  return [shortest - 1, shortest].find((seconds) => seconds % 5 === 0) ?? null;
}
