import { parser } from '@lezer/python';

/** A node of a parsed program. Names of nodes come from the grammar: https://github.com/lezer-parser/python. */
export type Node = ReturnType<typeof parser.parse>['topNode'];

export class PythonProblem extends Error {
  override readonly name = 'PythonProblem';
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const MAX_CHARACTERS = 1_000_000;
/** Maximum nesting. Deeper nesting is refused, because the program is read recursively. */
const MAX_DEPTH = 200;
/** Matches statements of Python 2 that the grammar knows only in part. They send no request. */
const PYTHON_2_STATEMENT = /^\s*(print|exec)\b/;

/** A program of Python 2 or 3, parsed and never executed. Throws a {@link PythonProblem} for invalid syntax. */
export class Program {
  readonly top: Node;
  private readonly source: string;
  private readonly lines = new Map<number, number>();

  constructor(source: string) {
    // The grammar lacks Python 2’s `ur` prefix. A space replaces the `u`, so positions stay valid.
    this.source = source.replaceAll(/\r\n?/g, '\n').replaceAll(/(?<=[\s=(,:+[{])[uU](?=[rR]["'])/g, ' ');
    if (this.source.length > MAX_CHARACTERS) throw new PythonProblem('it is too long', 1);
    const tree = parser.parse(this.source);
    this.top = tree.topNode;
    let depth = 0;
    tree.iterate({
      enter: ({ type, from, to }) => {
        depth += 1;
        if (type.name === 'String' && !/^\w*('''|"""|'|")[^]*\1$/.test(this.textOf({ from, to })))
          throw new PythonProblem('a text has no end', this.lineAt(from));
        if (depth > MAX_DEPTH) throw new PythonProblem('parts of it are nested too deeply', this.lineAt(from));
        if (!type.isError || PYTHON_2_STATEMENT.test(this.source.slice(this.source.lastIndexOf('\n', from - 1) + 1))) return;
        throw new PythonProblem('its syntax is invalid', this.lineAt(from));
      },
      leave: () => {
        depth -= 1;
      },
    });
  }

  textOf({ from, to }: Pick<Node, 'from' | 'to'>): string {
    return this.source.slice(from, to);
  }

  formatLine({ from }: Node): number {
    return this.lineAt(from);
  }

  /** Returns the text between two nodes, such as the operator “not in”, with single blanks and without comments. */
  sourceBetween({ to }: Node, { from }: Node): string {
    return this.source
      .slice(to, from)
      .replaceAll(/#.*|\\\n|\s+/g, ' ')
      .replaceAll(/ +/g, ' ')
      .trim();
  }

  /** Returns the text that a string literal stands for. */
  stringOf(node: Node): string {
    const [begin, prefix = '', quote = ''] = /^([a-z]*)('''|"""|'|")/i.exec(this.textOf(node)) ?? [''];
    const inner = this.source.slice(node.from + begin.length, node.to - quote.length);
    if (/r/i.test(prefix)) return inner;
    return inner.replaceAll(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([^]))/g, (whole, byte?: string, unit?: string, letter?: string) => {
      const code = byte ?? unit;
      return code === undefined ? (ESCAPES.get(letter ?? '') ?? whole) : String.fromCharCode(Number.parseInt(code, 16));
    });
  }

  private lineAt(position: number): number {
    let line = this.lines.get(position);
    if (line === undefined) this.lines.set(position, (line = this.source.slice(0, position).split('\n').length));
    return line;
  }
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['0', '\0'],
  ['\n', ''],
]);

/** Caches children, because the tree creates their nodes at each access and a loop reads them many times. */
const known = new WeakMap<Node, readonly Node[]>();

export function childrenOf(node: Node): readonly Node[] {
  const before = known.get(node);
  if (before !== undefined) return before;
  const children: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) if (child.name !== 'Comment') children.push(child);
  known.set(node, children);
  return children;
}

export function childOf(node: Node, name: string): Node | null {
  return childrenOf(node).find((child) => child.name === name) ?? null;
}

/** Returns the children of a node without brackets and commas. */
export function childNodes(node: Node): readonly Node[] {
  return childrenOf(node).filter(({ name }) => !/^[()[\]{},⚠]$/.test(name));
}

/** Expressions separated by commas: one value, or a list. */
export interface Side {
  readonly nodes: readonly Node[];
  readonly isList: boolean;
}

export function readSide(nodes: readonly Node[]): Side {
  return { nodes: nodes.filter(({ name }) => name !== ','), isList: nodes.some(({ name }) => name === ',') };
}

/** Returns the statements of the first block of a compound statement. */
export function statementsOf(node: Node): readonly Node[] {
  const body = childOf(node, 'Body');
  return body === null ? [] : listStatements(body);
}

export function listStatements(body: Node): Node[] {
  return childrenOf(body).filter(({ name }) => name !== ':');
}
