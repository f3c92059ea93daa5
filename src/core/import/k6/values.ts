import type { ArrowFunctionExpression, FunctionDeclaration, FunctionExpression } from 'acorn';
import { unescapePlaceholders, type JsonValue } from '../placeholders.ts';
import type { WrittenStep } from '../draft.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';

export type FunctionNode = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression;

/** A part of a response, which a step captures if the script uses it. */
export interface ResponsePart {
  readonly kind: 'found';
  /** Name of the step; null if the response has no step. */
  readonly step: string | null;
  readonly from: 'json' | 'header' | 'cookie' | 'body';
  /** JSONPath, the name of a header or cookie, or a pattern for the body. */
  readonly at: string;
}

export type Check = NonNullable<WrittenStep['checks']>[number];

/** What a check requires of a response. */
export interface ResponseExpectation {
  readonly statuses: readonly number[];
  readonly checks: readonly Check[];
  readonly budgetMs: number | null;
  /** One end of a range of statuses, such as `>=200`. The only range that a plan can express is 200 to 299, its default. */
  readonly limit?: string;
}

/** A value of a script. Texts are plan text: they may have placeholders, and literal text has passed through `escapePlaceholders`. */
export type Value =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'plain'; readonly value: number | boolean | null | undefined }
  | { readonly kind: 'list'; readonly items: Value[] }
  | { readonly kind: 'object'; readonly members: Map<string, Value> }
  /** The result of JSON.stringify. */
  | { readonly kind: 'stringified'; readonly value: Value }
  | { readonly kind: 'response'; readonly step: string | null }
  | ResponsePart
  /** A variable or a column of the plan. `isNumber`: JSON contains it without quotes. */
  | { readonly kind: 'placeholder'; readonly name: string; readonly isNumber: boolean }
  /** A number that each request draws between two limits. */
  | { readonly kind: 'random'; readonly from: number; readonly to: number; readonly isWhole: boolean }
  | { readonly kind: 'file'; readonly path: string }
  /** The rows of a file, and one row. */
  | { readonly kind: 'rows'; readonly path: string; readonly format: 'csv' | 'json' }
  | { readonly kind: 'row'; readonly feed: string }
  /** A member of a list in the script, drawn at random. */
  | { readonly kind: 'drawn'; readonly items: readonly Value[] }
  | { readonly kind: 'length'; readonly of: Value }
  | { readonly kind: 'function'; readonly node: FunctionNode; readonly scope: Scope }
  /** A builtin of k6 or JavaScript by name: `http.get`. */
  | { readonly kind: 'builtin'; readonly name: string; readonly on?: Value }
  /** An element of a page, by its name. */
  | { readonly kind: 'selected'; readonly step: string | null; readonly name: string }
  | { readonly kind: 'pattern'; readonly source: string; readonly flags: string }
  /** A comparison with a part of a response, in a check. */
  | { readonly kind: 'condition'; readonly expected: ResponseExpectation }
  | { readonly kind: 'unknown'; readonly what: string };

export const UNDEFINED_VALUE: Value = { kind: 'plain', value: undefined };

export function unknown(what: string): Value {
  return { kind: 'unknown', what: what.replaceAll(/\s+/g, ' ').slice(0, 60) };
}

export function text(value: string): Value {
  return { kind: 'text', text: value };
}

export function plain(value: number | boolean | null | undefined): Value {
  return { kind: 'plain', value };
}

/** Returns a text without placeholders, unescaped; null for anything else. */
export function plainText(value: Value | undefined): string | null {
  return value?.kind === 'text' && !hasPlaceholders(value.text) ? unescapePlaceholders(value.text) : null;
}

export function numberIn(value: Value | undefined): number | null {
  if (value?.kind === 'plain' && typeof value.value === 'number') return value.value;
  const number = Number(plainText(value) ?? Number.NaN);
  return Number.isFinite(number) ? number : null;
}

/** Returns the truth value of a condition; null if it is known only in a run. */
export function truthOf(value: Value): boolean | null {
  switch (value.kind) {
    case 'plain':
      return Boolean(value.value);
    case 'text':
      return hasPlaceholders(value.text) ? null : value.text !== '';
    case 'list':
    case 'object':
    case 'function':
    case 'builtin':
    case 'rows':
    case 'file':
      return true;
    default:
      return null;
  }
}

export function findMember(value: Value | undefined, name: string): Value | undefined {
  return value?.kind === 'object' ? value.members.get(name) : undefined;
}

/**
 * Maximum number of values within an option. An object may contain another one several times, so a small script can make a large option.
 */
const MAX_CONSTANT_PARTS = 10_000;

/** Returns the error for a script that needs more work than is allowed. */
export function tooMuchToFollow(): RangeError {
  return new RangeError('too much to follow');
}

/** Returns an option value as JSON; undefined if it is known only in a run. */
export function readConstant(value: Value | undefined, budget = { parts: MAX_CONSTANT_PARTS }): JsonValue | undefined {
  budget.parts -= 1;
  if (budget.parts < 0) throw tooMuchToFollow();
  switch (value?.kind) {
    case 'plain':
      return value.value ?? null;
    case 'text':
      return plainText(value) ?? undefined;
    case 'list':
      return value.items.map((item) => readConstant(item, budget) ?? null);
    case 'object':
      return Object.fromEntries(
        [...value.members].flatMap(([name, member]) => {
          const known = readConstant(member, budget);
          return known === undefined ? [] : [[name, known]];
        }),
      );
    default:
      return undefined;
  }
}

/** Names of a function or a block, and of the enclosing scopes. */
export class Scope {
  private readonly names = new Map<string, Value>();
  private readonly outer: Scope | null;

  constructor(outer: Scope | null) {
    this.outer = outer;
  }

  get(name: string): Value | undefined {
    return this.names.get(name) ?? this.outer?.get(name);
  }

  declare(name: string, value: Value): void {
    this.names.set(name, value);
  }

  assign(name: string, value: Value): void {
    if (this.names.has(name) || this.outer === null) this.names.set(name, value);
    else this.outer.assign(name, value);
  }
}
