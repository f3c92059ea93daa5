import { NESTED_TOO_DEEPLY } from '#core/base/text.ts';

/**
 * Arithmetic of presets: numbers, names, + − * /, brackets, and min, max, ceil, floor, round. Uses a precedence-climbing (Pratt) parser instead of
 * JavaScript's evaluation, because presets are untrusted data and must not become code.
 */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'negate'; readonly operand: Expression }
  | { readonly kind: 'operation'; readonly operator: Operator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly operands: readonly Expression[] };

type Operator = '+' | '-' | '*' | '/';
type FunctionName = keyof typeof FUNCTIONS;

const STRENGTH: Readonly<Record<Operator, number>> = { '+': 1, '-': 1, '*': 2, '/': 2 };
const NEGATION_STRENGTH = 3;
/** Maximum nesting; the parser is recursive. */
const MAX_DEPTH = 50;
/** Maximum length of a formula; evaluation is recursive in the number of operations. */
const MAX_LENGTH = 1_000;

const FUNCTIONS = {
  min: (...values: number[]) => Math.min(...values),
  max: (...values: number[]) => Math.max(...values),
  ceil: (value: number) => Math.ceil(withoutNoise(value)),
  floor: (value: number) => Math.floor(withoutNoise(value)),
  round: (value: number) => Math.round(withoutNoise(value)),
} as const;

/** A problem of a formula; the message follows "The formula … cannot be used: ". */
export class FormulaError extends Error {
  override readonly name = 'FormulaError';
}

/** Parses a formula. Throws a {@link FormulaError}. */
export function parseExpression(text: string): Expression {
  if (text.length > MAX_LENGTH) throw new FormulaError(`it has ${text.length} characters; the limit is ${MAX_LENGTH}`);
  const parser = new Parser(tokens(text));
  const expression = parser.expression(0, 0);
  parser.expectEnd();
  return expression;
}

/** Evaluates a formula. Throws a {@link FormulaError} for unknown names and results that are not finite. */
export function evaluate(expression: Expression, values: ReadonlyMap<string, number>): number {
  const value = valueOf(expression, values);
  if (!Number.isFinite(value)) throw new FormulaError('it divides by zero or overflows');
  return value;
}

/** Returns every name in a formula. */
export function namesIn(expression: Expression): string[] {
  switch (expression.kind) {
    case 'number':
      return [];
    case 'name':
      return [expression.name];
    case 'negate':
      return namesIn(expression.operand);
    case 'operation':
      return [...namesIn(expression.left), ...namesIn(expression.right)];
    case 'call':
      return expression.operands.flatMap(namesIn);
    default:
      return expression satisfies never;
  }
}

function valueOf(expression: Expression, values: ReadonlyMap<string, number>): number {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'name': {
      const value = values.get(expression.name);
      if (value === undefined) throw new FormulaError(`“${expression.name}” is unknown here`);
      return value;
    }
    case 'negate':
      return -valueOf(expression.operand, values);
    case 'operation':
      return operate(expression.operator, valueOf(expression.left, values), valueOf(expression.right, values));
    case 'call':
      return call(
        expression.name,
        expression.operands.map((operand) => valueOf(operand, values)),
      );
    default:
      return expression satisfies never;
  }
}

function operate(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return left / right;
    default:
      return operator satisfies never;
  }
}

function call(name: FunctionName, values: readonly number[]): number {
  const [first = Number.NaN] = values;
  return name === 'min' || name === 'max' ? FUNCTIONS[name](...values) : FUNCTIONS[name](first);
}

/** Removes rounding errors: 750 / 5 × 0.1 would be 15.000000000000002, and round up to 16. */
function withoutNoise(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) : value;
}

type Token = { readonly kind: 'number' | 'name' | 'sign'; readonly text: string };

function tokens(text: string): Token[] {
  const found: Token[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z][A-Za-z0-9]*)|([-+*/(),]))/y;
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) throw new FormulaError(`“${text.slice(at).trim().slice(0, 10)}” does not belong in a formula`);
    const [, number, name, sign] = match;
    if (number !== undefined) found.push({ kind: 'number', text: number });
    else if (name !== undefined) found.push({ kind: 'name', text: name });
    else found.push({ kind: 'sign', text: sign ?? '' });
  }
  return found;
}

class Parser {
  private readonly source: readonly Token[];
  private position = 0;

  constructor(source: readonly Token[]) {
    this.source = source;
  }

  /** Parses operations with a higher precedence than `strength`. */
  expression(strength: number, depth: number): Expression {
    if (depth > MAX_DEPTH) throw new FormulaError(NESTED_TOO_DEEPLY);
    let left = this.operand(depth);
    for (;;) {
      const operator = asOperator(this.peek());
      if (operator === null || STRENGTH[operator] <= strength) return left;
      this.position += 1;
      left = { kind: 'operation', operator, left, right: this.expression(STRENGTH[operator], depth + 1) };
    }
  }

  expectEnd(): void {
    const rest = this.peek();
    if (rest) throw new FormulaError(`“${rest.text}” comes after its end`);
  }

  private operand(depth: number): Expression {
    const token = this.source[this.position];
    if (!token) throw new FormulaError('it ends too early');
    this.position += 1;
    if (token.kind === 'number') return { kind: 'number', value: Number(token.text) };
    if (token.kind === 'name') return this.peek()?.text === '(' ? this.call(token.text, depth) : { kind: 'name', name: token.text };
    if (token.text === '-') return { kind: 'negate', operand: this.expression(NEGATION_STRENGTH, depth + 1) };
    if (token.text === '(') {
      const inside = this.expression(0, depth + 1);
      this.expect(')');
      return inside;
    }
    throw new FormulaError(`“${token.text}” is where a number should be`);
  }

  private call(name: string, depth: number): Expression {
    if (!isFunctionName(name)) throw new FormulaError(`there is no function “${name}” (there are ${Object.keys(FUNCTIONS).join(', ')})`);
    this.expect('(');
    const operands = [this.expression(0, depth + 1)];
    while (this.peek()?.text === ',') {
      this.position += 1;
      operands.push(this.expression(0, depth + 1));
    }
    this.expect(')');
    if (operands.length > 1 && name !== 'min' && name !== 'max') throw new FormulaError(`“${name}” takes one number`);
    return { kind: 'call', name, operands };
  }

  private expect(text: string): void {
    if (this.peek()?.text !== text) throw new FormulaError(`“${text}” is missing`);
    this.position += 1;
  }

  private peek(): Token | undefined {
    return this.source[this.position];
  }
}

function asOperator(token: Token | undefined): Operator | null {
  switch (token?.text) {
    case '+':
    case '-':
    case '*':
    case '/':
      return token.text;
    default:
      return null;
  }
}

function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}
