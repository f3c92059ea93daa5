import type { LiveSnapshot } from '#contract/replies.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type BellResult, countExpectedUsers, TENTH_SECONDS } from '#core/result/bells.ts';

/** A bell that is still to ring. */
export interface UpcomingBell {
  readonly bell: string;
  /** The step that waits for it. */
  readonly step: string;
  readonly atSecond: number;
  /** Users who wait at its step. */
  readonly waiting: number;
  /** Planned users by then. */
  readonly expected: number;
}

/** Returns the bells that are still to ring, the next one first. */
export function upcomingBells(plan: Plan, { bells = [], elapsedSeconds }: Pick<LiveSnapshot, 'bells' | 'elapsedSeconds'>): UpcomingBell[] {
  return plan.journey
    .flatMap(({ name: step, gate }) => {
      const atSecond = gate === undefined ? undefined : getOwn(plan.bells ?? {}, gate)?.atSeconds;
      if (gate === undefined || atSecond === undefined || atSecond <= elapsedSeconds) return [];
      const foundBell = bells.find((one) => one.step === step);
      return [{ bell: gate, step, atSecond, waiting: foundBell?.waited ?? 0, expected: countExpectedUsers(plan, atSecond) }];
    })
    .toSorted((one, other) => one.atSecond - other.atSecond);
}

/** Returns the bells that rang, each with the part of its opening that has passed. */
export function elapsedOpenings({ bells = [], elapsedSeconds }: Pick<LiveSnapshot, 'bells' | 'elapsedSeconds'>): BellResult[] {
  return bells
    .filter(({ atSecond }) => atSecond <= elapsedSeconds)
    .map((bell) => ({ ...bell, opening: bell.opening.slice(0, Math.floor((elapsedSeconds - bell.atSecond) / TENTH_SECONDS + 1e-6)) }));
}
