import { getOwn } from '#core/base/ownMembers.ts';
import { escapePlaceholders } from '#core/import/placeholders.ts';
import {
  childOf,
  childrenOf,
  type Node,
  childNodes,
  type Program,
  PythonProblem,
  type Side,
  readSide,
  listStatements,
  statementsOf,
} from './syntax.ts';
import {
  callBuiltIn,
  combine,
  type GivenArguments,
  isKind,
  isList,
  isTrue,
  isUnknown,
  readItem,
  toList,
  MAX_ITERATIONS,
  methodResult,
  negateTruth,
  type OutsideCalls,
  PART_OF_VALUE_TEXT,
  setEntry,
  readSlice,
  unknown,
  type Value,
} from './values.ts';

const MAX_OPERATIONS = 200_000;
const MAX_CALL_DEPTH = 30;
const ASSERTION_PATTERN = /^(assert_|assertTrue|failUnless|assertFalse|failIf|assertIn|assertNotIn)$/;

/** Names of unsupported syntax in notes. The syntax is parsed but not interpreted. */
const UNSUPPORTED_NODE_NAMES = { LambdaExpression: 'a lambda', SetExpression: 'a set', FormatString: 'a formatted text' };
const JUMP_STATEMENTS = { BreakStatement: 'break', ContinueStatement: 'continue', RaiseStatement: 'raise' } as const;
/** The way in which a block ends. */
type BlockEnd = 'end' | (typeof JUMP_STATEMENTS)[keyof typeof JUMP_STATEMENTS] | { readonly returned: Value };
type Names = Map<string, Value>;

/** The methods of a class by name, and its assignments, both including those of its base class. */
interface TestClass {
  readonly methods: ReadonlyMap<string, Node>;
  readonly assignments: readonly Node[];
}

/** Interprets a program symbolically. Makes no real calls, opens no files or connections, and limits its work. */
export class Interpreter {
  private readonly program: Program;
  private readonly outside: OutsideCalls;
  private readonly globals: Names = new Map();
  private readonly classes = new Map<string, TestClass>();
  private readonly members: Names = new Map();
  private methods: TestClass['methods'] = new Map();
  private operations = 0;
  private depth = 0;

  constructor(program: Program, outside: OutsideCalls) {
    this.program = program;
    this.outside = outside;
    // The test tool imports the module; it is not the main program.
    this.globals.set('__name__', 'test');
    this.run(childrenOf(program.top), this.globals);
  }

  /** The classes with the names of their test methods, in source order. */
  get tests(): { readonly name: string; readonly tests: readonly string[] }[] {
    return [...this.classes].map(([name, { methods }]) => ({
      name,
      tests: [...methods.keys()].filter((method) => method.startsWith('test')),
    }));
  }

  /** Uses the methods and members of a class for `self`. */
  setClass(name: string): void {
    const made = this.classes.get(name);
    if (made === undefined) return;
    this.methods = made.methods;
    this.run(made.assignments, this.members);
  }

  /** Calls a test method without arguments, if it exists. */
  callTest(name: string): void {
    const made = this.methods.get(name);
    if (made !== undefined) this.call(made, { values: [{ kind: 'self' }], named: new Map() });
  }

  private nameOf(definition: Node): string {
    const name = childOf(definition, 'VariableName');
    return name === null ? '' : this.program.textOf(name);
  }

  private defineClass(node: Node): void {
    const bases = childOf(node, 'ArgList');
    const names = bases === null ? [] : childNodes(bases).map((base) => this.program.textOf(childOf(base, 'PropertyName') ?? base));
    const base = names.map((name) => this.classes.get(name)).find((one) => one !== undefined);
    const own = statementsOf(node).flatMap((one) => (one.name === 'DecoratedStatement' ? childNodes(one).slice(-1) : [one]));
    const methods = own.filter(({ name }) => name === 'FunctionDefinition').map((one) => [this.nameOf(one), one] as const);
    this.classes.set(this.nameOf(node), {
      methods: new Map([...(base?.methods ?? []), ...methods]),
      assignments: [...(base?.assignments ?? []), ...own.filter(({ name }) => name === 'AssignStatement')],
    });
  }

  private count(node: Node): void {
    this.operations += 1;
    if (this.operations > MAX_OPERATIONS) throw new PythonProblem('it does too much', this.program.formatLine(node));
  }

  private run(statements: readonly Node[], names: Names): BlockEnd {
    for (const statement of statements) {
      const left = this.statement(statement, names);
      if (left !== 'end') return left;
    }
    return 'end';
  }

  private statement(node: Node, names: Names): BlockEnd {
    this.count(node);
    const parts = childNodes(node);
    const [, second] = parts;
    switch (node.name) {
      case 'StatementGroup':
      case 'DecoratedStatement':
        return this.run(childrenOf(node), names);
      case 'ExpressionStatement':
        this.valueOfSide(readSide(childrenOf(node)), names);
        return 'end';
      case 'AssignStatement':
        this.assignment(node, names);
        return 'end';
      case 'UpdateStatement': {
        const [target, operator, ...values] = childrenOf(node);
        if (target === undefined || operator === undefined) return 'end';
        const sign = this.program.textOf(operator).slice(0, -1);
        this.assign(target, combine(sign, this.value(target, names), this.valueOfSide(readSide(values), names)), names);
        return 'end';
      }
      case 'ReturnStatement':
        return { returned: second === undefined ? null : this.valueOfSide(readSide(childrenOf(node).slice(1)), names) };
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'RaiseStatement':
        return JUMP_STATEMENTS[node.name];
      case 'AssertStatement':
        if (second !== undefined) this.assertTruth(second, names, this.program.formatLine(node));
        return 'end';
      case 'IfStatement':
        return this.branch(parts, names);
      case 'ForStatement':
        return this.forLoop(node, names);
      case 'WhileStatement':
        return second === undefined ? 'end' : this.whileLoop(node, second, names);
      case 'TryStatement':
        return this.tryStatement(parts, names);
      case 'WithStatement':
        return this.run(statementsOf(node), names);
      case 'FunctionDefinition':
        names.set(this.nameOf(node), { kind: 'function', made: node, self: false });
        return 'end';
      case 'ClassDefinition':
        this.defineClass(node);
        return 'end';
      default:
        // These statements have no effect on requests: import, pass, print, global, del, yield.
        return 'end';
    }
  }

  /** Interprets `a = b, c = value`: several targets, each one expression or a list of them. */
  private assignment(node: Node, names: Names): void {
    const sides: Node[][] = [[]];
    for (const part of childrenOf(node)) {
      if (part.name === 'AssignOp') sides.push([]);
      else if (part.name !== 'TypeDef') sides.at(-1)?.push(part);
    }
    const [written, ...targets] = sides.toReversed();
    if (written === undefined || targets.length === 0) return;
    const value = this.valueOfSide(readSide(written), names);
    for (const target of targets.toReversed()) this.assignTo(readSide(target), value, names);
  }

  private valueOfSide({ nodes, isList }: Side, names: Names): Value {
    const [only] = nodes;
    return only === undefined || isList ? toList(nodes.map((node) => this.value(node, names))) : this.value(only, names);
  }

  private branch(parts: readonly Node[], names: Names): BlockEnd {
    for (let index = 0; index < parts.length;) {
      const [keyword, test, body] = parts.slice(index, index + 3);
      if (keyword === undefined || test === undefined) return 'end';
      if (keyword.name === 'else') return this.run(listStatements(test), names);
      const truth = isTrue(this.value(test, names));
      if (truth === null) this.outside.noteCondition(this.program.formatLine(keyword), 'if');
      if (truth !== false) return body === undefined ? 'end' : this.run(listStatements(body), names);
      index += 3;
    }
    return 'end';
  }

  /** Interprets a `try` statement without its `except` blocks, because the program is followed as if no error occurred. */
  private tryStatement(parts: readonly Node[], names: Names): BlockEnd {
    let isSkipped = false;
    for (const part of parts) {
      if (part.name !== 'Body') isSkipped = part.name === 'except' || (isSkipped && !/^(else|finally)$/.test(part.name));
      else if (!isSkipped) {
        const left = this.run(listStatements(part), names);
        if (left !== 'end') return left;
      }
    }
    return 'end';
  }

  private forLoop(node: Node, names: Names): BlockEnd {
    const parts = childrenOf(node);
    const [inAt, bodyAt] = [parts.findIndex(({ name }) => name === 'in'), parts.findIndex(({ name }) => name === 'Body')];
    const target = readSide(parts.slice(1, inAt));
    const over = this.valueOfSide(readSide(parts.slice(inAt + 1, bodyAt)), names);
    const items = isList(over) ? over.items : [unknown('an item of a list')];
    if (!isList(over)) this.outside.noteCondition(this.program.formatLine(node), 'for');
    let left: BlockEnd = 'end';
    this.outside.loop(Math.min(items.length, MAX_ITERATIONS), (iteration) => {
      this.assignTo(target, items[iteration] ?? null, names);
      left = this.run(statementsOf(node), names);
      return left === 'end' || left === 'continue';
    });
    return this.afterLoop(node, left, names);
  }

  private whileLoop(node: Node, test: Node, names: Names): BlockEnd {
    const truth = isTrue(this.value(test, names));
    if (truth !== false) this.outside.noteCondition(this.program.formatLine(node), 'while');
    return this.afterLoop(node, truth === false ? 'end' : this.run(statementsOf(node), names), names);
  }

  private afterLoop(node: Node, left: BlockEnd, names: Names): BlockEnd {
    if (left === 'raise' || typeof left === 'object') return left;
    const [, otherwise] = childrenOf(node).filter(({ name }) => name === 'Body');
    return otherwise === undefined ? 'end' : this.run(listStatements(otherwise), names);
  }

  private assignTo({ nodes, isList: isForList }: Side, value: Value, names: Names): void {
    for (const [index, target] of nodes.entries()) {
      const item = isList(value) ? (value.items[index] ?? null) : isUnknown(value) ? value : unknown(PART_OF_VALUE_TEXT);
      this.assign(target, isForList ? item : value, names);
    }
  }

  private assign(target: Node, value: Value, names: Names): void {
    const [of, at] = childNodes(target);
    if (target.name === 'VariableName') names.set(this.program.textOf(target), value);
    else if (target.name === 'ParenthesizedExpression' && of !== undefined) this.assign(of, value, names);
    else if (/^(Tuple|Array)Expression$/.test(target.name)) this.assignTo({ nodes: childNodes(target), isList: true }, value, names);
    else if (target.name === 'MemberExpression' && of !== undefined && at !== undefined) {
      const owner = this.value(of, names);
      const property = childOf(target, 'PropertyName');
      if (property !== null) {
        if (isKind(owner, 'self')) this.members.set(this.program.textOf(property), value);
      } else if (childOf(target, ':') === null) setEntry(owner, this.value(at, names), value);
    }
  }

  private value(node: Node, names: Names): Value {
    this.count(node);
    const { program } = this;
    const parts = childNodes(node);
    const [first, second] = parts;
    if (first !== undefined && childOf(node, 'for') !== null) return unknown('a comprehension');
    switch (node.name) {
      case 'String':
        return escapePlaceholders(program.stringOf(node));
      case 'ContinuedString':
        return escapePlaceholders(parts.map((part) => program.stringOf(part)).join(''));
      case 'Number':
        return Number(program.textOf(node).replace(/[jJ]$/, ''));
      case 'Boolean':
        return program.textOf(node) === 'True';
      case 'None':
        return null;
      case 'VariableName': {
        const name = program.textOf(node);
        return names.get(name) ?? this.globals.get(name) ?? { kind: 'outside', name };
      }
      case 'ParenthesizedExpression':
        return first === undefined ? null : this.value(first, names);
      case 'TupleExpression':
      case 'ArrayExpression':
        return toList(parts.map((part) => this.value(part, names)));
      case 'DictionaryExpression': {
        const members = parts.filter(({ name }) => name !== ':' && name !== '**').map((part) => this.value(part, names));
        return { kind: 'dictionary', entries: members.flatMap((key, at) => (at % 2 === 0 ? [[key, members[at + 1] ?? null]] : [])) };
      }
      case 'MemberExpression':
        return first === undefined ? null : this.memberOrItem(node, this.value(first, names), names);
      case 'CallExpression':
        return first === undefined || second === undefined ? null : this.callExpression(first, second, names);
      case 'BinaryExpression':
        return this.binary(node, names);
      case 'UnaryExpression': {
        const of = second === undefined ? null : this.value(second, names);
        const sign = first === undefined ? '' : program.textOf(first);
        if (sign === 'not') return negateTruth(isTrue(of));
        return typeof of === 'number' && sign !== '~' ? (sign === '-' ? -of : of) : unknown('a calculation');
      }
      case 'ConditionalExpression': {
        const [yes, , condition, , no] = parts;
        if (yes === undefined || condition === undefined || no === undefined) return null;
        const test = isTrue(this.value(condition, names));
        if (test === null) this.outside.noteCondition(program.formatLine(node), 'if');
        return this.value(test === false ? no : yes, names);
      }
      default:
        return unknown(getOwn(UNSUPPORTED_NODE_NAMES, node.name) ?? 'a value');
    }
  }

  private binary(node: Node, names: Names): Value {
    const [left, right] = [childrenOf(node)[0], childrenOf(node).at(-1)];
    if (left === undefined || right === undefined) return null;
    const sign = this.program.sourceBetween(left, right);
    const first = this.value(left, names);
    if (sign !== 'and' && sign !== 'or') return combine(sign, first, this.value(right, names));
    const truth = isTrue(first);
    if (truth === null) {
      this.value(right, names);
      return unknown('a comparison');
    }
    return truth === (sign === 'or') ? first : this.value(right, names);
  }

  private memberOrItem(node: Node, of: Value, names: Names): Value {
    const property = childOf(node, 'PropertyName');
    if (property !== null) return this.member(of, this.program.textOf(property));
    const [, ...places] = childNodes(node);
    const colons = places.filter(({ name }) => name === ':').length;
    if (colons > 1) return unknown('a slice with steps');
    if (colons === 0) return readItem(of, this.valueOfSide({ nodes: places, isList: places.length > 1 }, names));
    const colon = places.findIndex(({ name }) => name === ':');
    const [from, to] = [places[colon - 1], places[colon + 1]].map((location) =>
      location === undefined ? null : this.value(location, names),
    );
    return readSlice(of, from ?? 0, to ?? null);
  }

  private member(of: Value, name: string): Value {
    if (isKind(of, 'self')) {
      const made = this.methods.get(name);
      return this.members.get(name) ?? (made === undefined ? { kind: 'member', of, name } : { kind: 'function', made, self: true });
    }
    if (isKind(of, 'outside')) return { kind: 'outside', name: `${of.name}.${name}`.slice(0, 200) };
    return isUnknown(of) ? of : { kind: 'member', of, name };
  }

  private callExpression(callee: Node, list: Node, names: Names): Value {
    const line = this.program.formatLine(list);
    const property = childOf(callee, 'PropertyName');
    const asserts = property === null ? '' : this.program.textOf(property);
    const [owner] = childrenOf(callee);
    if (ASSERTION_PATTERN.test(asserts) && owner !== undefined && isKind(this.value(owner, names), 'self'))
      return this.assertionCall(asserts, childNodes(list), names, line);
    const of = this.value(callee, names);
    const args = this.given(list, names);
    if (isKind(of, 'function')) return this.call(of.made, of.self ? { ...args, values: [{ kind: 'self' }, ...args.values] } : args);
    if (isKind(of, 'member')) {
      if (isKind(of.of, 'self')) return this.outside.callOnTest(of.name, args, line) ?? unknown(`self.${of.name}()`);
      return methodResult(of.of, of.name, args.values) ?? unknown(`.${of.name}()`);
    }
    if (isKind(of, 'outside'))
      return callBuiltIn(of.name, args.values) ?? this.outside.callFunction(of.name, args, line) ?? unknown(`${of.name}()`);
    return isUnknown(of) ? of : unknown('a call');
  }

  private assertionCall(name: string, [first, second]: readonly Node[], names: Names, line: number): Value {
    if (first === undefined) return null;
    const isNegated = /False|failIf|NotIn/.test(name);
    if (name.endsWith('In') && second !== undefined) this.assertContains(first, second, isNegated, names, line);
    else this.assertTruth(first, names, line, isNegated);
    return null;
  }

  private assertTruth(test: Node, names: Names, line: number, isNegated = false): void {
    const [first, second] = childNodes(test);
    if (first !== undefined && test.name === 'ParenthesizedExpression') return this.assertTruth(first, names, line, isNegated);
    if (second !== undefined && first?.name === 'not' && !isNegated) return this.assertTruth(second, names, line, true);
    const [left, right] = [childrenOf(test)[0], childrenOf(test).at(-1)];
    const sign = left && right && test.name === 'BinaryExpression' ? this.program.sourceBetween(left, right) : '';
    if (left === undefined || right === undefined || !/^(and|(not )?in)$/.test(sign) || (sign === 'and' && isNegated)) {
      const value = this.value(test, names);
      this.outside.noteAssertion(isNegated ? negateTruth(isTrue(value)) : value, line);
    } else if (sign === 'and') {
      this.assertTruth(left, names, line);
      this.assertTruth(right, names, line);
    } else this.assertContains(left, right, (sign === 'in') === isNegated, names, line);
  }

  /** Interprets an assertion that one text is in another. If the other text is the body of a response, the assertion becomes a check. */
  private assertContains(text: Node, whole: Node, isNegated: boolean, names: Names, line: number): void {
    const container = this.value(whole, names);
    const part = this.value(text, names);
    if (isKind(container, 'body')) return this.outside.checkBody(part, !isNegated, line);
    this.outside.noteAssertion(combine(isNegated ? 'not in' : 'in', part, container), line);
  }

  private given(list: Node, names: Names): GivenArguments {
    const values: Value[] = [];
    const named = new Map<string, Value>();
    const parts = childrenOf(list);
    for (let from = 1; from < parts.length;) {
      const end = parts.findIndex(({ name }, index) => index >= from && (name === ',' || name === ')'));
      const [first, second, third] = parts.slice(from, end < 0 ? parts.length : end);
      from = end < 0 ? parts.length : end + 1;
      if (first === undefined) continue;
      if (second === undefined) values.push(this.value(first, names));
      else if (second.name === 'AssignOp' && third !== undefined) named.set(this.program.textOf(first), this.value(third, names));
      else if (first.name === '*') {
        const read = this.value(second, names);
        values.push(...(isList(read) ? read.items : [unknown('a list of arguments')]));
      } else if (first.name !== '**') values.push(unknown('a comprehension'));
    }
    return { values, named };
  }

  private call(made: Node, { values, named }: GivenArguments): Value {
    if (this.depth >= MAX_CALL_DEPTH) throw new PythonProblem('functions call each other too deeply', this.program.formatLine(made));
    this.depth += 1;
    const names: Names = new Map();
    const list = childOf(made, 'ParamList');
    const parts = list === null ? [] : childrenOf(list);
    const parameters = parts.filter(({ name }, index) => name === 'VariableName' && !/^\*|AssignOp/.test(parts[index - 1]?.name ?? ''));
    for (const [index, parameter] of parameters.entries()) {
      const name = this.program.textOf(parameter);
      const [, operator, otherwise = null] = parts.slice(parts.indexOf(parameter));
      const given = values[index] ?? named.get(name);
      names.set(
        name,
        given ?? (otherwise === null || operator?.name !== 'AssignOp' ? unknown(`“${name}”`) : this.value(otherwise, this.globals)),
      );
    }
    const left = this.run(statementsOf(made), names);
    this.depth -= 1;
    return typeof left === 'object' ? left.returned : null;
  }
}
