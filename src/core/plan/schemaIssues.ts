import { z } from 'zod';
import { getOwn } from '#core/base/ownMembers.ts';
import { limitIssues, didYouMean, type Issue, MAX_ISSUES } from './issues.ts';

const MAX_NAME_LENGTH = 200;

/** Earlier names of plan fields, each with its current name. docs/plan.md contains the same table. */
export const RENAMED_FIELDS: Readonly<Record<string, string>> = { objectives: 'criteria', limitMs: 'maxMs' };

/** Formats a path: `load.stages[0].connections`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`;
    const name = clipText(String(part), MAX_NAME_LENGTH);
    return text === '' ? name : `${text}.${name}`;
  }, '');
}

/** Converts schema errors of `value` to issues for the author: the first ones, and the number of the others. */
export function schemaIssues(error: z.ZodError, schema: z.ZodType, value: unknown): Issue[] {
  const faults = [...listFaults(error.issues, value)];
  return limitIssues(
    faults.slice(0, MAX_ISSUES).map((fault) => describeIssue(fault, schema, value)),
    faults.length,
  );
}

/** Yields single errors: one for each unknown name, and those of the most likely member of a union. */
function* listFaults(issues: readonly z.core.$ZodIssue[], value: unknown, above: readonly PropertyKey[] = []): Generator<z.core.$ZodIssue> {
  for (const issue of issues) {
    const path = [...above, ...issue.path];
    const nearest =
      issue.code === 'invalid_union' && issue.discriminator === undefined ? findNearestMember(issue, findValue(value, path)) : null;
    if (nearest !== null) yield* listFaults(nearest, value, path);
    else if (issue.code === 'unrecognized_keys') for (const key of issue.keys) yield { ...issue, path, keys: [key] };
    else yield { ...issue, path };
  }
}

function describeIssue(issue: z.core.$ZodIssue, schema: z.ZodType, value: unknown): Issue {
  const path = formatPath(issue.path);
  const invalidValue = findValue(value, issue.path);
  const name = path === '' ? 'It' : `“${path}”`;
  const problem = (code: string, message: string, hint: string): Issue => ({ level: 'error', code, path, message, hint });
  switch (issue.code) {
    case 'unrecognized_keys': {
      const [key = ''] = issue.keys;
      const keys = listKeys(schema, issue.path);
      const renamed = getOwn(RENAMED_FIELDS, key);
      const unknown =
        renamed !== undefined && keys.includes(renamed)
          ? problem('RENAMED_KEY', `The name ${quoteValue(key)} is now ${quoteValue(renamed)}.`, `Write ${quoteValue(renamed)} instead.`)
          : problem('UNKNOWN_KEY', `The name ${quoteValue(key)} is unknown here.`, didYouMean(key, keys));
      return { ...unknown, path: formatPath([...issue.path, key]) };
    }
    case 'invalid_type':
      if (invalidValue === undefined) return problem('MISSING', `${name} is missing.`, `Add ${withArticle(issue.expected)}.`);
      return problem('WRONG_TYPE', `${name} is ${kindOf(invalidValue)}.`, `Write ${withArticle(issue.expected)}.`);
    case 'too_small':
      return problem('TOO_SMALL', `${name} is too small.`, boundHint(issue.origin, 'at least', issue.minimum, issue.inclusive !== false));
    case 'too_big':
      return problem('TOO_LARGE', `${name} is too large.`, boundHint(issue.origin, 'at most', issue.maximum, issue.inclusive !== false));
    case 'invalid_value': {
      const allowed = issue.values.map(String);
      if (invalidValue === undefined) return problem('MISSING', `${name} is missing.`, `Write one of: ${allowed.join(', ')}.`);
      return problem('NOT_ONE_OF', `${name} cannot be ${quoteValue(invalidValue)}.`, didYouMean(textOf(invalidValue), allowed));
    }
    case 'invalid_union':
      return describeUnionIssue(issue, invalidValue, problem, name);
    case 'invalid_format':
    case 'custom':
      return problem('NOT_VALID', formatExpected(name), issue.message);
    case 'invalid_key':
      return problem('BAD_NAME', `The name ${name} cannot be used.`, issue.issues[0]?.message ?? 'Use letters, digits and - only.');
    case 'not_multiple_of':
    case 'invalid_element':
      return problem('NOT_VALID', `${name} cannot be used.`, issue.message);
    default:
      return issue satisfies never;
  }
}

type MakeProblem = (code: string, message: string, hint: string) => Issue;

function describeUnionIssue(issue: z.core.$ZodIssueInvalidUnion, writtenValue: unknown, problem: MakeProblem, name: string): Issue {
  if (issue.discriminator !== undefined) {
    const key = issue.discriminator;
    const options = 'options' in issue && Array.isArray(issue.options) ? issue.options.map(String) : [];
    const written = writtenValue;
    if (written === undefined) return problem('MISSING', `${name} is missing.`, `Write one of: ${options.join(', ')}.`);
    return problem(
      'NOT_ONE_OF',
      `${name} cannot be ${quoteValue(written)}.`,
      options.length > 0 ? didYouMean(textOf(written), options) : `Check “${key}”.`,
    );
  }
  const kinds = issue.errors
    .flat()
    .flatMap((inner) => (inner.code === 'invalid_type' && inner.path.length === 0 ? [withArticle(inner.expected)] : []));
  const others = issue.errors.flat().flatMap((inner) => (inner.code === 'invalid_type' ? [] : [inner.message]));
  const hint = kinds.length > 1 || others.length === 0 ? `Write ${[...new Set(kinds)].join(' or ')}.` : [...new Set(others)].join(' Or: ');
  return problem('NOT_VALID', formatExpected(name), clipText(hint, MAX_HINT_LENGTH));
}

const MAX_HINT_LENGTH = 500;

/**
 * Returns the errors of the most likely member of a union: of those that know at least one written name, the one that knows
 * most. null if undecidable.
 */
function findNearestMember({ errors }: z.core.$ZodIssueInvalidUnion, writtenValue: unknown): z.core.$ZodIssue[] | null {
  if (typeof writtenValue !== 'object' || writtenValue === null || Array.isArray(writtenValue)) return null;
  const written = Object.keys(writtenValue).length;
  const blocks = errors
    .map((issues) => ({ issues, unknown: countUnknownKeys(issues) }))
    .filter(({ issues, unknown }) => unknown < written && !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0))
    .toSorted((one, other) => one.unknown - other.unknown || one.issues.length - other.issues.length);
  return blocks[0]?.issues ?? null;
}

function countUnknownKeys(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys.length : 0), 0);
}

function boundHint(origin: string, words: string, bound: number | bigint, inclusive: boolean): string {
  const limit = inclusive ? `${words} ${bound}` : `${words === 'at least' ? 'more than' : 'less than'} ${bound}`;
  if (origin === 'string') return `Use ${limit} characters.`;
  if (origin === 'array') return `Use ${limit} entries.`;
  return `Use ${limit}.`;
}

const BLOCK_NOUN = 'a block of names and values';

function formatExpected(name: string): string {
  return `${name} is not valid.`;
}

function withArticle(expected: string): string {
  const words: Record<string, string> = {
    string: 'a text',
    number: 'a number',
    int: 'a whole number',
    boolean: 'true or false',
    array: 'a list',
    object: BLOCK_NOUN,
    record: BLOCK_NOUN,
  };
  return getOwn(words, expected) ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return BLOCK_NOUN;
  return `${quoteValue(value)}, ${typeof value === 'string' ? 'a text' : `a ${typeof value}`}`;
}

function quoteValue(value: unknown): string {
  return `“${clipText(textOf(value), 40)}”`;
}

function clipText(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** Returns the value at a path; undefined if missing. */
export function findValue(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inside, part) =>
      typeof inside === 'object' && inside !== null && Object.hasOwn(inside, part) ? Reflect.get(inside, part) : undefined,
    value,
  );
}

/** Returns the names that a schema knows at a path; for a union, of all members. */
function listKeys(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return listKeys(schema.unwrap(), path);
  }
  if (schema instanceof z.ZodUnion) return [...new Set(schema.options.flatMap((option) => listKeys(option, path)))];
  const [first, ...rest] = path;
  if (schema instanceof z.ZodObject) {
    if (first === undefined) return Object.keys(schema.shape);
    const member: unknown = getOwn(schema.shape, String(first));
    return member instanceof z.ZodType ? listKeys(member, rest) : [];
  }
  if (schema instanceof z.ZodArray && first !== undefined) return listKeys(schema.element, rest);
  if (schema instanceof z.ZodRecord && first !== undefined) return listKeys(schema.valueType, rest);
  return [];
}

/** Avoids `String`: an object of a plan may have a `toString` that is not a function. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
