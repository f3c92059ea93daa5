import { stringify } from 'yaml';
import { seriesSchema, variantSchema, type SeriesDocument } from '#core/plan/schema/series.ts';
import { planSchema, targetSchema, type Plan } from '#core/plan/schema/plan.ts';
import { stepSchema } from '#core/plan/schema/step.ts';

/** Maximum length of a plan in characters. A longer one is unreadable, and the JSON of the result contains all of it. */
const MAX_LETTERS = 40_000;

/** Returns a plan as YAML without default values, shortened if it is long. Reading an unshortened text gives the same plan. */
export function planText(plan: Plan): string {
  return shorten(planYaml(plan));
}

/** Returns a whole plan as YAML without default values, for a file. */
export function planYaml(plan: Plan): string {
  return formatYaml(simplifyPlan(plan));
}

export function seriesText({ plan, series }: SeriesDocument): string {
  const variants = series.variants.map((variant) => ({
    ...omitDefaults(variant, variantSchema.parse({ name: variant.name }), ['name']),
    ...(variant.targets === undefined ? {} : { targets: simplifyTargets(variant.targets) }),
  }));
  return shorten(formatYaml({ ...simplifyPlan(plan), series: omitDefaults({ ...series, variants }, seriesSchema.parse({}), []) }));
}

/** Returns a plan without default values. */
export function simplifyPlan(plan: Plan): Record<string, unknown> {
  const [target] = plan.targets;
  const usual = planSchema.parse({
    holdfast: plan.holdfast,
    name: plan.name,
    targets: [{ url: target?.url ?? 'http://localhost/' }],
    journey: [{ name: 'step' }],
    load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
  });
  const { holdfast, name, targets, journey, load, ...rest } = plan;
  return {
    holdfast,
    name,
    targets: simplifyTargets(targets),
    journey: journey.map((step) => omitDefaults(step, stepSchema.parse({ name: step.name }), ['name'])),
    load: { ...load, stages: load.stages.map((stage) => omitDefaults(stage, { counted: true }, [])) },
    ...omitDefaults(rest, usual, []),
  };
}

function simplifyTargets(targets: Plan['targets']): object[] {
  return targets.map((one) => omitDefaults(one, targetSchema.parse({ url: one.url }), ['url']));
}

function formatYaml(value: object): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

function shorten(text: string): string {
  return text.length <= MAX_LETTERS
    ? text
    : `${text.slice(0, MAX_LETTERS)}\n# … and ${text.length - MAX_LETTERS} letters more: the JSON of the result holds all of it.\n`;
}

/** Returns the members that differ from `usual`, and those in `always`. */
function omitDefaults(written: object, usual: object, always: readonly string[]): object {
  const defaults = new Map<string, unknown>(Object.entries(usual));
  const kept = Object.entries(written).filter(
    ([key, value]) => value !== undefined && (always.includes(key) || JSON.stringify(value) !== JSON.stringify(defaults.get(key))),
  );
  return Object.fromEntries(kept);
}
