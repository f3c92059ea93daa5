import type { Page, Request, Response } from 'playwright-core';
import type { Told } from './pageDevtools.ts';
import { isText } from './recordedEntry.ts';

export type Headers = { name: string; value: string }[];

/** A request that is under way, with what is asked of the browser meanwhile: once its tab is closed, nothing can be asked any more. */
export interface UnderWay {
  readonly request: Request;
  readonly startMs: number;
  readonly order: number;
  readonly requestHeaders: Promise<Headers>;
  responded: Responded | null;
  /** Settles with its entry. */
  ending: Promise<void> | null;
}

interface Responded {
  readonly response: Response;
  readonly headers: Promise<Headers>;
  readonly httpVersion: Promise<string>;
  readonly address: Promise<string | null>;
  readonly hasBody: boolean;
  readonly body: Promise<Buffer | null>;
  readonly type: string;
}

/** All that the browser said of a request. */
interface LastWords {
  readonly requestHeaders: Headers;
  readonly responseHeaders: Headers;
  /** Empty where it does not say. */
  readonly httpVersion: string;
  readonly address: string | null;
  readonly body: Buffer | null;
  readonly sent: Buffer | null;
}

/** What the browser does not say within this, it no longer says. */
const LAST_WORDS_MS = 2_000;

/** A request that begins now. */
export function underWay(request: Request, order: number): UnderWay {
  const requestHeaders = request.headersArray().catch(() => pairsOf(request.headers()));
  return { request, startMs: Date.now(), order, requestHeaders, responded: null, ending: null };
}

/** Asks for what belongs to a response. */
export function askedOf(response: Response): Responded {
  const type = response.headers()['content-type'] ?? '';
  const hasBody = isText(type) && !isRedirect(response.status());
  return {
    response,
    type,
    hasBody,
    headers: response.headersArray().catch(() => pairsOf(response.headers())),
    httpVersion: response.httpVersion().catch(() => ''),
    address: response.serverAddr().then(
      (address) => address?.ipAddress ?? null,
      () => null,
    ),
    // It is asked for before it has come: a page that leads on at once takes it along.
    body: hasBody ? response.body().catch(() => null) : Promise.resolve(null),
  };
}

/** What was asked for, as far as the browser still says it. `told`: what was told beside Playwright. */
export async function lastWords({ requestHeaders, responded }: UnderWay, told: Told | null): Promise<LastWords> {
  const [ofRequest, responseHeaders, httpVersion, address, body, sent] = await Promise.all([
    soon(requestHeaders, []),
    soon(responded?.headers ?? Promise.resolve([]), []),
    soon(responded?.httpVersion ?? Promise.resolve(''), ''),
    soon(responded?.address ?? Promise.resolve(null), null),
    soon(bodyOf(responded, told), null),
    soon(told?.sent ?? Promise.resolve(null), null),
  ]);
  return { requestHeaders: ofRequest, responseHeaders, httpVersion, address, body, sent };
}

/** Of two that are asked, the first that knows it: one is not told of new tabs, the other not of pages that are left at once, and neither says so always. */
function bodyOf(responded: Responded | null, told: Told | null): Promise<Buffer | null> {
  if (responded === null || !responded.hasBody) return Promise.resolve(null);
  const asked = [responded.body, ...(told?.body === null || told === null ? [] : [told.body])];
  const known = asked.map(async (body) => (await body) ?? Promise.reject(new Error('It is gone.')));
  return Promise.any(known).catch(() => null);
}

/** null for a request that no page has made, or whose page is not known yet. */
export function pageOf(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

function pairsOf(headers: Record<string, string>): Headers {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function soon<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => (timer = setTimeout(resolve, LAST_WORDS_MS, otherwise)));
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
