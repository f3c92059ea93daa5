/** Expressions and statements of Python that FunkLoad tests need. */

interface Placed {
  readonly line: number;
}

export type Expression = Placed &
  (
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'member'; readonly of: Expression; readonly name: string }
    | { readonly kind: 'item'; readonly of: Expression; readonly at: Expression }
    | { readonly kind: 'slice'; readonly of: Expression; readonly from: Expression | null; readonly to: Expression | null }
    | { readonly kind: 'call'; readonly of: Expression; readonly arguments: readonly Argument[] }
    | { readonly kind: 'list'; readonly items: readonly Expression[] }
    | { readonly kind: 'dictionary'; readonly entries: readonly (readonly [Expression, Expression])[] }
    | { readonly kind: 'binary'; readonly sign: string; readonly left: Expression; readonly right: Expression }
    | { readonly kind: 'unary'; readonly sign: string; readonly of: Expression }
    | { readonly kind: 'choice'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
    /** A parsed expression that is not interpreted, such as a lambda or a comprehension. */
    | { readonly kind: 'other'; readonly what: string }
  );

export interface Argument {
  /** The name, or `*` and `**` for unpacked arguments; null for a positional argument. */
  readonly name: string | null;
  readonly value: Expression;
}

export interface PythonFunction extends Placed {
  readonly name: string;
  readonly parameters: readonly { readonly name: string; readonly otherwise: Expression | null }[];
  readonly body: readonly Statement[];
}

export interface PythonClass extends Placed {
  readonly name: string;
  readonly bases: readonly string[];
  readonly body: readonly Statement[];
}

export type Statement = Placed &
  (
    | { readonly kind: 'expression'; readonly value: Expression }
    | { readonly kind: 'assignment'; readonly targets: readonly Expression[]; readonly value: Expression }
    | { readonly kind: 'return'; readonly value: Expression | null }
    | { readonly kind: 'leave'; readonly how: 'break' | 'continue' | 'raise' }
    | { readonly kind: 'assert'; readonly test: Expression }
    | { readonly kind: 'if'; readonly test: Expression; readonly yes: readonly Statement[]; readonly no: readonly Statement[] }
    | { readonly kind: 'for'; readonly target: Expression; readonly over: Expression; readonly body: readonly Statement[] }
    | { readonly kind: 'while'; readonly test: Expression; readonly body: readonly Statement[] }
    /** The body of `try` and `with`, which runs normally. */
    | { readonly kind: 'block'; readonly body: readonly Statement[] }
    | { readonly kind: 'function'; readonly made: PythonFunction }
    | { readonly kind: 'class'; readonly made: PythonClass }
    /** A statement without relevant effect: `import`, `pass`, `print`, `global`, `del`. */
    | { readonly kind: 'nothing' }
  );
