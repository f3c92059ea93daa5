/** What is looked at of a node of Babel's syntax tree. */
interface Branch {
  readonly type: string;
  readonly test?: unknown;
  readonly consequent?: readonly { readonly argument?: { readonly type: string; readonly typeAnnotation?: { readonly type: string } } }[];
}

/** The last branch of a `switch` over every member of a union, `return unit satisfies never`: the compiler holds it, and nothing can reach it. */
function isExhausted({ type, test, consequent }: Branch): boolean {
  const argument = Array.isArray(consequent) ? consequent[0]?.argument : undefined;
  return (
    type === 'SwitchCase' &&
    test === null &&
    argument?.type === 'TSSatisfiesExpression' &&
    argument.typeAnnotation?.type === 'TSNeverKeyword'
  );
}

/** A plugin of Stryker that leaves out changes which the types rule out. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'exhaustive',
    value: { shouldIgnore: ({ node }: { readonly node: Branch }) => (isExhausted(node) ? 'the types rule it out' : undefined) },
  },
];
