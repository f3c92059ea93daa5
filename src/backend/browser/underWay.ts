import type { Page, Request, Response } from 'playwright-core';
import type { Reported } from './pageDevtools.ts';
import { isTextType } from './recordedEntry.ts';

export type Headers = { name: string; value: string }[];

/** An outstanding request. Its data is requested early, because the browser returns nothing once the tab has closed. */
export interface OutstandingRequest {
  readonly request: Request;
  readonly startMs: number;
  readonly order: number;
  readonly requestHeaders: Promise<Headers>;
  responded: ResponseData | null;
  /** Resolves when the entry of the request was recorded. */
  ending: Promise<void> | null;
}

interface ResponseData {
  readonly response: Response;
  readonly headers: Promise<Headers>;
  readonly httpVersion: Promise<string>;
  readonly address: Promise<string | null>;
  readonly hasBody: boolean;
  readonly body: Promise<Buffer | null>;
  readonly type: string;
}

/** All that the browser reported about a request. */
interface CollectedData {
  readonly requestHeaders: Headers;
  readonly responseHeaders: Headers;
  /** Empty if unknown. */
  readonly httpVersion: string;
  readonly address: string | null;
  readonly body: Buffer | null;
  readonly sent: Buffer | null;
}

/** Time limit for the browser's reports. */
const MAX_REPORT_MS = 2_000;

export function followRequest(request: Request, order: number): OutstandingRequest {
  const requestHeaders = request.headersArray().catch(() => listPairs(request.headers()));
  return { request, startMs: Date.now(), order, requestHeaders, responded: null, ending: null };
}

export function requestData(response: Response): ResponseData {
  const type = response.headers()['content-type'] ?? '';
  const hasBody = isTextType(type) && !isRedirect(response.status());
  return {
    response,
    type,
    hasBody,
    headers: response.headersArray().catch(() => listPairs(response.headers())),
    httpVersion: response.httpVersion().catch(() => ''),
    address: response.serverAddr().then(
      (address) => address?.ipAddress ?? null,
      () => null,
    ),
    // Requested before the body has arrived, because a page that redirects at once discards it.
    body: hasBody ? response.body().catch(() => null) : Promise.resolve(null),
  };
}

/** Collects the headers and bodies of a request from the browser. `devTools`: what DevTools reported about the request; null if nothing. */
export async function collectData({ requestHeaders, responded }: OutstandingRequest, devTools: Reported | null): Promise<CollectedData> {
  const [ofRequest, responseHeaders, httpVersion, address, body, sent] = await Promise.all([
    withTimeLimit(requestHeaders, []),
    withTimeLimit(responded?.headers ?? Promise.resolve([]), []),
    withTimeLimit(responded?.httpVersion ?? Promise.resolve(''), ''),
    withTimeLimit(responded?.address ?? Promise.resolve(null), null),
    withTimeLimit(bodyOf(responded, devTools), null),
    withTimeLimit(devTools?.sent ?? Promise.resolve(null), null),
  ]);
  return { requestHeaders: ofRequest, responseHeaders, httpVersion, address, body, sent };
}

/**
 * Returns the body from Playwright or DevTools, whichever has it first. Playwright loses the bodies of pages that redirect at once;
 * DevTools has none for new tabs.
 */
function bodyOf(respondedResponse: ResponseData | null, devTools: Reported | null): Promise<Buffer | null> {
  if (respondedResponse === null || !respondedResponse.hasBody) return Promise.resolve(null);
  const asked = [respondedResponse.body, ...(devTools?.body === null || devTools === null ? [] : [devTools.body])];
  const known = asked.map(async (body) => (await body) ?? Promise.reject(new Error('It is gone.')));
  return Promise.any(known).catch(() => null);
}

/** Returns the page of a request; null if the request has none or its page is still unknown. */
export function pageOf(request: Request): Page | null {
  try {
    return request.frame().page();
  } catch {
    return null;
  }
}

function listPairs(headers: Record<string, string>): Headers {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}

function withTimeLimit<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<T>((resolve) => (timer = setTimeout(resolve, MAX_REPORT_MS, otherwise)));
  return Promise.race([asked, late]).finally(() => clearTimeout(timer));
}
