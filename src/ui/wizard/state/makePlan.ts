import type { CallInput, CallName, CallOutput } from '#contract/api.ts';
import type { Ask } from '#core/review/asks/ask.ts';
import type { Issue } from '#core/plan/issues.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import type { Answers, BuiltPlan } from '#core/presets/schema.ts';
import type { Description } from '#core/review/description.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { editedPlan, type Edits } from './editedPlan.ts';
import { chosenTls } from './types.ts';
import { placesToStartFrom, withWhere, type WhereEntry } from './where.ts';

/** Everything that a plan of the wizard follows from. */
export interface PlanInput {
  readonly from:
    | { readonly kind: 'preset'; readonly id: string; readonly answers: Answers }
    | { readonly kind: 'plan'; readonly plan: Plan };
  readonly targets: readonly Target[];
  /** null: as the source has it. */
  readonly verifiesCertificates: boolean | null;
  readonly authority?: string | null;
  /** Whether it is counted which answers came from a cache; null or left out: as the source has it. */
  readonly countsCache?: boolean | null;
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

/** Asks the backend to build, describe and check the plan of an input. */
export async function makePlan(call: Call, input: PlanInput): Promise<MadePlan> {
  const { from, targets, verifiesCertificates, authority = null, countsCache = null, edits, where } = input;
  const built = from.kind === 'preset' ? await call('presets.build', { id: from.id, answers: from.answers, targets: [...targets] }) : null;
  const source = from.kind === 'preset' ? (built?.plan ?? null) : { ...from.plan, targets: [...targets] };
  const counting = countsCache === null ? {} : { countsCache };
  const base = source && withWhere({ ...source, ...counting, tls: chosenTls(source.tls, verifiesCertificates, authority) }, where);
  const { plan, issues: editIssues } = base ? editedPlan(base, edits) : { plan: null, issues: [] };
  const isAsBuilt =
    built !== null &&
    edits.load === null &&
    edits.objectives === null &&
    base?.countsCache === built.plan?.countsCache &&
    JSON.stringify(base?.tls) === JSON.stringify(built.plan?.tls);
  const series = built?.series ?? null;
  const [description, checked] = await Promise.all([
    isAsBuilt ? built.description : plan && call('plans.describe', { plan }),
    plan && call('plans.check', toBeStarted(plan, series, where)),
  ]);
  return {
    base,
    plan,
    series,
    description,
    derived: built?.derived ?? [],
    explanation: built?.explanation ?? '',
    issues: withoutRepeats([...(built?.issues ?? []), ...editIssues, ...(checked?.issues ?? []), ...(description?.warnings ?? [])]),
    asks: checked?.asks ?? [],
    open: checked?.open ?? [],
  };
}

/** As it is started: what was agreed to is found again by it. */
export function toBeStarted(plan: Plan, series: Series | null, { places }: Pick<WhereEntry, 'places'>) {
  const on = placesToStartFrom(places, plan);
  const where = on === undefined ? {} : { on };
  return series === null ? { plan, ...where } : { plan, series: { ...series, ...where } };
}

function withoutRepeats(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [`${issue.code} ${issue.path} ${issue.message}`, issue])).values()];
}
