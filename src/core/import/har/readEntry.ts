import { readAddress, type Address } from '../address.ts';
import { valueAtPath, listAt, numberAt, textAt } from '../reading.ts';
import { formText } from '../requestParts.ts';
import { readActionIndex } from '../recording/stepNames.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { ResourceKind } from '#core/plan/schema/step.ts';

/** An uploaded file. A recording has at most its name and size. */
export interface RecordedFile {
  /** Name of the form field. */
  readonly name: string;
  readonly fileName: string;
  readonly type: string;
  readonly bytes: number | null;
}

/** A recorded request with its response. */
export interface Entry {
  /** Location in the document, such as `log.entries[3]`. */
  readonly location: string;
  readonly method: string;
  readonly url: string;
  readonly address: Address;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: {
    readonly type: string;
    readonly text: string;
    readonly params: readonly (readonly [string, string])[];
    readonly files: readonly RecordedFile[];
  } | null;
  readonly status: number;
  /** False if the recording has no response. The status is then 200. */
  readonly hasResponse: boolean;
  readonly responseHeaders: readonly (readonly [string, string])[];
  readonly responseType: string;
  /** Text of the response; null if the recording does not contain it. */
  readonly responseText: string | null;
  /** Milliseconds since 1970; null if the recording has no time. */
  readonly startMs: number | null;
  readonly endMs: number | null;
  readonly kind: EntryKind;
  /** Index of the user action that caused the request; null if the recording has none. */
  readonly action: number | null;
  /** WebSocket messages in order; empty for other requests. */
  readonly sentMessages: readonly { readonly text: string; readonly atSeconds: number }[];
  /** Resource type in Chromium’s terms; empty if unknown. */
  readonly type: string;
  /** Whether a frame of a page loaded the address. */
  readonly isFramed: boolean;
}

export type EntryKind =
  | { readonly is: 'page' | 'call' | 'stream' | 'preflight' | 'worker' }
  | { readonly is: 'resource'; readonly resource: ResourceKind };

/** Reads a recorded request. Returns null for an address that is neither http nor https. */
export function readEntry(written: unknown, index: number): Entry | null {
  const url = addQuery(textAt(written, 'request', 'url') ?? '', readPairs(written, 'request', 'queryString')).replace(
    /^ws(?=s?:)/i,
    'http',
  );
  const address = /^https?:/i.test(url) ? readAddress(url) : null;
  if (address === null) return null;
  const method = (textAt(written, 'request', 'method') ?? 'GET').toUpperCase();
  const hasResponse = valueAtPath(written, 'response', 'status') !== undefined;
  const status = hasResponse ? (numberAt(written, 'response', 'status') ?? 0) : 200;
  const responseHeaders = readPairs(written, 'response', 'headers');
  const responseType =
    textAt(written, 'response', 'content', 'mimeType') ?? responseHeaders.find(([name]) => /^content-type$/i.test(name))?.[1] ?? '';
  const startMs = timeOf(textAt(written, 'startedDateTime'));
  const isText = textAt(written, 'response', 'content', 'encoding') !== 'base64';
  const headers = readPairs(written, 'request', 'headers');
  const type = textAt(written, '_resourceType') ?? typeOfDestination(headers);
  return {
    location: `log.entries[${index}]`,
    method,
    url,
    address,
    headers,
    body: bodyOf(valueAtPath(written, 'request', 'postData')),
    status,
    hasResponse,
    responseHeaders,
    responseType,
    responseText: isText ? textAt(written, 'response', 'content', 'text') : null,
    startMs,
    endMs: startMs === null ? null : startMs + Math.max(0, numberAt(written, 'time') ?? 0),
    kind:
      valueAtPath(written, '_serviceWorkerRef') === undefined
        ? kindOf({ type, responseType, method, url: address.path, status })
        : { is: 'worker' },
    action: readActionIndex(written),
    sentMessages: readStreamEvents(written),
    type,
    isFramed: /^i?frame$/i.test(readDestination(headers)),
  };
}

/** Resource types by fetch destination (Sec-Fetch-Dest), because only Chromium records the type itself. */
const TYPE_BY_DESTINATION: Readonly<Record<string, string>> = {
  document: 'document',
  iframe: 'document',
  frame: 'document',
  empty: 'fetch',
  style: 'stylesheet',
  script: 'script',
  image: 'image',
  font: 'font',
  manifest: 'manifest',
};

function typeOfDestination(headers: Entry['headers']): string {
  return getOwn(TYPE_BY_DESTINATION, readDestination(headers)) ?? '';
}

function readDestination(headers: Entry['headers']): string {
  return headers.find(([name]) => /^sec-fetch-dest$/i.test(name))?.[1] ?? '';
}

function readPairs(written: unknown, part: string, list: string): [string, string][] {
  return listAt(written, part, list).flatMap((header): [string, string][] => {
    const name = textAt(header, 'name');
    return name === null ? [] : [[name, textAt(header, 'value') ?? '']];
  });
}

/** Adds the parameters that some tools list only beside the address. Browsers write them in both places. */
function addQuery(url: string, pairs: readonly (readonly [string, string])[]): string {
  const query = pairs.flatMap(([name, value]) => (name === '' ? [] : [`${formText(name)}=${formText(value)}`]));
  return query.length === 0 || url.includes('?') ? url : url.replace(/(?=#|$)/, () => `?${query.join('&')}`);
}

function bodyOf(written: unknown): Entry['body'] {
  const text = textAt(written, 'text') ?? '';
  const params = listAt(written, 'params').flatMap((param): [string, string][] => {
    const name = textAt(param, 'name');
    return name === null || textAt(param, 'fileName') !== null ? [] : [[name, textAt(param, 'value') ?? '']];
  });
  const files = listAt(written, 'params').flatMap((param): RecordedFile[] => {
    const [name, fileName] = [textAt(param, 'name'), textAt(param, 'fileName')];
    const size = /(\d{1,9}) bytes/.exec(textAt(param, 'comment') ?? '')?.[1];
    const type = textAt(param, 'contentType') ?? '';
    return name === null || fileName === null ? [] : [{ name, fileName, type, bytes: size === undefined ? null : Number(size) }];
  });
  const isEmpty = text === '' && params.length === 0 && files.length === 0;
  return isEmpty ? null : { type: textAt(written, 'mimeType') ?? '', text, params, files };
}

/** Returns the texts that the page sent over a WebSocket. */
function readStreamEvents(written: unknown): Entry['sentMessages'] {
  return listAt(written, '_webSocketMessages').flatMap((message) => {
    const text = textAt(message, 'data') ?? '';
    const isText = textAt(message, 'type') === 'send' && (numberAt(message, 'opcode') ?? 1) === 1;
    return isText && text !== '' ? [{ text, atSeconds: numberAt(message, 'time') ?? 0 }] : [];
  });
}

function timeOf(text: string | null): number | null {
  const ms = text === null ? Number.NaN : Date.parse(text.slice(0, 60));
  return Number.isFinite(ms) ? ms : null;
}

interface Traits {
  readonly type: string;
  readonly responseType: string;
  readonly method: string;
  readonly url: string;
  readonly status: number;
}

const KIND_BY_TYPE: Readonly<Record<string, ResourceKind>> = {
  stylesheet: 'css',
  script: 'script',
  image: 'image',
  font: 'font',
  manifest: 'icon',
};

function kindOf({ type, responseType, method, url, status }: Traits): EntryKind {
  if (type === 'websocket' || type === 'eventsource' || status === 101 || /event-stream/i.test(responseType)) return { is: 'stream' };
  if (type === 'preflight' || (method === 'OPTIONS' && type !== 'fetch' && type !== 'xhr')) return { is: 'preflight' };
  if (method !== 'GET') return { is: type === 'document' ? 'page' : 'call' };
  if (type === 'xhr' || type === 'fetch') return { is: 'call' };
  if (/favicon\.\w+(\?|$)/i.test(url)) return { is: 'resource', resource: 'icon' };
  const known = getOwn(KIND_BY_TYPE, type);
  if (known !== undefined) return { is: 'resource', resource: known };
  if (type === 'document' || /html/i.test(responseType)) return { is: 'page' };
  if (/css/i.test(responseType)) return { is: 'resource', resource: 'css' };
  if (/javascript|ecmascript/i.test(responseType)) return { is: 'resource', resource: 'script' };
  if (/^image\//i.test(responseType)) return { is: 'resource', resource: 'image' };
  if (/font/i.test(responseType)) return { is: 'resource', resource: 'font' };
  return { is: 'call' };
}
