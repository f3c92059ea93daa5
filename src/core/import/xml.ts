import { Parser } from 'htmlparser2';
import { NESTED_TOO_DEEPLY } from '#core/base/text.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** What stands in it directly. */
  readonly text: string;
}

interface Open {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: Open[];
  text: string;
}

const DEEPEST = 200;
/** After so many characters it is seen whether there is a problem already. */
const CHUNK = 16_384;

/**
 * Reads XML. Only the five entities of XML itself and numbers stand for letters: what a document type defines is not looked at, so nothing grows
 * and nothing is fetched. A text that is no XML is told by `problem`.
 */
export function readXml(source: string): { readonly root: XmlElement | null; readonly problem: string | null } {
  const roots: Open[] = [];
  const stack: Open[] = [];
  let problem: string | null = null;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (stack.length >= DEEPEST) {
          problem ??= NESTED_TOO_DEEPLY;
          return;
        }
        const element: Open = { name, attributes, children: [], text: '' };
        (stack.at(-1)?.children ?? roots).push(element);
        stack.push(element);
      },
      ontext(text) {
        const top = stack.at(-1);
        if (top !== undefined) top.text += text;
      },
      onclosetag(name, isImplied) {
        // An element without content closes itself, which is implied too.
        const closed = stack.pop();
        if (closed?.name !== name) problem ??= `<${name.slice(0, 60)}> is closed where it was not opened`;
        if (isImplied && isEnding) problem ??= `<${name.slice(0, 60)}> is never closed`;
      },
      onerror(error) {
        problem ??= error.message;
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  let isEnding = false;
  for (let from = 0; from < source.length; from += CHUNK) {
    parser.write(source.slice(from, from + CHUNK));
    if (problem !== null) return { root: null, problem };
  }
  isEnding = true;
  parser.end();
  const [root] = roots;
  return { root: root ?? null, problem: problem ?? (root === undefined ? 'it contains no element' : null) };
}
