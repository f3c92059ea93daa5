import { isBlock, parseJson } from '#core/base/json.ts';
import { MAX_HEADERS } from '#core/plan/schema/text.ts';
import { headerValueProblem } from '#core/review/checks/headers.ts';
import { mediaTypeSchema } from '#core/plan/schema/step.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { isSecretField, isSecretHeader } from '../plan/secretShapes.ts';
import { type JsonValue, literal, unliteral } from './placeholders.ts';
import type { Draft, WrittenStep } from './draft.ts';
import { BODY_OF_STANDARD_INPUT, firstWereTaken, leaveOutBody, THEY_WERE_LEFT_OUT } from './notes.ts';
import { fileReference } from '#core/plan/secretReference.ts';

/** Names and values. Values are plan text: literal values have passed through `literal`. */
export type Pairs = readonly (readonly [name: string, value: string])[];
type WrittenHeaders = NonNullable<WrittenStep['headers']>;
type WrittenPart = NonNullable<WrittenStep['multipart']>[number];

const MAX_BODY_LENGTH = 16_384;
const MAX_FIELD_LENGTH = 65_536;
const MAX_JSON_LENGTH = 200_000;

/** Headers that every client adds by itself. They are not part of a plan. */
const AUTOMATIC_HEADERS =
  /^(:.*|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-connection|proxy-authorization)$/i;

/** Returns the headers that a plan can have, and notes the others. Values of one name are joined (RFC 9110, 5.3). */
export function headersFrom(draft: Draft, pairs: Pairs, place: string): WrittenHeaders {
  const headers = new Map<string, { name: string; value: string }>();
  for (const [written, value] of pairs) {
    const name = written.trim();
    if (AUTOMATIC_HEADERS.test(name)) {
      draft.leftOut(place, `The header ${name.slice(0, 60)} differs from request to request.`, 'Holdfast sets it where needed.');
      continue;
    }
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) {
      draft.leftOut(place, `“${name.slice(0, 60)}” is not a valid header name.`);
      continue;
    }
    const problem = headerValueProblem(value);
    if (problem !== null || value.length > MAX_BODY_LENGTH) {
      draft.leftOut(place, `The value of the header ${name.slice(0, 60)} contains ${problem ?? 'more than 16,384 characters'}.`);
      continue;
    }
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    if (earlier === undefined && headers.size >= MAX_HEADERS) {
      draft.leftOut(place, `A request has more than ${MAX_HEADERS} headers.`, firstWereTaken(MAX_HEADERS));
      continue;
    }
    headers.set(key, {
      name: earlier?.name ?? name,
      value: earlier === undefined ? value : `${earlier.value}${key === 'cookie' ? '; ' : ', '}${value}`,
    });
  }
  return Object.fromEntries(
    [...headers.values()].map(({ name, value }) => [
      name,
      isSecretHeader(name, value) && value.trim() !== '' && !hasPlaceholders(value) ? draft.secret(name, unliteral(value), place) : value,
    ]),
  );
}

/** The body of a request. */
export type Payload =
  | { readonly kind: 'none' }
  /** `type`: its Content-Type, or empty. `isTemplate`: the text has placeholders; otherwise it is literal. */
  | { readonly kind: 'text'; readonly text: string; readonly type: string; readonly isTemplate?: boolean }
  | { readonly kind: 'form'; readonly fields: Pairs }
  | { readonly kind: 'multipart'; readonly parts: readonly WrittenPart[] }
  | { readonly kind: 'file'; readonly path: string };

/** Returns the media type of a multipart part; notes a type that a plan does not support. */
export function partType(draft: Draft, type: string | null | undefined, place: string): { readonly type?: string } {
  if (type === null || type === undefined || type === '') return {};
  const read = mediaTypeSchema.safeParse(type);
  if (read.success) return { type: read.data };
  draft.leftOut(place, `“${type.slice(0, 60)}” is not a type that a plan can give to a form part.`, 'The part is sent without it.');
  return {};
}

/** Returns the body fields of a step. */
export function payloadFields(draft: Draft, payload: Payload, place: string): Partial<WrittenStep> {
  switch (payload.kind) {
    case 'none':
      return {};
    case 'text':
      return textFields(draft, payload.text, payload.type, payload.isTemplate === true, place);
    case 'form':
      return formFields(draft, payload.fields, place);
    case 'multipart':
      return multipartFields(draft, payload.parts, place);
    case 'file':
      return fileFields(draft, payload.path, place);
    default:
      return payload satisfies never;
  }
}

function fileFields(draft: Draft, path: string, place: string): Partial<WrittenStep> {
  if (path.trim() === '' || path === '-' || /[\n\r]/.test(path)) {
    leaveOutBody(draft, place, BODY_OF_STANDARD_INPUT);
    return {};
  }
  draft.changed(
    place,
    `The body is read from the file ${path.slice(0, 200)}.`,
    'Holdfast reads it as text, without the final line feed, when the plan runs.',
  );
  return { body: { secret: fileReference(path) } };
}

function textFields(draft: Draft, text: string, type: string, isTemplate: boolean, place: string): Partial<WrittenStep> {
  if (text === '') return {};
  const write = isTemplate ? (part: string): string => part : literal;
  const isJson = /\bjson\b/i.test(type);
  const value = isJson && text.length <= MAX_JSON_LENGTH ? parseJson(text) : undefined;
  if (value !== undefined) {
    const hidden = withoutSecrets(draft, value, { place, write }, 0);
    const isSame = JSON.stringify(value) === text;
    if (hidden.found || isSame || text.length > MAX_BODY_LENGTH) {
      if (!isSame)
        draft.changed(
          place,
          'The JSON body contains spaces, or numbers that are not in their shortest form.',
          'Holdfast sends it in its shortest form.',
        );
      return { json: hidden.value };
    }
  }
  const body = write(text);
  if (body.length > MAX_BODY_LENGTH) {
    draft.leftOut(
      place,
      `The body has ${text.length} characters.`,
      'A plan allows 16,384, so the request is sent without a body. Put the body into a file and write body: {secret: file:PATH}.',
    );
    return {};
  }
  if (/(pass(word|wd|code)?|pwd|secret|token|api_?key|credential)["']?\s*[=:]/i.test(text) && !hasPlaceholders(body))
    return { body: draft.secret('body', text, place) };
  return { body };
}

function formFields(draft: Draft, fields: Pairs, place: string): Partial<WrittenStep> {
  if (fields.length === 0) return {};
  const names = new Set(fields.map(([name]) => name));
  const fits = fields.every(
    ([name, value]) => name.length > 0 && name.length <= 200 && value.length <= MAX_FIELD_LENGTH && name === literal(name),
  );
  const hide = ([name, value]: readonly [string, string]): readonly [string, string] => [
    name,
    isSecretField(name, value) && value !== '' && !hasPlaceholders(value) ? draft.secretVariable(name, unliteral(value), place) : value,
  ];
  if (names.size === fields.length && fits) return { form: Object.fromEntries(fields.map(hide)) };
  if (fields.some(([, value]) => hasPlaceholders(value))) {
    const kept = new Map(fields.filter(([name]) => name.length > 0 && name.length <= 200).map((field) => hide(field)));
    draft.leftOut(place, 'Form fields have the same name, or a name that is too long.', 'The plan uses the last field of each name.');
    return { form: Object.fromEntries([...kept].filter(([, value]) => value.length <= MAX_FIELD_LENGTH)) };
  }
  const text = fields.map(([name, value]) => `${formText(name)}=${formText(unliteral(value))}`).join('&');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return { headers, ...textFields(draft, text, '', false, place) };
}

/** Encodes a text as application/x-www-form-urlencoded, like URLSearchParams. */
export function formText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Returns the name and value of each field of such a text; null if it is invalid. */
export function formPairs(text: string): Pairs | null {
  try {
    return text
      .split('&')
      .filter((field) => field !== '')
      .map((field) => {
        const equals = field.indexOf('=');
        const decode = (part: string): string => decodeURIComponent(part.replaceAll('+', ' '));
        return equals < 0 ? ([decode(field), ''] as const) : ([decode(field.slice(0, equals)), decode(field.slice(equals + 1))] as const);
      });
  } catch {
    return null;
  }
}

function multipartFields(draft: Draft, parts: readonly WrittenPart[], place: string): Partial<WrittenStep> {
  const kept = parts
    .filter((part) => part.name.length > 0 && part.name.length <= 200 && (!('value' in part) || part.value.length <= 1_000_000))
    .slice(0, 100);
  if (kept.length < parts.length)
    draft.leftOut(place, 'Some form parts have no name or a name that is too long, or there are too many.', THEY_WERE_LEFT_OUT);
  const hidden = kept.map((part) =>
    'value' in part && isSecretField(part.name, part.value) && part.value !== '' && !hasPlaceholders(part.value)
      ? { ...part, value: draft.secretVariable(part.name, unliteral(part.value), place) }
      : part,
  );
  return hidden.length === 0 ? {} : { multipart: hidden };
}

const MAX_JSON_DEPTH = 60;

interface Writing {
  readonly place: string;
  /** Converts a string of the JSON to plan text. */
  readonly write: (text: string) => string;
}

/** Replaces members that have names of secrets by placeholders. */
function withoutSecrets(draft: Draft, value: unknown, writing: Writing, depth: number): { value: JsonValue; found: boolean } {
  if (depth > MAX_JSON_DEPTH) throw new RangeError('nested too deeply');
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => withoutSecrets(draft, item, writing, depth + 1));
    return { value: items.map((item) => item.value), found: items.some(({ found }) => found) };
  }
  if (isBlock(value)) {
    const members = Object.entries(value).map(([name, member]) => {
      const key = writing.write(name);
      if (typeof member === 'string' && member !== '' && isSecretField(name, member) && !hasPlaceholders(writing.write(member)))
        return [key, { value: draft.secretVariable(name, member, writing.place), found: true }] as const;
      return [key, withoutSecrets(draft, member, writing, depth + 1)] as const;
    });
    return {
      value: Object.fromEntries(members.map(([name, member]) => [name, member.value])),
      found: members.some(([, { found }]) => found),
    };
  }
  if (typeof value === 'string') return { value: writing.write(value), found: false };
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return { value, found: false };
  return { value: null, found: false };
}
