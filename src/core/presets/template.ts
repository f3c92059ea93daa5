import { isBlock } from '#core/base/json.ts';
import { z } from 'zod';
import { formatCount, formatNumber } from '#core/base/units.ts';
import { formatPath } from '../plan/schemaIssues.ts';
import { readDatabase } from './answers.ts';
import { type Choices, isFulfilled, readCondition } from './conditions.ts';
import { evaluate, FormulaError } from './expression.ts';
import type { Question } from './schema.ts';
import { pageNames, parsePages } from './pageList.ts';

/** Maximum number of values in a list. */
const MAX_VALUES = 200;
/** Maximum number of parts of a filled-in template, because lists within lists multiply. */
const MAX_PARTS = 20_000;
/** Number of characters of a text that count as one part. */
const CHARACTERS_PER_PART = 100;

const numberSchema = z.union([z.number(), z.string().startsWith('=')]);
const rangeSchema = z.strictObject({ from: numberSchema, to: numberSchema, step: numberSchema });
/** Pages of a question. `without`: paths that the plan requests anyway. */
const pagesSchema = z.strictObject({ pagesOf: z.string(), without: z.array(z.string()).default([]) });
const eachSchema = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]*$/),
  z.union([z.array(z.union([z.string(), z.number()])), rangeSchema, pagesSchema]),
);

interface Repetition {
  readonly name: string;
  readonly values: readonly (number | string)[];
  /** Short names of pages, which are available under the name of the variable plus `Name`. */
  readonly names: readonly string[] | null;
}

/**
 * Parses `each`: a name with values, `{ rate: [1, 2, 5] }`, an inclusive range, `{ rate: { from: 1, to: =last, step: 1 } }`, or the pages
 * of a question, `{ page: { pagesOf: pages, without: [/] } }`. Throws a {@link FormulaError}.
 */
function readEach(
  written: unknown,
  formulaValue: (formula: string) => number,
  getAnswer: (question: string) => string | number | undefined,
  takenNames: Iterable<string>,
): Repetition {
  const parsed = eachSchema.safeParse(written);
  const [entry, ...others] = parsed.success ? Object.entries(parsed.data) : [];
  if (entry === undefined || others.length > 0)
    throw new FormulaError('“each” gives one name its values: each: { rate: [1, 2, 5] } or each: { rate: { from: 1, to: 9, step: 2 } }');
  const [name, list] = entry;
  if (!Array.isArray(list) && 'pagesOf' in list) {
    const answer = getAnswer(list.pagesOf);
    if (answer === undefined) throw new FormulaError(`there is no question “${list.pagesOf}” of the kind pages`);
    const pages = parsePages(String(answer)).filter((page) => !list.without.includes(page));
    return { name, values: pages, names: pageNames(pages, takenNames) };
  }
  const numberOf = (value: string | number): number => (typeof value === 'string' ? formulaValue(value.slice(1)) : value);
  const values = Array.isArray(list)
    ? list.map((value) => (typeof value === 'string' && value.startsWith('=') ? numberOf(value) : value))
    : rangeOf(numberOf(list.from), numberOf(list.to), numberOf(list.step));
  if (values.length > MAX_VALUES) throw new FormulaError(`“each” has ${values.length} values for “${name}”; the limit is ${MAX_VALUES}`);
  return { name, values, names: null };
}

/** Returns a range, which is empty if `to` is below `from`. Each value is calculated from `from`, so that rounding errors do not add up. */
function rangeOf(from: number, to: number, step: number): number[] {
  if (!(step > 0)) throw new FormulaError('the “step” of a range must be above 0');
  const steps = Math.floor((to - from) / step + 1e-9);
  if (steps >= MAX_VALUES) throw new FormulaError(`“each” has ${steps + 1} values; the limit is ${MAX_VALUES}`);
  return Array.from({ length: Math.max(0, steps + 1) }, (_, index) => Number((from + index * step).toPrecision(12)));
}

/** Values of names in a preset. */
export type Values = ReadonlyMap<string, number | string>;

/** Names and choices that a template may use. */
export interface TemplateContext {
  readonly values: Values;
  readonly choices: Choices;
  readonly questions: readonly Question[];
}

export interface TemplateProblem {
  readonly path: string;
  readonly message: string;
}

/** Fields for people, in which numbers are formatted. In other fields, numbers are plain. */
const PROSE_FIELDS = new Set<PropertyKey>(['name', 'story', 'claim', 'exercises', 'omits', 'lookAt', 'leavesBehind']);
/** Fields with the content of requests. In them, `when`, `cases`, `each` and `databaseOf` are data, not keywords. */
const REQUEST_CONTENT_FIELDS = new Set<PropertyKey>(['json', 'form', 'query', 'headers', 'multipart']);

type Path = readonly PropertyKey[];

/**
 * Fills in a template: `=formula` becomes a number, and `{name}` in other texts becomes its value. `when` keeps a part only for some
 * choices, `cases` selects one of several, and `each` repeats a part. Every problem is reported. The value is undefined if nothing remains.
 */
export function fillTemplate(template: unknown, context: TemplateContext): { value: unknown; problems: TemplateProblem[] } {
  const problems: TemplateProblem[] = [];
  const value = new Filler(problems, listWrittenNames(template)).valueOf(template, [], context);
  return { value, problems };
}

/** Returns every name that the template contains literally. */
function listWrittenNames(template: unknown): string[] {
  if (Array.isArray(template)) return template.flatMap(listWrittenNames);
  if (!isBlock(template)) return [];
  const { name } = template;
  return [...(typeof name === 'string' ? [name] : []), ...Object.values(template).flatMap(listWrittenNames)];
}

class Filler {
  readonly #problems: TemplateProblem[];
  readonly #names: readonly string[];
  #parts = 0;

  /** `names`: names of steps in the template, which pages must not get. */
  constructor(problems: TemplateProblem[], names: readonly string[]) {
    this.#problems = problems;
    this.#names = names;
  }

  /** Returns the value of a part; undefined if nothing remains of it. */
  valueOf(part: unknown, path: Path, context: TemplateContext): unknown {
    const hadRoom = this.#parts <= MAX_PARTS;
    this.#parts += 1 + (typeof part === 'string' ? part.length / CHARACTERS_PER_PART : 0);
    if (this.#parts > MAX_PARTS) {
      if (hadRoom) this.#report(path, `the preset makes more than ${MAX_PARTS} parts`);
      return undefined;
    }
    if (typeof part === 'string') return this.#guarded(path, part, () => textOrNumber(part, path, context.values));
    if (Array.isArray(part)) return part.flatMap((item, index) => this.#getItems(item, [...path, index], context));
    if (!isBlock(part)) return part;
    if (!path.some((name) => REQUEST_CONTENT_FIELDS.has(name))) {
      if (isBlock(part['when'])) return this.#conditional(part, path, context);
      if (Array.isArray(part['cases'])) return this.#firstCase(part['cases'], path, context);
      if (isBlock(part['each'])) return this.#repeated(part, path, context);
      if (typeof part['databaseOf'] === 'string') return this.#database(part['databaseOf'], path, context);
    }
    const fields = Object.entries(part).map(([key, item]) => [key, this.valueOf(item, [...path, key], context)] as const);
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  }

  /** Returns the items that an item of a list becomes. Lists that result from conditions or repetitions are flattened. */
  #getItems(item: unknown, path: Path, context: TemplateContext): unknown[] {
    const value = this.valueOf(item, path, context);
    if (value === undefined) return [];
    return Array.isArray(value) && !Array.isArray(item) ? value : [value];
  }

  #conditional(part: Record<string, unknown>, path: Path, context: TemplateContext): unknown {
    const { when, ...rest } = part;
    const applies = this.#guarded([...path, 'when'], false, () => isFulfilled(readCondition(when, context.questions), context.choices));
    if (!applies) return undefined;
    if (!Object.hasOwn(rest, 'use') || Object.hasOwn(rest, 'each')) return this.valueOf(rest, path, context);
    this.#only(rest, ['use'], path);
    return this.valueOf(rest['use'], [...path, 'use'], context);
  }

  /** Returns the first case with a true condition. */
  #firstCase(cases: readonly unknown[], path: Path, context: TemplateContext): unknown {
    for (const [index, one] of cases.entries()) {
      const at = [...path, 'cases', index];
      if (!isBlock(one) || !Object.hasOwn(one, 'use')) {
        this.#report(at, 'a case is written { when: …, use: … }, the last one may be without “when”');
        return undefined;
      }
      const { when, ...rest } = one;
      const applies =
        when === undefined ||
        this.#guarded([...at, 'when'], false, () => isFulfilled(readCondition(when, context.questions), context.choices));
      this.#only(rest, ['use'], at);
      if (applies) return this.valueOf(rest['use'], [...at, 'use'], context);
    }
    return undefined;
  }

  #repeated(part: Record<string, unknown>, path: Path, context: TemplateContext): unknown {
    this.#only(part, ['each', 'use'], path);
    const repetition = this.#guarded([...path, 'each'], null, () =>
      readEach(
        part['each'],
        (formula) => evaluate(formula, context.values),
        (question) => context.values.get(question),
        this.#names,
      ),
    );
    if (repetition === null) return undefined;
    if (context.values.has(repetition.name)) this.#report([...path, 'each'], `“${repetition.name}” already has a meaning`);
    return repetition.values.flatMap((value, index) => {
      if (this.#parts > MAX_PARTS) return [];
      const values = new Map([...context.values, [repetition.name, value]]);
      const called = repetition.names?.[index];
      if (called !== undefined) values.set(`${repetition.name}Name`, called);
      const made = this.valueOf(part['use'], [...path, 'use'], { ...context, values });
      return made === undefined ? [] : Array.isArray(made) ? made : [made];
    });
  }

  /** Returns the answer to a `database` question: an address or a reference. */
  #database(id: string, path: Path, context: TemplateContext): unknown {
    const question = context.questions.find((one) => one.id === id && one.kind === 'database');
    if (question === undefined) this.#report(path, `“${id}” is not a question for a database`);
    return readDatabase(String(context.values.get(id) ?? '')) ?? undefined;
  }

  #only(part: Record<string, unknown>, names: readonly string[], path: Path): void {
    const extra = Object.keys(part).find((key) => !names.includes(key));
    if (extra !== undefined) this.#report(path, `“${extra}” cannot be combined with ${names.map((name) => `“${name}”`).join(' and ')}`);
  }

  #guarded<Value>(path: Path, otherwise: Value, work: () => Value): Value {
    try {
      return work();
    } catch (thrown) {
      if (!(thrown instanceof FormulaError)) throw thrown;
      this.#report(path, thrown.message);
      return otherwise;
    }
  }

  #report(path: Path, message: string): void {
    this.#problems.push({ path: formatPath(path), message });
  }
}

function textOrNumber(text: string, path: Path, values: Values): string | number {
  return text.startsWith('=') ? evaluate(text.slice(1), values) : fillText(text, values, PROSE_FIELDS.has(path[0] ?? ''));
}

/**
 * Replaces each `{name}`. Other braces, as in JSON, and `{{name}}`, which a journey fills in, stay unchanged. Throws a {@link FormulaError}
 * for an unknown name.
 */
export function fillText(text: string, values: Values, forPeople: boolean): string {
  return text.replaceAll(/(?<!\{)\{([a-z][A-Za-z0-9]*)\}/g, (_, name: string) => {
    const value = values.get(name);
    if (value === undefined) throw new FormulaError(`“{${name}}” is unknown here`);
    if (typeof value === 'string') return value;
    return forPeople ? numberForPeople(value) : String(value);
  });
}

function numberForPeople(value: number): string {
  return Number.isInteger(value) ? formatCount(value) : formatNumber(value);
}
