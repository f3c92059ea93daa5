import { type Plan, planSchema } from '#core/plan/schema/plan.ts';

export const REHEARSAL_PEOPLE = 3;
/** In which they arrive; the first bell rings after it. */
const ARRIVAL_SECONDS = 3;
const MIN_FIRST_BELL_SECONDS = 8;
/** Longest time from one bell to the next, and from the last one to the end. */
const MAX_GAP_SECONDS = 20;

/**
 * Returns the plan of a bell with three people, who arrive at once, and with shorter waits. It shows whether each step works, not how the server bears the
 * load. Criteria of single stages are left out.
 */
export function planRehearsal(plan: Plan): Plan {
  const { preset: _preset, answers: _answers, load, criteria, bells = {}, ...rest } = plan;
  let [before, second] = [0, 0];
  const rung = Object.entries(bells).toSorted(([, one], [, other]) => one.atSeconds - other.atSeconds);
  const earlier = rung.map(([name, bell], index) => {
    const gap = Math.min(bell.atSeconds - before, MAX_GAP_SECONDS);
    second += index === 0 ? Math.min(Math.max(gap, 0), MIN_FIRST_BELL_SECONDS) : gap;
    before = bell.atSeconds;
    return [name, { ...bell, atSeconds: second }] as const;
  });
  const seconds = second + MAX_GAP_SECONDS;
  return planSchema.parse({
    ...rest,
    name: `${plan.name.slice(0, 80)}: rehearsal with ${REHEARSAL_PEOPLE} people`,
    bells: Object.fromEntries(earlier),
    criteria: criteria.filter(({ stage }) => stage === undefined),
    load:
      load.model === 'arrivals'
        ? {
            ...load,
            stages: [
              { kind: 'count', arrivals: REHEARSAL_PEOPLE, seconds: Math.min(ARRIVAL_SECONDS, second) },
              { kind: 'constant', perSecond: 0, seconds: seconds - Math.min(ARRIVAL_SECONDS, second) },
            ],
          }
        : { ...load, stages: [{ users: REHEARSAL_PEOPLE, seconds }] },
  });
}
