import { NESTED_TOO_DEEPLY } from '#core/base/text.ts';

const OPERATOR_STRENGTH: ReadonlyMap<string, number> = new Map([
  ['+', 1],
  ['-', 1],
  ['*', 2],
  ['/', 2],
]);
const NEGATION_STRENGTH = 3;
/** Maximum nesting of a formula, because evaluation is recursive. */
const MAX_DEPTH = 50;
const MAX_LENGTH = 1_000;

const FUNCTIONS: ReadonlyMap<string, (...values: number[]) => number> = new Map([
  ['min', Math.min],
  ['max', Math.max],
  ['ceil', (value) => Math.ceil(roundNoise(value))],
  ['floor', (value) => Math.floor(roundNoise(value))],
  ['round', (value) => Math.round(roundNoise(value))],
]);

/** A problem in a formula. The message follows "The formula … cannot be used: ". */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
}

/**
 * Evaluates the arithmetic in presets: numbers, names, + − * /, brackets, and min, max, ceil, floor, round. Uses precedence climbing
 * (Pratt) instead of JavaScript's evaluation, because presets are untrusted data and must not become code. Throws a {@link FormulaError},
 * also for unknown names, names of texts, and results that are not finite.
 */
export function evaluate(formula: string, values: ReadonlyMap<string, number | string>): number {
  if (formula.length > MAX_LENGTH) throw new FormulaError(`it has ${formula.length} characters; the limit is ${MAX_LENGTH}`);
  const value = new Evaluation(readTokens(formula), values).parseWhole();
  if (!Number.isFinite(value)) throw new FormulaError('it divides by zero or overflows');
  return Number.isInteger(value) ? value : roundNoise(value);
}

/** Removes rounding errors. Without this, 750 / 5 × 0.1 would be 15.000000000000002 and round up to 16. */
function roundNoise(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) : value;
}

function readTokens(text: string): string[] {
  const found: string[] = [];
  const pattern = /\s*(\d+(?:\.\d+)?|[A-Za-z][A-Za-z0-9]*|[-+*/(),])/y;
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex;
    const token = pattern.exec(text)?.[1];
    if (token === undefined) throw new FormulaError(`“${text.slice(at).trim().slice(0, 10)}” does not belong in a formula`);
    found.push(token);
  }
  return found;
}

class Evaluation {
  private readonly tokens: readonly string[];
  private readonly values: ReadonlyMap<string, number | string>;
  private position = 0;

  constructor(tokens: readonly string[], values: ReadonlyMap<string, number | string>) {
    this.tokens = tokens;
    this.values = values;
  }

  parseWhole(): number {
    const value = this.expression(0, 0);
    if (this.next !== undefined) throw new FormulaError(`“${this.next}” comes after its end`);
    return value;
  }

  private get next(): string | undefined {
    return this.tokens[this.position];
  }

  /** Evaluates operations whose precedence is higher than `strength`. */
  private expression(strength: number, depth: number): number {
    if (depth > MAX_DEPTH) throw new FormulaError(NESTED_TOO_DEEPLY);
    let left = this.operand(depth);
    for (;;) {
      const operator = this.next ?? '';
      const own = OPERATOR_STRENGTH.get(operator) ?? 0;
      if (own <= strength) return left;
      this.position += 1;
      const right = this.expression(own, depth + 1);
      left = operator === '+' ? left + right : operator === '-' ? left - right : operator === '*' ? left * right : left / right;
    }
  }

  private operand(depth: number): number {
    const token = this.next;
    if (token === undefined) throw new FormulaError('it ends too early');
    this.position += 1;
    if (/^\d/.test(token)) return Number(token);
    if (/^[A-Za-z]/.test(token)) return this.next === '(' ? this.call(token, depth) : this.valueOf(token);
    if (token === '-') return -this.expression(NEGATION_STRENGTH, depth + 1);
    if (token !== '(') throw new FormulaError(`“${token}” is where a number should be`);
    const innerValue = this.expression(0, depth + 1);
    this.expect(')');
    return innerValue;
  }

  private valueOf(name: string): number {
    const value = this.values.get(name);
    if (value === undefined) throw new FormulaError(`“${name}” is unknown here`);
    if (typeof value === 'string') throw new FormulaError(`“${name}” is text, not a number`);
    return value;
  }

  private call(name: string, depth: number): number {
    const made = FUNCTIONS.get(name);
    if (!made) throw new FormulaError(`there is no function “${name}” (there are ${[...FUNCTIONS.keys()].join(', ')})`);
    const operands: number[] = [];
    do {
      this.position += 1;
      operands.push(this.expression(0, depth + 1));
    } while (this.next === ',');
    this.expect(')');
    if (operands.length > 1 && name !== 'min' && name !== 'max') throw new FormulaError(`“${name}” takes one number`);
    return made(...operands);
  }

  private expect(text: string): void {
    if (this.next !== text) throw new FormulaError(`“${text}” is missing`);
    this.position += 1;
  }
}
