import { isRedirect } from '#core/work/journey/loginRedirect.ts';
import { refererFor } from '#core/base/origins.ts';
import { type PageLink, URGENCIES, type Urgency } from '#core/work/pages/readPage.ts';
import type { AnswerReader, SeenAnswer } from '../bodyCheck/keptAnswer.ts';
import type { DrivenStep } from '../drivers/stageLoad.ts';
import { Exchange, type ExchangeOwner, type Sender } from '../drivers/native/exchange.ts';
import { SideSender } from '../drivers/native/sideSender.ts';
import type { StreamOwner } from '../drivers/native/streamExchange.ts';
import { StreamSender } from '../drivers/native/streamSender.ts';
import type { Http2Carrier } from '../drivers/native/http2/carrier.ts';
import type { NativeLoad } from '../drivers/native/nativeLoad.ts';
import type { Unsendable } from '../journey/plainWalk.ts';
import { withCookies } from '../journey/recipe.ts';
import type { StageRecorder } from '../recorder.ts';
import type { Answer } from '../sideRecorder.ts';
import { buildRequestTo } from '../requestBytes.ts';
import { KeptByLength } from './linkCache.ts';
import { Lane } from './lane.ts';
import type { PageRequest } from './pageHost.ts';

/** A thing that a page links to, on its way. */
export interface Resource {
  readonly url: URL;
  readonly slot: number;
  /** Redirects that led to it. */
  readonly hops: number;
  readonly urgency: Urgency;
  readonly holdsBody: boolean;
}

/** The page that is being fetched. */
interface OpenPage {
  readonly request: PageRequest;
  readonly slot: number;
  readonly startUs: number;
  readonly recorder: StageRecorder;
  /** `afterwards`: it is there, and what a browser asks for then is on its way. `cut`: the run was stopped, so the page is neither there nor has it failed. */
  state: 'document' | 'resources' | 'afterwards' | 'cut';
  isComplete: boolean;
}

const MOST_HOPS = 5;
/** Of pictures, late scripts and the like, while the body of a page has not begun; so does Chromium (“tight mode”). */
const MOST_BEFORE_BODY = 2;
/** One after the other, everything comes as it stands in the page and belongs to it. */
const IN_TURN = { urgency: 'usual', holdsBody: false } as const;
const WAITS_FOR_BODY: ReadonlySet<Urgency> = new Set(['usual', 'low', 'last']);
/** About 4,000 addresses of usual length; a user who stays long may be sent to new ones without end. */
const MOST_FETCHED_CHARACTERS = 262_144;

/**
 * The connections of one user who fetches whole pages: a request, the redirects that it leads to, and then what the page links to, over
 * several connections at once or one after the other. Its owner is told of one answer only, when the page is there.
 */
export class PageLoad implements Sender, ExchangeOwner {
  private readonly load: NativeLoad;
  private readonly owner: ExchangeOwner;
  /** The first connection to the target, for the requests of the steps too. */
  private readonly main: Lane;
  /** The connection of HTTP/2 to each origin, which all its lanes share. */
  private readonly carriers = new Map<string, Http2Carrier | null>();
  private readonly lanes = new Map<string, Lane[]>();
  /** What the user has already, as a browser's cache has: not for ever. */
  private readonly fetched = new KeptByLength<true>(MOST_FETCHED_CHARACTERS);
  private users = -1;
  private page: OpenPage | null = null;
  private queue: Resource[] = [];
  private readonly onTheWay = new Map<Lane, Resource>();
  private links: readonly PageLink[] | null = null;

  constructor(load: NativeLoad, owner: ExchangeOwner, carrier: Http2Carrier | null) {
    this.load = load;
    this.owner = owner;
    this.carriers.set(load.origin, carrier);
    this.main = new Lane(load, this, carrier);
  }

  get isBusy(): boolean {
    return this.onTheWay.size > 0 || this.queue.length > 0 || this.main.exchange.isBusy;
  }

  get isConnected(): boolean {
    return this.main.exchange.isConnected;
  }

  send(step: DrivenStep | Unsendable, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    const { page } = step;
    if (page === undefined) this.page = null;
    else if (page.isFirst)
      this.page = { request: page, slot: step.slot, startUs: intendedUs, recorder, state: 'document', isComplete: true };
    this.links = null;
    const sent = page === undefined || 'unsendable' in step ? step : { ...step, reader: this.pageReader(step.reader, page) };
    this.main.exchange.send(sent, intendedUs, nowUs, recorder);
  }

  forgetFailures(): void {
    for (const lane of this.allLanes()) lane.exchange.forgetFailures();
  }

  expire(nowUs: number): void {
    for (const lane of this.allLanes()) lane.exchange.expire(nowUs);
  }

  close(): void {
    // A page that is owed more than it was waited for will never be there.
    if (this.isBusy && this.page?.state !== 'cut' && this.page?.state !== 'afterwards') this.endPage(this.load.now(), false);
    this.page = null;
    this.queue = [];
    this.onTheWay.clear();
    for (const lane of this.allLanes()) lane.close();
  }

  /** The answer to a request of a step has come. */
  answered(atUs: number): void {
    const { page, links } = this;
    if (page !== null && page.request.host.leadsOn) {
      this.owner.answered(atUs);
      return;
    }
    if (page === null || links === null) {
      this.endPage(atUs, false);
      this.owner.answered(atUs);
      return;
    }
    page.state = 'resources';
    this.queue = this.wanted(page, links, atUs);
    this.goOn(atUs);
  }

  failed(atUs: number, delayMs: number): void {
    this.endPage(atUs, false);
    this.owner.failed(atUs, delayMs);
  }

  /** A resource was answered, or failed for good. */
  settled(lane: Lane, atUs: number, isGood: boolean): void {
    this.onTheWay.delete(lane);
    if (!isGood && this.page !== null) this.page.isComplete = false;
    this.goOn(atUs);
  }

  /** Asks for as much as may be asked at once. The page is there when nothing is left to ask for but what a browser asks for afterwards. */
  goOn(atUs: number): void {
    const { page } = this;
    if (page === null || page.state === 'document') return;
    this.askForMore(page);
    if (page.state === 'resources' && !this.isOutstanding(({ urgency }) => urgency !== 'afterwards')) {
      page.state = 'afterwards';
      this.tellEnd(page, atUs, page.isComplete);
      this.askForMore(page);
    }
    if (this.onTheWay.size > 0 || this.queue.length > 0) return;
    this.page = null;
    this.owner.answered(atUs);
  }

  private askForMore(page: OpenPage): void {
    const isBodyHeld = this.isOutstanding(({ holdsBody }) => holdsBody);
    for (let at = 0; at < this.queue.length && !(page.request.rules.isSerial && this.onTheWay.size > 0);) {
      const resource = this.queue[at];
      const lane = resource === undefined || !this.isTime(page, resource, isBodyHeld) ? null : this.idleLane(page, resource.url.origin);
      if (resource === undefined || lane === null) {
        at += 1;
      } else if (this.load.stage.mayFetch()) {
        this.queue.splice(at, 1);
        this.onTheWay.set(lane, resource);
        lane.fetch(this.requestOf(page, resource), this.load.now(), page.recorder);
      } else {
        if (page.state === 'resources') page.state = 'cut';
        this.queue = [];
      }
    }
  }

  private isTime({ state }: OpenPage, { urgency }: Resource, isBodyHeld: boolean): boolean {
    if (urgency === 'afterwards') return state === 'afterwards';
    if (!isBodyHeld || !WAITS_FOR_BODY.has(urgency)) return true;
    const early = [...this.onTheWay.values()].filter((resource) => WAITS_FOR_BODY.has(resource.urgency));
    return early.length < MOST_BEFORE_BODY;
  }

  private isOutstanding(which: (resource: Resource) => boolean): boolean {
    return this.queue.some(which) || [...this.onTheWay.values()].some(which);
  }

  private endPage(atUs: number, isComplete: boolean): void {
    const { page } = this;
    this.page = null;
    if (page !== null) this.tellEnd(page, atUs, isComplete);
  }

  private tellEnd({ recorder, slot, startUs }: OpenPage, atUs: number, isComplete: boolean): void {
    recorder.pageEnded(slot, atUs, isComplete, atUs - startUs);
  }

  /** What is fetched of the links of a page, in the order of a browser: of the kinds that are wanted, from hosts that may be asked, and not fetched before. */
  private wanted({ request, recorder }: OpenPage, links: readonly PageLink[], atUs: number): Resource[] {
    const { rules, host } = request;
    if (host.users !== this.users) this.fetched.clear();
    this.users = host.users;
    const perSlot = new Map<number, number>();
    const wanted = links.flatMap(({ kind, url: written, urgency, holdsBody }): Resource[] => {
      const slot = rules.slots.get(kind);
      if (slot === undefined || this.fetched.has(written)) return [];
      const url = new URL(written);
      if (!this.mayAsk(request, url)) return [];
      perSlot.set(slot, (perSlot.get(slot) ?? 0) + 1);
      return [{ url, slot, hops: 0, ...(rules.isSerial ? IN_TURN : { urgency, holdsBody }) }];
    });
    for (const [slot, count] of perSlot) recorder.pageAsksFor(slot, atUs, count);
    return wanted.toSorted((one, other) => URGENCIES.indexOf(one.urgency) - URGENCIES.indexOf(other.urgency));
  }

  private mayAsk({ rules }: PageRequest, url: URL): boolean {
    if (url.origin === rules.origin || rules.otherHosts.has(url.host)) return true;
    this.load.stage.countLeftOut(url.host);
    return false;
  }

  private idleLane({ request }: OpenPage, origin: string): Lane | null {
    const { rules } = request;
    const isOwn = origin === rules.origin;
    let lanes = this.lanes.get(origin);
    if (lanes === undefined) this.lanes.set(origin, (lanes = isOwn ? [this.main] : []));
    const idle = lanes.find((lane) => lane.isIdle);
    if (idle !== undefined || lanes.length >= rules.connections) return idle ?? null;
    const load = isOwn ? this.load : this.load.towards(origin);
    const lane = new Lane(load, this, this.carrierTo(load));
    lanes.push(lane);
    return lane;
  }

  private carrierTo(load: NativeLoad): Http2Carrier | null {
    let carrier = this.carriers.get(load.origin);
    if (carrier === undefined) this.carriers.set(load.origin, (carrier = load.newCarrier()));
    return carrier;
  }

  private requestOf({ request }: OpenPage, resource: Resource): DrivenStep {
    const { rules, host } = request;
    const { url, slot } = resource;
    const isOwn = url.origin === rules.origin;
    const from = host.address === null ? null : refererFor(url, host.address);
    const referer = from === null ? {} : { Referer: from };
    const layers = isOwn ? rules.headers : rules.headersElsewhere;
    return {
      slot,
      request: buildRequestTo(url, { method: 'GET', headers: withCookies([...layers, referer], host.cookiesFor(url)), body: null }),
      isExpected: (status) => status >= 200 && status <= 299,
      reader: this.resourceReader(request, resource),
    };
  }

  /** Takes the links of a good answer that ends a page. */
  private pageReader(inner: AnswerReader | null, { host }: PageRequest): AnswerReader {
    return {
      needsBody: true,
      readsAll: inner?.readsAll ?? false,
      get captured() {
        return inner?.captured ?? [];
      },
      read: (answer, seen) => {
        inner?.read(answer, seen);
        const { address } = host;
        if (!answer.expected || answer.failedCheck !== null || host.leadsOn || address === null) return;
        this.links = this.load.links.linksOf(seen, address);
      },
    };
  }

  private resourceReader(request: PageRequest, resource: Resource): AnswerReader {
    const { url, hops } = resource;
    return {
      needsBody: false,
      readsAll: true,
      captured: [],
      read: (answer: Answer, seen: SeenAnswer) => {
        answer.comparesLength = false;
        const cookies = seen.header('set-cookie');
        if (cookies !== undefined) request.host.takeCookies(cookies.split('\n'), url);
        const location = isRedirect(answer.status) && hops < MOST_HOPS ? seen.header('location')?.split('\n')[0] : undefined;
        if (location !== undefined && /^https?:/i.test(URL.parse(location, url.href)?.href ?? '')) {
          answer.expected = true;
          const to = new URL(location, url);
          to.hash = '';
          if (this.page !== null && this.mayAsk(request, to)) this.queue.unshift({ ...resource, url: to, hops: hops + 1 });
        }
        if (answer.expected) this.fetched.set(url.href, true, 0);
        else if (this.page !== null) this.page.isComplete = false;
      },
    };
  }

  private *allLanes(): Iterable<Lane> {
    yield this.main;
    for (const lanes of this.lanes.values()) for (const lane of lanes) if (lane !== this.main) yield lane;
  }
}

/** What sends the requests of a user: more than one connection only where whole pages are fetched. `carrier`: the connection that others share with them. */
export function senderFor(load: NativeLoad, owner: StreamOwner, carrier: Http2Carrier | null = load.newCarrier()): Sender {
  const own = (): Sender => (load.fetchesPages ? new PageLoad(load, owner, carrier) : new Exchange(load, owner, 'measured', carrier));
  const sender = load.holdsStreams ? new StreamSender(load, owner, own, carrier) : own();
  return load.makesSideCalls ? new SideSender(load, owner, sender) : sender;
}
