import type { AnyNode, CallExpression, Expression, Program } from 'acorn';
import { getOwn } from '#core/base/ownMembers.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import { withoutNulls } from '../draft.ts';
import { addPause } from '../requestParts.ts';
import { HTTP_METHODS, valueOfCall, valueOfMethod } from './builtins.ts';
import { readExpectation, expectationOfMethod } from './checks.ts';
import { lineNumber, formatLine } from './expressions.ts';
import type { Requests } from './requests.ts';
import { Statements } from './statements.ts';
import {
  findMember,
  UNDEFINED_VALUE,
  numberIn,
  plainText,
  Scope,
  unknown,
  type ResponseExpectation,
  type FunctionNode,
  type Value,
} from './values.ts';
import { joinListed } from '../imported.ts';
import { leaveOutPause, SENT_IN_TURN_NOTE } from '../notes.ts';

/** Interprets a script without executing it. Requests become steps; unsupported code is noted with its line. */
export class Interpreter extends Statements {
  readonly globals = new Scope(null);
  readonly exports = new Map<string, Value>();
  private group = '';
  private isOnce = false;

  constructor(requests: Requests, source: string, program: Program) {
    super(requests, source);
    for (const statement of program.body) this.declareFunction(statement, this.globals);
    for (const statement of program.body) this.topLevel(statement);
  }

  /** Returns the requests of a function as a part of a flow. `once`: each user sends them only once. */
  buildFlow(name: string, once = false, ...args: Value[]): { readonly flow: FlowPart[]; readonly returned: Value } | null {
    const called = this.exports.get(name);
    if (called?.kind !== 'function') return null;
    this.isOnce = once;
    const { flow, read: returned } = this.collectFlow(() => this.callFunction(called.node, called.scope, args));
    this.isOnce = false;
    return { flow, returned };
  }

  private topLevel(node: Program['body'][number]): void {
    switch (node.type) {
      case 'ImportDeclaration':
        return this.import(node);
      case 'ExportNamedDeclaration':
        if (node.declaration != null) this.statement(node.declaration, this.globals);
        for (const name of namesDeclared(node.declaration)) this.exports.set(name, this.globals.get(name) ?? UNDEFINED_VALUE);
        for (const { local, exported } of node.specifiers)
          if (local.type === 'Identifier' && exported.type === 'Identifier')
            this.exports.set(exported.name, this.globals.get(local.name) ?? UNDEFINED_VALUE);
        return undefined;
      case 'ExportDefaultDeclaration': {
        const { declaration } = node;
        const exported: Value =
          declaration.type === 'FunctionDeclaration'
            ? { kind: 'function', node: declaration as FunctionNode, scope: this.globals }
            : this.value(declaration as Expression, this.globals);
        this.exports.set('default', exported);
        return undefined;
      }
      case 'ExportAllDeclaration':
        return this.leaveOut(node, 'It takes what another file exports.');
      default:
        this.statement(node, this.globals);
        return undefined;
    }
  }

  private import(node: Extract<Program['body'][number], { type: 'ImportDeclaration' }>): void {
    const from = String(node.source.value);
    const known = /^k6(?:\/|$)/.test(from) || /jslib\.k6\.io|papaparse|uuid/.test(from);
    for (const specifier of node.specifiers) {
      const local = specifier.local.name;
      const imported = specifier.type === 'ImportSpecifier' && specifier.imported.type === 'Identifier' ? specifier.imported.name : null;
      const module = /papaparse/.test(from) ? 'papaparse' : (from.split('/').at(-1) ?? from);
      const whole = imported === null || imported === 'default';
      if (known)
        this.globals.declare(local, { kind: 'builtin', name: whole ? module : from === 'k6/http' ? `http.${imported}` : imported });
      else this.globals.declare(local, unknown(local));
    }
    if (!known && node.specifiers.length > 0) {
      const names = node.specifiers.map(({ local }) => local.name);
      const instead = 'Holdfast reads this file only. Paste both in one script, without the import.';
      this.requests.draft.noteLeftOut(formatLine(node), `It takes ${joinListed(names, 80)} from ${from.slice(0, 80)}.`, instead);
    }
  }

  protected call(node: CallExpression, scope: Scope): Value {
    const { callee: called } = node;
    if (called.type === 'Super') return unknown('super');
    // The object is evaluated only once, because it may send a request: `http.get(url).json()`.
    const isMethod = called.type === 'MemberExpression' && !called.computed && called.property.type === 'Identifier';
    const method = isMethod && called.property.type === 'Identifier' ? called.property.name : '';
    const on = isMethod && called.object.type !== 'Super' ? this.value(called.object, scope) : null;
    const callee = on === null ? this.value(called, scope) : this.readOwnProperty(on, method, called);
    const args = node.arguments.flatMap((argument) => this.element(argument as Expression, scope));
    if (callee.kind === 'function') return this.callFunction(callee.node, callee.scope, args);
    const name = callee.kind === 'builtin' ? callee.name : '';
    if (callee.kind === 'builtin' && callee.on === undefined) {
      const known = this.callBuiltin(name, args, node);
      if (known !== undefined) return known;
    }
    if (on !== null) {
      if (on.kind === 'builtin' && on.name === 'metric') return UNDEFINED_VALUE;
      const rounds = (method === 'forEach' || method === 'map') && on.kind === 'list' ? this.forEach(on.items, args[0]) : undefined;
      const expected = this.isInCheck ? expectationOfMethod(on, method, args) : null;
      if (expected !== null) return { kind: 'condition', expected };
      const value = rounds ?? valueOfMethod(on, method, args);
      if (value !== undefined) return value;
    }
    if (/^(?:console|metric)\b/.test(name)) return UNDEFINED_VALUE;
    const code = this.codeOf(node);
    if (callee.kind === 'unknown' || /^(?:ws|grpc|net|browser|redis|sql|kafka)\b/.test(name))
      this.leaveOut(node, `“${code}” cannot be followed.`);
    return unknown(code);
  }

  private callBuiltin(name: string, args: Value[], node: CallExpression): Value | undefined {
    const line = lineNumber(node);
    const [, verb = ''] = /^http\.(\w+)$/.exec(name) ?? [];
    const http = getOwn(HTTP_METHODS, verb);
    // Functions for requests without a body take the parameters as their second argument.
    if (http !== undefined) return this.send(http, /^(?:get|head)$/.test(verb) ? [args[0], undefined, args[1]] : args, line);
    if (verb === 'request' || verb === 'asyncRequest') return this.send(plainText(args[0]) ?? '', args.slice(1), line);
    if (verb === 'batch') return this.batch(args[0], line);
    switch (name) {
      case 'sleep':
        this.sleep(args[0], line);
        return UNDEFINED_VALUE;
      case 'group': {
        const [outer, inner] = [this.group, args[1]];
        this.group = `${outer}${plainText(args[0]) ?? 'group'} › `;
        const value = inner?.kind === 'function' ? this.callFunction(inner.node, inner.scope, []) : UNDEFINED_VALUE;
        this.group = outer;
        return value;
      }
      case 'check':
      case 'expect':
        return this.check(args, node);
      case 'fail':
      case 'http.setResponseCallback':
      case 'http.expectedStatuses':
        if (name !== 'fail')
          this.leaveOut(node, `“${this.codeOf(node)}” changes which statuses k6 counts as failures.`, 'Set expectStatus of the steps.');
        return UNDEFINED_VALUE;
      default:
        return valueOfCall(name, args, this.requests, line);
    }
  }

  private check([on, tests]: readonly Value[], node: CallExpression): Value {
    const step = on?.kind === 'response' ? on.step : null;
    if (tests?.kind !== 'object' || step === null) {
      this.leaveOut(node, `“${this.codeOf(node)}” checks no response that is known here.`);
      return unknown('check');
    }
    const known = this.requests.draft.steps.find(({ name }) => name === step);
    if (known === undefined) return unknown('check');
    const [expectStatus, checks] = [[...(known.expectStatus ?? [])], [...(known.checks ?? [])]];
    let { budgetMs } = known;
    for (const [name, test] of tests.members) {
      const found = test.kind === 'function' ? this.readExpectations(test) : null;
      if (found === null) {
        const instead = 'A plan can check statuses, texts, patterns, JSON values, sizes and response times.';
        this.leaveOut(node, `The check “${name.slice(0, 60)}” cannot be expressed.`, instead);
        continue;
      }
      expectStatus.push(...found.statuses);
      checks.push(...found.checks);
      budgetMs = found.budgetMs ?? budgetMs;
    }
    const read = withoutNulls({ expectStatus: [...new Set(expectStatus)].slice(0, 50), checks: checks.slice(0, 20), budgetMs });
    this.requests.draft.changeStep(step, (sent) => ({ ...sent, ...read }));
    return unknown('check');
  }

  /** Returns what the function of a check requires of its response; null if a plan cannot express it. */
  private readExpectations({ node: { params, body }, scope: outer }: Extract<Value, { kind: 'function' }>): ResponseExpectation | null {
    const [parameter] = params;
    const [only] = body.type === 'BlockStatement' && body.body.length === 1 ? body.body : [];
    const returned = body.type === 'BlockStatement' ? (only?.type === 'ReturnStatement' ? only.argument : null) : body;
    if (returned == null || parameter?.type !== 'Identifier') return null;
    const scope = new Scope(outer);
    scope.declare(parameter.name, { kind: 'response', step: null });
    const { notes } = this.requests.draft;
    const notesBefore = notes.length;
    this.isInCheck = true;
    const expected = readExpectation(this.value(returned, scope));
    this.isInCheck = false;
    notes.length = notesBefore;
    return expected?.limit === undefined ? expected : null;
  }

  private send(method: string, args: readonly (Value | undefined)[], line: number): Value {
    const step = this.requests.send(method, args, line, this.group);
    if (step !== null) this.flow.push(step);
    if (this.isOnce) this.requests.draft.changeStep(step, (sent) => ({ ...sent, once: true }));
    return { kind: 'response', step };
  }

  private batch(given: Value | undefined, line: number): Value {
    const named =
      given?.kind === 'object'
        ? [...given.members]
        : given?.kind === 'list'
          ? given.items.map((item, index) => [String(index), item] as const)
          : null;
    if (named === null) {
      this.requests.draft.noteLeftOut(`line ${line}`, 'The requests of a batch are unknown.');
      return unknown('http.batch');
    }
    if (named.length > 1) this.requests.draft.noteChanged(`line ${line}`, 'The requests of a batch run in parallel.', SENT_IN_TURN_NOTE);
    const responses = named.slice(0, 200).map(([name, item]): readonly [string, Value] => {
      if (item.kind === 'list') return [name, this.send(plainText(item.items[0]) ?? '', item.items.slice(1), line)];
      if (item.kind !== 'object') return [name, this.send('GET', [item], line)];
      const parts = ['url', 'body', 'params'].map((part) => findMember(item, part));
      return [name, this.send(plainText(findMember(item, 'method')) ?? 'GET', parts, line)];
    });
    return given?.kind === 'object'
      ? { kind: 'object', members: new Map(responses) }
      : { kind: 'list', items: responses.map(([, response]) => response) };
  }

  private sleep(given: Value | undefined, line: number): void {
    const { draft } = this.requests;
    const seconds = numberIn(given) ?? Number.NaN;
    const range = given?.kind === 'random' ? given : { from: seconds, to: seconds };
    if (!(range.to >= 0)) return draft.noteLeftOut(`line ${line}`, 'The length of a pause is unknown.');
    if (!draft.changeStep(this.flow.at(-1), (step) => addPause(step, range))) leaveOutPause(draft, `line ${line}`);
  }
}

function namesDeclared(node: AnyNode | null | undefined): string[] {
  if (node?.type === 'VariableDeclaration') return node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return node?.type === 'FunctionDeclaration' && node.id != null ? [node.id.name] : [];
}
