import { formatCount, formatMs, formatRate, formatSeconds } from '#core/base/units.ts';
import { isStandstill, probableWait, type RunFreeze, describeUsedUpPool } from '../freeze.ts';
import type { UsersReading } from './reading.ts';

type FrozenUsers = UsersReading & { readonly freeze: RunFreeze };

/** Returns whether requests were sent and each user waited for a response during the whole counted time. */
export function isSilent({ sent, startUp }: Pick<UsersReading, 'sent' | 'startUp'>): boolean {
  return sent === 0 && startUp.sent > 0;
}

/** Returns the runs, in order of users, in which the server froze although it was quick with fewer users. */
export function frozenUsers(readings: readonly UsersReading[]): FrozenUsers[] {
  const isFrozen = (one: UsersReading): one is FrozenUsers => {
    const { freeze } = one;
    return freeze !== null && readings.some((calm) => calm.users < one.users && isStandstill(freeze, calm));
  };
  return readings.filter(isFrozen).toSorted((one, other) => one.users - other.users);
}

/** The run with the fewest users in which the server froze. Neither this run nor larger ones show the server's capacity. */
export interface Standstill {
  readonly reading: UsersReading;
  /** The freeze; null if responses were missing only in the counted time. */
  readonly freeze: RunFreeze | null;
}

export function findStandstill(readings: readonly UsersReading[]): Standstill | null {
  const [frozen] = frozenUsers(readings);
  const silent = readings.find(isSilent);
  if (frozen !== undefined && (silent === undefined || frozen.users <= silent.users)) return { reading: frozen, freeze: frozen.freeze };
  return silent === undefined ? null : { reading: silent, freeze: null };
}

/** Returns the runs without a freeze, from which workers and rates are computed. */
export function excludeStandstill(readings: readonly UsersReading[]): readonly UsersReading[] {
  const frozen = new Set<UsersReading>(frozenUsers(readings));
  return readings.filter((one) => !frozen.has(one) && !isSilent(one));
}

/**
 * Returns a sentence such as “Freezes for 58 s at 32 users; up to 16 users, 98.4 successful responses/s.” `calm`: the run with the most
 * users before the freeze.
 */
export function standstillSentence({ reading, freeze }: Standstill, calm: UsersReading): string {
  const pool = freeze === null ? null : describeUsedUpPool([freeze]);
  const why = pool?.short ?? '';
  const standstillText =
    freeze === null
      ? `No response to ${formatUsers(reading)} for ${formatSeconds(reading.seconds)}`
      : `Freezes for ${formatSeconds(Math.round(freeze.seconds))} at ${formatUsers(reading)}${why}`;
  return `${standstillText}; up to ${formatUsers(calm)}, ${formatRate(calm.okPerSecond, 'successful responses')}.`;
}

/** Explains when and how long the server froze, and the known cause. */
export function standstillReason({ reading, freeze }: Standstill): { readonly about: string; readonly text: string } {
  const left = 'More users were not tested, since the server may not have recovered.';
  if (freeze === null)
    return {
      about: 'no response',
      text: `At ${formatUsers(reading)}, ${formatSentBefore(reading)} Each user waited during the whole counted time of ${formatSeconds(reading.seconds)}. ${left}`,
    };
  const pool = describeUsedUpPool([freeze]);
  const cause = pool === null ? `, and then everything at once. ${probableWait(freeze)}` : `, ${pool.showed}`;
  return { about: 'freeze', text: `At ${formatUsers(reading)} there was ${formatFreeze(freeze)}${cause} ${left}` };
}

/** Returns the longest wait that was observed, in ms; null if a request failed. */
export function findWaitedMs({ reading, freeze }: Standstill): number | null {
  if (reading.failed > 0 || reading.startUp.failed > 0) return null;
  return Math.max(reading.longestMs ?? 0, 1_000 * (freeze?.seconds ?? reading.seconds));
}

/** Says that a time-out, if there is one, is longer than the observed waits. */
export function formatNoTimeout(standstill: Standstill, waited: number): string {
  const { reading } = standstill;
  const boundText = waited === reading.longestMs ? 'up to' : 'at least';
  return `At ${formatUsers(reading)}, requests waited for ${boundText} ${formatMs(waited)} and none timed out, so a time-out, if any, is longer.`;
}

/** Example: “No response for 58 s, from second 4 to 62, with 25 requests in flight.” Empty without a freeze. */
export function formatStandstillAt(reading: UsersReading, isFrozen: boolean): string {
  const { freeze } = reading;
  const froze = isFrozen && freeze !== null ? `N${formatFreeze(freeze).slice(1)}.` : '';
  return [froze, isSilent(reading) ? formatSentBefore(reading, 'N') : ''].filter((part) => part !== '').join(' ');
}

function formatSentBefore({ startUp }: UsersReading, start = 'n'): string {
  return `${start}o response came in the counted time; ${formatCount(startUp.sent)} requests were sent before it.`;
}

function formatFreeze({ seconds, fromSecond, inFlight }: RunFreeze): string {
  const when =
    fromSecond === null ? '' : `, from second ${formatCount(Math.round(fromSecond))} to ${formatCount(Math.round(fromSecond + seconds))}`;
  return `no response for ${formatSeconds(Math.round(seconds))}${when}, with ${formatCount(inFlight)} requests in flight`;
}

function formatUsers({ users }: Pick<UsersReading, 'users'>): string {
  return users === 1 ? 'one user' : `${formatCount(users)} users`;
}
