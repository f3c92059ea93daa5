import type { Argument, Expression, PythonClass, PythonFunction, Statement } from './syntax.ts';
import { PythonProblem, pythonTokens, type Token } from './tokens.ts';

/** Deeper nesting is refused, because parsing is recursive and the call stack is limited. */
const MAX_DEPTH = 80;
const BINARY: readonly (readonly string[])[] = [
  ['or'],
  ['and'],
  ['in', 'not in', 'is', 'is not', '<', '>', '==', '!=', '<=', '>=', '<>'],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '//', '%'],
];
const NO_EFFECT = new Set(['import', 'from', 'pass', 'print', 'global', 'nonlocal', 'del', 'exec']);

/** Parses a program of Python 2 or 3. Throws a {@link PythonProblem} for invalid or unsupported syntax. Executes nothing. */
export function parsePython(source: string): Statement[] {
  return new Parser(pythonTokens(source)).program();
}

class Parser {
  private readonly tokens: readonly Token[];
  private at = 0;
  private depth = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  program(): Statement[] {
    const statements: Statement[] = [];
    while (this.now.kind !== 'end') {
      if (this.now.kind === 'indent' || this.now.kind === 'dedent' || this.now.kind === 'line') this.at += 1;
      else statements.push(...this.statement());
    }
    return statements;
  }

  private get now(): Token {
    return this.tokens[this.at] ?? { kind: 'end', text: '', line: 0 };
  }

  private is(text: string): boolean {
    return this.now.text === text && (this.now.kind === 'sign' || this.now.kind === 'name');
  }

  private take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at += 1;
    return true;
  }

  private takeKind(kind: Token['kind']): boolean {
    if (this.now.kind !== kind) return false;
    this.at += 1;
    return true;
  }

  private expect(text: string): void {
    if (!this.take(text)) throw new PythonProblem(`“${text}” is missing`, this.now.line);
  }

  private name(): string {
    const { kind, text, line } = this.now;
    if (kind !== 'name') throw new PythonProblem('a name is missing', line);
    this.at += 1;
    return text;
  }

  private deeper<Result>(read: () => Result): Result {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new PythonProblem('parts of it are nested too deeply', this.now.line);
    try {
      return read();
    } finally {
      this.depth -= 1;
    }
  }

  private statement(): Statement[] {
    return this.deeper(() => {
      const { line, text } = this.now;
      if (this.take('@')) {
        this.expression();
        this.endOfLine();
        return this.statement();
      }
      if (this.take('def')) return [{ kind: 'function', made: this.functionAfterDef(line), line }];
      if (this.take('class')) return [{ kind: 'class', made: this.classAfterName(line), line }];
      if (this.take('if')) return [this.ifAfterIf(line)];
      if (this.take('for')) {
        const target = this.targets();
        this.expect('in');
        const over = this.expressions();
        const statement = { kind: 'for', target, over, body: this.block(), line } as const;
        return this.withElse(statement);
      }
      if (this.take('while')) {
        const test = this.expression();
        const statement = { kind: 'while', test, body: this.block(), line } as const;
        return this.withElse(statement);
      }
      if (this.take('try')) return this.tryAfterTry(line);
      if (this.take('with')) {
        while (!this.is(':') && this.now.kind !== 'line' && this.now.kind !== 'end') this.at += 1;
        return [{ kind: 'block', body: this.block(), line }];
      }
      if (this.now.kind === 'name' && NO_EFFECT.has(text) && !this.isAssignedNext()) return this.nothing(line);
      return this.simpleStatements();
    });
  }

  /** Whether `print` is a name here: `print = x` or `print.y`. */
  private isAssignedNext(): boolean {
    const next = this.tokens[this.at + 1];
    return next?.kind === 'sign' && (next.text === '=' || next.text === '.');
  }

  private nothing(line: number): Statement[] {
    while (this.now.kind !== 'line' && this.now.kind !== 'end') this.at += 1;
    this.endOfLine();
    return [{ kind: 'nothing', line }];
  }

  private withElse(statement: Statement): Statement[] {
    return this.take('else') ? [statement, { kind: 'block', body: this.block(), line: statement.line }] : [statement];
  }

  private tryAfterTry(line: number): Statement[] {
    const statements: Statement[] = [{ kind: 'block', body: this.block(), line }];
    for (;;) {
      if (this.take('except')) {
        while (!this.is(':') && this.now.kind !== 'line' && this.now.kind !== 'end') this.at += 1;
        // `except` blocks are parsed and dropped: the program is followed without errors.
        this.block();
      } else if (this.take('else') || this.take('finally')) statements.push({ kind: 'block', body: this.block(), line });
      else return statements;
    }
  }

  private ifAfterIf(line: number): Statement {
    const test = this.expression();
    const yes = this.block();
    const { line: next } = this.now;
    if (this.take('elif')) return { kind: 'if', test, yes, no: [this.deeper(() => this.ifAfterIf(next))], line };
    return { kind: 'if', test, yes, no: this.take('else') ? this.block() : [], line };
  }

  private functionAfterDef(line: number): PythonFunction {
    const name = this.name();
    const parameters: { name: string; otherwise: Expression | null }[] = [];
    this.expect('(');
    while (!this.take(')')) {
      const isRest = this.take('*') || this.take('**');
      const parameter = this.name();
      const otherwise = this.take('=') ? this.expression() : null;
      if (!isRest) parameters.push({ name: parameter, otherwise });
      if (!this.take(',') && !this.is(')')) throw new PythonProblem('a function cannot be read', line);
    }
    return { name, parameters, body: this.block(), line };
  }

  private classAfterName(line: number): PythonClass {
    const name = this.name();
    const bases: string[] = [];
    if (this.take('('))
      while (!this.take(')')) {
        const base = this.expression();
        bases.push(base.kind === 'name' || base.kind === 'member' ? base.name : '');
        this.take(',');
      }
    return { name, bases, body: this.block(), line };
  }

  private block(): Statement[] {
    this.expect(':');
    if (!this.takeKind('line')) return this.simpleStatements();
    if (!this.takeKind('indent')) throw new PythonProblem('an indented block is missing', this.now.line);
    const statements: Statement[] = [];
    while (this.now.kind !== 'dedent' && this.now.kind !== 'end') {
      if (this.now.kind === 'line' || this.now.kind === 'indent') this.at += 1;
      else statements.push(...this.statement());
    }
    if (this.now.kind === 'dedent') this.at += 1;
    return statements;
  }

  private simpleStatements(): Statement[] {
    const statements = [this.simple()];
    while (this.take(';')) if (this.now.kind !== 'line' && this.now.kind !== 'end') statements.push(this.simple());
    this.endOfLine();
    return statements;
  }

  private endOfLine(): void {
    if (this.now.kind === 'line') this.at += 1;
    else if (this.now.kind !== 'end' && this.now.kind !== 'dedent')
      throw new PythonProblem(`“${this.now.text}” is not expected`, this.now.line);
  }

  private simple(): Statement {
    const { line } = this.now;
    const isEnd = (): boolean => this.now.kind === 'line' || this.now.kind === 'end' || this.is(';');
    if (this.take('return')) return { kind: 'return', value: isEnd() ? null : this.expressions(), line };
    for (const how of ['break', 'continue', 'raise'] as const)
      if (this.take(how)) {
        while (!isEnd()) this.at += 1;
        return { kind: 'leave', how, line };
      }
    if (this.take('assert')) {
      const test = this.expression();
      if (this.take(',')) this.expression();
      return { kind: 'assert', test, line };
    }
    if (this.now.kind === 'name' && NO_EFFECT.has(this.now.text) && !this.isAssignedNext()) {
      while (!isEnd()) this.at += 1;
      return { kind: 'nothing', line };
    }
    const first = this.expressions();
    const augmented = /^(\*\*|\/\/|<<|>>|[-+*/%&|^])=$/.exec(this.now.kind === 'sign' ? this.now.text : '')?.[1];
    if (augmented !== undefined) {
      this.at += 1;
      return {
        kind: 'assignment',
        targets: [first],
        value: { kind: 'binary', sign: augmented, left: first, right: this.expressions(), line },
        line,
      };
    }
    const parts = [first];
    while (this.take('=')) parts.push(this.expressions());
    const value = parts.at(-1);
    if (parts.length < 2 || value === undefined) return { kind: 'expression', value: first, line };
    return { kind: 'assignment', targets: parts.slice(0, -1), value, line };
  }

  /** Several expressions separated by commas form a tuple. */
  private expressions(): Expression {
    const { line } = this.now;
    const first = this.expression();
    if (!this.is(',')) return first;
    const items = [first];
    while (this.take(',')) {
      if (this.now.kind === 'line' || this.now.kind === 'end' || this.is('=') || this.is(')') || this.is(':') || this.is('in')) break;
      items.push(this.expression());
    }
    return { kind: 'list', items, line };
  }

  /** The targets of a loop, before `in`. */
  private targets(): Expression {
    const { line } = this.now;
    const items = [this.postfix()];
    while (this.take(',')) if (!this.is('in')) items.push(this.postfix());
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { kind: 'list', items, line };
  }

  private expression(): Expression {
    return this.deeper(() => {
      const { line } = this.now;
      if (this.take('lambda')) {
        while (!this.is(':') && this.now.kind !== 'line' && this.now.kind !== 'end') this.at += 1;
        this.expect(':');
        this.expression();
        return { kind: 'other', what: 'a lambda', line };
      }
      const yes = this.binary(0);
      if (!this.take('if')) return yes;
      const test = this.binary(0);
      this.expect('else');
      return { kind: 'choice', test, yes, no: this.expression(), line };
    });
  }

  private binary(level: number): Expression {
    const signs = BINARY[level];
    if (signs === undefined) return this.unary();
    const { line } = this.now;
    if (level === 2 && this.take('not')) return { kind: 'unary', sign: 'not', of: this.deeper(() => this.binary(level)), line };
    let left = this.binary(level + 1);
    for (let sign = this.signAmong(signs); sign !== null; sign = this.signAmong(signs))
      left = { kind: 'binary', sign, left, right: this.binary(level + 1), line };
    return left;
  }

  private signAmong(signs: readonly string[]): string | null {
    if (this.now.kind !== 'sign' && this.now.kind !== 'name') return null;
    const next = this.tokens[this.at + 1];
    const two = `${this.now.text} ${next?.kind === 'name' ? next.text : ''}`;
    const sign = signs.find((one) => one === two) ?? signs.find((one) => one === this.now.text);
    if (sign === undefined) return null;
    this.at += sign === two ? 2 : 1;
    return sign;
  }

  private unary(): Expression {
    const { line, text } = this.now;
    if (this.take('-') || this.take('+') || this.take('~')) return { kind: 'unary', sign: text, of: this.deeper(() => this.unary()), line };
    const base = this.postfix();
    if (!this.take('**')) return base;
    return { kind: 'binary', sign: '**', left: base, right: this.deeper(() => this.unary()), line };
  }

  private postfix(): Expression {
    let found = this.atom();
    for (;;) {
      const { line } = this.now;
      if (this.take('.')) found = { kind: 'member', of: found, name: this.name(), line };
      else if (this.take('(')) found = { kind: 'call', of: found, arguments: this.argumentsAfterBracket(), line };
      else if (this.take('[')) found = this.itemAfterBracket(found, line);
      else return found;
    }
  }

  private itemAfterBracket(of: Expression, line: number): Expression {
    const from = this.is(':') ? null : this.expressions();
    if (!this.take(':')) {
      this.expect(']');
      return from === null ? { kind: 'other', what: 'an item', line } : { kind: 'item', of, at: from, line };
    }
    const to = this.is(']') || this.is(':') ? null : this.expression();
    const hasStep = this.take(':');
    if (hasStep && !this.is(']')) this.expression();
    this.expect(']');
    return hasStep ? { kind: 'other', what: 'a slice with steps', line } : { kind: 'slice', of, from, to, line };
  }

  private argumentsAfterBracket(): Argument[] {
    const found: Argument[] = [];
    while (!this.take(')')) {
      const star = this.take('**') ? '**' : this.take('*') ? '*' : null;
      const next = this.tokens[this.at + 1];
      const isNamed = star === null && this.now.kind === 'name' && next?.kind === 'sign' && next.text === '=';
      const name = isNamed ? this.name() : star;
      if (isNamed) this.expect('=');
      const value = this.expression();
      found.push({ name, value: this.is('for') ? this.comprehension(')') : value });
      if (!this.take(',') && !this.is(')')) throw new PythonProblem('a call cannot be read', this.now.line);
    }
    return found;
  }

  /** Parses up to the closing bracket, which is not consumed. */
  private comprehension(end: string): Expression {
    const { line } = this.now;
    for (let open = 0; this.now.kind !== 'end' && (open > 0 || !this.is(end)); this.at += 1) {
      if (this.now.kind === 'sign' && /^[([{]$/.test(this.now.text)) open += 1;
      if (this.now.kind === 'sign' && /^[)\]}]$/.test(this.now.text)) open -= 1;
    }
    return { kind: 'other', what: 'a comprehension', line };
  }

  private atom(): Expression {
    const { kind, text, line } = this.now;
    if (kind === 'text') {
      this.at += 1;
      return { kind: 'text', value: text, line };
    }
    if (kind === 'number') {
      this.at += 1;
      return { kind: 'number', value: Number(text.replace(/[lLjJ]$/, '')), line };
    }
    if (this.take('(')) return this.listUntil(')', line);
    if (this.take('[')) return this.listUntil(']', line);
    if (this.take('{')) return this.dictionary(line);
    if (kind !== 'name') throw new PythonProblem(`“${text}” is not expected`, line);
    this.at += 1;
    return { kind: 'name', name: text, line };
  }

  private listUntil(end: string, line: number): Expression {
    return this.deeper(() => {
      const items: Expression[] = [];
      let hasComma = false;
      while (!this.take(end)) {
        items.push(this.expression());
        if (this.is('for')) {
          const found = this.comprehension(end);
          this.expect(end);
          return found;
        }
        const comma = this.take(',');
        hasComma ||= comma;
        if (!comma && !this.is(end)) throw new PythonProblem(`“${end}” is missing`, this.now.line);
      }
      const [only] = items;
      return end === ')' && items.length === 1 && !hasComma && only !== undefined ? only : { kind: 'list', items, line };
    });
  }

  private dictionary(line: number): Expression {
    const entries: [Expression, Expression][] = [];
    while (!this.take('}')) {
      const key = this.expression();
      if (!this.take(':')) {
        this.comprehension('}');
        this.expect('}');
        return { kind: 'other', what: 'a set', line };
      }
      entries.push([key, this.expression()]);
      if (this.is('for')) {
        this.comprehension('}');
        this.expect('}');
        return { kind: 'other', what: 'a comprehension', line };
      }
      if (!this.take(',') && !this.is('}')) throw new PythonProblem('“}” is missing', this.now.line);
    }
    return { kind: 'dictionary', entries, line };
  }
}
