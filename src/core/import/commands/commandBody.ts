import type { Draft } from '../draft.ts';
import type { Input } from '../shells/input.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { formPairs, formText, type Part, partType, type Payload } from '../requestParts.ts';
import { fillMarks, findMarks, replaceMarksByNames } from '../shells/shellText.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import type { GivenOption, ParsedOptions } from './parseOptions.ts';
import type { Field } from './meaning.ts';
import { TOOLS } from './tools.ts';
import { STANDARD_INPUT_NOTE, leaveOutBody } from '../notes.ts';
import { parseJson } from '#core/base/json.ts';
import { entriesAt, textAt } from '../reading.ts';

/** What one option of curl adds to the body. */
type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string }
  /** Content that the command does not show: that of a file among other data, or of an unknown standard input. */
  | { readonly kind: 'unknown'; readonly what: string };

const DATA_FIELD_PATTERN = /^(?:data(?:Raw|Binary|Encoded)?|json)$/;

/** Note for a part of a body or an address that the command does not contain. */
export const PART_LEFT_OUT_NOTE = 'That part was left out.';

/** Joins the data of `-d` and similar options, as curl does. Reports and leaves out unknown pieces. */
export function joinData(draft: Draft, bodies: ParsedOptions['bodies'], input: Input | null): { text: string; file: string | null } | null {
  const dataOptions = bodies.filter(({ field }) => DATA_FIELD_PATTERN.test(field));
  if (dataOptions.length === 0) return null;
  let text = '';
  let isFirst = true;
  for (const one of dataOptions) {
    const piece = one.field === 'dataEncoded' ? readEncodedPiece(one.value, input) : dataPiece(one, input);
    if (piece.kind === 'file' && dataOptions.length === 1) {
      if (one.field === 'data')
        draft.noteChanged(one.option, 'curl removes the line breaks of this file.', 'The plan sends them, except the last one.');
      return { text: '', file: piece.path };
    }
    if (piece.kind === 'text') {
      // curl joins pieces with &, except before --json.
      text += `${isFirst || one.field === 'json' ? '' : '&'}${piece.text}`;
      isFirst = false;
    } else draft.noteLeftOut(one.option, piece.kind === 'unknown' ? piece.what : 'Part of the body is in a file.', PART_LEFT_OUT_NOTE);
  }
  return { text, file: null };
}

function dataPiece({ field, value }: GivenOption & { readonly field: Field }, input: Input | null): Piece {
  if (field === 'dataRaw' || !value.startsWith('@')) return { kind: 'text', text: value };
  const source = readSource(value.slice(1), input);
  if (source.kind === 'unknown') return { kind: 'unknown', what: STANDARD_INPUT_NOTE };
  return source.kind === 'text' && field === 'data' ? { kind: 'text', text: source.text.replaceAll(/[\r\n\0]/g, '') } : source;
}

/** Encodes a text as curl does: everything but the unreserved characters of RFC 3986, with + for a space. */
function escape(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** Encodes the value, but not the name, of `name=text`, `=text`, `text`, `name@file` or `@file`. */
export function readEncodedPiece(written: string, input: Input | null): Piece {
  const [, name = '', sign = '', value = ''] = /^([^=]*)(=)([^]*)$/.exec(written) ??
    /^([^@]*)(@)([^]*)$/.exec(written) ?? ['', '', '', written];
  const source: Input = sign === '@' ? readSource(value, input) : { kind: 'text', text: value };
  if (source.kind === 'text') return { kind: 'text', text: `${name === '' ? '' : `${name}=`}${escape(source.text)}` };
  const isFile = source.kind === 'file';
  return { kind: 'unknown', what: isFile ? 'A value is in a file and must be encoded.' : 'A value is read from standard input.' };
}

/** Returns the source after `@`: a file or standard input. */
function readSource(name: string, input: Input | null): Input {
  return name === '-' ? (input ?? { kind: 'unknown' }) : { kind: 'file', path: name };
}

/** The body of a command’s requests and its default Content-Type, which is empty if there is none. */
export interface CommandBody {
  readonly payload: Payload;
  readonly type: string;
}

const NO_BODY: CommandBody = { payload: { kind: 'none' }, type: '' };

export function bodyOf(draft: Draft, { tool: name, input }: ToolCommand, parsed: ParsedOptions): CommandBody {
  const usual = parsed.value('contentType') ?? (parsed.fields.has('json') ? 'application/json' : (TOOLS[name].bodyType ?? ''));
  const ofHeader = headerType(parsed.all('header'));
  const type = ofHeader ?? usual;
  const upload = parsed.last('putFile');
  // curl sends no Content-Type for uploads.
  if (upload !== undefined && name === 'curl') {
    const source = readSource(upload.value === '.' ? '-' : upload.value, input);
    if (source.kind === 'text') return { payload: textPayload(source.text, ofHeader ?? ''), type: '' };
    if (source.kind === 'file') return { payload: source, type: '' };
    leaveOutBody(draft, upload.option, STANDARD_INPUT_NOTE);
    return NO_BODY;
  }
  const file = parsed.last('postFile', 'putFile', 'bodyFile');
  if (file !== undefined) return { payload: { kind: 'file', path: file.value }, type };
  const body = parsed.value('body');
  if (body !== undefined) return { payload: textPayload(body, type), type };
  const form = parsed.value('partsJson');
  if (form !== undefined) return { payload: { kind: 'multipart', parts: partsFromJson(draft, form) }, type: '' };
  const partOptions = parsed.bodies.filter(({ field }) => field === 'part' || field === 'partText');
  if (partOptions.length > 0) {
    const parts = partOptions.flatMap(({ option, field, value }) => partOf(draft, option, value, field === 'partText', input) ?? []);
    return { payload: { kind: 'multipart', parts }, type: '' };
  }
  const data = parsed.has('dataInQuery') ? null : joinData(draft, parsed.bodies, input);
  if (data === null) return NO_BODY;
  return { payload: data.file === null ? textPayload(data.text, type) : { kind: 'file', path: data.file }, type };
}

function headerType(headers: readonly GivenOption[]): string | undefined {
  const header = headers.find(({ value }) => /^\s*content-type\s*[:=]/i.test(value));
  return header?.value.slice(header.value.search(/[:=]/) + 1).trim();
}

/** Returns a form if Holdfast would encode its fields in the same way; otherwise the text unchanged. */
function textPayload(text: string, type: string): Payload {
  // A shell inserts variables without encoding.
  if (findMarks(text).length > 0) return { kind: 'text', text: fillMarks(escapePlaceholders(text)), type, isTemplate: true };
  const pairs = /x-www-form-urlencoded/i.test(type) && text.includes('=') ? formPairs(text) : null;
  const encoded = pairs?.map(([name, value]) => `${formText(name)}=${formText(value)}`).join('&');
  const isSame = encoded?.replaceAll('%20', '+') === text.replaceAll('%20', '+').replaceAll('~', '%7E').replaceAll('%2A', '*');
  return pairs !== null && isSame
    ? { kind: 'form', fields: pairs.map(([name, value]) => [name, escapePlaceholders(value)]) }
    : { kind: 'text', text, type };
}

/** Types that curl derives from file extensions. */
const TYPE_BY_EXTENSION: readonly (readonly [extension: RegExp, type: string])[] = [
  [/\.gif$/i, 'image/gif'],
  [/\.jpe?g$/i, 'image/jpeg'],
  [/\.png$/i, 'image/png'],
  [/\.svg$/i, 'image/svg+xml'],
  [/\.txt$/i, 'text/plain'],
  [/\.html?$/i, 'text/html'],
  [/\.pdf$/i, 'application/pdf'],
  [/\.xml$/i, 'application/xml'],
];

/**
 * Reads `name=value`, `name="value";type=text/css`, `name=@file;type=image/png;filename=x.png` or `name=<file`. `isText`: of
 * `--form-string`.
 */
export function partOf(draft: Draft, option: string, text: string, isText: boolean, input: Input | null): Part | null {
  const leaveOut = (what: string, instead?: string): null => {
    draft.noteLeftOut(option, what, instead);
    return null;
  };
  const equals = text.indexOf('=');
  if (equals <= 0) return leaveOut('A form part has no name.');
  const name = fillMarks(escapePlaceholders(text.slice(0, equals)));
  const value = text.slice(equals + 1);
  if (isText) return { name, value: fillMarks(escapePlaceholders(value)) };
  const field = `The form field ${replaceMarksByNames(text.slice(0, equals)).slice(0, 60)}`;
  const [sign = ''] = /^[<@]/.exec(value) ?? [];
  const written = readPart(value.slice(sign.length), sign !== '');
  for (const other of written.others) leaveOut(`${field} has ${other}, which plans do not support.`);
  if (sign === '@') {
    if (written.value === '-') return leaveOut(`${field} is read from standard input.`);
    const type = written.type ?? TYPE_BY_EXTENSION.find(([extension]) => extension.test(written.value))?.[1];
    return filePart(name, written.value, partType(draft, type, option), written.fileName);
  }
  const isInput = sign === '<' && written.value === '-' && input?.kind === 'text';
  if (sign === '<' && !isInput) return leaveOut('A form field has its value from a file.', 'Plans send files as files only.');
  if (written.fileName !== null) leaveOut(`${field} has a file name.`, 'It is sent without the file name.');
  return { name, value: fillMarks(escapePlaceholders(isInput ? input.text : written.value)), ...partType(draft, written.type, option) };
}

/**
 * Reads a form part of `-F` (curl, tool_formparse.c). `others`: what plans do not support, such as several files, headers and encodings.
 */
function readPart(text: string, isFile: boolean) {
  const others: string[] = [];
  let { word: value, rest } = readWord(text, isFile ? /[;,]/ : /;/);
  let type: string | null = null;
  let fileName: string | null = null;
  let isInType = false;
  if (rest.startsWith(',')) {
    others.push('more than one file');
    rest = rest.replace(/^[^;]*/, '');
  }
  while (rest.startsWith(';')) {
    const [blanks = ''] = /^\s*/.exec(rest.slice(1)) ?? [];
    const next = readWord(rest.slice(1), /;/);
    ({ rest } = next);
    const [, key = '', setting = ''] = /^(type|filename|headers|encoder)=([^]*)$/i.exec(next.word) ?? [];
    // A type may have parameters with spaces. After other settings, curl ignores such text.
    if (key === '' && isInType) type = `${type ?? ''};${blanks}${next.word}`;
    else if (key === '') others.push(`“${replaceMarksByNames(next.word.slice(0, 40))}” after an unquoted semicolon`);
    else {
      isInType = /^type$/i.test(key);
      if (isInType) type = setting.trim();
      else if (/^filename$/i.test(key)) fileName = readWord(setting, /$^/).word;
      else others.push(`${key} of its own`);
    }
  }
  return { value: value.trim() === '' && isFile ? '' : value, type, fileName, others };
}

/** Reads a quoted word with escaped quotes and backslashes, or else the trimmed text up to `end`. */
function readWord(text: string, end: RegExp): { word: string; rest: string } {
  const begun = text.trimStart();
  const [whole = '', before = '', quoted] = /^(filename=)?"((?:[^"\\]|\\[^])*)"\s*/i.exec(begun) ?? [];
  const behind = quoted === undefined ? begun : begun.slice(whole.length);
  const at = behind.search(end);
  const rest = at < 0 ? '' : behind.slice(at);
  if (quoted !== undefined) return { word: `${before}${quoted.replaceAll(/\\([\\"])/g, '$1')}`, rest };
  return { word: (at < 0 ? behind : behind.slice(0, at)).trimEnd(), rest };
}

function filePart(name: string, path: string, type: { readonly type?: string }, fileName: string | null): Part {
  const own = fileName === null ? {} : { fileName: fillMarks(escapePlaceholders(fileName.slice(0, 200))) };
  return { name, file: path.slice(0, 1_000) || 'file', ...type, ...own };
}

/** Reads autocannon’s form: an object in which each member has a value or a path. */
export function partsFromJson(draft: Draft, text: string): Part[] {
  return entriesAt(parseJson(text)).flatMap(([name, value]): Part[] => {
    const path = textAt(value, 'path');
    const type = path === null ? {} : partType(draft, textAt(value, 'options', 'contentType'), '-F');
    if (path !== null) return [filePart(escapePlaceholders(name), path, type, textAt(value, 'options', 'filename'))];
    const sent = textAt(value, 'value');
    if (sent !== null) return [{ name: escapePlaceholders(name), value: escapePlaceholders(sent) }];
    draft.noteLeftOut('-F', `The form field ${name.slice(0, 60)} has neither a value nor a path.`);
    return [];
  });
}
