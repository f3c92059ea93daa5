import type { Draft } from '../draft.ts';
import { literal } from '../literal.ts';
import { entriesAt, parseJson, textAt } from '../reading.ts';
import { formPairs, formText, type Payload } from '../requestParts.ts';
import { fillMarks, marksIn, type ToolName } from '../shells/shellText.ts';
import type { Parsed } from './parseOptions.ts';
import { TOOLS } from './tools.ts';

type Part = Extract<Payload, { kind: 'multipart' }>['parts'][number];

/** What the requests of a command carry. */
export function payloadOf(draft: Draft, name: ToolName, { fields, bodies, switches }: Parsed): Payload {
  const file = (fields.get('postFile') ?? fields.get('putFile') ?? fields.get('bodyFile'))?.at(-1);
  const type = typeOf(name, fields);
  if (file !== undefined) return { kind: 'file', path: file.value };
  const body = fields.get('body')?.at(-1);
  if (body !== undefined) return textPayload(body.value, type);
  const form = fields.get('partsJson')?.at(-1);
  if (form !== undefined)
    return { kind: 'multipart', parts: entriesAt(parseJson(form.value)).flatMap(([part, value]) => jsonPart(draft, part, value)) };
  const parts = bodies.flatMap(({ option, field, value }) =>
    field === 'part' || field === 'partText' ? [partOf(draft, option, value, field === 'partText')] : [],
  );
  if (parts.length > 0) return { kind: 'multipart', parts: parts.flatMap((part) => (part === null ? [] : [part])) };
  return switches.has('dataInQuery') ? { kind: 'none' } : dataPayload(draft, bodies, type);
}

function typeOf(name: ToolName, fields: Parsed['fields']): string {
  const header = (fields.get('header') ?? []).find(({ value }) => /^content-type\s*[:=]/i.test(value));
  if (header !== undefined) return header.value.slice(header.value.search(/[:=]/) + 1).trim();
  if (fields.has('json')) return 'application/json';
  return fields.get('contentType')?.at(-1)?.value ?? TOOLS[name].bodyType;
}

function dataPayload(draft: Draft, bodies: Parsed['bodies'], type: string): Payload {
  const pieces: string[] = [];
  let files = 0;
  for (const { option, field, value } of bodies) {
    const isFile = field !== 'dataRaw' && (field === 'dataEncoded' ? /^[^=]*@/.test(value) : value.startsWith('@'));
    if (isFile && bodies.length === 1 && field !== 'dataEncoded') return { kind: 'file', path: value.slice(1) };
    if (isFile) {
      files += 1;
      draft.leftOut(option, 'A part of the body is in a file.', 'That part was left out.');
    } else pieces.push(field === 'dataEncoded' ? encodedField(value) : value);
  }
  if (pieces.length === 0) return { kind: 'none' };
  if (files > 0 && pieces.join('') === '') return { kind: 'none' };
  const isJson = bodies.every(({ field }) => field === 'json');
  return textPayload(pieces.join(isJson ? '' : '&'), type);
}

function encodedField(text: string): string {
  const equals = text.indexOf('=');
  return equals > 0 ? `${text.slice(0, equals)}=${formText(text.slice(equals + 1))}` : formText(text.slice(equals + 1));
}

/** A form that is written as Holdfast would write it is one; anything else is sent letter by letter. */
export function textPayload(text: string, type: string): Payload {
  const hasMarks = marksIn(text).length > 0;
  if (/x-www-form-urlencoded/i.test(type) && text.includes('=')) {
    const pairs = formPairs(text);
    const isSame =
      pairs !== null &&
      pairs
        .map(([name, value]) => `${formText(name)}=${formText(value)}`)
        .join('&')
        .replaceAll('%20', '+') === text.replaceAll('%20', '+');
    if (pairs !== null && (isSame || hasMarks))
      return { kind: 'form', fields: pairs.map(([name, value]) => [name, fillMarks(literal(value))]) };
  }
  return hasMarks ? { kind: 'text', text: fillMarks(literal(text)), type, isTemplate: true } : { kind: 'text', text, type };
}

/** `name=value`, `name=@file;type=image/png;filename=x.png`, `name=<file`. */
function partOf(draft: Draft, option: string, text: string, isText: boolean): Part | null {
  const equals = text.indexOf('=');
  const name = fillMarks(literal(text.slice(0, Math.max(0, equals))));
  const value = text.slice(equals + 1);
  if (equals <= 0) {
    draft.leftOut(option, 'A part of the form has no name.');
    return null;
  }
  if (isText || !/^[<@]/.test(value)) return { name, value: fillMarks(literal(isText ? value : value.replace(/;type=[^;]*$/, ''))) };
  if (value.startsWith('<')) {
    draft.leftOut(option, 'A field of the form has its value from a file.', 'It was left out: files are sent as files only.');
    return null;
  }
  const [path = '', ...settings] = value.slice(1).split(';');
  const setting = (key: string): string | undefined =>
    settings
      .find((each) => each.trimStart().startsWith(`${key}=`))
      ?.replace(/^[^=]*=/, '')
      .replaceAll('"', '');
  return filePart(name, path.replaceAll('"', ''), setting('type'), setting('filename'));
}

function filePart(name: string, path: string, type: string | undefined, fileName: string | undefined): Part {
  return {
    name,
    file: path.slice(0, 1_000) || 'file',
    ...(type !== undefined && /^[\w.+-]+\/[\w.+-]+(;[ -~]*)?$/.test(type) ? { type } : {}),
    ...(fileName === undefined ? {} : { fileName: literal(fileName.slice(0, 200)) }),
  };
}

function jsonPart(draft: Draft, name: string, value: unknown): Part[] {
  const path = textAt(value, 'path');
  if (path !== null)
    return [
      filePart(
        literal(name),
        path,
        textAt(value, 'options', 'contentType') ?? undefined,
        textAt(value, 'options', 'filename') ?? undefined,
      ),
    ];
  const text = textAt(value, 'value');
  if (text !== null) return [{ name: literal(name), value: literal(text) }];
  draft.leftOut('-F', `The field ${name.slice(0, 60)} of the form has neither a value nor a path.`);
  return [];
}
