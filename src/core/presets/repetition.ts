import { z } from 'zod';
import { FormulaError } from './expression.ts';
import { pageNames, pagesIn } from './pageList.ts';

/** More than this is no list that anybody wrote on purpose. */
const MAX_VALUES = 200;

const numberSchema = z.union([z.number(), z.string().startsWith('=')]);
const rangeSchema = z.strictObject({ from: numberSchema, to: numberSchema, step: numberSchema });
const pagesSchema = z.strictObject({ pagesOf: z.string() });
const eachSchema = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]*$/),
  z.union([z.array(z.union([z.string(), z.number()])), rangeSchema, pagesSchema]),
);

export interface Repetition {
  readonly name: string;
  readonly values: readonly (number | string)[];
  /** Of pages, what else is known of each: its short name, called like it with `Name` behind. */
  readonly names: readonly string[] | null;
}

/**
 * What stands behind `each`: a name and its values, `{ rate: [1, 2, 5] }`, or a range, `{ rate: { from: 1, to: =last, step: 1 } }`, which
 * holds both ends where steps lead there; or the pages of an answer, `{ page: { pagesOf: pages } }`. Throws a {@link FormulaError}.
 */
export function readEach(
  written: unknown,
  formulaValue: (formula: string) => number,
  answerOf: (question: string) => string | number | undefined,
): Repetition {
  const parsed = eachSchema.safeParse(written);
  const [entry, ...others] = parsed.success ? Object.entries(parsed.data) : [];
  if (entry === undefined || others.length > 0)
    throw new FormulaError('“each” gives one name its values: each: { rate: [1, 2, 5] } or each: { rate: { from: 1, to: 9, step: 2 } }');
  const [name, list] = entry;
  if (!Array.isArray(list) && 'pagesOf' in list) {
    const answer = answerOf(list.pagesOf);
    if (answer === undefined) throw new FormulaError(`there is no question “${list.pagesOf}” that asks for pages`);
    const pages = pagesIn(String(answer));
    return { name, values: pages, names: pageNames(pages) };
  }
  const numberOf = (value: string | number): number => (typeof value === 'string' ? formulaValue(value.slice(1)) : value);
  const values = Array.isArray(list)
    ? list.map((value) => (typeof value === 'string' && value.startsWith('=') ? numberOf(value) : value))
    : rangeOf(numberOf(list.from), numberOf(list.to), numberOf(list.step));
  if (values.length > MAX_VALUES) throw new FormulaError(`“each” has ${values.length} values for “${name}”; at most ${MAX_VALUES}`);
  return { name, values, names: null };
}

/** Empty where `to` lies before `from`. Each value is counted from `from`, so that roundings do not add up. */
function rangeOf(from: number, to: number, step: number): number[] {
  if (!(step > 0)) throw new FormulaError('the “step” of a range is more than 0');
  const steps = Math.floor((to - from) / step + 1e-9);
  if (steps >= MAX_VALUES) throw new FormulaError(`“each” has ${steps + 1} values; at most ${MAX_VALUES}`);
  return Array.from({ length: Math.max(0, steps + 1) }, (_, index) => Number((from + index * step).toPrecision(12)));
}
