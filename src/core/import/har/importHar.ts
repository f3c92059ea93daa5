import { getOwn } from '#core/ownMembers.ts';
import { Draft, methodOf, type WrittenStep } from '../draft.ts';
import { MOST_STEPS } from '#core/plan/schema.ts';
import { refuse, type ImportResult } from '../imported.ts';
import { proposedUsers } from '../proposedLoad.ts';
import { listAt, textAt } from '../reading.ts';
import { answerOf } from './findValue.ts';
import { readEntry, type Entry } from './readEntry.ts';
import { isOfBrowsers, recordedStep } from './recordedRequest.ts';
import { RecordedValues } from './values.ts';

type WrittenResources = NonNullable<WrittenStep['resources']>;
type ResourceKind = NonNullable<WrittenResources['kinds']>[number];

const SHORTEST_PAUSE_SECONDS = 0.3;
const LONGEST_PAUSE_SECONDS = 120;

/** Makes a journey of the recording of a browser (HAR 1.2). */
export function importHar(document: unknown): ImportResult {
  const draft = new Draft('har');
  const written = listAt(document, 'log', 'entries');
  const entries = written.map(readEntry).filter((entry) => entry !== null);
  if (entries.length < written.length)
    draft.leftOut(
      'log.entries',
      `${requests(written.length - entries.length, 'has', 'have')} no address of http or https (data:, blob:, ws:).`,
      'They were left out.',
    );
  const origin = ownOrigin(entries, listAt(document, 'log', 'pages').length > 0);
  if (origin === null)
    return refuse(
      'NO_REQUESTS',
      'log.entries',
      'The recording holds no request of http or https.',
      'Record with the page “Network” of the browser’s tools open, then save it as HAR.',
      draft.notes,
    );
  const unanswered = entries.filter(({ hasAnswer }) => !hasAnswer).length;
  if (unanswered > 0)
    draft.assumed(
      'log.entries',
      `${requests(unanswered, 'stands', 'stand')} in it without an answer.`,
      'They are sent as they stand: what earlier answers gave to them cannot be seen.',
    );
  const own = entries.filter((entry) => entry.address.origin === origin);
  noteOthers(draft, entries, origin);
  const journey = new Journey(draft, sameSiteHosts(entries, origin));
  const inOrder = own.every(({ startMs }) => startMs !== null)
    ? own.toSorted((one, other) => (one.startMs ?? 0) - (other.startMs ?? 0))
    : own;
  for (const entry of inOrder) journey.take(entry);
  journey.end();
  if (isSanitized(document, entries)) {
    journey.keepsCookies = true;
    draft.assumed(
      'log',
      'The recording holds no cookies and no logins: the browser leaves them out, unless it is told to save sensitive data.',
      'Each user keeps the cookies that the server sets. What a header Authorization should say has to be written into the plan, or recorded again with sensitive data.',
    );
  }
  draft.assumed(
    'load',
    'A recording says no load.',
    'Ten users are proposed, who walk through it for a minute with the pauses of the recording.',
  );
  return draft.finish({
    name: `Recording of ${new URL(origin).host}`,
    targets: [journey.target(origin)],
    load: proposedUsers(),
    ...(journey.keepsCookies ? { settings: { cookies: 'journey' as const } } : {}),
  });
}

/** Methods of requests that hand nothing in. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const SENSITIVE = /^(cookie|authorization)$/i;

/** Chromium’s tools write it so, unless they are told otherwise. */
function isSanitized(document: unknown, entries: readonly Entry[]): boolean {
  return (
    textAt(document, 'log', 'creator', 'name') === 'WebInspector' &&
    entries.every(
      ({ headers, answerHeaders }) =>
        !headers.some(([name]) => SENSITIVE.test(name)) && !answerHeaders.some(([name]) => /^set-cookie$/i.test(name)),
    )
  );
}

/**
 * Where the first page lay that the person opened. Frames of advertisers are pages, too: where the recording does not tell the two apart, the one
 * counts whose server most requests went to.
 */
function ownOrigin(entries: readonly Entry[], hasPages: boolean): string | null {
  const counts = new Map<string, number>();
  for (const { address } of entries) counts.set(address.origin, (counts.get(address.origin) ?? 0) + 1);
  const isGood = ({ status }: Entry): boolean => status >= 200 && status < 300;
  const pages = entries.filter(({ kind }) => kind.is === 'page');
  const candidates = [pages.filter(isGood), pages, entries].find((list) => list.length > 0) ?? [];
  if (hasPages && pages.length > 0) return candidates[0]?.address.origin ?? null;
  const byCount = candidates.toSorted((one, other) => (counts.get(other.address.origin) ?? 0) - (counts.get(one.address.origin) ?? 0));
  return byCount[0]?.address.origin ?? null;
}

/** The last two labels of a name: near enough to tell a site’s own static host from a stranger’s. */
function siteOf(origin: string): string {
  const { hostname } = new URL(origin);
  return /^[\d.]+$|^\[/.test(hostname) ? hostname : hostname.split('.').slice(-2).join('.');
}

function sameSiteHosts(entries: readonly Entry[], origin: string): string[] {
  const hosts = entries.flatMap(({ address, kind }) =>
    kind.is === 'resource' && address.origin !== origin && siteOf(address.origin) === siteOf(origin) ? [new URL(address.origin).host] : [],
  );
  return [...new Set(hosts)].slice(0, 50);
}

function noteOthers(draft: Draft, entries: readonly Entry[], origin: string): void {
  const others = new Map<string, Entry[]>();
  for (const entry of entries) {
    if (entry.address.origin === origin) continue;
    const { host, hostname } = new URL(entry.address.origin);
    // Of one machine, only the beginning of the address tells http from https.
    const told =
      hostname === new URL(origin).hostname && new URL(entry.address.origin).protocol !== new URL(origin).protocol
        ? entry.address.origin
        : host;
    const list = others.get(told);
    if (list === undefined) others.set(told, [entry]);
    else list.push(entry);
  }
  for (const [host, list] of others) {
    const count = requests(list.length, 'goes', 'go');
    const isOwn = siteOf(list[0]?.address.origin ?? origin) === siteOf(origin);
    const isFetched = isOwn && list.some(({ kind }) => kind.is === 'resource');
    const what = `${count} to ${host}, ${isOwn ? 'another server of the same site' : 'which is somebody else’s'}.`;
    if (isFetched) draft.changed('log.entries', what, 'What pages link to there is fetched with them; other requests to it were left out.');
    else
      draft.leftOut(
        'log.entries',
        what,
        isOwn ? 'It was left out: a journey has one server. Make a plan of its own for it.' : 'It was left out: test only what is yours.',
      );
  }
}

function requests(count: number, one: string, several: string): string {
  return count === 1 ? `1 request ${one}` : `${count} requests ${several}`;
}

/** Goes through the requests of one server and makes steps of them. */
class Journey {
  keepsCookies = false;
  private readonly draft: Draft;
  private readonly otherHosts: readonly string[];
  private readonly values: RecordedValues;
  private readonly jar = new Set<string>();
  private readonly broughtCookies = new Map<string, string>();
  private readonly headers = new Map<string, string>();
  private steps: { readonly entry: Entry; step: WrittenStep; readonly kinds: Set<ResourceKind>; thinkSeconds: number }[] = [];
  /** Where an answer sent on to: that request is the browser's, not the person's. */
  private awaited: string | null = null;
  private busyUntilMs: number | null = null;
  private readonly resources = new Map<ResourceKind, number>();
  private browserHeaders = 0;
  private unread = 0;
  private byWorker = 0;
  /** Of what comes next nothing belongs to a page that has a step. */
  private isBehindUnreadPage = false;

  constructor(draft: Draft, otherHosts: readonly string[]) {
    this.draft = draft;
    this.otherHosts = otherHosts;
    this.values = new RecordedValues(draft);
  }

  take(entry: Entry): void {
    if (entry.kind.is === 'worker') {
      this.byWorker += 1;
      return;
    }
    if (entry.kind.is === 'stream')
      return this.draft.leftOut(
        entry.place,
        `${entry.address.path.slice(0, 80)} is a connection that stays open (WebSocket, event stream).`,
      );
    if (entry.kind.is === 'preflight')
      return this.draft.leftOut(
        entry.place,
        'The browser asked beforehand whether it may (CORS).',
        'It was left out: only browsers do that.',
      );
    const method = methodOf(entry.method);
    if (method === null)
      return this.draft.leftOut(entry.place, `Plans do not know the method ${entry.method.slice(0, 20)}.`, 'The request was left out.');
    // Failed ones have 0, or -1.
    if (entry.status <= 0)
      return this.draft.leftOut(
        entry.place,
        `${entry.address.path.slice(0, 80)} was never answered in the recording.`,
        'The request was left out.',
      );
    if (entry.kind.is === 'resource') return this.takeResource(entry, entry.kind.resource);
    if (this.awaited !== null && this.awaited === entry.url.split('#', 1)[0]) {
      this.note(entry);
      const last = this.steps.at(-1);
      if (last !== undefined) this.answered(last.step, entry);
      return;
    }
    if (this.steps.length >= MOST_STEPS) {
      this.unread += 1;
      this.isBehindUnreadPage ||= entry.kind.is === 'page';
      return;
    }
    this.pauseBefore(entry);
    this.keepCommonHeaders(entry);
    const step = recordedStep(this.draft, this.values, entry, method);
    this.readCookies(entry);
    const captures: NonNullable<WrittenStep['captures']> = [];
    const isRedirect = entry.status >= 300 && entry.status < 400 && entry.status !== 304;
    const isUnusual = entry.status >= 400 || entry.status === 304;
    if (isUnusual)
      this.draft.changed(
        entry.place,
        `The answer had the status ${entry.status}.`,
        entry.status === 304
          ? 'Without a cache the page itself comes: any status of success counts as good.'
          : 'The plan expects that status again.',
      );
    const whole: WrittenStep = {
      ...step,
      captures,
      ...(entry.status >= 400 ? { expectStatus: [entry.status] } : {}),
      ...(isRedirect ? { redirects: { follow: true as const, mayEndAtLogin: true } } : {}),
    };
    this.steps.push({ entry, step: whole, kinds: new Set(), thinkSeconds: 0 });
    this.note(entry);
    this.answered(whole, entry);
  }

  /** Answers count for what comes after them; those of redirects belong to the step that was redirected. */
  private answered(step: WrittenStep, entry: Entry): void {
    const isLast = !(entry.status >= 300 && entry.status < 400);
    // Captures look at the last answer of a step.
    if (isLast) this.values.answered(step.name, answerOf(entry.answerHeaders, entry.answerText, entry.answerType), step.captures ?? []);
  }

  private note(entry: Entry): void {
    const isRedirect = entry.status >= 300 && entry.status < 400;
    const location = isRedirect ? entry.answerHeaders.find(([name]) => /^location$/i.test(name))?.[1] : undefined;
    this.awaited =
      location !== undefined && URL.canParse(location, entry.url) ? (new URL(location, entry.url).href.split('#', 1)[0] ?? null) : null;
    if (entry.endMs !== null) this.busyUntilMs = Math.max(this.busyUntilMs ?? 0, entry.endMs);
    for (const [name, value] of entry.answerHeaders) {
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

  private takeResource(entry: Entry, resource: ResourceKind): void {
    if (this.isBehindUnreadPage) return;
    const page = this.steps.findLast(({ entry: { kind } }) => kind.is === 'page');
    if (page === undefined)
      this.draft.leftOut(entry.place, `${entry.address.path.slice(0, 80)} belongs to a page that is not in the recording.`);
    else {
      page.kinds.add(resource);
      this.resources.set(resource, (this.resources.get(resource) ?? 0) + 1);
    }
    this.note(entry);
    this.awaited = null;
  }

  private pauseBefore({ startMs }: Entry): void {
    const last = this.steps.at(-1);
    if (last === undefined || startMs === null || this.busyUntilMs === null) return;
    const seconds = Math.round((startMs - this.busyUntilMs) / 100) / 10;
    if (seconds < SHORTEST_PAUSE_SECONDS) return;
    if (seconds > LONGEST_PAUSE_SECONDS)
      this.draft.changed(
        last.entry.place,
        `After it nothing was asked for ${Math.round(seconds)} seconds.`,
        `Users pause for ${LONGEST_PAUSE_SECONDS} seconds.`,
      );
    last.thinkSeconds = Math.min(seconds, LONGEST_PAUSE_SECONDS);
  }

  private keepCommonHeaders(entry: Entry): void {
    for (const [name, value] of entry.headers) {
      if (/^accept-(language|encoding)$/i.test(name) && !this.headers.has(name.toLowerCase())) this.headers.set(name.toLowerCase(), value);
      if (isOfBrowsers(name)) this.browserHeaders += 1;
    }
  }

  /** Cookies that no answer of the recording set were there before it. */
  private readCookies(entry: Entry): void {
    const sent = entry.headers.filter(([name]) => /^cookie$/i.test(name)).flatMap(([, value]) => value.split(';'));
    for (const cookie of sent) {
      const equals = cookie.indexOf('=');
      const name = cookie.slice(0, Math.max(0, equals)).trim();
      if (name !== '' && !this.jar.has(name) && !this.broughtCookies.has(name))
        this.broughtCookies.set(name, cookie.slice(equals + 1).trim());
    }
  }

  /** Headers that all steps send alike belong to the target. */
  private takeCommon(): void {
    const [first] = this.steps;
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

  /** Puts what was gathered into the plan. */
  end(): void {
    this.takeCommon();
    if (this.unread > 0)
      this.draft.leftOut(
        'log.entries',
        `${requests(this.unread, 'comes', 'come')} after the first ${MOST_STEPS}.`,
        `A journey has at most ${MOST_STEPS} steps: they were left out. Record shorter, or make plans of parts.`,
      );
    if (this.byWorker > 0)
      this.draft.leftOut(
        'log.entries',
        `${requests(this.byWorker, 'was', 'were')} made by a service worker.`,
        'What pages ask it for is in the plan; what it asks for by itself was left out.',
      );
    const [first] = this.steps;
    if (first !== undefined && !READING.has(first.step.method ?? 'GET'))
      this.draft.assumed(
        first.entry.place,
        `The recording begins with ${first.step.method}: the page before it is missing, and with it the values that it gave.`,
        'What is sent is sent as it was. Record from the first page on, with “Preserve log” (Firefox: “Persist Logs”), so that each user gets their own.',
      );
    for (const { entry, step, kinds, thinkSeconds } of this.steps) {
      const { captures = [], headers = {}, ...rest } = step;
      const hosts = this.otherHosts.length > 0 ? { otherHosts: [...this.otherHosts] } : {};
      this.draft.addStep(
        {
          ...rest,
          ...(Object.keys(headers).length === 0 ? {} : { headers }),
          ...(captures.length === 0 ? {} : { captures }),
          ...(kinds.size === 0 ? {} : { resources: { kinds: [...kinds], ...hosts } }),
          ...(thinkSeconds === 0 ? {} : { thinkTime: { kind: 'fixed' as const, seconds: thinkSeconds } }),
        },
        entry.place,
      );
    }
    const total = [...this.resources.values()].reduce((sum, count) => sum + count, 0);
    if (total > 0)
      this.draft.changed(
        'log.entries',
        `Pages loaded ${total} files (${[...this.resources].map(([kind, count]) => `${kind}: ${count}`).join(', ')}).`,
        'They are fetched with their pages, as those link to them; what only scripts would ask for is missing.',
      );
    if (this.browserHeaders > 0)
      this.draft.leftOut(
        'request.headers',
        'Browsers add headers of their own (User-Agent, Referer, Sec-…, of their cache).',
        'They were left out; a plan may set them for its target.',
      );
  }

  target(origin: string): { url: string; headers?: Record<string, string>; cookie?: { secret: string } } {
    const names: Readonly<Record<string, string>> = { 'accept-language': 'Accept-Language', 'accept-encoding': 'Accept-Encoding' };
    const common = [...this.headers].flatMap(([key, value]): [string, string][] =>
      /[^\x20-\x7e]/.test(value) ? [] : [[getOwn(names, key) ?? key, value]],
    );
    const brought = [...this.broughtCookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (brought !== '') {
      this.keepsCookies = true;
      this.draft.assumed(
        'cookies',
        `Cookies were there before the recording began: ${[...this.broughtCookies.keys()].join(', ').slice(0, 200)}.`,
        'All users send them as they were. If one of them is a login, record with the login instead, so that each user has their own.',
      );
    }
    const isSendable = brought !== '' && brought.length <= 16_000 && !/[^\x20-\x7e]/.test(brought);
    return {
      url: `${origin}/`,
      ...(common.length === 0 ? {} : { headers: Object.fromEntries(common) }),
      ...(isSendable ? { cookie: this.draft.secret('Cookie', brought, 'cookies') } : {}),
    };
  }
}
