import { isBlock } from '#core/base/json.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Issue } from './issues.ts';
import { PLAN_VERSION, planSchema, type Plan } from './schema/plan.ts';

export interface MigratedPlan {
  readonly value: unknown;
  readonly issues: Issue[];
}

/** Message for a text without a document. */
export const EMPTY_DOCUMENT_MESSAGE = 'It is empty.';

/** Migrations of a plan from version n to n + 1, by n. The first change of the schema will add `1`. */
const MIGRATION_STEPS: Readonly<Record<number, (plan: Record<string, unknown>) => Record<string, unknown>>> = {};

/** Migrates a parsed plan to the current version. Rejects newer versions and documents that are not plans. */
export function migratePlan(value: unknown): MigratedPlan {
  if (value === null || value === undefined)
    return refuseMigration('EMPTY', '', EMPTY_DOCUMENT_MESSAGE, 'A plan begins with the line “holdfast: 1”.');
  if (!isBlock(value))
    return refuseMigration(
      'NOT_A_PLAN',
      '',
      'This is not a plan.',
      'A plan is a block of names and values that begins with “holdfast: 1”.',
    );
  if (Object.hasOwn(value, 'holdfastPreset')) {
    return refuseMigration(
      'PRESET_NOT_PLAN',
      'holdfastPreset',
      'This is a preset, not a plan.',
      'Run it by its id. Its questions turn it into a plan.',
    );
  }
  if (Object.hasOwn(value, 'series')) {
    return refuseMigration(
      'SERIES_NOT_PLAN',
      'series',
      'This is a series of runs, not a plan for one run.',
      'Run it with holdfast series FILE. Without its block “series:” it is a plan.',
    );
  }
  const version = Object.hasOwn(value, 'holdfast') ? value['holdfast'] : undefined;
  if (version === undefined)
    return refuseMigration(
      'VERSION_MISSING',
      'holdfast',
      'The version of the plan is missing.',
      `Add the line “holdfast: ${PLAN_VERSION}”.`,
    );
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    return refuseMigration(
      'VERSION_INVALID',
      'holdfast',
      'The version of the plan is not a valid version number.',
      `Write “holdfast: ${PLAN_VERSION}”.`,
    );
  }
  if (version > PLAN_VERSION) {
    return refuseMigration(
      'VERSION_NEWER',
      'holdfast',
      `The plan has version ${version}. This Holdfast reads versions up to ${PLAN_VERSION}.`,
      'A newer Holdfast made it. Update Holdfast, or make the plan again here.',
    );
  }
  let plan = value;
  for (let at = version; at < PLAN_VERSION; at += 1) plan = MIGRATION_STEPS[at]?.(plan) ?? plan;
  return { value: convertRates(removeObsoleteValues(plan)), issues: [] };
}

/** Reads a stored plan of any older version. Throws if the plan was never valid or is of a newer version. */
export function readStoredPlan(value: unknown): Plan {
  return planSchema.parse(migratePlan(value).value);
}

/**
 * Removes obsolete values: `docker` never provided container figures and is no longer a source. A consent in a file
 * (`safety.consentedHosts`) is only a claim by its author and is ignored.
 */
function removeObsoleteValues(plan: Record<string, unknown>): Record<string, unknown> {
  const { monitors, safety } = plan;
  const isOld = (monitor: unknown): monitor is Record<string, unknown> => isBlock(monitor) && monitor['containers'] === 'docker';
  return {
    ...plan,
    ...(Array.isArray(monitors)
      ? { monitors: monitors.map((monitor: unknown) => (isOld(monitor) ? { ...monitor, containers: 'none' } : monitor)) }
      : {}),
    ...(claimsConsent(plan) && isBlock(safety) ? { safety: omitField(safety, 'consentedHosts') } : {}),
  };
}

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = { Minute: 60, Hour: 3_600 };

/**
 * Converts `perMinute: 30` and `toPerHour: 100` of arrivals to rates per second. If a rate per second is given as well, they stay and are
 * rejected later.
 */
function convertRates(plan: Record<string, unknown>): Record<string, unknown> {
  const { load } = plan;
  if (!isBlock(load) || load['model'] !== 'arrivals' || !Array.isArray(load['stages'])) return plan;
  const stages = load['stages'].map((stage: unknown) => {
    if (!isBlock(stage)) return stage;
    return Object.fromEntries(
      Object.entries(stage).map(([name, value]) => {
        const [, which = '', unit = ''] = /^(per|(?:from|to|base|peak)Per)(Minute|Hour)$/.exec(name) ?? [];
        const seconds = getOwn(SECONDS_PER_UNIT, unit);
        const bySecond = `${which}Second`;
        return seconds === undefined || typeof value !== 'number' || Object.hasOwn(stage, bySecond)
          ? [name, value]
          : [bySecond, value / seconds];
      }),
    );
  });
  return { ...plan, load: { ...load, stages } };
}

/** Returns whether the plan claims that its reader has given consent. */
export function claimsConsent(plan: unknown): boolean {
  return isBlock(plan) && isBlock(plan['safety']) && Object.hasOwn(plan['safety'], 'consentedHosts');
}

function omitField(block: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(block).filter(([key]) => key !== name));
}

function refuseMigration(code: string, path: string, message: string, hint: string): MigratedPlan {
  return { value: undefined, issues: [{ level: 'error', code, path, message, hint }] };
}
