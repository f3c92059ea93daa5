import { didYouMean, error, type Issue } from '#core/plan/issues.ts';
import { formatCount } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** What the run can start with, and yet should not without a thought. */
export function warning(code: string, path: string, message: string, hint: string): Issue {
  return { level: 'warning', code, path, message, hint };
}

/** Positions of the names that occurred before. */
export function repeated(names: readonly (string | undefined)[]): number[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (name === undefined) return [];
    if (seen.has(name)) return [index];
    seen.add(name);
    return [];
  });
}

/** Whether every target gets some of what a stage spreads over them. */
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

/** For a step that nothing is called like; `known` are those that may be named there. */
export function unknownStep(path: string, name: string, known: readonly string[]): Issue {
  return error('UNKNOWN_STEP', path, `The journey has no step “${name}”.`, didYouMean(name, known));
}

export function unknownStage(path: string, name: string, known: readonly string[]): Issue {
  return error('UNKNOWN_STAGE', path, `There is no stage “${name}”.`, didYouMean(name, known));
}

/** For a name that something has already; `hint` says what needs another. */
export function takenName(path: string, name: string, hint: string): Issue {
  return error('VALUE_TWICE', path, `“${name}” already has another meaning.`, hint);
}

export function emptyRange(path: string, { from, to }: { readonly from: number; readonly to: number }, hint: string): Issue {
  return error('RANGE_EMPTY', path, `from (${from}) is larger than to (${to}).`, hint);
}

/** `ending` is an example of a member of a list. */
export function badJsonPath(path: string, written: string, ending: string): Issue {
  return error(
    'BAD_JSON_PATH',
    path,
    `“${written}” is not a JSON path.`,
    `Write $ for the whole, .name or ["a name"] for members, [0] for the first of a list: $.items[0].${ending}`,
  );
}

export const OWN_NAME = 'Give each its own name.';
/** What figures and objectives call things by. */
export const NAMED_BY_FIGURES = 'Give each its own name. Figures and pass criteria use it.';
