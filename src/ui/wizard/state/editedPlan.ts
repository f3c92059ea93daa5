import { isSingleRequest } from '#core/work/journey/flow/takings.ts';
import type { Issue } from '#core/plan/issues.ts';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { schemaIssues } from '#core/plan/schemaIssues.ts';
import { words } from '#ui/words/words.ts';
import { toObjective } from './entries.ts';
import type { LoadEntry } from './loadEntry.ts';
import { toLoad } from './loadRows.ts';
import type { ObjectiveEntry } from './types.ts';

export interface Edits {
  readonly load: LoadEntry | null;
  readonly objectives: readonly ObjectiveEntry[] | null;
  /** Title of the preset that the plan comes from; null when it comes from an earlier plan. */
  readonly presetTitle: string | null;
}

interface EditedPlan {
  /** null while a number is missing or cannot be. */
  readonly plan: Plan | null;
  readonly issues: readonly Issue[];
}

/** The plan with what was edited by hand, held against the schema of plans. */
export function editedPlan(plan: Plan, { load, objectives, presetTitle }: Edits): EditedPlan {
  if (load === null && objectives === null) return { plan, issues: [] };
  const editedLoad = load ? toLoad(pausing(load, isSingleRequest(plan))) : plan.load;
  const editedObjectives = objectives ? objectives.map(toObjective) : plan.objectives;
  if (editedLoad === null || editedObjectives.includes(null)) return { plan: null, issues: [] };
  const edited = {
    ...plan,
    ...(load === null ? {} : ownName(plan, presetTitle)),
    load: editedLoad,
    objectives: editedObjectives,
    // Another load, or other limits, than those worked out for these people prove nothing about them.
    claim: '',
  };
  const parsed = planSchema.safeParse(edited);
  return parsed.success ? { plan: parsed.data, issues: [] } : { plan: null, issues: schemaIssues(parsed.error, planSchema, edited) };
}

/** Arrivals pause only between steps. A pause that was entered for users is kept for them, and is no part of a plan where nobody takes it. */
function pausing(load: LoadEntry, isSingle: boolean): LoadEntry {
  return load.model === 'arrivals' && isSingle ? { ...load, thinkTime: null } : load;
}

const MOST_CHARACTERS = 120;

/** Name and story that were made from answers would go on speaking of people whom the load no longer stands for. */
function ownName({ name, claim }: Plan, presetTitle: string | null): Partial<Pick<Plan, 'name' | 'story'>> {
  if (presetTitle === null && claim === '') return {};
  return { name: words.load.ownName(presetTitle ?? name).slice(0, MOST_CHARACTERS), story: '' };
}
