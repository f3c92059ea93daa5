import { isBlock, parseJson } from '#core/base/json.ts';
import { queryDecoded, secretFreePath } from '../address.ts';
import type { Draft, Method, WrittenStep } from '../draft.ts';
import { escapePlaceholders } from '../placeholders.ts';
import { formPairs, readHeaders, partType, type Payload, payloadFields } from '../requestParts.ts';
import type { Entry } from './readEntry.ts';
import type { RecordedValues } from './values.ts';
import { leaveOutBody } from '../notes.ts';

/** Returns whether only browsers send this header. */
export function isOfBrowsers(header: string): boolean {
  return /^(sec-.*|user-agent|upgrade-insecure-requests|priority|if-none-match|if-modified-since|dnt|pragma|cache-control|x-client-data|referer)$/i.test(
    header,
  );
}

/** Matches headers that every client adds, or that the plan sets for all requests. */
const COMMON_HEADER_PATTERN = /^(:.*|content-length|connection|host|cookie|accept-language|accept-encoding)$/i;

/** Returns a recorded request as a step, with placeholders for values of earlier responses. */
export function buildRecordedStep(draft: Draft, values: RecordedValues, entry: Entry, method: Method): WrittenStep {
  const { location, address } = entry;
  const path = secretFreePath(draft, pathOf(entry, values), `${location}.request.url`);
  const headers = entry.headers
    .filter(([name]) => !isOfBrowsers(name) && !COMMON_HEADER_PATTERN.test(name))
    .filter(([name]) => !(method === 'GET' && /^origin$/i.test(name)))
    .map(([name, value]) => [name, headerValue(values, name, value, `${location}.request.headers`)] as const);
  const payload = readPayload(draft, values, entry);
  const ownType = payload.kind === 'form' || payload.kind === 'multipart' || payload.kind === 'none';
  const { headers: more = {}, ...body } = payloadFields(draft, payload, `${location}.request.postData`);
  const written = readHeaders(
    draft,
    headers.filter(([name]) => !(ownType && /^content-type$/i.test(name))),
    `${location}.request.headers`,
  );
  const [pathname = ''] = address.path.split('?', 1);
  return { name: `${method} ${pathname}`, ...(method === 'GET' ? {} : { method }), path, headers: { ...written, ...more }, ...body };
}

function headerValue(values: RecordedValues, name: string, value: string, location: string): string {
  const given = values.findGiven(value, name);
  if (given !== null) return given;
  const [, scheme = '', token = ''] = /^(Bearer |Token |JWT )?(\S+)$/i.exec(value.slice(0, 8_192)) ?? [];
  if (token === '' || /^(accept|content-type|origin|x-requested-with)$/i.test(name)) return escapePlaceholders(value);
  const placeholder = values.findPlaceholder(token, scheme === '' ? name : 'token', location);
  return placeholder === null ? escapePlaceholders(value) : `${scheme}${placeholder}`;
}

function pathOf({ address, location }: Entry, values: RecordedValues): string {
  const [pathname = '', ...rest] = address.path.split('?');
  const segments = pathname.split('/').map((segment, index, all) => {
    const value = queryDecoded(segment);
    const given = value === '' ? null : values.findGivenWritten(segment, value, '');
    if (given !== null) return given;
    if (!isId(value)) return segment;
    return values.findPlaceholder(value, `${all[index - 1] ?? ''}_id`, `${location}.request.url`) ?? segment;
  });
  if (rest.length === 0) return segments.join('/');
  const fields = rest
    .join('?')
    .split('&')
    .map((field) => {
      const equals = field.indexOf('=');
      const name = queryDecoded(field.slice(0, Math.max(0, equals)));
      const [written, value] = [field.slice(equals + 1), queryDecoded(field.slice(equals + 1))];
      const placeholder =
        equals > 0
          ? (values.findGivenWritten(written, value, name) ?? values.findPlaceholder(value, name, `${location}.request.url`))
          : null;
      return placeholder === null ? field : `${field.slice(0, equals)}=${placeholder}`;
    });
  return `${segments.join('/')}?${fields.join('&')}`;
}

/**
 * Returns whether a text looks like an ID. That is a number of at least 4 digits, a hexadecimal text of at least 16 characters such as a
 * UUID, or at least 16 mixed letters and digits.
 */
function isId(text: string): boolean {
  return (
    /^(\d{4,}|[\da-f-]{16,})$/i.test(text) || (/^\w{16,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text) && !text.includes('_'))
  );
}

function readPayload(draft: Draft, values: RecordedValues, { body, headers, method, location }: Entry): Payload {
  const at = `${location}.request.postData`;
  const type = headers.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  if (body === null && type !== '' && /^(POST|PUT|PATCH)$/.test(method))
    draft.noteLeftOut(
      at,
      `The recording does not contain the request body (${type.split(';', 1)[0]?.slice(0, 60) ?? ''}).`,
      'The request is sent without a body. Add it to the plan, with files as multipart.',
    );
  if (body === null) return { kind: 'none' };
  if (/multipart\/form-data/i.test(body.type)) return readMultipart(draft, values, body, at);
  if (/x-www-form-urlencoded/i.test(body.type)) {
    const pairs = formPairs(body.text) ?? body.params;
    const fields = (pairs.length > 0 ? pairs : body.params).map(
      ([name, value]) => [name, values.findPlaceholder(value, name, at) ?? escapePlaceholders(value)] as const,
    );
    return { kind: 'form', fields };
  }
  const json = /json/i.test(body.type) && body.text.length <= 200_000 ? parseJson(body.text) : undefined;
  if (json === undefined) return { kind: 'text', text: body.text, type: body.type };
  const replaced = replaceValues(values, json, '', at, 0);
  if (replaced.found) return { kind: 'text', text: JSON.stringify(replaced.value), type: body.type, isTemplate: true };
  return { kind: 'text', text: body.text, type: body.type };
}

type Part = Extract<Payload, { kind: 'multipart' }>['parts'][number];

const MAX_DEPTH = 60;

function replaceValues(
  values: RecordedValues,
  value: unknown,
  called: string,
  location: string,
  depth: number,
): { value: unknown; found: boolean } {
  if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => replaceValues(values, item, called, location, depth + 1));
    return { value: items.map((item) => item.value), found: items.some(({ found }) => found) };
  }
  if (isBlock(value)) {
    const members = Object.entries(value).map(
      ([name, member]) => [name, replaceValues(values, member, name, location, depth + 1)] as const,
    );
    return {
      value: Object.fromEntries(members.map(([name, member]) => [escapePlaceholders(name), member.value])),
      found: members.some(([, { found }]) => found),
    };
  }
  if (typeof value === 'number') {
    const placeholder = values.findPlaceholder(String(value), called, location);
    return placeholder === null ? { value, found: false } : { value: placeholder.replace('}}', '|raw}}'), found: true };
  }
  if (typeof value !== 'string') return { value, found: false };
  const placeholder = values.findPlaceholder(value, called, location);
  return placeholder === null ? { value: escapePlaceholders(value), found: false } : { value: placeholder, found: true };
}

/** Returns the parts of a multipart form. A recording contains form fields and at most the names of files. */
function readMultipart(draft: Draft, values: RecordedValues, body: NonNullable<Entry['body']>, location: string): Payload {
  const [, boundary = ''] = /boundary="?([^";]{1,100})/i.exec(body.type) ?? [];
  const pieces = boundary === '' ? [] : body.text.split(`--${boundary}`).slice(1, -1);
  const parts = pieces.flatMap((piece): Part[] => {
    const blank = piece.indexOf('\r\n\r\n');
    const head = piece.slice(0, Math.max(0, blank));
    const content = piece.slice(blank + 4, -2);
    const name = /[; ]name="([^"]{1,200})"/i.exec(head)?.[1];
    const fileName = /filename="([^"]{0,200})"/i.exec(head)?.[1];
    if (name === undefined || blank < 0) return [];
    const type = partType(draft, /^content-type:[ \t]*([^\r\n]*)/im.exec(head)?.[1]?.trim(), location);
    if (fileName === undefined)
      return [
        { name: escapePlaceholders(name), value: values.findPlaceholder(content, name, location) ?? escapePlaceholders(content), ...type },
      ];
    return [readFile(draft, { name, fileName, bytes: content.length, type }, location)];
  });
  if (parts.length > 0) return { kind: 'multipart', parts };
  const fields = body.params
    .filter(([name]) => name !== '')
    .map(([name, value]): Part => ({
      name: escapePlaceholders(name.slice(0, 200)),
      value: values.findPlaceholder(value, name, location) ?? escapePlaceholders(value),
    }));
  const files = body.files
    .filter(({ name }) => name !== '')
    .map(({ type, ...file }) => readFile(draft, { ...file, type: partType(draft, type === '' ? undefined : type, location) }, location));
  if (fields.length > 0 || files.length > 0) return { kind: 'multipart', parts: [...fields, ...files] };
  leaveOutBody(draft, location, 'The recording does not contain the parts of this form.');
  return { kind: 'none' };
}

function readFile(
  draft: Draft,
  { name, fileName, bytes, type }: { name: string; fileName: string; bytes: number | null; type: { readonly type?: string } },
  location: string,
): Part {
  // If no file was chosen, browsers still send the field.
  if (fileName === '') return { name: escapePlaceholders(name.slice(0, 200)), bytes: 0, fileName, ...type };
  draft.noteChanged(
    location,
    `A file is sent as “${name.slice(0, 60)}”. Recordings contain no files.`,
    'Generated content of about its size is sent. To send your own, write file: PATH.',
  );
  return {
    name: escapePlaceholders(name.slice(0, 200)),
    bytes: Math.min(16_777_216, bytes ?? 0) || 1_000,
    fileName: escapePlaceholders(fileName.slice(0, 200)),
    ...type,
  };
}
