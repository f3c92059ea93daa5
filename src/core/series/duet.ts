import { error, type Issue } from '#core/plan/issues.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import type { Criterion, Plan, Step } from '#core/plan/schema/plan.ts';
import type { Series, SeriesDocument, Variant } from '#core/plan/schema/series.ts';
import { buildFlow } from '#core/work/journey/flow/executions.ts';
import { cookiesOf } from '#core/work/journey/walked.ts';

/** Names of the two servers in the plan of a duet. */
const TARGET_NAMES = ['variant-1', 'variant-2'] as const;

/** Fields of a plan that count persons, data or pages of one server, which a duet cannot divide among two. */
const UNDIVIDED_FIELDS = ['people', 'bells', 'stored', 'watch', 'watchPages', 'populate', 'sideHosts'] as const satisfies (keyof Plan)[];

/** Returns the two variants of a duet; null for a series whose cells run one after the other. */
export function duetVariants({ duet, variants }: Pick<Series, 'duet' | 'variants'>): readonly [Variant, Variant] | null {
  const [base, head, ...others] = variants;
  return duet && base !== undefined && head !== undefined && others.length === 0 ? [base, head] : null;
}

/** Returns the name of the cell in which both variants run. */
export function duetName([base, head]: readonly [Variant, Variant]): string {
  return `${base.name} and ${head.name}`;
}

/** Checks what a series with `duet: true` needs beyond other series. */
export function checkDuet({ plan, series }: SeriesDocument): Issue[] {
  if (!series.duet) return [];
  const variantPair = duetVariants(series);
  if (variantPair === null)
    return [error('DUET_OF_TWO', 'series.variants', 'A duet has exactly two variants.', 'Name two, or remove duet.')];
  const issues: Issue[] = [];
  const add = (code: string, path: string, message: string, hint: string): void => void issues.push(error(code, path, message, hint));
  for (const [index, { targets = plan.targets, on }] of variantPair.entries()) {
    const path = `series.variants[${index}]`;
    if (targets.length !== 1) add('DUET_TARGETS', `${path}.targets`, 'A variant of a duet has one target.', 'Name one target.');
    if (on !== undefined)
      add('DUET_ON', `${path}.on`, 'Both variants of a duet get their load from the same generators.', 'Use series.on.');
  }
  if (cookiesOf(plan) === 'user')
    add('DUET_KEEPS_LOGINS', 'cookies', 'Users of a duet cannot keep a login from journey to journey.', 'Log in within each journey.');
  if (plan.journey.some(({ background }) => background !== undefined))
    add('DUET_BACKGROUND', 'journey', 'Requests beside the journey belong to no slot of a duet.', 'Remove background.');
  for (const field of UNDIVIDED_FIELDS.filter((name) => plan[name] !== undefined))
    add('DUET_FIELD', field, `A duet cannot divide “${field}” between two servers.`, 'Remove it, or remove duet.');
  return issues;
}

/**
 * Returns the plan in which two variants take turns. It has every step twice, once for each server, so each variant has its own figures. A
 * journey stays with the variant in whose slot it was scheduled.
 */
export function toDuetPlan(plan: Plan, variantPair: readonly [Variant, Variant], slotMs: number): Plan {
  const sides = variantPair.map(({ name, targets = plan.targets }, index) => {
    const { name: _name, ...server } = targets[0] ?? { url: '', headers: {} };
    const rename = (step: string): string => `${step.slice(0, 58 - name.length)} · ${name}`;
    const target = TARGET_NAMES[index] ?? '';
    return {
      server: [target, server] as const,
      journey: plan.journey.map((step) => renameStep({ ...step, target: step.target ?? target }, rename)),
      flow: renameFlow(buildFlow(plan), rename),
      rename,
    };
  });
  return {
    ...plan,
    targets: variantPair[0].targets ?? plan.targets,
    namedTargets: { ...plan.namedTargets, ...Object.fromEntries(sides.map(({ server }) => server)) },
    journey: sides.flatMap(({ journey }) => journey),
    flow: [{ choose: sides.map(({ flow }) => ({ weight: 1, flow })) }],
    duet: { variants: [variantPair[0].name, variantPair[1].name], slotMs },
    criteria: plan.criteria.flatMap((criterion) => renameCriterion(criterion, sides)),
  };
}

function renameStep(step: Step, rename: (name: string) => string): Step {
  const { explains, confirms } = step;
  return {
    ...step,
    name: rename(step.name),
    ...(explains === undefined ? {} : { explains: { ...explains, step: rename(explains.step) } }),
    ...(confirms === undefined ? {} : { confirms: confirms.map(rename) }),
  };
}

function renameFlow(flow: readonly FlowPart[], rename: (name: string) => string): FlowPart[] {
  return flow.map((part) => {
    if (typeof part === 'string') return rename(part);
    if ('choose' in part) return { ...part, choose: part.choose.map((choice) => ({ ...choice, flow: renameFlow(choice.flow, rename) })) };
    return { ...part, flow: renameFlow(part.flow, rename) };
  });
}

/** A criterion of a step becomes one for each variant. */
function renameCriterion(criterion: Criterion, sides: readonly { readonly rename: (name: string) => string }[]): Criterion[] {
  const { step } = criterion;
  return step === undefined ? [criterion] : sides.map(({ rename }) => ({ ...criterion, step: rename(step) }));
}
