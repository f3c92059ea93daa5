import { parseJson } from '#core/base/json.ts';
import { MAX_HEADERS } from '#core/plan/schema/url.ts';
import { headerValueProblem } from '#core/review/checks/headers.ts';
import { mediaTypeSchema } from '#core/plan/schema/step.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { isSecretField, isSecretHeader } from '../plan/secretShapes.ts';
import { secretFreePath } from './address.ts';
import { escapePlaceholders, translateJson, unescapePlaceholders } from './placeholders.ts';
import { type Draft, withoutNulls, type Method, type WrittenStep } from './draft.ts';
import { STANDARD_INPUT_NOTE, describeTruncated, leaveOutBody, LEFT_OUT_NOTE } from './notes.ts';
import { fileReference } from '#core/plan/secretReference.ts';

/** A name and its value, which is plan text: literal values have passed through `escapePlaceholders`. */
export type Pair = readonly [name: string, value: string];
export type Pairs = readonly Pair[];
type WrittenHeaders = NonNullable<WrittenStep['headers']>;
/** A part of a multipart form. */
export type Part = NonNullable<WrittenStep['multipart']>[number];

const MAX_BODY_LENGTH = 16_384;
const MAX_FIELD_LENGTH = 65_536;
const MAX_JSON_LENGTH = 200_000;

/** Matches headers that every client adds by itself. They are not part of a plan. */
const AUTOMATIC_HEADER_PATTERN =
  /^(:.*|content-length|transfer-encoding|upgrade|expect|te|trailer|keep-alive|proxy-connection|proxy-authorization)$/i;

/** Returns whether a literal value has the name of a secret, so the plan must not contain the value. */
function isOpenSecret(name: string, value: string): boolean {
  return isSecretField(name, value) && value !== '' && !hasPlaceholders(value);
}

/** Returns the headers that a plan can have, and notes the others. Values of the same name are joined (RFC 9110, 5.3). */
export function readHeaders(draft: Draft, pairs: Pairs, location: string): WrittenHeaders {
  const headers = new Map<string, { name: string; value: string }>();
  for (const [written, value] of pairs) {
    const name = written.trim();
    const label = name.slice(0, 60);
    const key = name.toLowerCase();
    const earlier = headers.get(key);
    const problem = headerValueProblem(value) ?? (value.length > MAX_BODY_LENGTH ? 'more than 16,384 characters' : null);
    if (AUTOMATIC_HEADER_PATTERN.test(name))
      draft.noteLeftOut(location, `The header ${label} differs from request to request.`, 'Holdfast sets it where needed.');
    else if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) draft.noteLeftOut(location, `“${label}” is not a valid header name.`);
    else if (problem !== null) draft.noteLeftOut(location, `The value of the header ${label} contains ${problem}.`);
    else if (earlier === undefined && headers.size >= MAX_HEADERS)
      draft.noteLeftOut(location, `A request has more than ${MAX_HEADERS} headers.`, describeTruncated(MAX_HEADERS));
    else if (earlier === undefined) headers.set(key, { name, value });
    else headers.set(key, { name: earlier.name, value: `${earlier.value}${key === 'cookie' ? '; ' : ', '}${value}` });
  }
  const hide = ({ name, value }: { name: string; value: string }): WrittenHeaders[string] =>
    isSecretHeader(name, value) && value.trim() !== '' && !hasPlaceholders(value)
      ? draft.secret(name, unescapePlaceholders(value), location)
      : value;
  return Object.fromEntries([...headers.values()].map((header) => [header.name, hide(header)]));
}

/** Name and password of HTTP Basic, as plan text. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** Returns the login of a step. A literal password is kept out of the plan. */
export function authFields(draft: Draft, login: Login | null, location: string): Pick<WrittenStep, 'auth'> {
  if (login === null) return {};
  const { user, password } = login;
  const isOpen = password !== '' && !hasPlaceholders(password);
  return {
    auth: {
      user: user.slice(0, 1_000),
      password: isOpen ? draft.secretVariable('password', unescapePlaceholders(password), location) : password.slice(0, 4_000),
    },
  };
}

/** Separates a readable HTTP Basic login from the headers (RFC 7617, UTF-8). */
export function splitLogin(pairs: Pairs): { readonly login: Login | null; readonly pairs: Pairs } {
  const found = pairs.filter(([name]) => /^authorization$/i.test(name.trim()));
  const [, encoded = ''] =
    found.length === 1 ? (/^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(unescapePlaceholders(found[0]?.[1] ?? '').trim()) ?? []) : [];
  const text = decodedBase64(encoded);
  const colon = text.indexOf(':');
  if (colon < 0 || /[\p{Cc}\uFFFD]/u.test(text)) return { login: null, pairs };
  const login = { user: escapePlaceholders(text.slice(0, colon)), password: escapePlaceholders(text.slice(colon + 1)) };
  return { login, pairs: pairs.filter((pair) => pair !== found[0]) };
}

function decodedBase64(encoded: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0)));
  } catch {
    return '';
  }
}

interface TextPayload {
  readonly text: string;
  /** Its Content-Type, or empty. */
  readonly type: string;
  /** Whether the text has placeholders; otherwise it is literal. */
  readonly isTemplate?: boolean;
}

/** The body of a request. */
export type Payload =
  | { readonly kind: 'none' }
  | ({ readonly kind: 'text' } & TextPayload)
  | { readonly kind: 'form'; readonly fields: Pairs }
  | { readonly kind: 'multipart'; readonly parts: readonly Part[] }
  | { readonly kind: 'file'; readonly path: string };

/** Returns the media type of a multipart part; notes a type that a plan does not support. */
export function partType(draft: Draft, type: string | null | undefined, location: string): { readonly type?: string } {
  if (type === null || type === undefined || type === '') return {};
  const read = mediaTypeSchema.safeParse(type);
  if (read.success) return { type: read.data };
  draft.noteLeftOut(location, `“${type.slice(0, 60)}” is not a type that a plan can give to a form part.`, 'The part is sent without it.');
  return {};
}

/** Returns the body fields of a step. */
export function payloadFields(draft: Draft, payload: Payload, location: string): Partial<WrittenStep> {
  switch (payload.kind) {
    case 'none':
      return {};
    case 'text':
      return textFields(draft, payload, location);
    case 'form':
      return formFields(draft, payload.fields, location);
    case 'multipart':
      return multipartFields(draft, payload.parts, location);
    case 'file':
      return fileFields(draft, payload.path, location);
    default:
      return payload satisfies never;
  }
}

/** A request as an importer read it. */
export interface RequestParts extends Pick<WrittenStep, 'checks' | 'captures' | 'redirects' | 'thinkTime' | 'once'> {
  readonly name: string;
  readonly method: Method;
  /** The result of `Draft.targetAt`; empty for the main target. */
  readonly target?: { readonly target?: string };
  readonly path: string;
  readonly headers: Pairs;
  /** Login beside the headers; null or left out for none. */
  readonly login?: Login | null;
  readonly query?: Pairs;
  readonly payload: Payload;
  readonly expectStatus?: readonly number[];
  readonly budgetMs?: number | null;
}

/** Returns the pause after a step, in seconds. Only for fixed and uniform pauses; 0 for an exponential one. */
export function pauseAfter({ thinkTime }: WrittenStep): { readonly from: number; readonly to: number } {
  if (thinkTime?.kind === 'uniform') return { from: thinkTime.fromSeconds, to: thinkTime.toSeconds };
  return thinkTime?.kind === 'fixed' ? { from: thinkTime.seconds, to: thinkTime.seconds } : { from: 0, to: 0 };
}

/** Returns a step with another pause after its own. */
export function addPause(step: WrittenStep, added: { readonly from: number; readonly to: number }): WrittenStep {
  const own = pauseAfter(step);
  const [fromSeconds, toSeconds] = [Math.max(0, own.from + added.from), own.to + added.to];
  const isFixed = fromSeconds === toSeconds;
  return { ...step, thinkTime: isFixed ? { kind: 'fixed', seconds: fromSeconds } : { kind: 'uniform', fromSeconds, toSeconds } };
}

/** Follows redirects as browsers and most tools do. */
export const FOLLOW_REDIRECTS = { follow: true, mayEndAtLogin: true } as const;

/** Returns the step of a request. Notes refer to `location`, followed by a suffix for each part of the request. */
export function stepOf(
  draft: Draft,
  { name, method, target, path, headers, login = null, query = [], payload, expectStatus = [], ...rest }: RequestParts,
  location: string,
  parts: { readonly header?: string; readonly body?: string; readonly url?: string } = {},
): WrittenStep {
  const isForm = payload.kind === 'form' || payload.kind === 'multipart';
  const own = isForm ? headers.filter(([header]) => !/^content-type$/i.test(header)) : headers;
  const split = splitLogin(own);
  const sent = readHeaders(draft, split.pairs, `${location}${parts.header ?? ''}`);
  const auth = authFields(draft, login ?? split.login, `${location}${parts.header ?? ''}`);
  const { headers: ofBody, ...body } = payloadFields(draft, payload, `${location}${parts.body ?? ''}`);
  return {
    name,
    ...(method === 'GET' ? {} : { method }),
    ...target,
    path: secretFreePath(draft, path, `${location}${parts.url ?? ''}`),
    ...auth,
    ...withoutNulls({ headers: { ...sent, ...ofBody }, query: Object.fromEntries(query) }),
    ...body,
    ...withoutNulls({ expectStatus: [...new Set(expectStatus)].slice(0, 50), ...rest, ...(method === 'HEAD' ? { checks: [] } : {}) }),
  };
}

function fileFields(draft: Draft, path: string, location: string): Partial<WrittenStep> {
  if (path.trim() === '' || path === '-' || /[\n\r]/.test(path)) {
    leaveOutBody(draft, location, STANDARD_INPUT_NOTE);
    return {};
  }
  draft.noteChanged(
    location,
    `The body is read from the file ${path.slice(0, 200)}.`,
    'Holdfast reads it as text, without the final line feed, when the plan runs.',
  );
  return { body: { secret: fileReference(path) } };
}

function textFields(draft: Draft, { text, type, isTemplate = false }: TextPayload, location: string): Partial<WrittenStep> {
  if (text === '') return {};
  const write = isTemplate ? (part: string): string => part : escapePlaceholders;
  const value = /\bjson\b/i.test(type) && text.length <= MAX_JSON_LENGTH ? parseJson(text) : undefined;
  if (value !== undefined) {
    let hasSecret = false;
    const json = translateJson(value, write, (one, member) => {
      if (member === null || !isSecretField(member, one) || one === '' || hasPlaceholders(write(one))) return write(one);
      hasSecret = true;
      return draft.secretVariable(member, one, location);
    });
    const isSame = JSON.stringify(value) === text;
    if (hasSecret || isSame || text.length > MAX_BODY_LENGTH) {
      if (!isSame)
        draft.noteChanged(
          location,
          'The JSON body contains spaces, or numbers that are not in their shortest form.',
          'Holdfast sends it in its shortest form.',
        );
      return { json };
    }
  }
  const body = write(text);
  if (body.length > MAX_BODY_LENGTH) {
    draft.noteLeftOut(
      location,
      `The body has ${text.length} characters.`,
      'A plan allows 16,384, so the request is sent without a body. Put the body into a file and write body: {secret: file:PATH}.',
    );
    return {};
  }
  if (/(pass(word|wd|code)?|pwd|secret|token|api_?key|credential)["']?\s*[=:]/i.test(text) && !hasPlaceholders(body))
    return { body: draft.secret('body', text, location) };
  return { body };
}

function formFields(draft: Draft, fields: Pairs, location: string): Partial<WrittenStep> {
  if (fields.length === 0) return {};
  const isNamed = ([name]: Pair): boolean => name.length > 0 && name.length <= 200;
  const hide = ([name, value]: Pair): Pair => [
    name,
    isOpenSecret(name, value) ? draft.secretVariable(name, unescapePlaceholders(value), location) : value,
  ];
  const isUnique = new Set(fields.map(([name]) => name)).size === fields.length;
  const fits = ([name, value]: Pair): boolean => value.length <= MAX_FIELD_LENGTH && name === escapePlaceholders(name);
  if (isUnique && fields.every((field) => isNamed(field) && fits(field))) return { form: Object.fromEntries(fields.map(hide)) };
  if (fields.some(([, value]) => hasPlaceholders(value))) {
    const kept = new Map(fields.filter(isNamed).map(hide));
    draft.noteLeftOut(
      location,
      'Form fields have the same name, or a name that is too long.',
      'The plan uses the last field of each name.',
    );
    return { form: Object.fromEntries([...kept].filter(([, value]) => value.length <= MAX_FIELD_LENGTH)) };
  }
  const text = fields.map(([name, value]) => `${formText(name)}=${formText(unescapePlaceholders(value))}`).join('&');
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return { headers, ...textFields(draft, { text, type: '' }, location) };
}

/** Encodes a text as application/x-www-form-urlencoded, like URLSearchParams. */
export function formText(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll('%20', '+')
    .replaceAll(/[!'()~]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Returns the name and value of each field of an application/x-www-form-urlencoded text; null if the text is invalid. */
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

function multipartFields(draft: Draft, parts: readonly Part[], location: string): Partial<WrittenStep> {
  const kept = parts
    .filter((part) => part.name.length > 0 && part.name.length <= 200 && (!('value' in part) || part.value.length <= 1_000_000))
    .slice(0, 100);
  if (kept.length < parts.length)
    draft.noteLeftOut(location, 'Some form parts have no name or a name that is too long, or there are too many.', LEFT_OUT_NOTE);
  const hide = (part: Part): Part =>
    'value' in part && isOpenSecret(part.name, part.value)
      ? { ...part, value: draft.secretVariable(part.name, unescapePlaceholders(part.value), location) }
      : part;
  return kept.length === 0 ? {} : { multipart: kept.map(hide) };
}
