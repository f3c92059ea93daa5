import { limitIssues, type Issue } from '#core/plan/issues.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { checkBells, checkPlaces, checkReloads } from './checks/bells.ts';
import { checkConnections, checkDemand, checkSafety, checkTargets, checkVisitors, checkWatch } from './checks/servers.ts';
import { checkEngine } from './checks/engine.ts';
import { checkFlow } from './checks/flow.ts';
import { checkJourney } from './checks/journey.ts';
import { checkLoad } from './checks/load.ts';
import { checkCriteria } from './checks/criteria.ts';
import { checkPeople } from './checks/people.ts';
import { checkPopulate, checkStored } from './checks/populate.ts';
import { checkValues } from './checks/values.ts';
import type { z } from 'zod';
import { claimsConsent, migratePlan } from '#core/plan/migrate.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import { schemaIssues, findValue } from '#core/plan/schemaIssues.ts';

/**
 * Checks a plan beyond its schema: contradictions are errors, and probable mistakes are warnings. Returns all problems in the order of the
 * plan.
 */
export function checkPlan(plan: Plan): Issue[] {
  return [
    checkTargets,
    checkJourney,
    checkFlow,
    checkBells,
    checkPeople,
    checkPlaces,
    checkReloads,
    checkValues,
    checkLoad,
    checkCriteria,
    checkSafety,
    checkEngine,
    checkConnections,
    checkPopulate,
    checkDemand,
    checkStored,
    checkWatch,
    checkVisitors,
  ].flatMap((check) => check(plan));
}

interface ParsedPlan {
  /** The plan; null if any issue is an error. */
  readonly plan: Plan | null;
  readonly issues: Issue[];
}

/** Parses and checks a plan in YAML or JSON. Never throws: returns every problem with path, code and hint. */
export function parsePlan(source: string): ParsedPlan {
  const read = readYaml(source);
  return read.issues.length > 0 ? { plan: null, issues: read.issues } : parseValue(read.value);
}

/** Checks a plan that is already parsed; see {@link parsePlan}. */
export function parseValue(value: unknown): ParsedPlan {
  const migrated = migratePlan(value);
  if (migrated.issues.length > 0) return { plan: null, issues: migrated.issues };
  const parsed = planSchema.safeParse(migrated.value);
  const notes = claimsConsent(value) ? [CONSENT_IN_FILE] : [];
  if (!parsed.success) {
    const rest = planSchema.safeParse(removeUnknownKeys(migrated.value, parsed.error));
    const more = rest.success ? checkPlan(rest.data) : [];
    return { plan: null, issues: [...notes, ...schemaIssues(parsed.error, planSchema, migrated.value), ...limitIssues(more)] };
  }
  const issues = [...notes, ...checkPlan(parsed.data)];
  return { plan: issues.some((issue) => issue.level === 'error') ? null : parsed.data, issues: limitIssues(issues) };
}

const CONSENT_IN_FILE: Issue = {
  level: 'warning',
  code: 'CONSENT_IN_FILE',
  path: 'safety.consentedHosts',
  message: 'Consent in a plan has no effect.',
  hint: 'Remove the line. Whoever runs the plan is asked, or uses --allow host:NAME.',
};

/** Removes unknown keys, so that the rest can be checked at the same time. */
function removeUnknownKeys(value: unknown, { issues }: z.ZodError): unknown {
  const copy: unknown = structuredClone(value);
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue;
    const place = findValue(copy, issue.path);
    if (typeof place !== 'object' || place === null) continue;
    for (const key of issue.keys) Reflect.deleteProperty(place, key);
  }
  return copy;
}
