import { isSingleRequest } from '#core/work/journey/flow/executions.ts';
import type { Issue } from '#core/plan/issues.ts';
import { type Plan, planSchema, type Target } from '#core/plan/schema/plan.ts';
import { schemaIssues } from '#core/plan/schemaIssues.ts';
import { words } from '#ui/words/words.ts';
import type { CallInput, CallName, CallOutput } from '#contract/api.ts';
import type { Ask } from '#core/review/asks/ask.ts';
import type { Answers, BuiltPlan } from '#core/presets/schema.ts';
import type { Description } from '#core/review/describe.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { type Choices, choicesBetween, isSame, withChoices } from './choices.ts';
import { fromCriteria, toCriterion } from './entries.ts';
import { fromLoad, type LoadEntry, toLoad } from './loadEntry.ts';
import { generatorChoices } from './machineRoles.ts';
import type { RestoredPreset } from './reducer.ts';
import type { LoadEntries } from './types.ts';

export interface Edits extends Pick<LoadEntries, 'load' | 'criteria'> {
  /** Title of the plan's preset; null for an earlier plan. */
  readonly presetTitle: string | null;
}

interface EditedPlan {
  /** The plan; null while a number is missing or invalid. */
  readonly plan: Plan | null;
  readonly issues: readonly Issue[];
}

/** Applies manual edits to a plan and validates the result. */
export function editedPlan(plan: Plan, { load, criteria, presetTitle }: Edits): EditedPlan {
  if (load === null && criteria === null) return { plan, issues: [] };
  const editedLoad = load ? toLoad(withPossiblePauses(load, isSingleRequest(plan))) : plan.load;
  const editedCriteria: readonly unknown[] = criteria ? criteria.map(toCriterion) : plan.criteria;
  if (editedLoad === null || editedCriteria.includes(null)) return { plan: null, issues: [] };
  const edited = {
    ...plan,
    ...(load === null ? {} : neutralName(plan, presetTitle)),
    load: editedLoad,
    criteria: editedCriteria,
    // The claim applies only to the calculated load and criteria.
    claim: '',
  };
  const parsed = planSchema.safeParse(edited);
  return parsed.success ? { plan: parsed.data, issues: [] } : { plan: null, issues: schemaIssues(parsed.error, planSchema, edited) };
}

/** Removes the think time of arrivals with a single step, because arrivals pause only between steps. The entry is kept for users. */
function withPossiblePauses(load: LoadEntry, isSingle: boolean): LoadEntry {
  return load.model === 'arrivals' && isSingle ? { ...load, thinkTime: null } : load;
}

const MAX_NAME_LENGTH = 120;

/** Returns a neutral name and an empty story if the original ones describe the calculated load, because the load was edited. */
function neutralName({ name, claim }: Plan, presetTitle: string | null): Partial<Pick<Plan, 'name' | 'story'>> {
  if (presetTitle === null && claim === '') return {};
  return { name: words.load.ownName(presetTitle ?? name).slice(0, MAX_NAME_LENGTH), story: '' };
}

/** All inputs from which the wizard makes a plan. */
export interface PlanInput {
  readonly from:
    | { readonly kind: 'preset'; readonly id: string; readonly answers: Answers }
    | { readonly kind: 'plan'; readonly plan: Plan };
  readonly targets: readonly Target[];
  readonly choices: Choices;
  readonly edits: Edits;
}

export interface MadePlan {
  /** The plan before manual edits. */
  readonly base: Plan | null;
  /** The final plan; null while a number is missing or the preset returns no plan. */
  readonly plan: Plan | null;
  /** The series of runs that the question needs; null for a single run. */
  readonly series: Series | null;
  readonly description: Description | null;
  readonly derived: BuiltPlan['derived'];
  readonly explanation: string;
  readonly issues: readonly Issue[];
  /** All permissions that the plan needs. `open` has those that were not given. */
  readonly asks: readonly Ask[];
  readonly open: readonly Ask[];
}

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;

/** Returns the description and the issues of a plan. The code for this is loaded with the first plan. */
async function reviewPlan(plan: Plan): Promise<{ readonly description: Description; readonly issues: readonly Issue[] }> {
  const [{ describePlan }, { checkPlan }] = await Promise.all([import('#core/review/describe.ts'), import('#core/review/check.ts')]);
  return { description: describePlan(plan), issues: checkPlan(plan) };
}

/**
 * Creates the plan from an input. The backend builds the plan from the preset and checks permissions; description and checks are made here.
 */
export async function requestPlan(call: Call, { from, targets, choices, edits }: PlanInput): Promise<MadePlan> {
  const built = from.kind === 'preset' ? await call('presets.build', { id: from.id, answers: from.answers, targets: [...targets] }) : null;
  const source = from.kind === 'preset' ? (built?.plan ?? null) : { ...from.plan, targets: [...targets] };
  const base = source && withChoices(source, choices);
  const { plan, issues: editIssues } = base ? editedPlan(base, edits) : { plan: null, issues: [] };
  const series = built?.series ?? null;
  const [reviewed, agreements] = await Promise.all([
    plan && reviewPlan(plan),
    plan && call('plans.asks', startInput(plan, series, choices)),
  ]);
  return {
    base,
    plan,
    series,
    description: reviewed?.description ?? null,
    derived: built?.derived ?? [],
    explanation: built?.explanation ?? '',
    issues: uniqueIssues([...(built?.issues ?? []), ...editIssues, ...(reviewed?.issues ?? [])]),
    asks: agreements?.asks ?? [],
    open: agreements?.open ?? [],
  };
}

/**
 * Returns the input for a start, which is also the input for `plans.asks`. Without a load generator, `on` is omitted, and the plan cannot
 * be started.
 */
export function startInput(plan: Plan, series: Series | null, { places = {} }: Choices) {
  const on = generatorChoices(places, plan);
  const where = on === undefined || on.length === 0 ? {} : { on };
  return series === null ? { plan, ...where } : { plan, series: { ...series, ...where } };
}

function uniqueIssues(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [`${issue.code} ${issue.path} ${issue.message}`, issue])).values()];
}

/** Parts of a preset's plan that the user can edit. */
const EDITABLE_PARTS: ReadonlySet<string> = new Set(['load', 'criteria', 'name', 'story', 'claim']);

/**
 * Restores the answers, edits and choices that led from a preset to a plan. Returns null if the plan has no preset, or if the answers now
 * lead to another plan because the preset or the plan was changed.
 */
export async function restorePreset(call: Call, plan: Plan): Promise<RestoredPreset | null> {
  const { preset: id, answers } = plan;
  if (id === undefined || answers === undefined) return null;
  const presets = await call('presets.list', {});
  if (!presets.some((preset) => preset.id === id)) return null;
  const { plan: built, series } = await call('presets.build', { id, answers, targets: plan.targets });
  if (built === null || series !== null) return null;
  const choices = choicesBetween(built, plan);
  const other = listDifferences(plan, withChoices(built, choices));
  const isEdited = other.includes('load') || other.includes('criteria');
  if (other.some((part) => !isEdited || !EDITABLE_PARTS.has(part))) return null;
  const entered = Object.entries(answers).map(([question, answer]) => [question, typeof answer === 'boolean' ? String(answer) : answer]);
  const entries = {
    answers: Object.fromEntries(entered),
    load: other.includes('load') ? fromLoad(plan.load) : null,
    criteria: other.includes('criteria') ? fromCriteria(plan.criteria) : null,
  };
  return { id, entries, choices };
}

/** Returns the names of the parts in which two plans differ. */
function listDifferences(plan: Plan, other: Plan): string[] {
  const [mine, parts] = [plan, other].map((one) => new Map<string, unknown>(Object.entries(one)));
  return [...new Set([...Object.keys(plan), ...Object.keys(other)])].filter((name) => !isSame(mine?.get(name), parts?.get(name)));
}
