import { percentOf } from '#ui/components/numbers.ts';
import type { CallInput, CallName, CallOutput } from '#contract/api.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { chosenBesides, chosenTls, type WizardState } from './types.ts';
import { makerOf, rolesOf, withWhere } from './where.ts';
import { HERE } from '#core/plan/schema/hosts.ts';

/** Values of a preset's questions for an earlier plan, and further choices. */
export interface AskedAgain {
  readonly preset: string;
  readonly answers: Readonly<Record<string, number | string>>;
  /** Load edited by hand; null if it follows from the questions. The same applies to `criteria`. */
  readonly load: Plan['load'] | null;
  readonly criteria: Plan['criteria'] | null;
  readonly chosen: Pick<
    WizardState,
    | 'verifiesCertificates'
    | 'authority'
    | 'countsCache'
    | 'protocol'
    | 'resumePercent'
    | 'watchPages'
    | 'watchFrom'
    | 'onLost'
    | 'maker'
    | 'places'
  >;
}

type Call = <N extends CallName>(name: N, input: CallInput<N>) => Promise<CallOutput<N>>;

/** Parts of a preset's plan that the wizard may have changed. */
const EDITED: ReadonlySet<string> = new Set(['load', 'criteria', 'name', 'story', 'claim']);

/**
 * Restores the questions of a plan. Returns null if the plan has no preset, or if the questions now result in another plan because the
 * preset or the plan was changed.
 */
export async function askedAgain(call: Call, plan: Plan): Promise<AskedAgain | null> {
  const { preset, answers } = plan;
  if (preset === undefined || answers === undefined) return null;
  const presets = await call('presets.list', {});
  if (!presets.some(({ id }) => id === preset)) return null;
  const { plan: built, series } = await call('presets.build', { id: preset, answers, targets: plan.targets });
  if (built === null || series !== null) return null;
  const chosen = chosenFor(plan, built);
  const again = {
    ...withWhere(built, chosen),
    tls: chosenTls(built.tls, chosen),
    ...chosenBesides(built, chosen),
  };
  const other = differing(plan, again);
  const isEdited = other.has('load') || other.has('criteria');
  const allowed = isEdited ? EDITED : NO_EDITS;
  if ([...other].some((part) => !allowed.has(part))) return null;
  return {
    preset,
    answers: Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, typeof answer === 'boolean' ? String(answer) : answer])),
    load: other.has('load') ? plan.load : null,
    criteria: other.has('criteria') ? plan.criteria : null,
    chosen,
  };
}

const NO_EDITS: ReadonlySet<string> = new Set();

/** Returns choices beyond the questions that differ from the preset. */
function chosenFor(plan: Plan, built: Plan): AskedAgain['chosen'] {
  const roles = rolesOf({}, plan).filter(({ name }) => name !== HERE);
  return {
    verifiesCertificates: plan.tls.verify === built.tls.verify ? null : plan.tls.verify,
    authority: plan.tls.ca === built.tls.ca ? null : (plan.tls.ca ?? ''),
    countsCache: plan.countsCache === built.countsCache ? null : (plan.countsCache ?? false),
    watchPages:
      plan.watchPages === undefined || JSON.stringify(plan.watchPages) === JSON.stringify(built.watchPages) ? null : plan.watchPages,
    watchFrom: plan.watchFrom === built.watchFrom ? null : (plan.watchFrom ?? HERE),
    protocol: plan.connections.protocol === built.connections.protocol ? null : (plan.connections.protocol ?? 'http/1.1'),
    resumePercent: plan.tls.resume === built.tls.resume ? null : percentOf(plan.tls.resume ?? 0),
    onLost: plan.onLostGenerator ?? null,
    maker: makerOf(plan) === makerOf(built) ? null : makerOf(plan),
    places: Object.fromEntries(roles.map(({ name, role }) => [name, role])),
  };
}

/** Returns the names of the parts in which two plans differ. */
function differing(plan: Plan, other: Plan): Set<string> {
  const parts = new Map<string, unknown>(Object.entries(other));
  const mine = new Map<string, unknown>(Object.entries(plan));
  const names = new Set([...parts.keys(), ...mine.keys()]);
  return new Set([...names].filter((name) => JSON.stringify(parts.get(name)) !== JSON.stringify(mine.get(name))));
}
