import { getOwn } from '#core/base/ownMembers.ts';
import { SAFE_METHODS } from '#core/plan/requests.ts';
import { MAX_STEPS } from '#core/plan/schema/plan.ts';
import { type Draft, methodOf, type WrittenStep } from '../draft.ts';
import { parseResponse } from './findValue.ts';
import type { Poll } from './polls.ts';
import type { Entry } from './readEntry.ts';
import { isOfBrowsers, buildRecordedStep } from './recordedRequest.ts';
import { RecordedValues } from './values.ts';
import type { AccountValues } from '../recording/accounts.ts';
import type { DrawnTexts } from '../recording/drawnTexts.ts';
import type { Needles } from '../recording/needles.ts';
import type { StepNames } from '../recording/stepNames.ts';
import type { Exchange, WalkedStep } from '../recording/walk.ts';
import { targetsOfOne } from '../recording/redirectTargets.ts';
import { looksLikeLogin } from '#core/work/journey/redirects.ts';
import { queryDecoded } from '../address.ts';
import { buildStream } from '../recording/streams.ts';
import { hasPlaceholders } from '#core/plan/secrets.ts';
import { unescapePlaceholders } from '../placeholders.ts';
import { REQUEST_LEFT_OUT_NOTE, noteUnknownMethod } from '../notes.ts';

type WrittenResources = NonNullable<WrittenStep['resources']>;
type ResourceKind = NonNullable<WrittenResources['kinds']>[number];

const MIN_PAUSE_SECONDS = 0.3;
const MAX_PAUSE_SECONDS = 120;

export function describeRequests(count: number, one: string, several: string): string {
  return count === 1 ? `1 request ${one}` : `${count} requests ${several}`;
}

/** How recorded pauses are handled: kept, removed, or replaced by a fixed number of seconds. */
export type RecordedPauses = 'recorded' | 'none' | number;

interface RecordedStep {
  readonly entry: Entry;
  step: WrittenStep;
  /** Whether the response is a page. The resources that follow belong to it. */
  isPage: boolean;
  readonly kinds: Set<ResourceKind>;
  thinkSeconds: number;
  readonly exchanges: Exchange[];
  /** Present if the step is sent beside the journey, starting after the first response to the step `after`. */
  readonly beside?: { readonly everySeconds: number; readonly after: RecordedStep | undefined };
}

interface JourneyParts {
  /** Server of the load, if requests to other servers are imported, too. */
  readonly origin?: string;
  /** The values that requests of the recording send. */
  readonly needles: Needles;
  readonly names: StepNames;
  readonly accounts: AccountValues;
  readonly drawn: DrawnTexts;
  readonly pauses: RecordedPauses;
}

/** Converts recorded requests to steps of a journey. */
export class RecordedJourney {
  keepsCookies = false;
  /** The recorded exchanges, by step name. */
  readonly walk: WalkedStep[] = [];
  private readonly parts: JourneyParts;
  private readonly draft: Draft;
  private readonly otherHosts: readonly string[];
  private readonly values: RecordedValues;
  private readonly jar = new Set<string>();
  private readonly earlierCookies = new Map<string, string>();
  private readonly headers = new Map<string, string>();
  private steps: RecordedStep[] = [];
  /** Target of the last redirect. The browser, not the person, sends the request to it. */
  private awaited: string | null = null;
  /** Time at which the redirecting response was complete, in milliseconds since 1970. */
  private redirectedAtMs = 0;
  private busyUntilMs: number | null = null;
  private readonly resources = new Map<ResourceKind, number>();
  private browserHeaders = 0;
  private omittedRequests = 0;
  private workerRequests = 0;
  /** Whether the current page was left out because the journey already has the maximum number of steps. */
  private isBehindUnreadPage = false;

  constructor(draft: Draft, otherHosts: readonly string[], parts: JourneyParts) {
    this.draft = draft;
    this.parts = parts;
    this.otherHosts = otherHosts;
    this.values = new RecordedValues(draft, parts.needles, parts.accounts, parts.drawn);
  }

  take(entry: Entry): void {
    if (entry.kind.is === 'worker') {
      this.workerRequests += 1;
      return;
    }
    if (entry.kind.is === 'stream') return this.takeStream(entry);
    if (entry.kind.is === 'preflight')
      return this.draft.noteLeftOut(
        entry.location,
        'It is a preflight request of the browser (CORS).',
        'Only browsers send preflight requests.',
      );
    const method = methodOf(entry.method);
    if (method === null) return this.draft.noteLeftOut(entry.location, noteUnknownMethod(entry.method), REQUEST_LEFT_OUT_NOTE);
    // Failed requests have the status 0 or -1.
    if (entry.status <= 0) return this.leaveOutWithoutResponse(entry);
    if (entry.kind.is === 'resource') return this.takeResource(entry, entry.kind.resource);
    if (this.awaited !== null && this.awaited === entry.url.split('#', 1)[0]) {
      this.note(entry);
      const last = this.lastStep();
      if (last !== undefined) {
        last.isPage ||= entry.kind.is === 'page';
        last.exchanges.push(readExchange(entry));
        this.addResponse(last.step, entry);
      }
      return;
    }
    if (this.steps.length >= MAX_STEPS) {
      this.omittedRequests += 1;
      this.isBehindUnreadPage ||= entry.kind.is === 'page';
      return;
    }
    this.pauseBefore(entry);
    this.keepCommonHeaders(entry);
    const written = buildRecordedStep(this.draft, this.values, entry, method);
    const isLogin = /\{\{(account\.)?password/.test(JSON.stringify([written.form, written.json, written.multipart]));
    const name = this.parts.names.nameFor(entry.action, { method, path: entry.address.path, isLogin });
    const step = name === null ? written : { ...written, name };
    this.readCookies(entry);
    const captures: NonNullable<WrittenStep['captures']> = [];
    const isRedirect = entry.status >= 300 && entry.status < 400 && entry.status !== 304;
    const expectStatus = statusExpectation(entry);
    const isUnusual = entry.status >= 400 || entry.status === 304;
    if (isUnusual)
      this.draft.noteChanged(
        entry.location,
        `The response had the status ${entry.status}.`,
        entry.status === 304 && expectStatus === null
          ? 'Without a cache the server sends the page. The plan accepts any 2xx.'
          : 'The plan expects this status.',
      );
    const whole: WrittenStep = {
      ...step,
      captures,
      ...(expectStatus === null ? {} : { expectStatus }),
      ...(isRedirect ? { redirects: { follow: true as const } } : {}),
    };
    this.steps.push({
      entry,
      step: whole,
      isPage: entry.kind.is === 'page',
      kinds: new Set(),
      thinkSeconds: 0,
      exchanges: [readExchange(entry)],
    });
    this.note(entry);
    this.addResponse(whole, entry);
  }

  private leaveOutWithoutResponse({ location: entryLocation, address }: Entry): void {
    this.draft.noteLeftOut(entryLocation, `${address.path.slice(0, 80)} has no response in the recording.`, REQUEST_LEFT_OUT_NOTE);
  }

  /** Makes a response available to later requests. A redirect is part of the redirected step. */
  private addResponse(step: WrittenStep, entry: Entry): void {
    this.parts.accounts.markPassed(`${entry.url} ${entry.responseText ?? ''}`);
    const isLast = !(entry.status >= 300 && entry.status < 400);
    // Captures read only the last response of a step.
    if (isLast)
      this.values.addResponse(step.name, parseResponse(entry.responseHeaders, entry.responseText, entry.responseType), step.captures ?? []);
  }

  private note(entry: Entry): void {
    const isRedirect = entry.status >= 300 && entry.status < 400;
    const location = isRedirect ? entry.responseHeaders.find(([name]) => /^location$/i.test(name))?.[1] : undefined;
    this.awaited =
      location !== undefined && URL.canParse(location, entry.url) ? (new URL(location, entry.url).href.split('#', 1)[0] ?? null) : null;
    this.redirectedAtMs = entry.endMs ?? 0;
    if (entry.endMs !== null) this.busyUntilMs = Math.max(this.busyUntilMs ?? 0, entry.endMs);
    this.keepCookies(entry);
  }

  private keepCookies(entry: Entry): void {
    for (const [name, value] of entry.responseHeaders) {
      if (!/^set-cookie$/i.test(name)) continue;
      for (const line of value.split('\n')) {
        const equals = line.indexOf('=');
        const [text = ''] = line.slice(equals + 1).split(';', 1);
        if (equals <= 0) continue;
        this.jar.add(line.slice(0, equals).trim());
        this.values.cookieSet(line.slice(0, equals).trim(), text.trim());
        this.keepsCookies = true;
      }
    }
  }

  /** Adds a request that a page repeats at an interval. It is sent beside the journey, and no step takes a value from its response. */
  takePoll(entry: Entry, { everySeconds, times }: Poll): void {
    const method = methodOf(entry.method);
    if (method === null || this.steps.length >= MAX_STEPS) return this.take(entry);
    const written = buildRecordedStep(this.draft, this.values, entry, method);
    const name = this.parts.names.nameFor(entry.action, { method, path: entry.address.path, isLogin: false });
    this.readCookies(entry);
    this.keepCookies(entry);
    this.draft.noteChanged(
      entry.location,
      `${entry.address.path.split('?', 1)[0]?.slice(0, 80) ?? ''} was requested ${times} times, every ${everySeconds} s.`,
      'Each user sends it at this interval beside the journey.',
    );
    const expectStatus = statusExpectation(entry);
    this.steps.push({
      entry,
      step: { ...written, ...(name === null ? {} : { name }), ...(expectStatus === null ? {} : { expectStatus }) },
      isPage: false,
      kinds: new Set(),
      thinkSeconds: 0,
      exchanges: [readExchange(entry)],
      beside: { everySeconds, after: this.lastStep() },
    });
  }

  /** Adds a stream, which stays open beside the following steps for as long as the user exists. */
  private takeStream(entry: Entry): void {
    if (entry.status <= 0) return this.leaveOutWithoutResponse(entry);
    if (this.steps.length >= MAX_STEPS) {
      this.omittedRequests += 1;
      return;
    }
    const { step, note } = buildStream(entry, buildRecordedStep(this.draft, this.values, entry, 'GET'));
    const name = this.parts.names.nameFor(entry.action, { method: 'GET', path: entry.address.path, isLogin: false });
    this.draft.noteChanged(entry.location, note.what, note.instead);
    this.steps.push({
      entry,
      step: name === null ? step : { ...step, name },
      isPage: false,
      kinds: new Set(),
      thinkSeconds: 0,
      exchanges: [
        { ...readExchange(entry), text: null, bytes: 0, sentMessages: (step.stream?.send?.messages ?? []).map(unescapePlaceholders) },
      ],
    });
  }

  private takeResource(entry: Entry, resource: ResourceKind): void {
    if (this.isBehindUnreadPage) return;
    const page = this.steps.findLast(({ isPage }) => isPage);
    if (page === undefined)
      this.draft.noteLeftOut(entry.location, `${entry.address.path.slice(0, 80)} belongs to a page outside the recording.`);
    else {
      page.kinds.add(resource);
      this.resources.set(resource, (this.resources.get(resource) ?? 0) + 1);
    }
    const [awaited, fromMs] = [this.awaited, this.redirectedAtMs];
    this.note(entry);
    // A late resource request of the previous page must not clear the redirect target.
    this.awaited = entry.startMs !== null && entry.startMs < fromMs ? awaited : null;
    this.redirectedAtMs = fromMs;
  }

  /** Returns the last step for which a user waits; streams and repeated requests run beside the journey. */
  private lastStep(): RecordedStep | undefined {
    return this.steps.findLast(({ step, beside }) => step.stream === undefined && beside === undefined);
  }

  private pauseBefore({ startMs }: Entry): void {
    const last = this.lastStep();
    if (last === undefined || startMs === null || this.busyUntilMs === null) return;
    const seconds = Math.round((startMs - this.busyUntilMs) / 100) / 10;
    if (seconds < MIN_PAUSE_SECONDS) return;
    if (seconds > MAX_PAUSE_SECONDS && this.parts.pauses === 'recorded')
      this.draft.noteChanged(
        last.entry.location,
        `After it, nothing was requested for ${Math.round(seconds)} s.`,
        `Users pause for ${MAX_PAUSE_SECONDS} s.`,
      );
    const { pauses } = this.parts;
    last.thinkSeconds = pauses === 'none' ? 0 : typeof pauses === 'number' ? pauses : Math.min(seconds, MAX_PAUSE_SECONDS);
  }

  private keepCommonHeaders(entry: Entry): void {
    for (const [name, value] of entry.headers) {
      if (/^accept-(language|encoding)$/i.test(name) && !this.headers.has(name.toLowerCase())) this.headers.set(name.toLowerCase(), value);
      if (isOfBrowsers(name)) this.browserHeaders += 1;
    }
  }

  /** Collects cookies that no recorded response set, so they existed before the recording. */
  private readCookies(entry: Entry): void {
    const sent = entry.headers.filter(([name]) => /^cookie$/i.test(name)).flatMap(([, value]) => value.split(';'));
    for (const cookie of sent) {
      const equals = cookie.indexOf('=');
      const name = cookie.slice(0, Math.max(0, equals)).trim();
      if (name !== '' && !this.jar.has(name) && !this.earlierCookies.has(name))
        this.earlierCookies.set(name, cookie.slice(equals + 1).trim());
    }
  }

  /** Adds the HTTP Basic login to all requests to the server, because browsers send it after the first login. A recording may omit it. */
  private logInEverywhere(): void {
    const origin = this.parts.origin;
    const own = this.steps.filter(({ entry }) => origin === undefined || entry.address.origin === origin);
    const login = own
      .map(({ step }) => getOwn(step.headers, 'Authorization') ?? getOwn(step.headers, 'authorization'))
      .find((value) => typeof value === 'string' && value.startsWith('Basic {{'));
    if (login === undefined) return;
    for (const one of own) {
      const hasAuthorization = Object.keys(one.step.headers ?? {}).some((name) => /^authorization$/i.test(name));
      if (!hasAuthorization) one.step = { ...one.step, headers: { ...one.step.headers, Authorization: login } };
    }
  }

  /** Moves headers that all steps have in common to the target. */
  private takeCommon(): void {
    const [first] = this.steps;
    // Headers of a target are not sent to other targets.
    if (this.steps.some(({ entry }) => entry.address.origin !== first?.entry.address.origin)) return;
    for (const [name, value] of Object.entries(first?.step.headers ?? {})) {
      if (typeof value !== 'string' || value.includes('{{') || !this.steps.every(({ step }) => getOwn(step.headers, name) === value))
        continue;
      this.headers.set(name, value);
      for (const one of this.steps) {
        const { [name]: _same, ...others } = one.step.headers ?? {};
        one.step = { ...one.step, headers: others };
      }
    }
  }

  /** Adds the collected steps to the plan. */
  end(): void {
    this.logInEverywhere();
    this.takeCommon();
    if (this.omittedRequests > 0)
      this.draft.noteLeftOut(
        'log.entries',
        `${describeRequests(this.omittedRequests, 'comes', 'come')} after the first ${MAX_STEPS}.`,
        `A journey has at most ${MAX_STEPS} steps. Make a shorter recording, or several plans.`,
      );
    if (this.workerRequests > 0)
      this.draft.noteLeftOut(
        'log.entries',
        `${describeRequests(this.workerRequests, 'was', 'were')} made by a service worker.`,
        'Requests that pages make to it are in the plan. Its own requests were left out.',
      );
    const [first] = this.steps;
    if (first !== undefined && !SAFE_METHODS.has(first.step.method ?? 'GET'))
      this.draft.noteAssumed(
        first.entry.location,
        `The recording begins with ${first.step.method}. The page before it is missing, and so are the values from it.`,
        'Values are sent as recorded. For new values for each user, record from the first page on with “Preserve log” (Firefox: “Persist Logs”).',
      );
    const names = new Map<RecordedStep, string>();
    for (const one of this.steps) {
      const { entry, step, kinds, thinkSeconds, exchanges, beside } = one;
      const after = beside?.after === undefined ? undefined : names.get(beside.after);
      const { captures = [], headers = {}, ...rest } = step;
      const hosts = this.otherHosts.length > 0 ? { otherHosts: [...this.otherHosts] } : {};
      const name = this.draft.addStep(
        {
          ...rest,
          ...this.draft.targetAt(entry.address.origin, this.parts.origin ?? entry.address.origin),
          ...this.readRedirects(step, exchanges),
          ...(Object.keys(headers).length === 0 ? {} : { headers }),
          ...(captures.length === 0 ? {} : { captures }),
          ...(kinds.size === 0 ? {} : { resources: { kinds: [...kinds], ...hosts } }),
          ...(beside === undefined ? {} : { background: { everySeconds: beside.everySeconds, ...(after === undefined ? {} : { after }) } }),
          ...(thinkSeconds === 0 ? {} : { thinkTime: { kind: 'fixed' as const, seconds: thinkSeconds } }),
        },
        entry.location,
      );
      if (name === null) continue;
      names.set(one, name);
      this.walk.push({ step: name, exchanges, failure: null });
    }
    const total = [...this.resources.values()].reduce((sum, count) => sum + count, 0);
    if (total > 0)
      this.draft.noteChanged(
        'log.entries',
        `Pages loaded ${total} files (${[...this.resources].map(([kind, count]) => `${kind}: ${count}`).join(', ')}).`,
        'Files that pages link to are fetched with them. Files that only scripts request are missing.',
      );
    if (this.browserHeaders > 0)
      this.draft.noteLeftOut(
        'request.headers',
        'Browsers add their own headers (User-Agent, Referer, Sec-…, cache headers).',
        'To send some, set them for the target of the plan.',
      );
  }

  /** Returns the redirect rules of a step: the recorded targets by kind, and whether a redirect may end at a login page. */
  private readRedirects({ redirects }: WrittenStep, exchanges: readonly Exchange[]): Pick<WrittenStep, 'redirects'> {
    if (redirects === undefined) return {};
    const to = targetsOfOne(exchanges, (part) => this.values.findGiven(queryDecoded(part), '') !== null);
    const addresses = exchanges.map(({ url }) => new URL(url));
    const endsAtLogin = addresses.some((address, hop) => hop > 0 && looksLikeLogin(addresses[hop - 1] ?? address, address));
    return { redirects: { ...redirects, ...(endsAtLogin || to === null ? { mayEndAtLogin: true } : {}), ...(to === null ? {} : { to }) } };
  }

  target(origin: string): { url: string; headers?: Record<string, string>; cookie?: { secret: string } } {
    const names: Readonly<Record<string, string>> = { 'accept-language': 'Accept-Language', 'accept-encoding': 'Accept-Encoding' };
    const common = [...this.headers].flatMap(([key, value]): [string, string][] =>
      /[^\x20-\x7e]/.test(value) || hasPlaceholders(value) ? [] : [[getOwn(names, key) ?? key, value]],
    );
    const cookieText = [...this.earlierCookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (cookieText !== '') {
      this.keepsCookies = true;
      this.draft.noteAssumed(
        'cookies',
        `Cookies existed before the recording began: ${[...this.earlierCookies.keys()].join(', ').slice(0, 200)}.`,
        'All users send them as recorded. If one of them is a login, include the login in the recording.',
      );
    }
    const isSendable = cookieText !== '' && cookieText.length <= 16_000 && !/[^\x20-\x7e]/.test(cookieText);
    return {
      url: `${origin}/`,
      ...(common.length === 0 ? {} : { headers: Object.fromEntries(common) }),
      ...(isSendable ? { cookie: this.draft.secret('Cookie', cookieText, 'cookies') } : {}),
    };
  }
}

/**
 * Returns the required statuses; null for any successful one. For a 304 (Not Modified) to an unconditional request, 200 and 304 are
 * accepted.
 */
function statusExpectation({ status, headers }: Entry): number[] | null {
  if (status >= 400) return [status];
  return status === 304 && !headers.some(([name]) => /^if-/i.test(name)) ? [200, 304] : null;
}

/** Returns a recorded request and its response. */
export function readExchange({ method, url, headers, body, status, responseHeaders, responseText }: Entry): Exchange {
  const isParts = body !== null && body.text === '' && body.params.length > 0;
  return {
    method,
    url: url.split('#', 1)[0] ?? url,
    headers: body === null || headers.some(([name]) => /^content-type$/i.test(name)) ? headers : [...headers, ['Content-Type', body.type]],
    body: body === null || isParts ? null : body.text,
    ...(isParts ? { fields: body.params } : {}),
    status,
    responseHeaders,
    text: responseText,
    bytes: responseText?.length ?? 0,
  };
}
