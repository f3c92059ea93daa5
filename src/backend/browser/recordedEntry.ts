import type { Request, Response } from 'playwright-core';
import type { Passwords } from './passwords.ts';

type Headers = readonly { readonly name: string; readonly value: string }[];

/** A request and its response in HAR 1.2. Members that begin with `_` are added by the recorder (see docs/recording.md). */
export interface RecordedEntry {
  readonly pageref: string;
  readonly startedDateTime: string;
  readonly time: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly httpVersion: string;
    readonly headers: Headers;
    readonly queryString: Headers;
    readonly cookies: readonly [];
    readonly headersSize: -1;
    readonly bodySize: number;
    readonly postData?: SentBody;
  };
  readonly response: {
    readonly status: number;
    readonly statusText: string;
    readonly httpVersion: string;
    readonly headers: Headers;
    readonly cookies: readonly [];
    readonly content: { readonly size: number; readonly mimeType: string; readonly text?: string; readonly comment?: string };
    readonly redirectURL: string;
    readonly headersSize: -1;
    readonly bodySize: number;
    readonly _error?: string;
  };
  readonly cache: Readonly<Record<string, never>>;
  readonly timings: Readonly<Record<'blocked' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive', number>>;
  readonly serverIPAddress?: string;
  readonly _resourceType: string;
  readonly _action?: number;
  readonly _webSocketMessages?: readonly WebSocketMessage[];
  readonly _events?: number;
  readonly _openSeconds?: number;
}

export interface WebSocketMessage {
  readonly type: 'send' | 'receive';
  /** Seconds since 1970. */
  readonly time: number;
  readonly opcode: 1 | 2;
  readonly data: string;
}

/** A request and its response as reported by the browser. */
export interface Observed {
  readonly request: Request;
  /** Without user name and password. */
  readonly url: string;
  /** Body of the request; null if none was reported. */
  readonly sent: Buffer | null;
  readonly response: Response | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly requestHeaders: Headers;
  readonly responseHeaders: Headers;
  readonly httpVersion: string;
  readonly address: string | null;
  /** Text of the response; null if the response is not text or was not kept. */
  readonly text: string | null;
  readonly bodyBytes: number;
  /** Reason why the text is missing. */
  readonly comment?: string | undefined;
  readonly pageref: string;
  readonly fileSizes: ReadonlyMap<string, number>;
}

const TEXT =
  /^(text\/(?!event-stream)|application\/(.*\+)?(json|xml)|application\/(x-)?(java|ecma)script|application\/x-www-form-urlencoded|image\/svg)/i;

/** Returns whether a body is kept as text. Contents of pictures and fonts are not kept. */
export function isTextType(type: string): boolean {
  return TEXT.test(type.trim());
}

export function headerOf(headers: Headers, name: string): string | null {
  return headers.find((header) => header.name.toLowerCase() === name)?.value ?? null;
}

/** Decodes bytes with the charset named in the type, or as UTF-8. */
export function decodeText(bytes: Buffer, type: string): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(type) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

/** Creates the HAR entry of a request, without passwords. */
export function recordedEntry(observed: Observed, passwords: Passwords): RecordedEntry {
  const { request, response, startMs, endMs, httpVersion, text, bodyBytes, comment, pageref, address } = observed;
  const requestHeaders = cleanHeaders(observed.requestHeaders, passwords);
  const responseHeaders = cleanHeaders(observed.responseHeaders, passwords);
  const length = headerOf(observed.requestHeaders, 'content-length');
  const body = sentBody({
    type: headerOf(observed.requestHeaders, 'content-type') ?? '',
    bytes: observed.sent,
    length: length === null ? null : Number(length),
    sizes: observed.fileSizes,
  });
  const sent = body === null ? null : cleanBody(body, passwords);
  if (sent !== null) passwords.nameFields(sentFields(sent));
  const url = passwords.cleanSent(observed.url);
  const mimeType = headerOf(responseHeaders, 'content-type') ?? '';
  const failure = request.failure();
  return {
    pageref,
    startedDateTime: new Date(startMs).toISOString(),
    time: Math.max(0, endMs - startMs),
    request: {
      method: request.method(),
      url,
      httpVersion,
      headers: requestHeaders,
      queryString: URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [],
      cookies: [],
      headersSize: -1,
      bodySize: length === null ? 0 : Number(length),
      ...(sent === null ? {} : { postData: sent }),
    },
    response: {
      status: response?.status() ?? 0,
      statusText: response?.statusText() ?? '',
      httpVersion,
      headers: responseHeaders,
      cookies: [],
      content: {
        size: bodyBytes,
        mimeType,
        ...(text === null ? {} : { text: passwords.clean(text) }),
        ...(comment === undefined ? {} : { comment }),
      },
      redirectURL: headerOf(responseHeaders, 'location') ?? '',
      headersSize: -1,
      bodySize: bodyBytes,
      ...(response === null && failure !== null ? { _error: failure.errorText } : {}),
    },
    cache: {},
    timings: getTimings(request, endMs - startMs),
    ...(address === null ? {} : { serverIPAddress: address }),
    _resourceType: request.resourceType(),
  };
}

interface Simple {
  readonly url: string;
  readonly tab: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly status: number;
  readonly headers?: Headers;
}

/** Creates a HAR entry from little more than an address. */
export function simpleEntry({ url, tab, startMs, endMs, status, headers = [] }: Simple): Omit<RecordedEntry, '_resourceType'> {
  const rest = { cookies: [] as const, headersSize: -1 as const, httpVersion: 'HTTP/1.1' };
  return {
    pageref: `tab_${tab}`,
    startedDateTime: new Date(startMs).toISOString(),
    time: endMs - startMs,
    request: { ...rest, method: 'GET', url, headers, queryString: [], bodySize: 0 },
    response: { ...rest, status, statusText: '', headers: [], content: { size: 0, mimeType: '' }, redirectURL: '', bodySize: 0 },
    cache: {},
    timings: { blocked: -1, dns: -1, connect: -1, ssl: -1, send: 0, wait: endMs - startMs, receive: 0 },
  };
}

/** Removes passwords that were learned after the entry was recorded. */
export function cleanEntry(entry: RecordedEntry, passwords: Passwords): RecordedEntry {
  const { request, response, _webSocketMessages: messages } = entry;
  const { text } = response.content;
  return {
    ...entry,
    request: {
      ...request,
      url: passwords.cleanSent(request.url),
      headers: cleanHeaders(request.headers, passwords),
      queryString: request.queryString.map(({ name, value }) => ({ name, value: passwords.cleanSent(value) })),
      ...(request.postData === undefined ? {} : { postData: cleanBody(request.postData, passwords) }),
    },
    response: {
      ...response,
      headers: cleanHeaders(response.headers, passwords),
      redirectURL: passwords.cleanSent(response.redirectURL),
      content: { ...response.content, ...(text === undefined ? {} : { text: passwords.clean(text) }) },
    },
    ...(messages === undefined
      ? {}
      : { _webSocketMessages: messages.map((message) => ({ ...message, data: passwords.cleanSent(message.data) })) }),
  };
}

export function cleanHeaders(headers: Headers, passwords: Passwords): Headers {
  return headers.map(({ name, value }) => ({ name, value: passwords.cleanHeader(name, value) }));
}

function cleanBody(body: SentBody, passwords: Passwords): SentBody {
  return {
    ...body,
    ...(body.text === undefined ? {} : { text: passwords.cleanSent(body.text) }),
    ...(body.params === undefined
      ? {}
      : {
          params: body.params.map((part) =>
            part.value === undefined ? part : { ...part, value: cleanValue(part.name, part.value, passwords) },
          ),
        }),
  };
}

/** Cleans a value as if it were a form field. */
export function cleanValue(name: string, value: string, passwords: Passwords): string {
  const field = `${encodeURIComponent(name.toWellFormed())}=`;
  const clean = passwords.cleanSent(`${field}${value}`);
  return clean.startsWith(field) ? clean.slice(field.length) : passwords.clean(value);
}

function getTimings(request: Request, totalMs: number): RecordedEntry['timings'] {
  const { domainLookupStart, domainLookupEnd, connectStart, connectEnd, secureConnectionStart, requestStart, responseStart, responseEnd } =
    request.timing();
  const durationBetween = (from: number, to: number): number => (from < 0 || to < from ? -1 : to - from);
  const wait = durationBetween(requestStart, responseStart);
  return {
    blocked: -1,
    dns: durationBetween(domainLookupStart, domainLookupEnd),
    connect: durationBetween(connectStart, connectEnd),
    ssl: durationBetween(secureConnectionStart, connectEnd),
    send: 0,
    wait: wait < 0 ? Math.max(0, totalMs) : wait,
    receive: Math.max(0, durationBetween(responseStart, responseEnd)),
  };
}

/** A request body in HAR format. It has the names, types and sizes of files, but not their contents. */
interface SentBody {
  readonly mimeType: string;
  readonly text?: string;
  readonly params?: readonly SentPart[];
  readonly comment?: string;
}

interface SentPart {
  readonly name: string;
  readonly value?: string;
  readonly fileName?: string;
  readonly contentType?: string;
  readonly comment?: string;
}

interface Sent {
  readonly type: string;
  /** The body as the browser reports it, without file contents; null if it reports none. */
  readonly bytes: Buffer | null;
  /** Value of the request's content-length header; null if missing. */
  readonly length: number | null;
  /** Sizes of the files that the user chose, by name. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Returns null if the request had no body. */
function sentBody({ type, bytes, length, sizes }: Sent): SentBody | null {
  if (bytes === null) return (length ?? 0) > 0 ? { mimeType: type, text: '', comment: `${length} bytes` } : null;
  const parts = /^multipart\/form-data/i.test(type) ? getParts(bytes, type) : [];
  if (!parts.some(({ fileName }) => fileName !== undefined)) return { mimeType: type, text: bytes.toString('utf8') };
  const files = parts.filter(({ fileName }) => fileName !== undefined);
  const missing = length === null ? null : length - bytes.length;
  return {
    mimeType: type,
    params: parts.map(({ name, fileName, contentType, content }) => {
      if (fileName === undefined) return { name, value: content.toString('utf8') };
      const size = sizes.get(fileName) ?? (files.length === 1 && missing !== null ? missing + content.length : content.length);
      return { name, fileName, ...(contentType === undefined ? {} : { contentType }), comment: `${size} bytes` };
    }),
  };
}

/** Returns the fields of a form or a JSON document by name. If a field is repeated, its last value counts. */
function sentFields({ mimeType, text = '', params = [] }: SentBody): ReadonlyMap<string, string> {
  if (params.length > 0) return new Map(params.map(({ name, value = '' }) => [name, value]));
  if (/x-www-form-urlencoded/i.test(mimeType)) return new Map(new URLSearchParams(text));
  if (/multipart\/form-data/i.test(mimeType))
    return new Map(getParts(Buffer.from(text), mimeType).map(({ name, content }) => [name, content.toString('utf8')]));
  const found = new Map<string, string>();
  if (/json/i.test(mimeType))
    for (const [, name = '', value = ''] of text.matchAll(/"([^"\\]{1,200})"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) found.set(name, value);
  return found;
}

interface Part {
  readonly name: string;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
  readonly content: Buffer;
}

const BLANK_LINE = Buffer.from('\r\n\r\n');

function getParts(bytes: Buffer, type: string): Part[] {
  const [, quoted, bare] = /boundary=(?:"([^"]{1,100})"|([^\s;]{1,100}))/i.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return [];
  const line = Buffer.from(`--${boundary}`);
  const parts: Part[] = [];
  for (let at = bytes.indexOf(line); at >= 0;) {
    const next = bytes.indexOf(line, at + line.length);
    if (next < 0) break;
    const piece = bytes.subarray(at + line.length, next);
    at = next;
    const blank = piece.indexOf(BLANK_LINE);
    if (blank < 0) continue;
    const head = piece.subarray(0, blank).toString('utf8');
    const name = /[; ]name="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) continue;
    parts.push({
      name,
      fileName: /filename="([^"]*)"/i.exec(head)?.[1],
      contentType: /^content-type:[ \t]*([^\r\n]*)/im.exec(head)?.[1]?.trim(),
      content: piece.subarray(blank + BLANK_LINE.length, -2),
    });
  }
  return parts;
}
