import { literal } from '#core/import/placeholders.ts';
import type { Argument, Expression, PythonClass, PythonFunction, Statement } from './syntax.ts';
import { PythonProblem } from './tokens.ts';
import {
  combined,
  type Dictionary,
  entryOf,
  isList,
  isTrue,
  isUnknown,
  listOf,
  methodResult,
  plainText,
  textOf,
  unknown,
  type Value,
} from './values.ts';

export interface GivenArguments {
  readonly values: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Handles calls to functions outside the program. Each function returns null if the result is unknown. */
export interface Outside {
  /** Handles a method of the test that the program does not define. */
  callOnTest(name: string, given: GivenArguments, line: number): Value | null;
  callFunction(name: string, given: GivenArguments, line: number): Value | null;
  /** Notes a condition that is known only in a run. The interpreter takes its first branch. */
  noteCondition(line: number, what: string): void;
  noteAssertion(test: Value | 'unread', line: number): void;
  /** Handles the condition `text in self.getBody()`; returns false if a plan cannot check it. */
  checkBody(text: Value, isThere: boolean, line: number): void;
  /** Runs each iteration separately, and merges consecutive equal iterations into a repetition. */
  loop(iterations: number, iterate: (iteration: number) => boolean, line: number): void;
}

const PART_OF_VALUE = 'a part of a value';
const MAX_OPERATIONS = 200_000;
const MAX_CALL_DEPTH = 30;
const MAX_ITERATIONS = 1_000;

type Left = 'end' | 'break' | 'continue' | 'raise' | { readonly returned: Value };
type Names = Map<string, Value>;

/** Interprets a program symbolically. Makes no real calls, opens no files or connections, and limits its work. */
export class Interpreter {
  private readonly outside: Outside;
  private readonly globals: Names = new Map();
  private readonly classes = new Map<string, PythonClass>();
  private readonly members: Names = new Map();
  private operations = 0;
  private depth = 0;
  private readonly methods = new Map<string, PythonFunction>();

  constructor(program: readonly Statement[], outside: Outside) {
    this.outside = outside;
    // The test tool imports the module; it is not the main program.
    this.globals.set('__name__', 'test');
    this.run(program, this.globals);
  }

  /** Classes with test methods, in source order. */
  get tests(): { readonly name: string; readonly tests: readonly string[] }[] {
    return [...this.classes.values()].map((made) => ({
      name: made.name,
      tests: [...this.methodsOf(made).keys()].filter((name) => name.startsWith('test')),
    }));
  }

  /** Uses the methods and members of a class for `self`. */
  become(name: string): void {
    const made = this.classes.get(name);
    if (made === undefined) return;
    for (const [method, found] of this.methodsOf(made)) this.methods.set(method, found);
    for (const one of this.lineage(made))
      this.run(
        one.body.filter(({ kind }) => kind === 'assignment'),
        this.members,
      );
  }

  /** Calls a test method without arguments, if it exists. */
  callTest(name: string, line = 0): void {
    const made = this.methods.get(name);
    if (made !== undefined) this.call(made, { values: [{ kind: 'self' }], named: new Map() }, line);
  }

  private lineage(made: PythonClass): PythonClass[] {
    const found: PythonClass[] = [];
    for (let one: PythonClass | undefined = made; one !== undefined && !found.includes(one);) {
      found.unshift(one);
      one = one.bases.map((base) => this.classes.get(base)).find((base) => base !== undefined);
    }
    return found;
  }

  private methodsOf(made: PythonClass): Map<string, PythonFunction> {
    return new Map(
      this.lineage(made).flatMap(({ body }) =>
        body.flatMap((one) => (one.kind === 'function' ? [[one.made.name, one.made] as const] : [])),
      ),
    );
  }

  private count(line: number): void {
    this.operations += 1;
    if (this.operations > MAX_OPERATIONS) throw new PythonProblem('it does too much', line);
  }

  private run(statements: readonly Statement[], names: Names): Left {
    for (const statement of statements) {
      const left = this.statement(statement, names);
      if (left !== 'end') return left;
    }
    return 'end';
  }

  private statement(statement: Statement, names: Names): Left {
    this.count(statement.line);
    switch (statement.kind) {
      case 'expression':
        this.value(statement.value, names);
        return 'end';
      case 'assignment': {
        const value = this.value(statement.value, names);
        for (const target of statement.targets) this.assign(target, value, names);
        return 'end';
      }
      case 'return':
        return { returned: statement.value === null ? null : this.value(statement.value, names) };
      case 'leave':
        return statement.how;
      case 'assert':
        this.assertion(statement.test, names, statement.line);
        return 'end';
      case 'if': {
        const test = isTrue(this.value(statement.test, names));
        if (test === null) this.outside.noteCondition(statement.line, 'if');
        return this.run(test === false ? statement.no : statement.yes, names);
      }
      case 'for':
        return this.loop(statement, names);
      case 'while': {
        const test = isTrue(this.value(statement.test, names));
        if (test === false) return 'end';
        this.outside.noteCondition(statement.line, 'while');
        const left = this.run(statement.body, names);
        return left === 'break' || left === 'continue' ? 'end' : left;
      }
      case 'block':
        return this.run(statement.body, names);
      case 'function':
        names.set(statement.made.name, { kind: 'function', made: statement.made, self: false });
        return 'end';
      case 'class':
        this.classes.set(statement.made.name, statement.made);
        return 'end';
      case 'nothing':
        return 'end';
      default:
        return statement satisfies never;
    }
  }

  private loop(statement: Extract<Statement, { kind: 'for' }>, names: Names): Left {
    const over = this.value(statement.over, names);
    let left: Left = 'end';
    const items = isList(over) ? over.items : [unknown('an item of a list')];
    if (!isList(over)) this.outside.noteCondition(statement.line, 'for');
    this.outside.loop(
      Math.min(items.length, MAX_ITERATIONS),
      (iteration) => {
        this.assign(statement.target, items[iteration] ?? null, names);
        left = this.run(statement.body, names);
        return left === 'end' || left === 'continue';
      },
      statement.line,
    );
    const ended = left as Left;
    return ended === 'break' || ended === 'continue' ? 'end' : ended;
  }

  private assign(target: Expression, value: Value, names: Names): void {
    if (target.kind === 'name') names.set(target.name, value);
    else if (target.kind === 'member' && this.isSelf(this.value(target.of, names))) this.members.set(target.name, value);
    else if (target.kind === 'list')
      for (const [index, item] of target.items.entries())
        this.assign(item, isList(value) ? (value.items[index] ?? null) : isUnknown(value) ? value : unknown(PART_OF_VALUE), names);
    else if (target.kind === 'item') {
      const of = this.value(target.of, names);
      const at = this.value(target.at, names);
      if (isList(of) && typeof at === 'number' && at >= 0 && at < of.items.length) of.items[at] = value;
      else if (typeof of === 'object' && of !== null && of.kind === 'dictionary') setEntry(of, at, value);
    }
  }

  private isSelf(value: Value): boolean {
    return typeof value === 'object' && value !== null && value.kind === 'self';
  }

  private value(expression: Expression, names: Names): Value {
    this.count(expression.line);
    switch (expression.kind) {
      case 'text':
        return literal(expression.value);
      case 'number':
        return expression.value;
      case 'name':
        return this.named(expression.name, names);
      case 'member':
        return this.member(this.value(expression.of, names), expression.name);
      case 'item':
        return itemOf(this.value(expression.of, names), this.value(expression.at, names));
      case 'slice':
        return sliceOf(
          this.value(expression.of, names),
          expression.from === null ? 0 : this.value(expression.from, names),
          expression.to === null ? null : this.value(expression.to, names),
        );
      case 'call':
        return this.calling(expression, names);
      case 'list':
        return listOf(expression.items.map((item) => this.value(item, names)));
      case 'dictionary':
        return { kind: 'dictionary', entries: expression.entries.map(([key, item]) => [this.value(key, names), this.value(item, names)]) };
      case 'binary':
        return this.binary(expression, names);
      case 'unary': {
        const of = this.value(expression.of, names);
        if (expression.sign === 'not') {
          const truth = isTrue(of);
          return truth === null ? unknown('a comparison') : !truth;
        }
        return typeof of === 'number' && expression.sign !== '~' ? (expression.sign === '-' ? -of : of) : unknown('a calculation');
      }
      case 'choice': {
        const test = isTrue(this.value(expression.test, names));
        if (test === null) this.outside.noteCondition(expression.line, 'if');
        return this.value(test === false ? expression.no : expression.yes, names);
      }
      case 'other':
        return unknown(expression.what);
      default:
        return expression satisfies never;
    }
  }

  private binary({ sign, left, right }: Extract<Expression, { kind: 'binary' }>, names: Names): Value {
    const first = this.value(left, names);
    if (sign !== 'and' && sign !== 'or') return combined(sign, first, this.value(right, names));
    const truth = isTrue(first);
    if (truth === null) {
      this.value(right, names);
      return unknown('a comparison');
    }
    return truth === (sign === 'or') ? first : this.value(right, names);
  }

  private named(name: string, names: Names): Value {
    if (name === 'True' || name === 'False') return name === 'True';
    if (name === 'None') return null;
    return names.get(name) ?? this.globals.get(name) ?? { kind: 'outside', name };
  }

  private member(of: Value, name: string): Value {
    if (this.isSelf(of)) {
      const made = this.methods.get(name);
      return this.members.get(name) ?? (made === undefined ? { kind: 'member', of, name } : { kind: 'function', made, self: true });
    }
    if (typeof of === 'object' && of !== null && of.kind === 'outside')
      return { kind: 'outside', name: `${of.name}.${name}`.slice(0, 200) };
    return isUnknown(of) ? of : { kind: 'member', of, name };
  }

  private calling(expression: Extract<Expression, { kind: 'call' }>, names: Names): Value {
    const { line } = expression;
    if (
      expression.of.kind === 'member' &&
      /^(assert_|assertTrue|failUnless|assertFalse|failIf|assertIn|assertNotIn)$/.test(expression.of.name)
    ) {
      if (this.isSelf(this.value(expression.of.of, names)))
        return this.assertionCall(expression.of.name, expression.arguments, names, line);
    }
    const of = this.value(expression.of, names);
    const given = this.given(expression.arguments, names);
    if (typeof of !== 'object' || of === null) return unknown('a call');
    if (of.kind === 'function')
      return this.call(of.made, of.self ? { ...given, values: [{ kind: 'self' }, ...given.values] } : given, line);
    if (of.kind === 'member') {
      if (this.isSelf(of.of)) return this.outside.callOnTest(of.name, given, line) ?? unknown(`self.${of.name}()`);
      return methodResult(of.of, of.name, given.values) ?? unknown(`.${of.name}()`);
    }
    if (of.kind === 'outside') return builtIn(of.name, given) ?? this.outside.callFunction(of.name, given, line) ?? unknown(`${of.name}()`);
    return of.kind === 'unknown' ? of : unknown('a call');
  }

  private assertionCall(name: string, given: readonly Argument[], names: Names, line: number): Value {
    const [first, second] = given;
    if (first === undefined) return null;
    const isNegative = /False|failIf|NotIn/.test(name);
    if (name.endsWith('In') && second !== undefined) {
      this.assertion({ kind: 'binary', sign: isNegative ? 'not in' : 'in', left: first.value, right: second.value, line }, names, line);
      return null;
    }
    this.assertion(isNegative ? { kind: 'unary', sign: 'not', of: first.value, line } : first.value, names, line);
    return null;
  }

  private assertion(test: Expression, names: Names, line: number): void {
    const inner = test.kind === 'unary' && test.sign === 'not' ? test.of : test;
    const isNegated = inner !== test;
    if (inner.kind === 'binary' && (inner.sign === 'in' || inner.sign === 'not in')) {
      const whole = this.value(inner.right, names);
      if (typeof whole === 'object' && whole !== null && whole.kind === 'body') {
        this.outside.checkBody(this.value(inner.left, names), (inner.sign === 'in') !== isNegated, line);
        return;
      }
    }
    if (inner.kind === 'binary' && inner.sign === 'and' && !isNegated) {
      this.assertion(inner.left, names, line);
      this.assertion(inner.right, names, line);
      return;
    }
    this.outside.noteAssertion(this.value(test, names), line);
  }

  private given(written: readonly Argument[], names: Names): GivenArguments {
    const values: Value[] = [];
    const named = new Map<string, Value>();
    for (const { name, value } of written) {
      const read = this.value(value, names);
      if (name === null) values.push(read);
      else if (name === '*') values.push(...(isList(read) ? read.items : [unknown('a list of arguments')]));
      else if (name !== '**') named.set(name, read);
    }
    return { values, named };
  }

  private call(made: PythonFunction, { values, named }: GivenArguments, line: number): Value {
    if (this.depth >= MAX_CALL_DEPTH) throw new PythonProblem('functions call each other too deeply', line);
    this.depth += 1;
    const names: Names = new Map();
    for (const [index, { name, otherwise }] of made.parameters.entries())
      names.set(
        name,
        values[index] ?? named.get(name) ?? (otherwise === null ? unknown(`“${name}”`) : this.value(otherwise, this.globals)),
      );
    const left = this.run(made.body, names);
    this.depth -= 1;
    return typeof left === 'object' ? left.returned : null;
  }
}

function setEntry(of: Dictionary, key: Value, value: Value): void {
  const known = of.entries.find(([name]) => name === key);
  if (known === undefined) of.entries.push([key, value]);
  else known[1] = value;
}

function itemOf(of: Value, at: Value): Value {
  if (isUnknown(of)) return of;
  if (isList(of) && typeof at === 'number') return of.items.at(at) ?? unknown('an item that is not there');
  const text = plainText(of);
  if (text !== null && typeof at === 'number') return literal(text.at(at) ?? '');
  return entryOf(of, at) ?? unknown('an item');
}

function sliceOf(of: Value, from: Value, to: Value): Value {
  if (typeof from !== 'number' || (to !== null && typeof to !== 'number')) return unknown(PART_OF_VALUE);
  if (isList(of)) return listOf(of.items.slice(from, to ?? undefined));
  const text = plainText(of);
  return text === null ? unknown('a part of a text') : literal(text.slice(from, to ?? undefined));
}

/** Longer ranges are truncated: loops stop at this limit. */
const MAX_RANGE = MAX_ITERATIONS;

function builtIn(name: string, { values }: GivenArguments): Value | undefined {
  const [first, second, third] = values;
  switch (name) {
    case 'range':
    case 'xrange': {
      if (typeof first !== 'number' || (second !== undefined && typeof second !== 'number')) return undefined;
      const [from, to] = second === undefined ? [0, first] : [first, second];
      const by = typeof third === 'number' && third !== 0 ? third : 1;
      const count = Math.min(MAX_RANGE, Math.max(0, Math.ceil((to - from) / by)));
      return listOf(Array.from({ length: count }, (_, index) => from + index * by));
    }
    case 'len': {
      const text = plainText(first);
      if (text !== null) return text.length;
      return isList(first) ? first.items.length : undefined;
    }
    case 'str':
    case 'unicode':
      return textOf(first) ?? undefined;
    case 'int':
    case 'float': {
      const text = typeof first === 'number' ? String(first) : (plainText(first) ?? '');
      const number = text.trim() === '' ? NaN : Number(text);
      return Number.isFinite(number) ? (name === 'int' ? Math.trunc(number) : number) : undefined;
    }
    case 'list':
    case 'tuple':
      return isList(first) ? listOf(first.items) : undefined;
    case 'dict':
      return values.length === 0 ? { kind: 'dictionary', entries: [] } : undefined;
    default:
      return undefined;
  }
}
