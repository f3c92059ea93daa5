/** What is looked at of a node of Babel's syntax tree. */
export interface Branch {
  readonly type: string;
  readonly test?: unknown;
  readonly consequent?: unknown;
}

interface Returned {
  readonly argument?: { readonly type: string; readonly typeAnnotation?: { readonly type: string } };
}

/** The last branch of a `switch` over every member of a union, `return unit satisfies never`: the compiler holds it, and nothing can reach it. */
export function isExhausted({ type, test, consequent }: Branch): boolean {
  const argument = Array.isArray(consequent) ? (consequent[0] as Returned | undefined)?.argument : undefined;
  return (
    type === 'SwitchCase' &&
    test === null &&
    argument?.type === 'TSSatisfiesExpression' &&
    argument.typeAnnotation?.type === 'TSNeverKeyword'
  );
}
