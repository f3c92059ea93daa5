import { REDACTED } from '#core/base/redact.ts';
import { planSchema, type Plan, type Step } from './schema/plan.ts';
import { SESSION_PATTERN } from './secretReference.ts';

/**
 * Matches `{{session:ID}}` in a text of a plan, which replaces a part that was a secret. Only Holdfast writes it, in place of the plain
 * text, and resolves it before a load. It is not a placeholder of a journey. With `|raw`, the whole text was a number.
 */
const HIDDEN_VALUE_PATTERN = new RegExp(String.raw`\{\{(${SESSION_PATTERN})(\|raw)?\}\}`, 'g');

/** Returns the placeholder for a value in the memory of this process. */
export function hideReference(reference: string, { isNumber = false } = {}): string {
  return `{{${reference}${isNumber ? '|raw' : ''}}}`;
}

export function replaceReferences(text: string, other: (reference: string) => string): string {
  return text.replaceAll(HIDDEN_VALUE_PATTERN, (_whole, reference: string, raw: string | undefined) =>
    hideReference(other(reference), { isNumber: raw !== undefined }),
  );
}

/** Replaces hidden parts by marks, which are the same for every reference. Used to show the text to people. */
export function showReferences(text: string): string {
  return text.replaceAll(HIDDEN_VALUE_PATTERN, REDACTED);
}

/** Restores a text of a plan. Every reference must be among `values`. */
export function revealText(text: string, values: ReadonlyMap<string, string>): string {
  return text.replaceAll(HIDDEN_VALUE_PATTERN, (_whole, reference: string) => valueOfReference(reference, values));
}

/** Returns the value of a reference. Throws if it is not among `values`. */
export function valueOfReference(reference: string, values: ReadonlyMap<string, string>): string {
  const value = values.get(reference);
  if (value === undefined) throw new Error(`The reference ${reference} was not resolved.`);
  return value;
}

/** Returns the references of all hidden parts of a document, each once. */
export function listHiddenReferences(document: unknown): string[] {
  const found = new Set<string>();
  mapTexts(document, (text) => {
    for (const [, reference = ''] of text.matchAll(HIDDEN_VALUE_PATTERN)) found.add(reference);
    return text;
  });
  return [...found];
}

/** Restores the hidden texts of a plan. The result must stay in memory and never be stored. Every reference must be among `values`. */
export function revealPlan(plan: Plan, values: ReadonlyMap<string, string>): Plan {
  if (listHiddenReferences(plan).length === 0) return plan;
  return planSchema.parse(
    mapTexts(plan, (text) => {
      const [, reference, raw] = new RegExp(`^${HIDDEN_VALUE_PATTERN.source}$`).exec(text) ?? [];
      return reference !== undefined && raw !== undefined ? Number(valueOfReference(reference, values)) : revealText(text, values);
    }),
  );
}

/** Replaces hidden parts of steps by plan variables, for exports to tools that know only variables. */
export function replaceHiddenByVariables(originalPlan: Plan): Plan {
  const plan = moveAddressToSteps(originalPlan);
  const { journey } = plan;
  const references = listHiddenReferences(journey);
  if (references.length === 0) return plan;
  const taken = Object.keys(plan.variables ?? {});
  const names = new Map(references.map((reference, index) => [reference, freeName(index + 1, taken)]));
  const nameReferences = (value: Step[keyof Step], mark: string): unknown =>
    mapTexts(value, (text) =>
      text.replaceAll(
        HIDDEN_VALUE_PATTERN,
        (_whole, reference: string, raw = '') => `{{${names.get(reference) ?? ''}${mark === '' ? raw : mark}}}`,
      ),
    );
  const steps = journey.map((step) => ({
    ...step,
    // Raw: the hidden text already contains its escapes.
    path: nameReferences(step.path, '|raw'),
    body: nameReferences(step.body, '|raw'),
    headers: nameReferences(step.headers, ''),
    query: nameReferences(step.query, ''),
    form: nameReferences(step.form, ''),
    multipart: nameReferences(step.multipart, ''),
    json: nameReferences(step.json, ''),
    checks: nameReferences(step.checks, ''),
    poll: nameReferences(step.poll, ''),
  }));
  const secrets = [...names].map(([reference, name]) => [name, { kind: 'secret', secret: reference }]);
  return planSchema.parse({ ...plan, journey: steps, variables: { ...plan.variables, ...Object.fromEntries(secrets) } });
}

/** Moves hidden parts of the only target's address into steps that use that address, because a target has no variables. */
function moveAddressToSteps(plan: Plan): Plan {
  const [target, ...others] = plan.targets;
  const [, path] = /^https?:\/\/[^/?#]+(\/?[^#]*)/i.exec(target?.url ?? '') ?? [];
  if (target === undefined || path === undefined || others.length > 0 || listHiddenReferences(path).length === 0) return plan;
  return {
    ...plan,
    journey: plan.journey.map((step) => (step.path === '' ? { ...step, path: path.startsWith('/') ? path : `/${path}` } : step)),
  };
}

function freeName(number: number, taken: readonly string[]): string {
  const name = `hidden_${number}`;
  return taken.includes(name) ? freeName(number + 1_000, taken) : name;
}

/** Replaces every text value of a document, but no member names. */
export function mapTexts(value: unknown, replace: (text: string) => unknown): unknown {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item: unknown) => mapTexts(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, replace)]));
}
