import { type PageLink, URGENCIES, type Urgency } from '#core/work/pages/pageLinks.ts';
import type { ImportedSheet } from '#core/work/styles/sheet.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { PageRequest } from '#workers/journey/pageHost.ts';
import { MAX_IMPORT_DEPTH, type PageLook } from './pageStyles.ts';

/** A resource that a page or its style sheets request. */
export interface Resource {
  readonly url: URL;
  readonly requestIndex: number;
  /** Number of redirects that led to the resource. */
  readonly hops: number;
  readonly urgency: Urgency;
  readonly holdsBody: boolean;
  /** Address of the page or style sheet that references the resource. */
  readonly by: URL | null;
  /** Details of a style sheet; null for other resources. */
  readonly sheet: SheetResource | null;
}

interface SheetResource {
  /** Address before any redirect. */
  readonly written: string;
  /** Import depth of the style sheet. */
  readonly depth: number;
  /** Whether the style sheet applies to the page. If so, images and fonts wait for the style sheet. */
  readonly counts: boolean;
}

/** Decides which resources a user may fetch, and remembers the fetched ones. */
export interface PageLimits {
  has(url: string): boolean;
  parseImports(url: string): readonly ImportedSheet[];
  mayAsk(request: PageRequest, url: URL): boolean;
}

/**
 * Maximum number of requests for images, late scripts and similar resources before the body of a page starts, as in Chromium (“tight
 * mode”).
 */
const MAX_BEFORE_BODY = 2;
/** In serial mode, all resources load in document order and belong to the page. */
const SERIAL_LOADING = { urgency: 'usual', holdsBody: false } as const;
const BODY_URGENCIES: ReadonlySet<Urgency> = new Set(['usual', 'low', 'last']);

/** A page that is being fetched, with its resources in the order of a browser, and their outcomes. */
export class OpenPage {
  readonly request: PageRequest;
  /**
   * State of the page. `afterwards`: the page has loaded, and resources that browsers fetch later are in flight. `cut`: the run was
   * stopped, so the page has neither loaded nor failed.
   */
  state: 'document' | 'resources' | 'afterwards' | 'cut' = 'document';
  isComplete = true;
  readonly recorder: StageRecorder;
  queue: Resource[] = [];
  private readonly requestIndex: number;
  private readonly startUs: number;
  private readonly limits: PageLimits;
  private readonly asked = new Set<string>();
  private readonly perSlot = new Map<number, number>();
  /**
   * The part of the page that determines which resources its style sheets request. Null if there is none, or if the resources are known.
   */
  private look: PageLook | null = null;

  constructor(request: PageRequest, requestIndex: number, startUs: number, recorder: StageRecorder, limits: PageLimits) {
    this.request = request;
    this.requestIndex = requestIndex;
    this.startUs = startUs;
    this.recorder = recorder;
    this.limits = limits;
  }

  /** Called when the response of the document has arrived. */
  begin(links: readonly PageLink[], look: PageLook | null): void {
    this.state = 'resources';
    this.look = look;
    this.ask(links);
  }

  /**
   * Called when a style sheet has arrived. Its imports for other media are fetched at the same time, but nothing waits for these imports.
   */
  imports({ url, urgency, holdsBody }: Resource, { depth, counts }: SheetResource, sheets: readonly ImportedSheet[]): void {
    if (depth >= MAX_IMPORT_DEPTH) return;
    for (const sheet of sheets) {
      const isMeant = counts && sheet.isForScreen;
      const link = { kind: 'css', url: sheet.url, urgency, holdsBody: isMeant && holdsBody, by: url.href } as const;
      this.ask([link], { depth: depth + 1, counts: isMeant });
    }
  }

  /** Returns the page look once, as soon as all style sheets have arrived and the body has started; otherwise null. */
  takeLook(onTheWay: Iterable<Resource>): PageLook | null {
    const { look } = this;
    if (look === null || this.state !== 'resources' || this.isOutstanding(onTheWay, holdsLook)) return null;
    this.look = null;
    return look;
  }

  /**
   * Queues links of the wanted kinds, from allowed hosts, that were not fetched before. `imported` has the details of an imported style
   * sheet.
   */
  ask(links: readonly PageLink[], imported?: Omit<SheetResource, 'written'>): void {
    const { rules, host } = this.request;
    const before = this.queue.length;
    for (const { kind, url: written, urgency, holdsBody, by } of links) {
      const requestIndex = rules.requestIndexes.get(kind);
      if (requestIndex === undefined || this.asked.has(written)) continue;
      const url = new URL(written);
      const sheet = kind === 'css' && !rules.readsTags ? { written, ...(imported ?? { depth: 0, counts: urgency !== 'last' }) } : null;
      const named = by === undefined || by === null ? host.address : new URL(by);
      const when = rules.isSerial ? SERIAL_LOADING : { urgency, holdsBody };
      const resource = { url, requestIndex, hops: 0, by: named, sheet, ...when };
      const isThere = this.limits.has(written);
      if (!isThere && !this.limits.mayAsk(this.request, url)) continue;
      this.asked.add(written);
      if (isThere) {
        // The imports of the style sheet may have failed before.
        if (sheet !== null) this.imports(resource, sheet, this.limits.parseImports(written));
        continue;
      }
      this.perSlot.set(requestIndex, (this.perSlot.get(requestIndex) ?? 0) + 1);
      this.queue.push(resource);
    }
    if (this.queue.length > before) this.queue.sort((one, other) => URGENCIES.indexOf(one.urgency) - URGENCIES.indexOf(other.urgency));
  }

  /** Returns whether a browser would request the resource now. */
  isRequestedNow({ urgency }: Resource, onTheWay: Iterable<Resource>, isBodyHeld: boolean): boolean {
    if (urgency === 'afterwards') return this.state === 'afterwards';
    if (!isBodyHeld || !BODY_URGENCIES.has(urgency)) return true;
    return [...onTheWay].filter((resource) => BODY_URGENCIES.has(resource.urgency)).length < MAX_BEFORE_BODY;
  }

  isOutstanding(onTheWay: Iterable<Resource>, isWanted: (resource: Resource) => boolean): boolean {
    return this.queue.some(isWanted) || [...onTheWay].some(isWanted);
  }

  /** Called when the run is stopped. No more resources are queued. */
  cut(): void {
    if (this.state === 'resources') this.state = 'cut';
    this.queue = [];
  }

  end(atUs: number, isComplete: boolean): void {
    this.countAsked(atUs);
    this.recorder.pageEnded(this.requestIndex, atUs, isComplete, atUs - this.startUs);
  }

  /** Reports once how many resources of each kind the page requested. */
  countAsked(atUs: number): void {
    for (const [requestIndex, count] of this.perSlot) this.recorder.pageAsksFor(requestIndex, atUs, count);
    this.perSlot.clear();
  }
}

function holdsLook({ sheet, holdsBody }: Resource): boolean {
  return holdsBody || sheet?.counts === true;
}
