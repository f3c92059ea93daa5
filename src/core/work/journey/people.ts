import type { Plan } from '#core/plan/schema/plan.ts';
import { listRequiredSteps } from './requiredSteps.ts';

export interface Milestone {
  readonly name: string;
  /** Index of the milestone's step. */
  readonly step: number;
}

/** What is counted of each person of a plan. */
export interface PeopleRules {
  readonly one: string;
  readonly many: string;
  /** Milestones in order. The last one is the aim of each person. */
  readonly milestones: readonly Milestone[];
  /** Indexes of the steps whose successful responses are counted for each person. */
  readonly items: ReadonlySet<number>;
  /** Number of items that each person should reach; null if it is unknown. */
  readonly each: number | null;
}

/** Returns what is counted of each person; null if the plan has neither people nor bells. */
export function findPeopleRules(plan: Pick<Plan, 'people' | 'bells' | 'journey'>): PeopleRules | null {
  const { people, journey } = plan;
  if (people === undefined && plan.bells === undefined) return null;
  const indexOf = (name: string): number[] => journey.flatMap((step, index) => (step.name === name ? [index] : []));
  const milestones = Object.entries(people?.milestones ?? {}).flatMap(([name, step]) =>
    indexOf(step).map((index) => ({ name, step: index })),
  );
  return {
    one: people?.one ?? 'person',
    many: people?.many ?? 'people',
    milestones: milestones.length > 0 ? milestones : defaultMilestones(journey),
    items: new Set((people?.items?.steps ?? []).flatMap(indexOf)),
    each: people?.items?.each ?? null,
  };
}

/**
 * Returns the default milestones: required steps, steps with a gate, and the last step of the journey. Their names continue “40 of 40
 * people …”.
 */
function defaultMilestones(journey: Plan['journey']): Milestone[] {
  const required = listRequiredSteps(journey);
  const isOfJourney = ({ background, explains, measured }: Plan['journey'][number]): boolean =>
    background === undefined && explains === undefined && measured !== false;
  const last = journey.findLastIndex(isOfJourney);
  return journey.flatMap((step, index) =>
    isOfJourney(step) && (required.has(index) || step.gate !== undefined || index === last)
      ? [{ name: `completed ${step.name}`, step: index }]
      : [],
  );
}

/** Returns the indexes of the steps with a gate, at most one for each bell. */
export function listGates({ journey }: Pick<Plan, 'journey'>): number[] {
  return journey.flatMap(({ gate }, index) => (gate === undefined ? [] : [index]));
}
