import type { Issue } from '#core/plan/issues.ts';
import { planOf } from '#core/review/parse.ts';
import type { Plan, Target } from '#core/plan/schema/plan.ts';
import { targetSchema } from '#core/plan/schema/plan.ts';
import { buildPlan } from '#core/presets/build.ts';
import type { BuiltPlan, Preset } from '#core/presets/schema.ts';
import type { Access } from './access.ts';
import { setFields } from './fields.ts';
import type { Series } from '#core/plan/schema/series.ts';
import type { Settings } from './settings.ts';

/** A plan, or every reason why there is none. `built` says how it follows from the answers. */
export interface PresetPlan {
  readonly plan: Plan | null;
  /** Set where the question is answered by a series of runs of the plan. */
  readonly series: Series | null;
  readonly issues: readonly Issue[];
  readonly built: BuiltPlan;
}

/** Builds the plan that a preset and the settings make, then sets the plan's own fields. */
export function planFromPreset(preset: Preset, settings: Settings, access: Access): PresetPlan {
  const { targets, issues } = readTargets(settings.targets, access);
  const built = buildPlan(preset, settings.answers, targets);
  // That nobody named a target is said once, in the words of the command line.
  const all = [...issues, ...built.issues.filter(({ code }) => code !== 'TARGET_MISSING')];
  const { series } = built;
  if (!built.plan || settings.fields.size === 0) return { plan: hasErrors(all) ? null : built.plan, series, issues: all, built };
  const changed = structuredClone<Record<string, unknown>>(built.plan);
  all.push(...setFields(changed, settings.fields));
  if (hasErrors(all)) return { plan: null, series, issues: all, built };
  const parsed = planOf(changed);
  return { plan: parsed.plan, series, issues: [...all, ...parsed.issues], built };
}

export function hasErrors(issues: readonly Issue[]): boolean {
  return issues.some(({ level }) => level === 'error');
}

function readTargets(urls: readonly string[], access: Access): { targets: Target[]; issues: Issue[] } {
  const targets: Target[] = [];
  const issues: Issue[] = [];
  if (urls.length === 0)
    issues.push({
      level: 'error',
      code: 'NO_TARGET',
      path: 'target',
      message: 'No server was named.',
      hint: 'Add --set target=URL. To try it without a server of your own, add --lab: it starts the practice server of the preset.',
    });
  for (const url of urls) {
    const parsed = targetSchema.safeParse({
      url,
      headers: access.headers,
      ...(access.cookie === undefined ? {} : { cookie: access.cookie }),
    });
    if (parsed.success) targets.push(parsed.data);
    else
      for (const problem of parsed.error.issues)
        issues.push({
          level: 'error',
          code: 'BAD_TARGET',
          path: `target ${url}`,
          message: problem.message,
          hint: 'Copy the address from your browser.',
        });
  }
  return { targets, issues };
}
