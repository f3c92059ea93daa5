import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import { readYaml } from '#core/plan/readYaml.ts';

/** `load.stages[0].seconds` as ['load', 'stages', 0, 'seconds']; null when it is written otherwise. */
export function parsePath(text: string): (string | number)[] | null {
  if (!/^[A-Za-z]\w*(\.[A-Za-z][\w-]*|\[\d+\])*$/.test(text)) return null;
  return [...text.matchAll(/([A-Za-z][\w-]*)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

/**
 * Sets fields of a plan as it was written. Values are read as YAML, so that `12` is a number and `[200, 404]` a list.
 * Changes `plan`; returns the settings that could not be carried out.
 */
export function setFields(plan: Record<string, unknown>, fields: ReadonlyMap<string, string>): Issue[] {
  const issues: Issue[] = [];
  for (const [path, text] of fields) {
    const keys = parsePath(path);
    const { value, issues: faults } = readYaml(text);
    if (!keys || faults.length > 0 || !put(plan, keys, value))
      issues.push({
        level: 'error',
        code: 'BAD_SETTING',
        path,
        message: faults.length === 0 ? 'The plan has no such place.' : `${JSON.stringify(text)} is not a value that YAML understands.`,
        hint: 'Write it as the plan does, for example load.stages[0].seconds=10; a list can be changed where it has an entry already.',
      });
  }
  return issues;
}

function put(root: Record<string, unknown>, keys: readonly (string | number)[], value: unknown): boolean {
  let place: unknown = root;
  for (const [depth, key] of keys.entries()) {
    const isLast = depth === keys.length - 1;
    if (Array.isArray(place) && typeof key === 'number' && key < place.length) {
      if (isLast) place[key] = value;
      place = place[key];
    } else if (isRecord(place) && typeof key === 'string') {
      if (isLast) setOwn(place, key, value);
      else if (!Object.hasOwn(place, key)) setOwn(place, key, {});
      place = getOwn(place, key);
    } else return false;
  }
  return true;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
