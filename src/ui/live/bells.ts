import type { LiveSnapshot } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type BellResult, countExpectedUsers, TENTH_SECONDS } from '#core/result/bells.ts';

/** A bell that has not rung yet. */
export interface UpcomingBell {
  readonly bell: string;
  /** The step whose users wait for the bell. */
  readonly step: string;
  readonly atSecond: number;
  /** Number of users who are waiting at the step. */
  readonly waiting: number;
  /** Number of users who should be waiting when the bell rings. */
  readonly expected: number;
}

/** Returns the bells that have not rung yet, the next one first. */
export function upcomingBells(plan: Plan, { bells = [], elapsedSeconds }: Pick<LiveSnapshot, 'bells' | 'elapsedSeconds'>): UpcomingBell[] {
  return plan.journey
    .flatMap(({ name: step, gate }) => {
      const atSecond = gate === undefined ? undefined : getOwn(plan.bells ?? {}, gate)?.atSeconds;
      if (gate === undefined || atSecond === undefined || atSecond <= elapsedSeconds) return [];
      const bell = bells.find((one) => one.step === step);
      return [{ bell: gate, step, atSecond, waiting: bell?.waited ?? 0, expected: countExpectedUsers(plan, atSecond) }];
    })
    .toSorted((one, other) => one.atSecond - other.atSecond);
}

/** Returns the bells that have rung, each with the part of its opening that has passed. */
export function elapsedOpenings({ bells = [], elapsedSeconds }: Pick<LiveSnapshot, 'bells' | 'elapsedSeconds'>): BellResult[] {
  return bells
    .filter(({ atSecond }) => atSecond <= elapsedSeconds)
    .map((bell) => ({ ...bell, opening: bell.opening.slice(0, Math.floor((elapsedSeconds - bell.atSecond) / TENTH_SECONDS + 1e-6)) }));
}
