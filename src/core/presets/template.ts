import { writtenPath } from '../plan/schemaIssues.ts';
import { formatCount, formatNumber } from '../units.ts';
import { evaluate, FormulaError, namesIn, parseExpression } from './expression.ts';

/** What names in a preset stand for. */
export type Values = ReadonlyMap<string, number | string>;

export interface TemplateProblem {
  readonly path: string;
  readonly message: string;
}

/** Parts of a plan that people read: there numbers are written as people write them, elsewhere as machines do. */
const PROSE = new Set<PropertyKey>(['name', 'story', 'claim', 'exercises', 'omits']);

/** Fills in a whole template: `=formula` becomes a number, `{name}` in other texts its value. Every problem is reported. */
export function fillTemplate(template: unknown, values: Values): { value: unknown; problems: TemplateProblem[] } {
  const problems: TemplateProblem[] = [];
  const fill = (part: unknown, path: readonly PropertyKey[]): unknown => {
    if (typeof part === 'string') {
      try {
        return part.startsWith('=') ? formulaValue(part.slice(1), values) : fillText(part, values, PROSE.has(path[0] ?? ''));
      } catch (thrown) {
        if (!(thrown instanceof FormulaError)) throw thrown;
        problems.push({ path: writtenPath(path), message: thrown.message });
        return part;
      }
    }
    if (Array.isArray(part)) return part.map((item, index) => fill(item, [...path, index]));
    if (typeof part === 'object' && part !== null) {
      return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, fill(item, [...path, key])]));
    }
    return part;
  };
  return { value: fill(template, []), problems };
}

/** The value of a formula over numbers. Throws a {@link FormulaError}. */
export function formulaValue(formula: string, values: Values): number {
  const expression = parseExpression(formula);
  const numbers = new Map<string, number>();
  for (const name of namesIn(expression)) {
    const value = values.get(name);
    if (typeof value === 'string') throw new FormulaError(`“${name}” is a text and cannot be calculated with`);
    if (value !== undefined) numbers.set(name, value);
  }
  return evaluate(expression, numbers);
}

/** Replaces each `{name}`. Braces around anything else, as in JSON, stay, and so does `{{name}}`, which a journey fills in. Throws a {@link FormulaError} for an unknown name. */
export function fillText(text: string, values: Values, forPeople: boolean): string {
  return text.replaceAll(/(?<!\{)\{([a-z][A-Za-z0-9]*)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new FormulaError(`“{${name}}” is not known here`);
    if (typeof value === 'string') return value;
    return forPeople ? numberForPeople(value) : String(value);
  });
}

function numberForPeople(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : formatNumber(value);
}
