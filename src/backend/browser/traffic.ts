import type { Page, Request, Response, WebSocket } from 'playwright-core';
import type { Passwords } from './passwords.ts';
import type { HttpLogins } from './httpLogins.ts';
import type { Reported } from './pageDevtools.ts';
import { cleanEntry, decodeText, headerOf, recordedEntry, type RecordedEntry, simpleEntry, isTextType } from './recordedEntry.ts';
import { followSocket, type MessageBudget, type Socket, socketEntry } from './socket.ts';

interface Ended {
  readonly entry: RecordedEntry;
  /** {@link Passwords.version} at which the entry was cleaned. */
  readonly cleanedAt: number;
  readonly tab: number;
  readonly startMs: number;
  readonly order: number;
}

const MAX_ENTRIES = 5_000;
const MAX_BODY_BYTES = 64 * 1_048_576;
const MAX_MESSAGE_CHARACTERS = 16 * 1_048_576;
const MAX_DEVTOOLS_REPORTS = 1_000;
/** Maximum number of file names, of event stream addresses, and of handshakes without a socket. Any beyond that are dropped. */
const MAX_NAMES = 1_000;
/** Maximum difference between the request times of Playwright and DevTools. */
const MAX_TIME_DIFFERENCE_MS = 2_000;
/** Collects requests and responses. Entries are stored without known passwords. */
export class Traffic {
  /** Sizes of the files that the user chose, by name. */
  private readonly fileSizes = new Map<string, number>();
  readonly dropped = { requests: 0, bodies: 0 };
  private readonly passwords: Passwords;
  private readonly logins: HttpLogins;
  private readonly tabOf: (page: Page | null) => number;
  private readonly onChange: () => void;
  private readonly underWay = new Map<Request, OutstandingRequest>();
  private readonly sockets: { readonly socket: Socket; readonly tab: number; readonly order: number; readonly cleanedAt: number }[] = [];
  private readonly messageRoom: MessageBudget = { characters: MAX_MESSAGE_CHARACTERS };
  private readonly handshakes = new Map<string, Headers[]>();
  private readonly events = new Map<string, number>();
  /** DevTools reports that match no request yet. */
  private readonly reported: Reported[] = [];
  private readonly ended: Ended[] = [];
  private bodyBytes = 0;
  private count = 0;

  constructor(passwords: Passwords, logins: HttpLogins, tabOf: (page: Page | null) => number, onChange: () => void) {
    this.passwords = passwords;
    this.logins = logins;
    this.tabOf = tabOf;
    this.onChange = onChange;
  }

  began(request: Request): void {
    if (!/^https?:/i.test(request.url())) return;
    if (!this.countEntry()) return;
    this.underWay.set(request, followRequest(request, this.count));
  }

  onFileChosen(name: string, size: number): void {
    if (this.fileSizes.size < MAX_NAMES) this.fileSizes.set(name, size);
  }

  report(report: Reported): void {
    this.reported.push(report);
    if (this.reported.length > MAX_DEVTOOLS_REPORTS) this.reported.shift();
  }

  /** Drops the refused request that was repeated with a login. */
  dropRefused(url: string): void {
    const index = this.ended.findLastIndex(({ entry }) => [0, 401].includes(entry.response.status) && entry.request.url === url);
    if (index >= 0) this.ended.splice(index, 1);
  }

  /** Adds a download. The browser reports only its address. */
  addDownload(url: string, tab: number): void {
    if (!/^https?:/i.test(url) || this.isKnown(url) || !this.countEntry()) return;
    const startMs = Date.now();
    const cleanedAt = this.passwords.version;
    const entry = simpleEntry({ url: this.passwords.cleanSent(this.logins.takeFrom(url).url), tab, startMs, endMs: startMs, status: 200 });
    this.ended.push({ entry: { ...entry, _resourceType: 'document' }, cleanedAt, tab, startMs, order: this.count });
    this.onChange();
  }

  /** Returns whether the download was just reported as a request, as it is when a page started it. */
  private isKnown(url: string): boolean {
    const isRecent = (startMs: number): boolean => Date.now() - startMs < MAX_TIME_DIFFERENCE_MS;
    return (
      this.ended.some(({ entry, startMs }) => isRecent(startMs) && entry.request.url === url) ||
      [...this.underWay.values()].some(({ request, startMs }) => isRecent(startMs) && request.url() === url)
    );
  }

  onResponse(response: Response): void {
    const request = response.request();
    const live = this.underWay.get(request);
    if (live === undefined) return;
    live.responded = requestData(response);
    this.onChange();
  }

  onFinished(request: Request): void {
    const live = this.underWay.get(request);
    if (live === undefined || live.ending !== null) return;
    live.ending = this.write(live, Date.now()).finally(() => {
      this.underWay.delete(request);
      this.onChange();
    });
  }

  socket(webSocket: WebSocket, tab: number): void {
    if (!this.countEntry()) return;
    const socket = followSocket(webSocket, this.passwords, this.messageRoom, this.onChange);
    const [handshake = []] = this.handshakes.get(socket.url)?.splice(0, 1) ?? [];
    socket.headers = handshake;
    this.sockets.push({ socket, tab, order: this.count, cleanedAt: this.passwords.version });
    this.onChange();
  }

  /** Assigns a handshake to its socket. The handshake may be reported before or after the socket. */
  handshake(url: string, headers: Headers): void {
    const waitingSocket = this.sockets.find(({ socket }) => socket.url === url && socket.headers.length === 0);
    if (waitingSocket !== undefined) waitingSocket.socket.headers = headers;
    else if (this.handshakes.size < MAX_NAMES) this.handshakes.set(url, [...(this.handshakes.get(url) ?? []), headers]);
  }

  event(url: string): void {
    if (this.events.has(url) || this.events.size < MAX_NAMES) this.events.set(url, (this.events.get(url) ?? 0) + 1);
    this.onChange();
  }

  /** Returns whether the user entered the address of this document. */
  async isEnteredAddress(url: string): Promise<boolean> {
    const [address] = url.split('#', 1);
    const live = [...this.underWay.values()].findLast(({ request }) => request.isNavigationRequest() && request.url() === address);
    const headers =
      live === undefined
        ? this.ended.findLast(({ entry }) => entry.request.url === address)?.entry.request.headers
        : await live.requestHeaders;
    return headers !== undefined && headerOf(headers, 'sec-fetch-site') === 'none';
  }

  /**
   * Records all outstanding requests, without a response if none has arrived. Each piece of data that the browser must deliver for
   * them has a time limit.
   */
  async waitForOutstanding(): Promise<void> {
    for (const live of this.underWay.values()) {
      const isFinished = live.ending !== null;
      if (!isFinished) live.ending = this.write(live, Date.now()).finally(() => this.underWay.delete(live.request));
    }
    await Promise.all([...this.underWay.values()].map(({ ending }) => ending));
  }

  /**
   * Returns the recorded entries in the order of their requests. They may contain passwords that were learned later: see
   * {@link cleanRecorded}.
   */
  entries(): Ended[] {
    const sockets = this.sockets.map(({ socket, tab, order, cleanedAt }) => ({
      entry: socketEntry(socket, tab, this.passwords),
      cleanedAt,
      tab,
      startMs: socket.startMs,
      order,
    }));
    return [...this.ended, ...sockets].sort((one, other) => one.order - other.order);
  }

  /** Removes passwords that were learned after the entry was recorded. */
  cleanRecorded({ entry, cleanedAt }: Pick<Ended, 'entry' | 'cleanedAt'>): RecordedEntry {
    return cleanedAt === this.passwords.version ? entry : cleanEntry(entry, this.passwords);
  }

  private countEntry(): boolean {
    if (this.count >= MAX_ENTRIES) this.dropped.requests += 1;
    else this.count += 1;
    return this.dropped.requests === 0;
  }

  private async write(live: OutstandingRequest, endMs: number): Promise<void> {
    const { request, responded, order } = live;
    const isStream = /event-stream/i.test(responded?.type ?? '');
    const tab = this.tabOf(pageOf(request));
    const report = this.takeReport(request, live.startMs);
    const timing = request.timing().startTime;
    const startMs = timing > 0 ? timing : live.startMs;
    const { requestHeaders, responseHeaders, httpVersion, address, body, sent } = await collectData(live, report);
    const countEntry = body !== null && this.bodyBytes + body.length <= MAX_BODY_BYTES;
    if (body !== null && !countEntry) this.dropped.bodies += 1;
    const sentBytes = sent ?? request.postDataBuffer();
    if (countEntry) this.bodyBytes += body.length + (sentBytes?.length ?? 0);
    const { url, login } = this.logins.takeFrom(request.url());
    const authorization = headerOf(requestHeaders, 'authorization') === null ? this.logins.headerFor(url) : null;
    if (login !== null) this.passwords.learnHttp(login);
    const length = Number(headerOf(responseHeaders, 'content-length') ?? Number.NaN);
    const cleanedAt = this.passwords.version;
    const entry = recordedEntry(
      {
        request,
        url,
        sent: sentBytes,
        response: responded?.response ?? null,
        startMs,
        endMs,
        requestHeaders: authorization === null ? requestHeaders : [...requestHeaders, { name: 'Authorization', value: authorization }],
        responseHeaders,
        httpVersion: httpVersion === '' ? 'HTTP/1.1' : httpVersion,
        address,
        text: countEntry ? decodeText(body, responded?.type ?? '') : null,
        bodyBytes: body?.length ?? (Number.isFinite(length) ? length : 0),
        comment: body !== null && !countEntry ? 'dropped: the recording holds 64 MB' : undefined,
        pageref: `tab_${tab}`,
        fileSizes: this.fileSizes,
      },
      this.passwords,
    );
    const opened = isStream ? { _resourceType: 'eventsource', ...this.streamFacts(request.url(), startMs, endMs) } : {};
    this.ended.push({ entry: { ...entry, ...opened }, cleanedAt, tab, startMs, order });
  }

  private takeReport(request: Request, startMs: number): Reported | null {
    const index = this.reported.findIndex(
      ({ method, url, atMs }) => url === request.url() && method === request.method() && Math.abs(atMs - startMs) < MAX_TIME_DIFFERENCE_MS,
    );
    return this.reported.splice(index, index < 0 ? 0 : 1)[0] ?? null;
  }

  private streamFacts(url: string, startMs: number, endMs: number): Pick<RecordedEntry, '_events' | '_openSeconds'> {
    const events = this.events.get(url);
    this.events.delete(url);
    return { ...(events === undefined ? {} : { _events: events }), _openSeconds: Math.round(endMs - startMs) / 1_000 };
  }
}

type Headers = { name: string; value: string }[];

/** An outstanding request. Its data is requested early, because the browser returns nothing once the tab has closed. */
interface OutstandingRequest {
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

function followRequest(request: Request, order: number): OutstandingRequest {
  const requestHeaders = request.headersArray().catch(() => listPairs(request.headers()));
  return { request, startMs: Date.now(), order, requestHeaders, responded: null, ending: null };
}

function requestData(response: Response): ResponseData {
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
async function collectData({ requestHeaders, responded }: OutstandingRequest, devTools: Reported | null): Promise<CollectedData> {
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
function pageOf(request: Request): Page | null {
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
