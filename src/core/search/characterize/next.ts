import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount } from '#core/base/units.ts';
import type { SearchRun } from '../run.ts';
import { type SearchStep, TIME_USED_UP } from '../step.ts';
import { nextUsers, planOfUsers } from './levels.ts';
import type { IdleReading, UsersReading } from './reading.ts';
import type { CharacterizeSettings } from './schema.ts';

/** Returns the next step of a profile: a run with users, then an idle connection. */
export function nextCharacterRun(plan: Plan, settings: CharacterizeSettings, runs: readonly SearchRun[]): SearchStep {
  const spent = runs.reduce((sum, { spentSeconds }) => sum + spentSeconds, 0);
  const level = nextUsers(settings, usersReadings(runs));
  const hasFailed = runs.some(({ purpose, reading }) => purpose === 'users' && reading === null);
  const fits = level !== null && spent + level.startUpSeconds + level.seconds <= settings.maxSeconds;
  if (level !== null && fits && !hasFailed) {
    const name = level.users === 1 ? 'one user' : `${formatCount(level.users)} users`;
    const repeat = runs.filter((run) => run.level === level.users).length + 1;
    return { kind: 'run', purpose: 'users', name, level: level.users, repeat, plan: planOfUsers(plan, level) };
  }
  if (settings.idleSeconds > 0 && !hasFailed && !runs.some(({ purpose }) => purpose === 'idle'))
    return { kind: 'idle', purpose: 'idle', name: 'an idle connection', seconds: settings.idleSeconds };
  return { kind: 'end', because: level !== null && !fits ? TIME_USED_UP : null };
}

export function usersReadings(runs: readonly SearchRun[]): UsersReading[] {
  return runs.flatMap(({ reading }) => (reading?.kind === 'users' ? [reading] : []));
}

export function idleReadingOf(runs: readonly SearchRun[]): IdleReading | null {
  return runs.flatMap(({ reading }) => (reading?.kind === 'idle' ? [reading] : []))[0] ?? null;
}
