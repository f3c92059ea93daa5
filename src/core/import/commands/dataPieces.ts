import type { Draft } from '../draft.ts';
import type { Input } from '../shells/input.ts';
import type { Given, Parsed } from './parseOptions.ts';
import type { Field } from './meaning.ts';

/** What one option of curl adds to the data of a request. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly isAsItIs: boolean }
  /** A file whose content stands within the data, or an input that nobody knows. */
  | { readonly kind: 'unknown'; readonly what: string };

const DATA: ReadonlySet<Field> = new Set<Field>(['data', 'dataRaw', 'dataBinary', 'dataEncoded', 'json']);

/** The data of `-d` and its like, joined as curl joins it: the pieces of which nothing is known are left out and told of. */
export function joinedData(draft: Draft, bodies: Parsed['bodies'], input: Input | null): { text: string; file: string | null } | null {
  const given = bodies.filter(({ field }) => DATA.has(field));
  if (given.length === 0) return null;
  let text = '';
  let isFirst = true;
  for (const one of given) {
    const piece = one.field === 'dataEncoded' ? encodedPiece(one.value, input) : dataPiece(one, input);
    if (piece.kind === 'file' && given.length === 1) {
      if (!piece.isAsItIs)
        draft.changed(one.option, 'curl leaves out the line breaks of this file.', 'The plan sends them, but for the last one.');
      return { text: '', file: piece.path };
    }
    if (piece.kind === 'text') {
      // What JSON adds is joined without a sign; before anything else stands &.
      text += `${isFirst || one.field === 'json' ? '' : '&'}${piece.text}`;
      isFirst = false;
    } else {
      const what = piece.kind === 'unknown' ? piece.what : 'A part of the body is in a file.';
      draft.leftOut(one.option, what, 'That part was left out.');
    }
  }
  return { text, file: null };
}

function dataPiece({ field, value }: Given & { readonly field: Field }, input: Input | null): Piece {
  if (field === 'dataRaw' || !value.startsWith('@')) return { kind: 'text', text: value };
  const isAsItIs = field !== 'data';
  const source = sourceOf(value.slice(1), input);
  switch (source.kind) {
    case 'text':
      return { kind: 'text', text: isAsItIs ? source.text : source.text.replaceAll(/[\r\n\0]/g, '') };
    case 'file':
      return { ...source, isAsItIs };
    case 'unknown':
      return { kind: 'unknown', what: 'The body comes from standard input.' };
    default:
      return source satisfies never;
  }
}

/** As curl escapes what it encodes: all but the unreserved letters of RFC 3986, and + for a blank. */
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** `name=text`, `=text`, `text`, `name@file`, `@file`: only what stands behind the name is encoded. */
export function encodedPiece(written: string, input: Input | null): Piece {
  const equals = written.indexOf('=');
  const at = equals < 0 ? written.indexOf('@') : -1;
  if (equals < 0 && at < 0) return { kind: 'text', text: escaped(written) };
  const name = written.slice(0, Math.max(equals, at));
  const begin = name === '' ? '' : `${name}=`;
  if (equals >= 0) return { kind: 'text', text: `${begin}${escaped(written.slice(equals + 1))}` };
  const source = sourceOf(written.slice(at + 1), input);
  return source.kind === 'text'
    ? { kind: 'text', text: `${begin}${escaped(source.text)}` }
    : { kind: 'unknown', what: source.kind === 'file' ? 'A value is in a file, and is encoded.' : 'A value comes from standard input.' };
}

/** What stands behind `@`. */
export function sourceOf(name: string, input: Input | null): Input {
  return name === '-' ? (input ?? { kind: 'unknown' }) : { kind: 'file', path: name };
}
