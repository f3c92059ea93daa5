import { formatCount, formatMs, formatShare } from '#core/base/units.ts';
import { type BellResult, OPENING_SECONDS, TENTH_SECONDS } from '#core/result/bells.ts';
import { type Draft, figure, type MeasuredRun, rule } from '../rule.ts';
import { countNotRefused, MIN_USERS } from './openings.ts';

/** Minimum time in ms without a served user after the bell. */
const MIN_SILENT_MS = 2_000;
/** Maximum time in ms, or share of the silence, in which most of the users are then served. */
const MAX_TOGETHER_MS = 500;
const MAX_TOGETHER_SHARE = 0.25;
/** Maximum share of the waiting users who were lost or had to reload. */
const MAX_REFUSED_SHARE = 0.05;

/**
 * Finds a bell after which nobody was served at first, and then nearly all at once. Users in a queue are served one after the other. The
 * work of all of them is at most their number times the time of the slowest other step. If the silence is longer, they waited for a lock or
 * for something that stood still. Otherwise the server may have worked on all of them at once.
 */
export const bellStandstill = rule('bellStandstill', (facts) =>
  (facts.bells ?? []).flatMap((bell): Draft[] => {
    const found = bell.isCalledOff === true ? null : findStandstill(facts, bell);
    if (found === null) return [];
    const { silentMs, togetherMs } = found;
    const slowest = findSlowestOther(facts, bell.step);
    const workMs = slowest === null ? null : bell.waited * slowest.minMs;
    const isProven = workMs !== null && silentMs > workMs;
    const opening = `Nobody was served for ${formatMs(silentMs)} after the bell “${bell.bell}”, then ${formatShare(0.95)} of ${formatCount(bell.served)} users within ${formatMs(togetherMs)}`;
    return [
      {
        of: bell.bell,
        level: 'warning',
        sentence: isProven
          ? `${opening}: they all waited for one lock, or for a database or disk that stood still.`
          : `${opening}: they waited for one lock, or the server worked on all of them at once.`,
        evidence: [
          'A queue serves users one after the other.',
          slowest !== null &&
            (isProven
              ? `Without a wait, even “${slowest.name}” takes ${formatMs(slowest.minMs)}. That is at most ${formatMs(bell.waited * slowest.minMs)} of work for ${formatCount(bell.waited)} users, less than the wait.`
              : `Without a wait, “${slowest.name}” takes ${formatMs(slowest.minMs)}: the work of ${formatCount(bell.waited)} such requests explains the wait, too.`),
        ],
        figures: [figure('Nobody served for', formatMs(silentMs)), figure('95 % served within', formatMs(togetherMs))],
        remedy: isProven
          ? 'Look at the server and its database at that second: for locks, backups, imports, restarts, and caches that are filled at the first use.'
          : 'Monitor the processor of the server during the bell. If it is not busy, look for locks in the database.',
        confidence: isProven ? 'likely' : 'possible',
        insteadOf: ['pauses', 'rateDips'],
      },
    ];
  }),
);

/** Returns how long nobody was served, and within which time 95 % of the users were served then; null if they were not served together. */
function findStandstill({ steps }: MeasuredRun, bell: BellResult): { silentMs: number; togetherMs: number } | null {
  const { opening, p95Ms, served, waited } = bell;
  if (served < MIN_USERS || p95Ms === null || waited - countNotRefused(bell) > MAX_REFUSED_SHARE * waited) return null;
  const tenth = opening.findIndex((one) => one.served > 0);
  const times = steps.find(({ name }) => name === bell.step)?.latencyByStatusClass;
  const shortest = times?.['2xx']?.min ?? times?.['3xx']?.min;
  const silentMs = tenth >= 0 ? 1_000 * TENTH_SECONDS * tenth : typeof shortest === 'number' ? shortest : 1_000 * OPENING_SECONDS;
  const togetherMs = Math.max(1, p95Ms - silentMs);
  if (silentMs < MIN_SILENT_MS || togetherMs > Math.max(MAX_TOGETHER_MS, MAX_TOGETHER_SHARE * silentMs)) return null;
  return { silentMs, togetherMs };
}

/** Returns the other step with the longest shortest time of a successful response; null if there is none. */
function findSlowestOther({ steps }: MeasuredRun, gate: string): { name: string; minMs: number } | null {
  const others = steps.flatMap(({ name, latencyByStatusClass }) => {
    const minMs = latencyByStatusClass['2xx']?.min ?? latencyByStatusClass['3xx']?.min;
    return name !== gate && typeof minMs === 'number' ? [{ name, minMs }] : [];
  });
  return others.toSorted((one, other) => other.minMs - one.minMs)[0] ?? null;
}
