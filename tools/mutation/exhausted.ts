/** The parts of a node in Babel's syntax tree that are used here. */
interface Branch {
  readonly type: string;
  readonly test?: unknown;
  readonly consequent?: unknown;
}

interface ReturnNode {
  readonly argument?: { readonly type: string; readonly typeAnnotation?: { readonly type: string } };
}

/** Returns whether a node is the last branch of an exhaustive `switch`, which cannot be reached: `return unit satisfies never`. */
function isExhausted({ type, test, consequent }: Branch): boolean {
  const argument = Array.isArray(consequent) ? (consequent[0] as ReturnNode | undefined)?.argument : undefined;
  return (
    type === 'SwitchCase' &&
    test === null &&
    argument?.type === 'TSSatisfiesExpression' &&
    argument.typeAnnotation?.type === 'TSNeverKeyword'
  );
}

/** A plugin for Stryker that skips branches that cannot be reached according to the types. */
export const strykerPlugins = [
  {
    kind: 'Ignore',
    name: 'exhausted',
    value: { shouldIgnore: ({ node }: { readonly node: Branch }) => (isExhausted(node) ? 'The types exclude it.' : undefined) },
  },
];
