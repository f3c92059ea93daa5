import { isSingleRequest } from '#core/work/journey/flow/takings.ts';
import type { Issue } from '#core/plan/issues.ts';
import { type Plan, planSchema, type Protocol, type Target } from '#core/plan/schema/plan.ts';
import { schemaIssues } from '#core/plan/schemaIssues.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';
import { words } from '#ui/words/words.ts';
import type { CallInput, CallName, CallOutput } from '#contract/api.ts';
import type { Ask } from '#core/review/asks/ask.ts';
import type { Answers, BuiltPlan } from '#core/presets/schema.ts';
import type { Description } from '#core/review/description.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { toCriterion } from './entries.ts';
import type { LoadEntry } from './loadEntry.ts';
import { toLoad } from './loadRows.ts';
import { chosenBesides, chosenTls, type CriterionEntry, type WizardState } from './types.ts';
import { placesToStartFrom, type WhereEntry, withWhere } from './where.ts';

export interface Edits {
  readonly load: LoadEntry | null;
  readonly criteria: readonly CriterionEntry[] | null;
  /** Title of the plan's preset; null for an earlier plan. */
  readonly presetTitle: string | null;
}

interface EditedPlan {
  /** null while a number is missing or invalid. */
  readonly plan: Plan | null;
  readonly issues: readonly Issue[];
}

/** Applies edits by hand to a plan and validates the result. */
export function editedPlan(plan: Plan, { load, criteria, presetTitle }: Edits): EditedPlan {
  if (load === null && criteria === null) return { plan, issues: [] };
  const editedLoad = load ? toLoad(pausing(load, isSingleRequest(plan))) : plan.load;
  const editedCriteria = criteria ? criteria.map(toCriterion) : plan.criteria;
  if (editedLoad === null || editedCriteria.includes(null)) return { plan: null, issues: [] };
  const edited = {
    ...plan,
    ...(load === null ? {} : ownName(plan, presetTitle)),
    load: editedLoad,
    criteria: editedCriteria,
    // The claim applies only to the calculated load and criteria.
    claim: '',
  };
  const parsed = planSchema.safeParse(edited);
  return parsed.success ? { plan: parsed.data, issues: [] } : { plan: null, issues: schemaIssues(parsed.error, planSchema, edited) };
}

/** Removes the think time for arrivals with a single step, which pause only between steps. The entry is kept for users. */
function pausing(load: LoadEntry, isSingle: boolean): LoadEntry {
  return load.model === 'arrivals' && isSingle ? { ...load, thinkTime: null } : load;
}

const MAX_NAME_LENGTH = 120;

/** Returns a neutral name and an empty story, if the originals describe the calculated load, which was edited. */
function ownName({ name, claim }: Plan, presetTitle: string | null): Partial<Pick<Plan, 'name' | 'story'>> {
  if (presetTitle === null && claim === '') return {};
  return { name: words.load.ownName(presetTitle ?? name).slice(0, MAX_NAME_LENGTH), story: '' };
}

/** All inputs of a plan of the wizard. */
export interface PlanInput {
  readonly from:
    | { readonly kind: 'preset'; readonly id: string; readonly answers: Answers }
    | { readonly kind: 'plan'; readonly plan: Plan };
  readonly targets: readonly Target[];
  /** null: default of the source. */
  readonly verifiesCertificates: boolean | null;
  readonly authority?: string | null;
  /** Share of connections that resume a TLS session, in percent; by default that of the source. */
  readonly resumePercent?: NumberEntry | null;
  /** Whether cached responses are counted; by default as in the source. */
  readonly countsCache?: boolean | null;
  /** HTTP version; by default that of the source. */
  readonly protocol?: Protocol | null;
  /** Pages that a browser visits during the load; by default those of the source. */
  readonly watchPages?: WizardState['watchPages'];
  /** Host of that browser, or `here`; by default that of the source. */
  readonly watchFrom?: WizardState['watchFrom'];
  readonly edits: Edits;
  readonly where: WhereEntry;
}

export interface MadePlan {
  /** The plan before edits by hand. */
  readonly base: Plan | null;
  /** The final plan; null while a number is missing or the preset returns none. */
  readonly plan: Plan | null;
  /** Set if the question needs a series of runs of the plan. */
  readonly series: Series | null;
  readonly description: Description | null;
  readonly derived: BuiltPlan['derived'];
  readonly explanation: string;
  readonly issues: readonly Issue[];
  /** All permissions that the plan needs; `open`: those that were not given. */
  readonly asks: readonly Ask[];
  readonly open: readonly Ask[];
}

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;

/** Returns the description and issues of a plan. The code for it is loaded with the first plan. */
async function review(plan: Plan): Promise<{ readonly description: Description; readonly issues: readonly Issue[] }> {
  const [{ describePlan }, { checkPlan }] = await Promise.all([import('#core/review/describe.ts'), import('#core/review/check.ts')]);
  return { description: describePlan(plan), issues: checkPlan(plan) };
}

/** Makes the plan of an input: the backend builds it from the preset and checks permissions; description and checks happen here. */
export async function makePlan(call: Call, input: PlanInput): Promise<MadePlan> {
  const { from, targets, edits, where } = input;
  const built = from.kind === 'preset' ? await call('presets.build', { id: from.id, answers: from.answers, targets: [...targets] }) : null;
  const source = from.kind === 'preset' ? (built?.plan ?? null) : { ...from.plan, targets: [...targets] };
  const chosen = source === null ? {} : chosenBesides(source, input);
  const base = source && withWhere({ ...source, ...chosen, tls: chosenTls(source.tls, input) }, where);
  const { plan, issues: editIssues } = base ? editedPlan(base, edits) : { plan: null, issues: [] };
  const series = built?.series ?? null;
  const [reviewed, agreements] = await Promise.all([plan && review(plan), plan && call('plans.asks', toBeStarted(plan, series, where))]);
  return {
    base,
    plan,
    series,
    description: reviewed?.description ?? null,
    derived: built?.derived ?? [],
    explanation: built?.explanation ?? '',
    issues: withoutRepeats([...(built?.issues ?? []), ...editIssues, ...(reviewed?.issues ?? [])]),
    asks: agreements?.asks ?? [],
    open: agreements?.open ?? [],
  };
}

/** Returns the input of a start; permissions are stored by it. Without a load generator the property is left out, and the plan cannot be started. */
export function toBeStarted(plan: Plan, series: Series | null, { places }: Pick<WhereEntry, 'places'>) {
  const on = placesToStartFrom(places, plan);
  const where = on === undefined || on.length === 0 ? {} : { on };
  return series === null ? { plan, ...where } : { plan, series: { ...series, ...where } };
}

function withoutRepeats(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [`${issue.code} ${issue.path} ${issue.message}`, issue])).values()];
}
