import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ESTree, parseSync, Visitor } from 'vite';

/** A file of the product, by its path in the repository. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A literal, a template or a JSX text, with single spaces. Template values are replaced by “…”, and values in JSON are replaced by "…". */
export interface Text {
  readonly text: string;
  /** Position in the file at which it starts, in characters. */
  readonly start: number;
}

/** Matches SQL, markup, style sheets and scripts, which are not user-facing texts. */
const PROGRAM_TEXT =
  /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|DROP) |^\s*<\S|[{};]\s*$|=>|\/dev\/null|=\$\(|\| head -n|^import \w+,/;

/** Reads the product's code below `root`, without tests and their helpers. */
export async function productCode(root: string): Promise<Source[]> {
  return (await allCode(root, ['src', 'workers', 'electron'])).filter(
    ({ path }) => !/\.test\.tsx?$/.test(path) && !path.includes('/testing/'),
  );
}

/** Reads all code in these folders below `root`. */
export async function allCode(root: string, folders: readonly string[]): Promise<Source[]> {
  const files = (await Promise.all(folders.map((folder) => readdir(join(root, folder), { recursive: true })))).flatMap((names, index) =>
    names.map((name) => `${folders[index]}/${name.replaceAll('\\', '/')}`),
  );
  const ourFiles = files.filter((path) => /(?<!\.d)\.tsx?$/.test(path)).toSorted();
  return Promise.all(ourFiles.map(async (path) => ({ path, text: await readFile(join(root, path), 'utf8') })));
}

/** Returns all texts in a TypeScript file, in order. Throws if the file cannot be parsed. */
export function textsIn({ path, text }: Source): Text[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const foundTexts: Text[] = [];
  const add = (start: number, words: string): void => {
    foundTexts.push({ start, text: words.replaceAll(/\s+/g, ' ').trim() });
  };
  new Visitor({
    Literal: ({ value, start }) => {
      if (typeof value === 'string') add(start, value);
    },
    TemplateLiteral: ({ quasis, expressions, start }) =>
      add(
        start,
        quasis
          .map(
            ({ value: { cooked, raw } }, index) =>
              `${cooked ?? raw}${index < expressions.length ? placeholderFor(expressions[index]) : ''}`,
          )
          .join(''),
      ),
    JSXText: ({ value, start }) => add(start, value),
  }).visit(program);
  return foundTexts;
}

/** Returns the placeholder for a template value. It has straight quotes if the value is in JSON. */
function placeholderFor(expression: ESTree.Expression | undefined): string {
  const isJson =
    expression?.type === 'CallExpression' &&
    expression.callee.type === 'MemberExpression' &&
    expression.callee.object.type === 'Identifier' &&
    expression.callee.object.name === 'JSON';
  return isJson ? '"…"' : '…';
}

/** Returns the titles of the tests in a TypeScript file: the first arguments of `it`, `test` and `describe`. */
export function testTitlesIn({ path, text }: Source): Text[] {
  if (!/^\s*(?:it|test|describe)[.(]/m.test(text)) return [];
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const foundTexts: Text[] = [];
  new Visitor({
    CallExpression: ({ callee, arguments: [title] }) => {
      if (
        title?.type === 'Literal' &&
        typeof title.value === 'string' &&
        /^(?:it|test|describe)\b/.test(text.slice(callee.start, callee.end))
      )
        foundTexts.push({ text: title.value, start: title.start });
    },
  }).visit(program);
  return foundTexts;
}

/** Returns each identifier in a TypeScript file once, including members of types and objects. */
export function namesIn({ path, text }: Source): Text[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found = new Map<string, number>();
  const add = ({ name, start }: { readonly name: string; readonly start: number }): void => {
    if (!found.has(name)) found.set(name, start);
  };
  new Visitor({ Identifier: add, JSXIdentifier: add, PrivateIdentifier: add }).visit(program);
  return [...found].map(([name, start]) => ({ text: name, start }));
}

/** Returns the names of the functions that a TypeScript file declares: functions, methods, and constants that are functions. */
export function functionsIn({ path, text }: Source): Text[] {
  const { program } = parseSync(path, text);
  const foundTexts: Text[] = [];
  const add = (id: ESTree.Node | null): void => {
    if (id?.type === 'Identifier') foundTexts.push({ text: id.name, start: id.start });
  };
  new Visitor({
    FunctionDeclaration: ({ id }) => add(id),
    MethodDefinition: ({ key }) => add(key),
    VariableDeclarator: ({ id, init }) => {
      if (init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression') add(id);
    },
  }).visit(program);
  return foundTexts;
}

/**
 * Returns the comments in a TypeScript file without their marks, with “…” in place of code in backticks. Neighbouring line comments are
 * returned as one text.
 */
export function commentsIn({ path, text }: Source): Text[] {
  const { comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
  const found: { type: string; text: string; start: number; end: number }[] = [];
  for (const { type, value, start, end } of comments) {
    const before = found.at(-1);
    const words = value
      .replaceAll(/^\s*\*+ ?/gm, ' ')
      .replaceAll(/`[^`]*`|\{@\w+ [^}]*\}/g, '…')
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (type === 'Line' && before?.type === 'Line' && /^\s*\n\s*$/.test(text.slice(before.end, start))) {
      before.text += ` ${words}`;
      before.end = end;
    } else if (!/^(?:oxlint|eslint|@|v8|#)/.test(words)) found.push({ type, text: words, start, end });
  }
  return found;
}

/** Returns whether a text is user-facing: it has at least `minWords` words and is neither a statement nor markup. */
export function isForPeople(text: string, minWords: number): boolean {
  return !PROGRAM_TEXT.test(text) && text.split(' ').filter((word) => /\p{L}/u.test(word)).length >= minWords;
}

/** Returns the line of a position, counted from 1. */
export function lineAt(text: string, start: number): number {
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < start; end = text.indexOf('\n', end + 1)) line += 1;
  return line;
}
