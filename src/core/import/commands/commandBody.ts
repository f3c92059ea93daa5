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
  | { readonly kind: 'file'; readonly path: string; readonly isBinary: boolean }
  /** The content of a file among other data, or an unknown standard input. */
  | { readonly kind: 'unknown'; readonly what: string };

const DATA: ReadonlySet<Field> = new Set<Field>(['data', 'dataRaw', 'dataBinary', 'dataEncoded', 'json']);

/** Joins the data of `-d` and similar options, as curl does. Reports and leaves out unknown pieces. */
export function joinedData(draft: Draft, bodies: Parsed['bodies'], input: Input | null): { text: string; file: string | null } | null {
  const given = bodies.filter(({ field }) => DATA.has(field));
  if (given.length === 0) return null;
  let text = '';
  let isFirst = true;
  for (const one of given) {
    const piece = one.field === 'dataEncoded' ? encodedPiece(one.value, input) : dataPiece(one, input);
    if (piece.kind === 'file' && given.length === 1) {
      if (!piece.isBinary)
        draft.changed(one.option, 'curl removes the line breaks of this file.', 'The plan sends them, except the last one.');
      return { text: '', file: piece.path };
    }
    if (piece.kind === 'text') {
      // curl joins pieces with &, except before --json.
      text += `${isFirst || one.field === 'json' ? '' : '&'}${piece.text}`;
      isFirst = false;
    } else {
      const what = piece.kind === 'unknown' ? piece.what : 'Part of the body is in a file.';
      draft.leftOut(one.option, what, PART_WAS_LEFT_OUT);
    }
  }
  return { text, file: null };
}

function dataPiece({ field, value }: Given & { readonly field: Field }, input: Input | null): Piece {
  if (field === 'dataRaw' || !value.startsWith('@')) return { kind: 'text', text: value };
  const isBinary = field !== 'data';
  const source = sourceOf(value.slice(1), input);
  switch (source.kind) {
    case 'text':
      return { kind: 'text', text: isBinary ? source.text : source.text.replaceAll(/[\r\n\0]/g, '') };
    case 'file':
      return { ...source, isBinary };
    case 'unknown':
      return { kind: 'unknown', what: BODY_OF_STANDARD_INPUT };
    default:
      return source satisfies never;
  }
}

/** Encodes a text as curl does: all but the unreserved letters of RFC 3986, with + for a space. */
function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** Encodes the value of `name=text`, `=text`, `text`, `name@file` or `@file`, but not the name. */
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
    : {
        kind: 'unknown',
        what: source.kind === 'file' ? 'A value is in a file and must be encoded.' : 'A value is read from standard input.',
      };
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

/** Note for a part of a body or an address that the command does not contain. */
export const PART_WAS_LEFT_OUT = 'That part was left out.';

const NONE: CommandBody = { payload: { kind: 'none' }, type: '' };

export function bodyOf(draft: Draft, { tool: name, input }: ToolCommand, { fields, bodies, switches }: Parsed): CommandBody {
  const usual = fields.get('contentType')?.at(-1)?.value ?? (fields.has('json') ? 'application/json' : TOOLS[name].bodyType);
  const type = headerType(fields) ?? usual;
  const upload = fields.get('putFile')?.at(-1);
  // curl sends no Content-Type for uploads.
  if (upload !== undefined && name === 'curl')
    return { payload: fromSource(draft, upload.option, upload.value, headerType(fields) ?? '', input), type: '' };
  const file = (fields.get('postFile') ?? fields.get('putFile') ?? fields.get('bodyFile'))?.at(-1);
  if (file !== undefined) return { payload: { kind: 'file', path: file.value }, type };
  const body = fields.get('body')?.at(-1);
  if (body !== undefined) return { payload: textPayload(body.value, type), type };
  const form = fields.get('partsJson')?.at(-1);
  if (form !== undefined) return { payload: { kind: 'multipart', parts: partsFromJson(draft, form.value) }, type: '' };
  const given = bodies.filter(({ field }) => field === 'part' || field === 'partText');
  if (given.length > 0) {
    const parts = given.flatMap(({ option, field, value }) => partOf(draft, option, value, field === 'partText', input) ?? []);
    return { payload: { kind: 'multipart', parts }, type: '' };
  }
  if (switches.has('dataInQuery')) return NONE;
  const data = joinedData(draft, bodies, input);
  if (data === null) return NONE;
  return { payload: data.file === null ? textPayload(data.text, type) : { kind: 'file', path: data.file }, type };
}

function fromSource(draft: Draft, option: string, name: string, type: string, input: ToolCommand['input']): Payload {
  const source = sourceOf(name === '.' ? '-' : name, input);
  if (source.kind === 'text') return textPayload(source.text, type);
  if (source.kind === 'file') return { kind: 'file', path: source.path };
  leaveOutBody(draft, option, BODY_OF_STANDARD_INPUT);
  return { kind: 'none' };
}

function headerType(fields: Parsed['fields']): string | null {
  const header = (fields.get('header') ?? []).find(({ value }) => /^\s*content-type\s*[:=]/i.test(value));
  return header === undefined ? null : header.value.slice(header.value.search(/[:=]/) + 1).trim();
}

/** Returns a form if Holdfast would encode its fields in the same way; otherwise the text unchanged. */
function textPayload(text: string, type: string): Payload {
  const hasMarks = marksIn(text).length > 0;
  if (/x-www-form-urlencoded/i.test(type) && text.includes('=') && !hasMarks) {
    const pairs = formPairs(text);
    const isSame =
      pairs !== null &&
      pairs
        .map(([name, value]) => `${formText(name)}=${formText(value)}`)
        .join('&')
        .replaceAll('%20', '+') === text.replaceAll('%20', '+').replaceAll('~', '%7E').replaceAll('%2A', '*');
    if (isSame) return { kind: 'form', fields: pairs.map(([name, value]) => [name, literal(value)]) };
  }
  // A shell inserts variables without encoding.
  return hasMarks ? { kind: 'text', text: fillMarks(literal(text)), type, isTemplate: true } : { kind: 'text', text, type };
}
