import type { Draft } from '../draft.ts';
import type { Input } from '../shells/input.ts';
import { literal } from '../placeholders.ts';
import { formPairs, formText, type Payload } from '../requestParts.ts';
import { fillMarks, marksIn } from '../shells/shellText.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import type { Given, Parsed } from './parseOptions.ts';
import type { Field } from './meaning.ts';
import { partOf, partsFromJson } from './formParts.ts';
import { TOOLS } from './tools.ts';
import { BODY_OF_STANDARD_INPUT, leaveOutBody } from '../notes.ts';

/** The text that one option of curl adds to the body. */
type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  /** The content of a file among other data, or an unknown standard input. */
  | { readonly kind: 'unknown'; readonly what: string };

const DATA = /^(?:data(?:Raw|Binary|Encoded)?|json)$/;

/** Note for a part of a body or an address that the command does not contain. */
export const PART_WAS_LEFT_OUT = 'That part was left out.';

/** Joins the data of `-d` and similar options, as curl does. Reports and leaves out unknown pieces. */
export function joinedData(draft: Draft, bodies: Parsed['bodies'], input: Input | null): { text: string; file: string | null } | null {
  const given = bodies.filter(({ field }) => DATA.test(field));
  if (given.length === 0) return null;
  let text = '';
  let isFirst = true;
  for (const one of given) {
    const piece = one.field === 'dataEncoded' ? encodedPiece(one.value, input) : dataPiece(one, input);
    if (piece.kind === 'file' && given.length === 1) {
      if (one.field === 'data')
        draft.changed(one.option, 'curl removes the line breaks of this file.', 'The plan sends them, except the last one.');
      return { text: '', file: piece.path };
    }
    if (piece.kind === 'text') {
      // curl joins pieces with &, except before --json.
      text += `${isFirst || one.field === 'json' ? '' : '&'}${piece.text}`;
      isFirst = false;
    } else draft.leftOut(one.option, piece.kind === 'unknown' ? piece.what : 'Part of the body is in a file.', PART_WAS_LEFT_OUT);
  }
  return { text, file: null };
}

function dataPiece({ field, value }: Given & { readonly field: Field }, input: Input | null): Piece {
  if (field === 'dataRaw' || !value.startsWith('@')) return { kind: 'text', text: value };
  const source = sourceOf(value.slice(1), input);
  if (source.kind === 'unknown') return { kind: 'unknown', what: BODY_OF_STANDARD_INPUT };
  return source.kind === 'text' && field === 'data' ? { kind: 'text', text: source.text.replaceAll(/[\r\n\0]/g, '') } : source;
}

/** Encodes a text as curl does: all but the unreserved letters of RFC 3986, with + for a space. */
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** Encodes the value of `name=text`, `=text`, `text`, `name@file` or `@file`, but not the name. */
export function encodedPiece(written: string, input: Input | null): Piece {
  const [, name = '', sign = '', value = ''] = /^([^=]*)(=)([^]*)$/.exec(written) ??
    /^([^@]*)(@)([^]*)$/.exec(written) ?? ['', '', '', written];
  const source: Input = sign === '@' ? sourceOf(value, input) : { kind: 'text', text: value };
  if (source.kind === 'text') return { kind: 'text', text: `${name === '' ? '' : `${name}=`}${escaped(source.text)}` };
  const isFile = source.kind === 'file';
  return { kind: 'unknown', what: isFile ? 'A value is in a file and must be encoded.' : 'A value is read from standard input.' };
}

/** Returns the source after `@`: a file or standard input. */
function sourceOf(name: string, input: Input | null): Input {
  return name === '-' ? (input ?? { kind: 'unknown' }) : { kind: 'file', path: name };
}

/** The body of a command’s requests and its default Content-Type, which is empty if there is none. */
export interface CommandBody {
  readonly payload: Payload;
  readonly type: string;
}

const NONE: CommandBody = { payload: { kind: 'none' }, type: '' };

export function bodyOf(draft: Draft, { tool: name, input }: ToolCommand, parsed: Parsed): CommandBody {
  const usual = parsed.value('contentType') ?? (parsed.fields.has('json') ? 'application/json' : TOOLS[name].bodyType);
  const ofHeader = headerType(parsed.all('header'));
  const type = ofHeader ?? usual;
  const upload = parsed.last('putFile');
  // curl sends no Content-Type for uploads.
  if (upload !== undefined && name === 'curl') {
    const source = sourceOf(upload.value === '.' ? '-' : upload.value, input);
    if (source.kind === 'text') return { payload: textPayload(source.text, ofHeader ?? ''), type: '' };
    if (source.kind === 'file') return { payload: source, type: '' };
    leaveOutBody(draft, upload.option, BODY_OF_STANDARD_INPUT);
    return NONE;
  }
  const file = parsed.last('postFile', 'putFile', 'bodyFile');
  if (file !== undefined) return { payload: { kind: 'file', path: file.value }, type };
  const body = parsed.value('body');
  if (body !== undefined) return { payload: textPayload(body, type), type };
  const form = parsed.value('partsJson');
  if (form !== undefined) return { payload: { kind: 'multipart', parts: partsFromJson(draft, form) }, type: '' };
  const given = parsed.bodies.filter(({ field }) => field === 'part' || field === 'partText');
  if (given.length > 0) {
    const parts = given.flatMap(({ option, field, value }) => partOf(draft, option, value, field === 'partText', input) ?? []);
    return { payload: { kind: 'multipart', parts }, type: '' };
  }
  const data = parsed.has('dataInQuery') ? null : joinedData(draft, parsed.bodies, input);
  if (data === null) return NONE;
  return { payload: data.file === null ? textPayload(data.text, type) : { kind: 'file', path: data.file }, type };
}

function headerType(headers: readonly Given[]): string | undefined {
  const header = headers.find(({ value }) => /^\s*content-type\s*[:=]/i.test(value));
  return header?.value.slice(header.value.search(/[:=]/) + 1).trim();
}

/** Returns a form if Holdfast would encode its fields in the same way; otherwise the text unchanged. */
function textPayload(text: string, type: string): Payload {
  // A shell inserts variables without encoding.
  if (marksIn(text).length > 0) return { kind: 'text', text: fillMarks(literal(text)), type, isTemplate: true };
  const pairs = /x-www-form-urlencoded/i.test(type) && text.includes('=') ? formPairs(text) : null;
  const encoded = pairs?.map(([name, value]) => `${formText(name)}=${formText(value)}`).join('&');
  const isSame = encoded?.replaceAll('%20', '+') === text.replaceAll('%20', '+').replaceAll('~', '%7E').replaceAll('%2A', '*');
  return pairs !== null && isSame
    ? { kind: 'form', fields: pairs.map(([name, value]) => [name, literal(value)]) }
    : { kind: 'text', text, type };
}
