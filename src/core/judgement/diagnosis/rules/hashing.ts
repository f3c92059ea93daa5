import { keyParts } from '#core/machines/monitors/result.ts';
import { commonName } from '#core/work/accounts/accounts.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatSeconds } from '#core/base/units.ts';
import type { Step } from '#core/plan/schema/plan.ts';
import { medianOf } from '#core/statistics/trend.ts';
import { figure, type Found, type MeasuredRun, rangeOf, type Rule, overloadedShare } from '../rule.ts';

const MIN_LOGINS = 10;
/** A login waits when it takes at least this many times as long as a login alone. */
const MIN_WAIT_FACTOR = 3;
const MIN_WAIT_MS = 50;
/** A hash takes at least this long, on purpose; a login that only looks something up is quicker. */
const MIN_ALONE_MS = 8;
/** Minimum share of the slow seconds that the logins' own work fills. Their shortest time is a lower bound of that work. */
const MIN_FILLED = 0.5;
/** Minimum share that is enough if logins are most of the work of all steps. */
const MIN_FILLED_AS_MAIN_WORK = 0.3;
const MIN_SHARE_OF_WORK = 0.6;
const MIN_SECONDS = 2;
/** Use of one processor from which a single-threaded program is at its limit. */
const MIN_FULL_CORES = 0.85;
const MAX_OVERLOADED_SHARE = 0.5;

/**
 * Finds logins whose password hashing fills the server's processor. Evidence: logins wait, and their number × the time of an unloaded login fills the slow
 * seconds. All pages of the same process are slow meanwhile.
 */
export const hashing: Rule = {
  id: 'hashing',
  find(facts) {
    return facts.plan.journey.flatMap((step): Found[] => {
      const login = facts.steps.find(({ name }) => name === step.name);
      if (!isLogin(step) || login === undefined) return [];
      const { min, p50, count } = login.latency.service;
      if (typeof min !== 'number' || typeof p50 !== 'number' || count < MIN_LOGINS) return [];
      if (min < MIN_ALONE_MS || p50 < Math.max(MIN_WAIT_FACTOR * min, min + MIN_WAIT_MS)) return [];
      const slow = facts.windows.filter((point) => (point.max ?? 0) >= MIN_WAIT_FACTOR * min && point.completed > 0);
      const seconds = slow.reduce((sum, { width }) => sum + width, 0);
      const work = (count * min) / 1_000;
      const isMainWork = work >= MIN_SHARE_OF_WORK * workSeconds(facts.steps);
      if (seconds < MIN_SECONDS || work < (isMainWork ? MIN_FILLED_AS_MAIN_WORK : MIN_FILLED) * seconds) return [];
      const process = fullProcess(facts);
      return [
        {
          id: this.id,
          level: 'warning',
          sentence: `${formatCount(count)} logins took the server ${formatNumber(work)} s of work in the ${formatSeconds(seconds)} in which responses were slow: half of the logins waited ${formatMs(p50)} for ${formatMs(min)} of work. Hashing passwords is probably the limit${facts.plan.journey.length > 1 ? ', and other pages wait with them' : ''}.`,
          evidence: [
            `${formatCount(count)} × ${formatMs(min)} = ${formatPercent(Math.min(1, work / seconds), 2)} of those seconds for one process.`,
            'Passwords are hashed slowly on purpose (bcrypt, scrypt, PBKDF2, Argon2). A program with one thread does nothing else meanwhile.',
            ...(process === null ? [] : [`${process.name} used ${formatPercent(process.cores, 2)} of one core.`]),
          ],
          figures: [
            figure('Logins', formatCount(count)),
            figure('One login alone', formatMs(min)),
            figure('Median of logins', formatMs(p50)),
            ...otherSteps(facts, step.name),
          ],
          remedy:
            'Spread logins over a longer time before the start, run more processes, or hash in a thread pool. A cheaper hash is a decision about security.',
          // The processor work of logins is the server's even if the generator was busy, but the waits may come from either.
          confidence: process === null || overloadedShare(facts) > MAX_OVERLOADED_SHARE ? 'possible' : 'likely',
          range: rangeOf(slow),
          insteadOf: ['warmingUp.*', 'behaviour.first.*', 'notSteady', 'groups.*', 'averageHides.*', 'slowTail', 'rateDips'],
        },
      ];
    });
  },
};

/** Returns the sum over all steps of the number of requests × the shortest response time, in seconds. */
function workSeconds(steps: MeasuredRun['steps']): number {
  return steps.reduce(
    (sum, { latency: { service } }) => sum + (service.count * (typeof service.min === 'number' ? service.min : 0)) / 1_000,
    0,
  );
}

function isLogin({ form = {}, method }: Step): boolean {
  return method === 'POST' && Object.keys(form).some((field) => commonName(field) === 'password');
}

function otherSteps({ steps }: MeasuredRun, login: string): NonNullable<Found['figures']> {
  const times = steps.flatMap(({ name, latency }) =>
    name !== login && typeof latency.service.p50 === 'number' ? [latency.service.p50] : [],
  );
  return times.length === 0 ? [] : [figure('Median of the other steps', formatMs(medianOf(times.toSorted((one, other) => one - other))))];
}

/** Returns the program that used a whole processor according to a monitor. */
function fullProcess({ monitors }: MeasuredRun): { readonly name: string; readonly cores: number } | null {
  const all = monitors.flatMap(({ values }) =>
    Object.entries(values).flatMap(([key, column]) => {
      const { id, instance } = keyParts(key);
      if (id !== 'process.cpu' || instance === null) return [];
      return [{ name: instance, cores: Math.max(0, ...column.map((value) => value ?? 0)) }];
    }),
  );
  const full = all.filter(({ cores, name }) => cores >= MIN_FULL_CORES && !/holdfast/i.test(name));
  return full.toSorted((one, other) => other.cores - one.cores)[0] ?? null;
}
