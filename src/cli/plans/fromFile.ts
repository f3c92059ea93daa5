import { isBlock } from '#core/base/json.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import { planOf } from '#core/review/parse.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Access } from './access.ts';
import { setFields } from './fields.ts';
import type { Settings } from './settings.ts';

/** Reads a plan and applies the settings before validation. Never throws for invalid text. */
export function planFromFile(text: string, settings: Settings, access: Access): { plan: Plan | null; issues: readonly Issue[] } {
  const read = readYaml(text);
  if (read.issues.length > 0) return { plan: null, issues: read.issues };
  const written = read.value;
  // The plan parser explains a document that is not a map.
  if (!isBlock(written)) return planOf(written);
  const issues = setFields(written, settings.fields);
  applyAccess(written, settings, access);
  setNamedTargets(written, settings);
  const parsed = planOf(written);
  return { plan: issues.length > 0 ? null : parsed.plan, issues: [...issues, ...parsed.issues] };
}

/**
 * Replaces the targets of the plan with the named targets, which keep all other settings of its first target. Cookies and headers apply to every target. If a
 * target redirects visitors to another address, only its address is replaced.
 */
function applyAccess(plan: Record<string, unknown>, { targets: urls, movedTo }: Settings, access: Access): void {
  const written: unknown[] = Array.isArray(plan['targets']) ? plan['targets'] : [];
  const first = isBlock(written[0]) ? written[0] : {};
  const { name: _, ...usual } = first;
  const targets = urls.length > 0 ? urls.map((url) => ({ ...usual, url })) : written;
  const admit = (target: unknown, index: number): unknown =>
    isBlock(target)
      ? {
          ...target,
          ...(movedTo?.[index] === undefined ? {} : { url: movedTo[index] }),
          headers: { ...(isBlock(target['headers']) ? target['headers'] : {}), ...access.headers },
          ...(access.cookie === undefined ? {} : { cookie: access.cookie }),
        }
      : target;
  if (targets.length > 0) plan['targets'] = targets.map(admit);
}

/** Replaces the addresses of named targets and keeps their headers. */
export function setNamedTargets(plan: Record<string, unknown>, { namedTargets: urls }: Settings): void {
  if (urls.size === 0) return;
  const named: Record<string, unknown> = isBlock(plan['namedTargets']) ? plan['namedTargets'] : {};
  for (const [name, url] of urls) {
    const written = getOwn(named, name);
    setOwn(named, name, isBlock(written) ? { ...written, url } : url);
  }
  plan['namedTargets'] = named;
}
