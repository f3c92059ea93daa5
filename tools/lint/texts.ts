import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

/** A file of the product, by its path in the repository. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A literal, template or JSX text, with single spaces; template values are “…”, and JSON in them "…". */
export interface Text {
  readonly text: string;
  /** Start in the file, in characters. */
  readonly start: number;
}

/** SQL, markup, style sheets and scripts are no user-facing text. */
const PROGRAM_TEXT =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|DROP) |^\s*<\S|[{};]\s*$|=>|\/dev\/null|=\$\(|\| head -n|^import \w+,/;

/** Reads the product's code below `root`, without tests and their helpers. */
export async function productCode(root: string): Promise<Source[]> {
  const folders = ['src', 'workers', 'electron'];
  const files = (await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })))).flatMap((names, index) =>
    names.map((name) => `${folders[index]}/${name.replaceAll('\\', '/')}`),
  );
  const ours = files.filter((path) => /(?<!\.test|\.d)\.tsx?$/.test(path) && !path.includes('/testing/')).toSorted();
  return Promise.all(ours.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })));
}

/** Returns all texts of a TypeScript file in order. Throws if it cannot be parsed. */
export function textsIn({ path, text }: Source): Text[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found: Text[] = [];
  const add = (start: number, words: string): void => {
    found.push({ start, text: words.replaceAll(/\s+/g, ' ').trim() });
  };
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(start, value);
    },
    TemplateLiteral: ({ quasis, expressions, start }) =>
      add(
        start,
        quasis
          .map(({ value: { cooked, raw } }, index) => `${cooked ?? raw}${index < expressions.length ? inserted(expressions[index]) : ''}`)
          .join(''),
      ),
    JSXText: ({ value, start }) => add(start, value),
  }).visit(program);
  return found;
}

/** Returns the placeholder of a template value; JSON adds straight quotes. */
function inserted(expression: ESTree.Expression | undefined): string {
  const isJson =
    expression?.type === 'CallExpression' &&
    expression.callee.type === 'MemberExpression' &&
    expression.callee.object.type === 'Identifier' &&
    expression.callee.object.name === 'JSON';
  return isJson ? '"…"' : '…';
}

/** Returns whether a text is user-facing: at least `leastWords` words, and neither a statement nor markup. */
export function isForPeople(text: string, leastWords: number): boolean {
  return !PROGRAM_TEXT.test(text) && text.split(' ').filter((word) => /\p{L}/u.test(word)).length >= leastWords;
}

/** Returns the line of a position, counted from 1. */
export function lineAt(text: string, start: number): number {
  return text.slice(0, start).split('\n').length;
}
