import type { z } from 'zod';
import { checkPlan } from './check.ts';
import { boundedIssues, type Issue } from '#core/plan/issues.ts';
import { claimsConsent, migratePlan } from '#core/plan/migrate.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { schemaIssues, valueAt } from '#core/plan/schemaIssues.ts';

export interface ParsedPlan {
  /** null if any issue is an error. */
  readonly plan: Plan | null;
  readonly issues: Issue[];
}

/** Parses and checks a plan in YAML or JSON. Never throws: returns every problem with path, code and hint. */
export function parsePlan(source: string): ParsedPlan {
  const read = readYaml(source);
  return read.issues.length > 0 ? { plan: null, issues: read.issues } : planOf(read.value);
}

/** Checks a plan that is already parsed; see {@link parsePlan}. */
export function planOf(value: unknown): ParsedPlan {
  const migrated = migratePlan(value);
  if (migrated.issues.length > 0) return { plan: null, issues: migrated.issues };
  const parsed = planSchema.safeParse(migrated.value);
  const notes = claimsConsent(value) ? [CONSENT_IN_FILE] : [];
  if (!parsed.success) {
    const rest = planSchema.safeParse(withoutUnknownKeys(migrated.value, parsed.error));
    const more = rest.success ? checkPlan(rest.data) : [];
    return { plan: null, issues: [...notes, ...schemaIssues(parsed.error, planSchema, migrated.value), ...boundedIssues(more)] };
  }
  const issues = [...notes, ...checkPlan(parsed.data)];
  return { plan: issues.some((issue) => issue.level === 'error') ? null : parsed.data, issues: boundedIssues(issues) };
}

const CONSENT_IN_FILE: Issue = {
  level: 'warning',
  code: 'CONSENT_IN_FILE',
  path: 'safety.consentedHosts',
  message: 'Consent in a plan has no effect.',
  hint: 'Remove the line. Whoever runs the plan is asked, or uses --allow host:NAME.',
};

/** Removes unknown keys, so that the rest can be checked at the same time. */
function withoutUnknownKeys(value: unknown, { issues }: z.ZodError): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const place = valueAt(copy, issue.path);
    if (typeof place !== 'object' || place === null) continue;
    for (const key of issue.keys) Reflect.deleteProperty(place, key);
  }
  return copy;
}
