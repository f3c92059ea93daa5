import { Parser } from 'htmlparser2';
import { NESTED_TOO_DEEPLY } from '#core/base/text.ts';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** Text directly in the element, without the text of its children. */
  readonly text: string;
}

interface OpenElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: OpenElement[];
  text: string;
}

const MAX_DEPTH = 200;
/** Number of characters that are parsed before the parser checks for a problem. */
const CHUNK_LENGTH = 16_384;

/**
 * Parses XML. Replaces only the five predefined entities and character references; document types are ignored, and nothing is expanded or
 * fetched. `problem` is set if the XML is invalid.
 */
export function readXml(source: string): { readonly root: XmlElement | null; readonly problem: string | null } {
  const roots: OpenElement[] = [];
  const stack: OpenElement[] = [];
  let problem: string | null = null;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (stack.length >= MAX_DEPTH) {
          problem ??= NESTED_TOO_DEEPLY;
          return;
        }
        const element: OpenElement = { name, attributes, children: [], text: '' };
        (stack.at(-1)?.children ?? roots).push(element);
        stack.push(element);
      },
      ontext(text) {
        const top = stack.at(-1);
        if (top !== undefined) top.text += text;
      },
      onclosetag(name, isImplied) {
        // The parser reports the end of an element that closes itself (`<a/>`) as an implied end.
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
  for (let from = 0; from < source.length; from += CHUNK_LENGTH) {
    parser.write(source.slice(from, from + CHUNK_LENGTH));
    if (problem !== null) return { root: null, problem };
  }
  isEnding = true;
  parser.end();
  const [root = null] = roots;
  problem ??= root === null ? 'it contains no element' : null;
  return { root: problem === null ? root : null, problem };
}
