import type { Plan } from '#core/plan/schema/plan.ts';

/** Number of people who rehearse a plan by default. */
export const REHEARSING_PEOPLE = 3;
/** Time within which people log in. The first bell rings later, even if logins are slow. */
const LOGIN_SECONDS = 2;
const FIRST_BELL_SECONDS = 10;
/** Time between two bells, and after the last bell. */
const BETWEEN_BELLS_SECONDS = 15;

/**
 * Returns the plan for a few people who take part in all bells, one soon after the other, without pauses and without the plan's own pass
 * criteria. People and bells are judged by the default criteria.
 */
export function rehearsalPlan(plan: Plan, people: number): Plan {
  const rung = Object.entries(plan.bells ?? {}).toSorted(([, one], [, other]) => one.atSeconds - other.atSeconds);
  const atSeconds = rung.map((_, index) => FIRST_BELL_SECONDS + index * BETWEEN_BELLS_SECONDS);
  const seconds = (atSeconds.at(-1) ?? LOGIN_SECONDS) + BETWEEN_BELLS_SECONDS;
  const { load, targets } = plan;
  return {
    ...plan,
    name: `${plan.name} (rehearsal)`.slice(0, 120),
    targets: targets.slice(0, 1),
    journey: plan.journey.map(({ thinkTime: _pause, budgetMs: _budget, ...step }) => step),
    bells: Object.fromEntries(rung.map(([name, bell], index) => [name, { ...bell, atSeconds: atSeconds[index] ?? seconds }])),
    load:
      load.model === 'users'
        ? {
            model: 'users',
            stages: [
              {
                users: people,
                startUpSeconds: LOGIN_SECONDS,
                startUpCounts: true,
                seconds: seconds - LOGIN_SECONDS,
                restSeconds: 0,
                counted: true,
              },
            ],
          }
        : {
            model: 'arrivals',
            spacing: 'uniform',
            maxInFlight: people,
            stages: [
              { kind: 'count', arrivals: people, seconds: LOGIN_SECONDS, counted: true },
              { kind: 'constant', perSecond: 0, seconds: seconds - LOGIN_SECONDS, counted: true },
            ],
          },
    criteria: [],
    claim: '',
    threads: 1,
  };
}
