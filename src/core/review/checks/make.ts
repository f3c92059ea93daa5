import { didYouMean, error, type Issue } from '#core/plan/issues.ts';
import { formatCount } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Returns a warning, which does not prevent a run. */
export function warning(code: string, path: string, message: string, hint: string): Issue {
  return { level: 'warning', code, path, message, hint };
}

/** Returns the positions of names that also occur earlier. */
export function findRepeated(names: readonly (string | undefined)[]): number[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (name === undefined) return [];
    if (seen.has(name)) return [index];
    seen.add(name);
    return [];
  });
}

/** Warns if a stage has fewer connections, users or arrivals than targets. */
export function checkReached({ targets }: Plan, count: number, what: 'connections' | 'users' | 'arrivals', path: string): Issue[] {
  if (count >= targets.length) return [];
  return [
    warning(
      `FEWER_${what.toUpperCase()}_THAN_TARGETS`,
      path,
      `${formatCount(count)} ${what} cannot reach ${targets.length} targets. Some get no load.`,
      `Use at least ${targets.length} ${what}.`,
    ),
  ];
}

/** Returns the issue for an unknown step. `stepNames` are the valid names. */
export function unknownStepIssue(path: string, name: string, stepNames: readonly string[]): Issue {
  return error('UNKNOWN_STEP', path, `The journey has no step “${name}”.`, didYouMean(name, stepNames));
}

export function unknownStageIssue(path: string, name: string, stageNames: readonly string[]): Issue {
  return error('UNKNOWN_STAGE', path, `There is no stage “${name}”.`, didYouMean(name, stageNames));
}

/** Returns the issue for a name that is already in use; `hint` says what needs another name. */
export function takenNameIssue(path: string, name: string, hint: string): Issue {
  return error('VALUE_TWICE', path, `“${name}” already has another meaning.`, hint);
}

export function emptyRange(path: string, { from, to }: { readonly from: number; readonly to: number }, hint: string): Issue {
  return error('RANGE_EMPTY', path, `from (${from}) is larger than to (${to}).`, hint);
}

/** Returns the issue for an invalid JSON path. `ending` is the last member name of the example in the hint. */
export function badJsonPath(path: string, written: string, ending: string, more = ''): Issue {
  return error(
    'BAD_JSON_PATH',
    path,
    `“${written}” is not a JSON path.`,
    `Write $ for the whole, .name or ["a name"] for members, [0] for the first of a list: $.items[0].${ending}${more}`,
  );
}

export const UNIQUE_NAME_HINT = 'Give each its own name.';
/** Hint that names must be unique, because figures and criteria refer to them. */
export const UNIQUE_FIGURE_NAME_HINT = 'Give each its own name. Figures and pass criteria use it.';
