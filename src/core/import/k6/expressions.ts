import type { AnyNode, CallExpression, Expression, Pattern } from 'acorn';
import { getOwn } from '#core/base/ownMembers.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { valueOfMember } from './builtins.ts';
import { comparison, readExpectation, combineExpectations, negateExpectation } from './checks.ts';
import { isShort, type Requests } from './requests.ts';
import {
  UNDEFINED_VALUE,
  numberIn,
  plain,
  plainText,
  type ResponseExpectation,
  type FunctionNode,
  type Scope,
  text,
  truthOf,
  unknown,
  type Value,
} from './values.ts';

export abstract class Expressions {
  protected readonly requests: Requests;
  protected readonly source: string;
  private readonly feeds = new Map<string, string>();
  /** Whether the function of a check is being evaluated. Comparisons with its response then become conditions. */
  protected isInCheck = false;

  constructor(requests: Requests, source: string) {
    this.requests = requests;
    this.source = source;
  }

  protected abstract call(node: CallExpression, scope: Scope): Value;
  protected abstract callFunction(node: FunctionNode, outer: Scope, args: readonly Value[]): Value;

  protected bind(pattern: Pattern, value: Value, scope: Scope): void {
    if (pattern.type === 'Identifier') scope.declare(pattern.name, value);
    else if (pattern.type === 'AssignmentPattern')
      this.bind(pattern.left, isMissing(value) ? this.value(pattern.right, scope) : value, scope);
    else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties)
        if (property.type === 'Property') this.bind(property.value, valueOfMember(value, this.keyOf(property, scope)), scope);
    } else if (pattern.type === 'ArrayPattern')
      for (const [index, element] of pattern.elements.entries())
        if (element !== null) this.bind(element, valueOfMember(value, String(index)), scope);
  }

  protected keyOf(property: { key: AnyNode; computed: boolean }, scope: Scope): string {
    if (!property.computed && property.key.type === 'Identifier') return property.key.name;
    const key = this.value(property.key as Expression, scope);
    return plainText(key) ?? String(numberIn(key) ?? '');
  }

  /** Returns the value of an expression. Adds the requests that the expression sends, in order. */
  value(node: Expression, scope: Scope): Value {
    this.spend();
    switch (node.type) {
      case 'Literal':
        if (node.regex != null) return { kind: 'pattern', source: node.regex.pattern, flags: node.regex.flags };
        if (typeof node.value === 'string') return text(escapePlaceholders(node.value));
        return typeof node.value === 'number' || typeof node.value === 'boolean' ? plain(node.value) : plain(null);
      case 'TemplateLiteral':
        return this.template(node, scope);
      case 'Identifier':
        if (node.name === 'undefined') return UNDEFINED_VALUE;
        return scope.get(node.name) ?? { kind: 'builtin', name: node.name };
      case 'ArrayExpression':
        return { kind: 'list', items: node.elements.flatMap((element) => this.element(element, scope)) };
      case 'ObjectExpression':
        return this.object(node, scope);
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
        return { kind: 'function', node, scope };
      case 'MemberExpression':
        return this.member(node, scope);
      case 'ChainExpression':
        return this.value(node.expression, scope);
      case 'AwaitExpression':
        return this.value(node.argument, scope);
      case 'ParenthesizedExpression':
        return this.value(node.expression, scope);
      case 'CallExpression':
        return this.call(node, scope);
      case 'NewExpression':
        return this.create(node.callee as Expression, node.arguments as Expression[], scope);
      case 'TaggedTemplateExpression':
        return this.template(node.quasi, scope);
      case 'AssignmentExpression':
        return this.assign(node, scope);
      case 'ConditionalExpression': {
        const truth = truthOf(this.value(node.test, scope));
        if (this.isInCheck) return unknown('?');
        if (truth === null)
          this.requests.draft.noteChanged(formatLine(node), this.noteOfCondition(node.test), 'The plan takes the first value.');
        return this.value(truth === false ? node.alternate : node.consequent, scope);
      }
      case 'LogicalExpression':
        return this.logical(node, scope);
      case 'BinaryExpression':
        return node.left.type === 'PrivateIdentifier'
          ? unknown('in')
          : this.binary(node.operator, this.value(node.left, scope), this.value(node.right, scope), lineNumber(node));
      case 'UnaryExpression': {
        const value = this.value(node.argument, scope);
        const [truth, number] = [truthOf(value), numberIn(value)];
        const expected = this.isInCheck && node.operator === '!' ? readExpectation(value) : null;
        if (expected !== null) return condition(negateExpectation(expected));
        if (node.operator === '!') return truth === null ? unknown('!') : plain(!truth);
        return number === null ? unknown(node.operator) : plain(node.operator === '-' ? -number : number);
      }
      case 'SequenceExpression':
        return node.expressions.map((one) => this.value(one, scope)).at(-1) ?? UNDEFINED_VALUE;
      case 'UpdateExpression':
        return this.update(node, scope);
      default:
        return unknown(this.codeOf(node));
    }
  }

  protected element(element: Expression | { type: 'SpreadElement'; argument: Expression } | null, scope: Scope): Value[] {
    if (element === null) return [UNDEFINED_VALUE];
    if (element.type !== 'SpreadElement') return [this.value(element as Expression, scope)];
    const spread = this.value(element.argument, scope);
    // Work is limited, because a list that is spread into itself doubles with each line.
    if (spread.kind === 'list') this.requests.spend(spread.items.length);
    return spread.kind === 'list' ? spread.items : [unknown('...')];
  }

  protected object(node: Extract<Expression, { type: 'ObjectExpression' }>, scope: Scope): Value {
    const members = new Map<string, Value>();
    for (const property of node.properties) {
      if (property.type === 'Property') members.set(this.keyOf(property, scope), this.value(property.value, scope));
      else {
        const spread = this.value(property.argument, scope);
        if (spread.kind === 'object') this.requests.spend(spread.members.size);
        if (spread.kind === 'object') for (const [name, member] of spread.members) members.set(name, member);
        else this.leaveOut(property, `“${this.codeOf(property)}” is unknown.`);
      }
    }
    return { kind: 'object', members };
  }

  protected template({ quasis, expressions }: Extract<Expression, { type: 'TemplateLiteral' }>, scope: Scope): Value {
    let joined = '';
    for (const [index, quasi] of quasis.entries()) {
      joined += escapePlaceholders(quasi.value.cooked ?? quasi.value.raw);
      const expression = expressions[index];
      if (expression !== undefined) joined += this.requests.textOf(this.value(expression, scope), lineNumber(expression));
    }
    return isShort(joined) ? text(joined) : unknown('a long text');
  }

  protected member(node: Extract<Expression, { type: 'MemberExpression' }>, scope: Scope): Value {
    if (node.object.type === 'Super' || node.property.type === 'PrivateIdentifier') return unknown(this.codeOf(node));
    const on = this.value(node.object, scope);
    if (node.computed) {
      const index = this.value(node.property, scope);
      if ((on.kind === 'list' || on.kind === 'rows') && numberIn(index) === null) return this.readDrawnItem(on, index, node);
      const name = plainText(index) ?? numberIn(index);
      return name === null ? unknown(this.codeOf(node)) : this.readOwnProperty(on, String(name), node);
    }
    return this.readOwnProperty(on, node.property.type === 'Identifier' ? node.property.name : '', node);
  }

  protected readOwnProperty(on: Value, name: string, node: AnyNode): Value {
    if (on.kind === 'builtin' && on.name === '__ENV') return unknown(name);
    if (on.kind === 'rows' && /^\d+$/.test(name)) return this.row(on, 'sequential', node);
    return valueOfMember(on, name);
  }

  /** Returns a list member at an index that is known only in a run: a random index, or one for each user or iteration. */
  protected readDrawnItem(on: Extract<Value, { kind: 'list' | 'rows' }>, index: Value, node: AnyNode): Value {
    const isRandom = index.kind === 'random' || /random/i.test(this.codeOf(node));
    if (on.kind === 'rows') return this.row(on, isRandom ? 'random' : 'sequential', node);
    if (!isRandom)
      this.requests.draft.noteChanged(
        formatLine(node),
        'Users and rounds take the members of a list in turn.',
        'The plan draws them at random.',
      );
    return { kind: 'drawn', items: on.items };
  }

  protected row(rows: Extract<Value, { kind: 'rows' }>, order: 'random' | 'sequential', node: AnyNode): Value {
    const file = rows.format === 'json' ? rows.path.replace(/\.json$/i, '.jsonl') : rows.path;
    const known = this.feeds.get(file);
    if (known !== undefined) return { kind: 'row', feed: known };
    if (rows.format === 'json')
      this.requests.draft.noteChanged(
        formatLine(node),
        `Values come from ${rows.path.slice(0, 80)}, a list of JSON.`,
        `The plan reads ${file.slice(0, 80)}. Write each row of the list as a line of JSON there.`,
      );
    const feed = this.requests.draft.feed(file.split('/').at(-1)?.split('.')[0] ?? 'rows', { file, order });
    this.feeds.set(file, feed);
    return { kind: 'row', feed };
  }

  protected logical(node: Extract<Expression, { type: 'LogicalExpression' }>, scope: Scope): Value {
    const left = this.value(node.left, scope);
    if (this.isInCheck && node.operator !== '??')
      return condition(combineExpectations(node.operator, readExpectation(left), readExpectation(this.value(node.right, scope))));
    const isEnvironment = /^__ENV\b/.test(this.codeOf(node.left));
    if (node.operator === '||' || node.operator === '??') {
      if (isEnvironment) {
        const value = this.value(node.right, scope);
        this.requests.draft.noteAssumed(
          formatLine(node),
          `${this.codeOf(node.left)} has a default in the script.`,
          'The plan contains the default.',
        );
        return value;
      }
      const truth = node.operator === '??' ? !isMissing(left) : truthOf(left);
      return truth === false ? this.value(node.right, scope) : left;
    }
    return truthOf(left) === false ? left : this.value(node.right, scope);
  }

  protected binary(operator: string, left: Value, right: Value, line: number): Value {
    const [one, other] = [countIn(left), countIn(right)];
    const expected = this.isInCheck ? comparison(operator, left, right) : null;
    if (expected !== null) return condition(expected);
    const isText = one.kind === 'text' || other.kind === 'text';
    if (operator === '+' && (isText || !isNumeric(one) || !isNumeric(other))) {
      const joined = this.requests.textOf(one, line) + this.requests.textOf(other, line);
      return isShort(joined) ? text(joined) : unknown('a long text');
    }
    const [first, second] = [numberIn(one), numberIn(other)];
    if (first !== null && second !== null && one.kind === 'plain' && other.kind === 'plain') {
      const compared = getOwn(COMPARISON_OPERATORS, operator);
      if (compared !== undefined) return plain(compared(first, second));
      const computed = getOwn(NUMBER_OPERATORS, operator)?.(first, second);
      return computed === undefined || !Number.isFinite(computed) ? unknown(operator) : plain(computed);
    }
    if (one.kind === 'random' && second !== null) return randomWith(one, operator, second);
    if (other.kind === 'random' && first !== null && (operator === '+' || operator === '*')) return randomWith(other, operator, first);
    const [a, b] = [plainText(one), plainText(other)];
    if (a !== null && b !== null && /^[!=]==?$/.test(operator)) return plain((a === b) === operator.startsWith('='));
    return unknown(operator);
  }

  protected assign(node: Extract<Expression, { type: 'AssignmentExpression' }>, scope: Scope): Value {
    const given = this.value(node.right, scope);
    if (node.left.type === 'Identifier') {
      const value =
        node.operator === '='
          ? given
          : this.binary(node.operator.slice(0, -1), scope.get(node.left.name) ?? UNDEFINED_VALUE, given, lineNumber(node));
      scope.assign(node.left.name, value);
      return value;
    }
    if (node.left.type === 'MemberExpression' && node.left.object.type !== 'Super') {
      const on = this.value(node.left.object, scope);
      if (on.kind === 'object' && node.left.property.type !== 'PrivateIdentifier') {
        const name = this.keyOf({ key: node.left.property, computed: node.left.computed }, scope);
        on.members.set(
          name,
          node.operator === '='
            ? given
            : this.binary(node.operator.slice(0, -1), on.members.get(name) ?? UNDEFINED_VALUE, given, lineNumber(node)),
        );
        return given;
      }
      if (this.codeOf(node.left) === 'module.exports') return given;
    }
    this.leaveOut(node, `“${this.codeOf(node)}” is not followed.`);
    return given;
  }

  protected update(node: Extract<Expression, { type: 'UpdateExpression' }>, scope: Scope): Value {
    if (node.argument.type !== 'Identifier') return unknown(this.codeOf(node));
    const number = numberIn(scope.get(node.argument.name));
    const value = number === null ? unknown(node.argument.name) : plain(number + (node.operator === '++' ? 1 : -1));
    scope.assign(node.argument.name, value);
    return value;
  }

  protected create(callee: Expression, given: Expression[], scope: Scope): Value {
    const called = this.value(callee, scope);
    const name = called.kind === 'builtin' ? called.name : '';
    const args = given.map((arg) => this.value(arg, scope));
    if (name === 'SharedArray') {
      const made = args[1];
      const list = made?.kind === 'function' ? this.callFunction(made.node, made.scope, []) : UNDEFINED_VALUE;
      return list.kind === 'list' || list.kind === 'rows' ? list : unknown('SharedArray');
    }
    if (name === 'Date') {
      const variable = this.requests.draft.variable('time', { kind: 'timestamp', unit: 'iso' });
      return args.length === 0 ? { kind: 'placeholder', name: variable, isNumber: false } : unknown('Date');
    }
    if (/^(?:Counter|Gauge|Rate|Trend)$/.test(name)) return { kind: 'builtin', name: 'metric' };
    if (name === 'URL' || name === 'String' || name === 'Number') return args[0] ?? UNDEFINED_VALUE;
    return unknown(name === '' ? 'new' : name);
  }

  protected leaveOut(node: AnyNode, what: string, instead?: string): void {
    this.requests.draft.noteLeftOut(formatLine(node), what, instead);
  }

  protected codeOf({ start, end }: { start: number; end: number }): string {
    // Quoted text may be a secret.
    const code = this.source
      .slice(start, Math.min(end, start + 2_000))
      .replaceAll(/(?<quote>["'`])(?:\\.|(?!\k<quote>)[^\\])*(?:\k<quote>|$)/g, '…')
      .replaceAll(/\s+/g, ' ');
    return code.length > 60 ? `${code.slice(0, 60)}…` : code;
  }

  protected noteOfCondition(test: Expression): string {
    return `Whether “${this.codeOf(test)}” is decided by the run.`;
  }

  protected spend(): void {
    this.requests.spend(1);
  }
}

function condition(expected: ResponseExpectation | null): Value {
  return expected === null ? unknown('condition') : { kind: 'condition', expected };
}

export const COMPARISON_OPERATORS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
  '==': (one, other) => one === other,
  '===': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '!==': (one, other) => one !== other,
};

const NUMBER_OPERATORS: Readonly<Record<string, (one: number, other: number) => number>> = {
  '+': (one, other) => one + other,
  '-': (one, other) => one - other,
  '*': (one, other) => one * other,
  '/': (one, other) => one / other,
  '%': (one, other) => one % other,
  '**': (one, other) => one ** other,
};

function randomWith(random: Extract<Value, { kind: 'random' }>, operator: string, number: number): Value {
  const compute = getOwn(NUMBER_OPERATORS, operator);
  if (compute === undefined || !/^[-+*/]$/.test(operator)) return unknown(operator);
  return { ...random, from: compute(random.from, number), to: compute(random.to, number) };
}

export function countIn(value: Value): Value {
  return value.kind === 'length' && value.of.kind === 'list' ? plain(value.of.items.length) : value;
}

function isNumeric(value: Value): boolean {
  return value.kind === 'plain' || value.kind === 'random' || value.kind === 'length';
}

function isMissing(value: Value): boolean {
  return value.kind === 'plain' && (value.value === undefined || value.value === null);
}

export function lineNumber(node: { loc?: { start: { line: number } } | null }): number {
  return node.loc?.start.line ?? 0;
}

export function formatLine(node: { loc?: { start: { line: number } } | null }): string {
  return `line ${lineNumber(node)}`;
}
