import type { Draft } from '../draft.ts';
import { literal } from '../literal.ts';
import { formPairs, formText, type Payload } from '../requestParts.ts';
import { fillMarks, marksIn } from '../shells/shellText.ts';
import type { ToolCommand } from '../shells/shellCommands.ts';
import { joinedData, sourceOf } from './dataPieces.ts';
import { partOf, partsFromJson } from './formParts.ts';
import type { Parsed } from './parseOptions.ts';
import { TOOLS } from './tools.ts';

/** What the requests of a command carry, and what their Content-Type is where no header says it; empty for none. */
export interface CommandBody {
  readonly payload: Payload;
  readonly type: string;
}

const NONE: CommandBody = { payload: { kind: 'none' }, type: '' };

export function bodyOf(draft: Draft, { tool: name, input }: ToolCommand, { fields, bodies, switches }: Parsed): CommandBody {
  const usual = fields.get('contentType')?.at(-1)?.value ?? (fields.has('json') ? 'application/json' : TOOLS[name].bodyType);
  const type = headerType(fields) ?? usual;
  const upload = fields.get('putFile')?.at(-1);
  // curl says no type of what it uploads.
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
  draft.leftOut(option, 'The body comes from standard input.', 'The request is sent without a body.');
  return { kind: 'none' };
}

function headerType(fields: Parsed['fields']): string | null {
  const header = (fields.get('header') ?? []).find(({ value }) => /^\s*content-type\s*[:=]/i.test(value));
  return header === undefined ? null : header.value.slice(header.value.search(/[:=]/) + 1).trim();
}

/** A form that is written as Holdfast would write it is one; anything else is sent letter by letter. */
export function textPayload(text: string, type: string): Payload {
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
  // A shell fills in its variables as they are.
  return hasMarks ? { kind: 'text', text: fillMarks(literal(text)), type, isTemplate: true } : { kind: 'text', text, type };
}
