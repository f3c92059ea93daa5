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
import { toObjective } from './entries.ts';
import type { LoadEntry } from './loadEntry.ts';
import { toLoad } from './loadRows.ts';
import { chosenBesides, chosenTls, type ObjectiveEntry, type WizardState } from './types.ts';
import { placesToStartFrom, type WhereEntry, withWhere } from './where.ts';

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

/** Everything that a plan of the wizard follows from. */
export interface PlanInput {
  readonly from:
    | { readonly kind: 'preset'; readonly id: string; readonly answers: Answers }
    | { readonly kind: 'plan'; readonly plan: Plan };
  readonly targets: readonly Target[];
  /** null: as the source has it. */
  readonly verifiesCertificates: boolean | null;
  readonly authority?: string | null;
  /** Which share of connections resumes a TLS session, in percent; null or left out: as the source has it. */
  readonly resumePercent?: NumberEntry | null;
  /** Whether it is counted which answers came from a cache; null or left out: as the source has it. */
  readonly countsCache?: boolean | null;
  /** Which version of HTTP is spoken; null or left out: as the source has it. */
  readonly protocol?: Protocol | null;
  /** Pages that a browser visits beside the load; null or left out: as the source has it. */
  readonly watchPages?: WizardState['watchPages'];
  /** The host whose browser visits them, or `here`; null or left out: as the source has it. */
  readonly watchFrom?: WizardState['watchFrom'];
  readonly edits: Edits;
  readonly where: WhereEntry;
}

export interface MadePlan {
  /** Before the edits by hand. */
  readonly base: Plan | null;
  /** As it would run; null while a number is missing or the preset makes none. */
  readonly plan: Plan | null;
  /** Set where the question is answered by a series of runs of the plan. */
  readonly series: Series | null;
  readonly description: Description | null;
  readonly derived: BuiltPlan['derived'];
  readonly explanation: string;
  readonly issues: readonly Issue[];
  /** Everything that it asks for, and what of it the backend knows of no agreement to. */
  readonly asks: readonly Ask[];
  readonly open: readonly Ask[];
}

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;

/** The plan in words, and what is wrong with it. What reviews plans is loaded with the first one. */
async function review(plan: Plan): Promise<{ readonly description: Description; readonly issues: readonly Issue[] }> {
  const [{ describePlan }, { checkPlan }] = await Promise.all([import('#core/review/describe.ts'), import('#core/review/check.ts')]);
  return { description: describePlan(plan), issues: checkPlan(plan) };
}

/** The plan of an input: built of a preset and looked up among agreements by the backend, described and checked here. */
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

/** As it is started: what was agreed to is found again by it. While no machine makes its load it is asked about without one, and cannot be started. */
export function toBeStarted(plan: Plan, series: Series | null, { places }: Pick<WhereEntry, 'places'>) {
  const on = placesToStartFrom(places, plan);
  const where = on === undefined || on.length === 0 ? {} : { on };
  return series === null ? { plan, ...where } : { plan, series: { ...series, ...where } };
}

function withoutRepeats(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [`${issue.code} ${issue.path} ${issue.message}`, issue])).values()];
}
