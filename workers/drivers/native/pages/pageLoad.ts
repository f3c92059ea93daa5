import { isRedirect } from '#core/work/journey/redirects.ts';
import { refererFor } from '#core/base/origins.ts';
import type { PageLink } from '#core/work/pages/pageLinks.ts';
import type { ResponseReader, SeenResponse } from '#workers/bodyCheck/keptResponse.ts';
import type { DrivenStep } from '#workers/journey/drivenSteps.ts';
import type { UnsendableRequest } from '#workers/journey/plainWalk.ts';
import { addCookieLayer } from '#workers/journey/recipe.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { Response } from '#workers/sideRecorder.ts';
import { buildRequestTo } from '#workers/requestBytes.ts';
import type { PageRequest } from '#workers/journey/pageHost.ts';
import { type ExchangeOwner, type Sender, Exchange } from '../exchange.ts';
import type { Http2Carrier } from '../http2/carrier.ts';
import type { NativeLoad } from '../nativeLoad.ts';
import type { KnownPage } from './linkCache.ts';
import { KeptByLength } from './keptByLength.ts';
import { OpenPage, type PageLimits, type Resource } from './openPage.ts';

const MAX_REDIRECTS = 5;
/**
 * Maximum number of characters, enough for about 4,000 addresses of usual length. The limit is needed because pages can name new addresses
 * endlessly.
 */
const MAX_FETCHED_CHARACTERS = 262_144;

/**
 * Fetches whole pages for one user: sends a request, follows its redirects, and then fetches the page's resources, over several connections
 * or one after the other. The owner receives a single response when the page has loaded.
 */
export class PageLoad implements Sender, ExchangeOwner {
  private readonly load: NativeLoad;
  private readonly owner: ExchangeOwner;
  /** The first connection to the target, which also sends the requests of steps. */
  private readonly main: Lane;
  /** Connection of the last request of a step. */
  private stepLane: Lane;
  /** One HTTP/2 connection per origin, which all lanes to that origin share. */
  private readonly carriers = new Map<string, Http2Carrier | null>();
  private readonly lanes = new Map<string, Lane[]>();
  /** Resources that the user has fetched, as in a browser cache of limited size. */
  private readonly fetched = new KeptByLength<true>(MAX_FETCHED_CHARACTERS);
  private users = -1;
  private page: OpenPage | null = null;
  private readonly onTheWay = new Map<Lane, Resource>();
  /** Links of the last response of a step; null if it was not a page. */
  private known: KnownPage | null = null;
  private readonly limits: PageLimits = {
    has: (url) => this.fetched.has(url),
    parseImports: (url) => this.load.styles.parseImports(url),
    mayAsk: (request, url) => this.mayAsk(request, url),
  };

  constructor(load: NativeLoad, owner: ExchangeOwner, carrier: Http2Carrier | null) {
    this.load = load;
    this.owner = owner;
    this.carriers.set(load.origin, carrier);
    this.main = new Lane(load, this, carrier);
    this.stepLane = this.main;
  }

  get isBusy(): boolean {
    return this.onTheWay.size > 0 || (this.page?.queue.length ?? 0) > 0 || this.stepLane.exchange.isBusy;
  }

  get isConnected(): boolean {
    return this.main.exchange.isConnected;
  }

  send(step: DrivenStep | UnsendableRequest, intendedUs: number, nowUs: number, recorder: StageRecorder): void {
    const { page } = step;
    if (page === undefined) this.page = null;
    else if (page.isFirst) this.page = new OpenPage(page, step.requestIndex, intendedUs, recorder, this.limits);
    this.known = null;
    const sent = page === undefined || 'unsendable' in step ? step : { ...step, reader: this.pageReader(step.reader, page) };
    this.stepLane = 'unsendable' in step || step.origin === undefined ? this.main : this.findFirstLane(step.origin);
    this.stepLane.exchange.send(sent, intendedUs, nowUs, recorder);
  }

  forgetFailures(): void {
    for (const lane of this.allLanes()) lane.exchange.forgetFailures();
  }

  expire(nowUs: number): void {
    for (const lane of this.allLanes()) lane.exchange.expire(nowUs);
  }

  close(): void {
    // A page whose responses are outstanding counts as failed.
    if (this.isBusy && this.page?.state !== 'cut' && this.page?.state !== 'afterwards') this.endPage(this.load.now(), false);
    this.page?.countAsked(this.load.now());
    this.page = null;
    this.onTheWay.clear();
    for (const lane of this.allLanes()) lane.close();
  }

  /** Called when the response to a request of a step has arrived. */
  responded(atUs: number, delayMs: number): void {
    const { page, known } = this;
    if (page !== null && page.request.host.isRedirected) {
      this.owner.responded(atUs, delayMs);
      return;
    }
    if (page === null || known === null) {
      this.endPage(atUs, false);
      this.owner.responded(atUs, delayMs);
      return;
    }
    const { users } = page.request.host;
    if (users !== this.users) this.fetched.clear();
    this.users = users;
    page.begin(known.links, known.look);
    this.fetchMore(atUs);
  }

  failed(atUs: number, delayMs: number): void {
    this.endPage(atUs, false);
    this.owner.failed(atUs, delayMs);
  }

  /** Called when a resource has loaded or failed. */
  settled(lane: Lane, atUs: number, isGood: boolean): void {
    this.onTheWay.delete(lane);
    if (!isGood && this.page !== null) this.page.isComplete = false;
    this.fetchMore(atUs);
  }

  /**
   * Sends as many requests as are allowed now. The page has loaded when the only remaining resources are those that browsers fetch
   * afterwards.
   */
  fetchMore(atUs: number): void {
    const { page } = this;
    if (page === null || page.state === 'document') return;
    this.askForMore(page);
    const look = page.takeLook(this.onTheWay.values());
    if (look !== null) this.askForLook(page, this.load.styles.linksOf(look));
    if (page.state === 'resources' && !this.isOutstanding(page, ({ urgency }) => urgency !== 'afterwards')) {
      page.state = 'afterwards';
      page.end(atUs, page.isComplete);
      this.askForMore(page);
    }
    if (this.onTheWay.size > 0 || page.queue.length > 0) return;
    page.countAsked(atUs);
    this.page = null;
    this.owner.responded(atUs, 0);
  }

  /**
   * Requests the resources of style sheets. Browsers request images once the styles of all elements are known, and fonts when they draw
   * text.
   */
  private askForLook(page: OpenPage, links: readonly PageLink[]): void {
    for (const kind of ['image', 'font']) {
      page.ask(links.filter((link) => link.kind === kind));
      this.askForMore(page);
    }
  }

  private askForMore(page: OpenPage): void {
    const isBodyHeld = this.isOutstanding(page, ({ holdsBody }) => holdsBody);
    for (let at = 0; at < page.queue.length && !(page.request.rules.isSerial && this.onTheWay.size > 0);) {
      const resource = page.queue[at];
      const isTime = resource !== undefined && page.isRequestedNow(resource, this.onTheWay.values(), isBodyHeld);
      const lane = isTime ? this.idleLane(page, resource.url.origin) : null;
      if (resource === undefined || lane === null) {
        at += 1;
      } else if (this.load.stage.mayFetch()) {
        page.queue.splice(at, 1);
        this.onTheWay.set(lane, resource);
        lane.fetch(this.buildRequest(page, resource), this.load.now(), page.recorder);
      } else page.cut();
    }
  }

  private isOutstanding(page: OpenPage, isWanted: (resource: Resource) => boolean): boolean {
    return page.isOutstanding(this.onTheWay.values(), isWanted);
  }

  private endPage(atUs: number, isComplete: boolean): void {
    const { page } = this;
    this.page = null;
    page?.end(atUs, isComplete);
  }

  private mayAsk({ rules }: PageRequest, url: URL): boolean {
    if (rules.headersByOrigin.has(url.origin) || rules.otherHosts.has(url.host)) return true;
    this.load.stage.countLeftOut(url.host);
    return false;
  }

  private idleLane({ request }: OpenPage, origin: string): Lane | null {
    const lanes = this.listLanes(origin);
    const idle = lanes.find((lane) => lane.isIdle);
    return idle !== undefined || lanes.length >= request.rules.connections ? (idle ?? null) : this.createLane(origin);
  }

  private findFirstLane(origin: string): Lane {
    return this.listLanes(origin)[0] ?? this.createLane(origin);
  }

  private listLanes(origin: string): Lane[] {
    let lanes = this.lanes.get(origin);
    if (lanes === undefined) this.lanes.set(origin, (lanes = origin === this.load.origin ? [this.main] : []));
    return lanes;
  }

  private createLane(origin: string): Lane {
    const load = origin === this.load.origin ? this.load : this.load.loadFor(origin);
    const lane = new Lane(load, this, this.createCarrierFor(load));
    this.listLanes(origin).push(lane);
    return lane;
  }

  private createCarrierFor(load: NativeLoad): Http2Carrier | null {
    let carrier = this.carriers.get(load.origin);
    if (carrier === undefined) this.carriers.set(load.origin, (carrier = load.createCarrier()));
    return carrier;
  }

  private buildRequest({ request }: OpenPage, resource: Resource): DrivenStep {
    const { rules, host } = request;
    const { url, requestIndex, by } = resource;
    const from = by === null ? null : refererFor(url, by);
    const referer = from === null ? {} : { Referer: from };
    const layers = rules.headersByOrigin.get(url.origin) ?? rules.headersElsewhere;
    return {
      requestIndex,
      request: buildRequestTo(url, { method: 'GET', headers: addCookieLayer([...layers, referer], host.cookiesFor(url)), body: null }),
      isExpected: (status) => (status >= 200 && status <= 299) || (rules.readsTags && isRedirect(status)),
      reader: this.resourceReader(request, resource),
    };
  }

  /** Returns a reader that reads the links of a successful response if the response is the final page. */
  private pageReader(inner: ResponseReader | null, { host, rules }: PageRequest): ResponseReader {
    return {
      needsBody: true,
      readsAll: inner?.readsAll ?? false,
      get captured() {
        return inner?.captured ?? [];
      },
      read: (response, seen) => {
        inner?.read(response, seen);
        const { address } = host;
        if (!response.expected || response.failedCheck !== null || host.isRedirected || address === null) return;
        this.known = this.load.links.findOrReadPage(seen, address, rules.readsTags);
      },
    };
  }

  private resourceReader(request: PageRequest, resource: Resource): ResponseReader {
    const { url, hops, sheet } = resource;
    return {
      needsBody: sheet !== null,
      readsAll: true,
      captured: [],
      read: (response: Response, seen: SeenResponse) => {
        response.comparesLength = false;
        const cookies = seen.header('set-cookie');
        if (cookies !== undefined) request.host.takeCookies(cookies.split('\n'), url);
        const location =
          isRedirect(response.status) && hops < MAX_REDIRECTS && !request.rules.readsTags
            ? seen.header('location')?.split('\n')[0]
            : undefined;
        if (location !== undefined && /^https?:/i.test(URL.parse(location, url.href)?.href ?? '')) {
          response.expected = true;
          const to = new URL(location, url);
          to.hash = '';
          if (this.page !== null && this.mayAsk(request, to)) this.page.queue.unshift({ ...resource, url: to, hops: hops + 1 });
        } else if (response.expected && sheet !== null) {
          this.page?.imports(resource, sheet, this.load.styles.take(seen, sheet.written, url.href));
        }
        if (response.expected) this.fetched.set(url.href, true, 0);
        else if (this.page !== null) this.page.isComplete = false;
      },
    };
  }

  private *allLanes(): Iterable<Lane> {
    yield this.main;
    for (const lanes of this.lanes.values()) for (const lane of lanes) if (lane !== this.main) yield lane;
  }
}

interface LaneOwner extends ExchangeOwner {
  settled(lane: Lane, atUs: number, isGood: boolean): void;
  /** Called when a connection can be used again after its back-off. */
  fetchMore(atUs: number): void;
}

class Lane implements ExchangeOwner {
  readonly exchange: Exchange;
  private readonly load: NativeLoad;
  private readonly owner: LaneOwner;
  private isFetching = false;
  private backOff: NodeJS.Timeout | null = null;

  constructor(load: NativeLoad, owner: LaneOwner, carrier: Http2Carrier | null) {
    this.load = load;
    this.owner = owner;
    this.exchange = new Exchange(load, this, 'measured', carrier);
  }

  get isIdle(): boolean {
    return !this.exchange.isBusy && this.backOff === null;
  }

  /** Fetches a resource of a page. Must be called only when idle. */
  fetch(step: DrivenStep, nowUs: number, recorder: StageRecorder): void {
    this.isFetching = true;
    this.exchange.send(step, nowUs, nowUs, recorder);
  }

  close(): void {
    this.isFetching = false;
    if (this.backOff !== null) clearTimeout(this.backOff);
    this.backOff = null;
    this.exchange.close();
  }

  responded(atUs: number, delayMs: number): void {
    if (!this.isFetching) {
      this.owner.responded(atUs, delayMs);
      return;
    }
    this.isFetching = false;
    this.owner.settled(this, atUs, true);
  }

  failed(atUs: number, delayMs: number): void {
    if (!this.isFetching) {
      this.owner.failed(atUs, delayMs);
      return;
    }
    this.isFetching = false;
    if (delayMs > 0) {
      this.backOff = setTimeout(() => {
        this.backOff = null;
        this.owner.fetchMore(this.load.now());
      }, delayMs);
    }
    this.owner.settled(this, atUs, false);
  }
}
