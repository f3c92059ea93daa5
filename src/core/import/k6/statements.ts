import type { AnyNode, Expression, Pattern, Statement } from 'acorn';
import { getOwn } from '#core/base/ownMembers.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import { COMPARISON_OPERATORS, countIn, Expressions, formatLine } from './expressions.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { UNDEFINED_VALUE, numberIn, plain, Scope, text, truthOf, unknown, type FunctionNode, type Value } from './values.ts';
import { describeTruncated } from '../notes.ts';

const MAX_CALLS = 30;
const MAX_ROUNDS = 20;
/** Maximum nesting of plan flows, minus the levels needed for scenarios. */
const MAX_FLOW_DEPTH = 5;

/** Result of a block: the returned value, or null if the block did not return. */
type Completion = { readonly returned: Value } | null;

export abstract class Statements extends Expressions {
  protected flow: FlowPart[] = [];
  private depth = 0;
  private flowDepth = 0;

  /** Calls `read` and returns its result, with the parts that it adds to the flow. */
  protected collectFlow<Read>(read: () => Read): { readonly flow: FlowPart[]; readonly read: Read } {
    const before = this.flow;
    this.flow = [];
    const found = read();
    const { flow } = this;
    this.flow = before;
    return { flow, read: found };
  }

  protected block(body: readonly Statement[], scope: Scope): Completion {
    for (const statement of body) this.declareFunction(statement, scope);
    for (const statement of body) {
      const done = this.statement(statement, scope);
      if (done !== null) return done;
    }
    return null;
  }

  protected statement(node: Statement, scope: Scope): Completion {
    this.spend();
    switch (node.type) {
      case 'ExpressionStatement':
        this.value(node.expression as Expression, scope);
        return null;
      case 'VariableDeclaration':
        for (const { id, init } of node.declarations) this.bind(id, init == null ? UNDEFINED_VALUE : this.value(init, scope), scope);
        return null;
      case 'BlockStatement':
        return this.block(node.body, new Scope(scope));
      case 'ReturnStatement':
        return { returned: node.argument == null ? UNDEFINED_VALUE : this.value(node.argument, scope) };
      case 'IfStatement':
        return this.condition(node, scope);
      case 'ForStatement':
      case 'ForOfStatement':
      case 'ForInStatement':
      case 'WhileStatement':
      case 'DoWhileStatement':
        return this.loop(node, scope);
      case 'TryStatement':
        return (
          this.block(node.block.body, new Scope(scope)) ??
          (node.finalizer == null ? null : this.block(node.finalizer.body, new Scope(scope)))
        );
      case 'FunctionDeclaration':
      // A throw ends only a failed iteration, so the interpreter ignores it.
      case 'ThrowStatement':
      case 'EmptyStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        return null;
      case 'LabeledStatement':
        return this.statement(node.body, scope);
      default:
        this.leaveOut(node, `“${this.codeOf(node)}” has no equivalent.`);
        return null;
    }
  }

  protected condition({ test, consequent, alternate, ...node }: Extract<Statement, { type: 'IfStatement' }>, scope: Scope): Completion {
    const truth = truthOf(this.value(test, scope));
    if (truth === true) return this.statement(consequent, scope);
    if (truth === false) return alternate == null ? null : this.statement(alternate, scope);
    const stepsBefore = this.requests.draft.steps.length;
    const done = this.statement(consequent, new Scope(scope));
    // A guard such as `if (!ok) return` is ignored, because the journey of a plan continues and failures are counted.
    if (this.requests.draft.steps.length === stepsBefore) return alternate == null ? null : this.statement(alternate, new Scope(scope));
    const instead = 'The plan always sends the requests of its first branch.';
    this.requests.draft.noteChanged(`line ${node.loc?.start.line ?? 0}`, this.noteOfCondition(test), instead);
    return done;
  }

  protected loop(
    node: Extract<Statement, { type: 'ForStatement' | 'ForOfStatement' | 'ForInStatement' | 'WhileStatement' | 'DoWhileStatement' }>,
    outer: Scope,
  ): Completion {
    const scope = new Scope(outer);
    if (node.type === 'ForOfStatement' || node.type === 'ForInStatement') {
      const list = this.value(node.right, scope);
      const names = list.kind === 'object' ? [...list.members.keys()].map((name) => text(escapePlaceholders(name))) : null;
      const items = node.type === 'ForInStatement' ? names : list.kind === 'list' ? list.items : null;
      if (items === null) return this.readUnknownLoop(node, node.body, scope);
      return this.rounds(node, items, scope, `${items.length} rounds`, (item, round) => this.bind(readPattern(node.left), item, round));
    }
    const counted = node.type === 'ForStatement' ? this.countOf(node, scope) : null;
    if (counted === null) return this.readUnknownLoop(node, node.body, scope);
    const { name, values } = counted;
    const isUsed = new RegExp(String.raw`(?<![\w$.])${name.replaceAll('$', String.raw`\$`)}(?![\w$])`);
    if (!isUsed.test(this.source.slice(node.body.start, node.body.end)) && values.length > 1 && this.flowDepth < MAX_FLOW_DEPTH) {
      this.flowDepth += 1;
      const { flow: inner, read: done } = this.collectFlow(() => this.statement(node.body, new Scope(scope)));
      this.flowDepth -= 1;
      if (inner.length > 0) this.flow.push({ repeat: Math.min(values.length, 1_000), flow: inner });
      return done;
    }
    return this.rounds(node, values, scope, `${values.length} rounds or more`, (value, round) => round.declare(name, plain(value)));
  }

  private rounds<Item>(
    node: AnyNode & { readonly body: Statement },
    items: readonly Item[],
    scope: Scope,
    count: string,
    bind: (item: Item, round: Scope) => void,
  ): Completion {
    for (const item of items.slice(0, MAX_ROUNDS)) {
      const round = new Scope(scope);
      bind(item, round);
      const done = this.statement(node.body, round);
      if (done !== null) return done;
    }
    if (items.length > MAX_ROUNDS) this.leaveOut(node, `The loop has ${count}.`, describeTruncated(MAX_ROUNDS));
    return null;
  }

  /** Returns the values of `i` in `for (let i = 0; i < 5; i++)`; null if they are unknown. */
  private countOf(
    { init, test, update }: Extract<Statement, { type: 'ForStatement' }>,
    scope: Scope,
  ): { name: string; values: number[] } | null {
    const declared = init?.type === 'VariableDeclaration' ? init.declarations[0] : undefined;
    if (declared?.id.type !== 'Identifier' || declared.init == null || test?.type !== 'BinaryExpression' || update == null) return null;
    const { name } = declared.id;
    const from = numberIn(this.value(declared.init, scope));
    const isOf = test.left.type === 'Identifier' && test.left.name === name;
    const limit = isOf ? numberIn(countIn(this.value(test.right, scope))) : null;
    const added = update.type === 'AssignmentExpression' && update.operator === '+=' ? numberIn(this.value(update.right, scope)) : null;
    const by = update.type === 'UpdateExpression' ? (update.operator === '++' ? 1 : -1) : added;
    if (from === null || limit === null || by === null || by === 0) return null;
    const values: number[] = [];
    const continues = getOwn(COMPARISON_OPERATORS, test.operator) ?? ((): boolean => false);
    for (let value = from; continues(value, limit) && values.length <= 1_000; value += by) values.push(value);
    return { name, values };
  }

  protected readUnknownLoop(node: AnyNode, body: Statement, scope: Scope): Completion {
    const before = this.requests.draft.steps.length;
    const done = this.statement(body, scope);
    if (this.requests.draft.steps.length > before)
      this.requests.draft.noteChanged(formatLine(node), 'Only a run knows how often the loop runs.', 'The plan runs it once.');
    return done;
  }

  protected declareFunction(node: AnyNode, scope: Scope): void {
    const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
    if (declared?.type === 'FunctionDeclaration' && declared.id != null)
      scope.declare(declared.id.name, { kind: 'function', node: declared as FunctionNode, scope });
  }

  protected callFunction(node: FunctionNode, outer: Scope, args: readonly Value[]): Value {
    if (this.depth >= MAX_CALLS) {
      this.leaveOut(node, 'Functions call each other too deeply.');
      return unknown('a function');
    }
    this.depth += 1;
    const scope = new Scope(outer);
    for (const [index, parameter] of node.params.entries()) this.bind(parameter, args[index] ?? UNDEFINED_VALUE, scope);
    const value =
      node.body.type === 'BlockStatement' ? (this.block(node.body.body, scope)?.returned ?? UNDEFINED_VALUE) : this.value(node.body, scope);
    this.depth -= 1;
    return value;
  }

  protected forEach(items: readonly Value[], called: Value | undefined): Value | undefined {
    if (called?.kind !== 'function') return undefined;
    return {
      kind: 'list',
      items: items.slice(0, MAX_ROUNDS).map((item, index) => this.callFunction(called.node, called.scope, [item, plain(index)])),
    };
  }
}

function readPattern(left: AnyNode): Pattern {
  return left.type === 'VariableDeclaration' ? (left.declarations[0]?.id ?? (left as unknown as Pattern)) : (left as Pattern);
}
