import { type PageLink, URGENCIES, type Urgency } from '#core/work/pages/pageLinks.ts';
import type { ImportedSheet } from '#core/work/styles/sheet.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import type { PageRequest } from '#workers/journey/pageHost.ts';
import { MOST_IMPORT_DEPTH, type PageLook } from './pageStyles.ts';

/** A thing that a page, or a style sheet of it, asks for. */
export interface Resource {
  readonly url: URL;
  readonly slot: number;
  /** Redirects that led to it. */
  readonly hops: number;
  readonly urgency: Urgency;
  readonly holdsBody: boolean;
  /** The address of what names it. */
  readonly by: URL | null;
  /** Of a style sheet; null of anything else. */
  readonly sheet: SheetResource | null;
}

interface SheetResource {
  /** Before any redirect. */
  readonly written: string;
  /** Sheets that imported each other to it. */
  readonly depth: number;
  /** It decides how the page looks: pictures and fonts wait for it. */
  readonly counts: boolean;
}

/** Who knows what a user may ask for, and has already. */
export interface PageLimits {
  has(url: string): boolean;
  /** What a style sheet that the user has imports. */
  importsOf(url: string): readonly ImportedSheet[];
  mayAsk(request: PageRequest, url: URL): boolean;
}

/** Of pictures, late scripts and the like, while the body of a page has not begun; so does Chromium (“tight mode”). */
const MOST_BEFORE_BODY = 2;
/** One after the other, everything comes as it stands in the page and belongs to it. */
const IN_TURN = { urgency: 'usual', holdsBody: false } as const;
const WAITS_FOR_BODY: ReadonlySet<Urgency> = new Set(['usual', 'low', 'last']);

/** A page that is being fetched: what it asks for, in the order of a browser, and what became of it. */
export class OpenPage {
  readonly request: PageRequest;
  /** `afterwards`: it is there, and what a browser asks for then is on its way. `cut`: the run was stopped, so the page is neither there nor has it failed. */
  state: 'document' | 'resources' | 'afterwards' | 'cut' = 'document';
  isComplete = true;
  readonly recorder: StageRecorder;
  queue: Resource[] = [];
  private readonly slot: number;
  private readonly startUs: number;
  private readonly limits: PageLimits;
  private readonly asked = new Set<string>();
  private readonly perSlot = new Map<number, number>();
  /** What its style sheets make it ask for is not known yet; null where they ask for nothing, or it is. */
  private look: PageLook | null = null;

  constructor(request: PageRequest, slot: number, startUs: number, recorder: StageRecorder, limits: PageLimits) {
    this.request = request;
    this.slot = slot;
    this.startUs = startUs;
    this.recorder = recorder;
    this.limits = limits;
  }

  /** Its own response is there. */
  begin(links: readonly PageLink[], look: PageLook | null): void {
    this.state = 'resources';
    this.look = look;
    this.ask(links);
  }

  /** A style sheet of it is there. One that is for other media is asked for as soon, but nothing waits for it. */
  imports({ url, urgency, holdsBody }: Resource, { depth, counts }: SheetResource, sheets: readonly ImportedSheet[]): void {
    if (depth >= MOST_IMPORT_DEPTH) return;
    for (const sheet of sheets) {
      const isMeant = counts && sheet.isForScreen;
      const link = { kind: 'css', url: sheet.url, urgency, holdsBody: isMeant && holdsBody, by: url.href } as const;
      this.ask([link], { depth: depth + 1, counts: isMeant });
    }
  }

  /** What waits for all style sheets, once, when they are there and the body has begun; null before, and after. */
  takeLook(onTheWay: Iterable<Resource>): PageLook | null {
    const { look } = this;
    if (look === null || this.state !== 'resources' || this.isOutstanding(onTheWay, holdsLook)) return null;
    this.look = null;
    return look;
  }

  /** Of the kinds that are wanted, from hosts that may be asked, and not fetched before. `imported`: what is known of a sheet that another imports. */
  ask(links: readonly PageLink[], imported?: Omit<SheetResource, 'written'>): void {
    const { rules, host } = this.request;
    const before = this.queue.length;
    for (const { kind, url: written, urgency, holdsBody, by } of links) {
      const slot = rules.slots.get(kind);
      if (slot === undefined || this.asked.has(written)) continue;
      const url = new URL(written);
      const sheet = kind === 'css' && !rules.readsTags ? { written, ...(imported ?? { depth: 0, counts: urgency !== 'last' }) } : null;
      const named = by === undefined || by === null ? host.address : new URL(by);
      const when = rules.isSerial ? IN_TURN : { urgency, holdsBody };
      const resource = { url, slot, hops: 0, by: named, sheet, ...when };
      const isThere = this.limits.has(written);
      if (!isThere && !this.limits.mayAsk(this.request, url)) continue;
      this.asked.add(written);
      if (isThere) {
        // What it imports may have failed.
        if (sheet !== null) this.imports(resource, sheet, this.limits.importsOf(written));
        continue;
      }
      this.perSlot.set(slot, (this.perSlot.get(slot) ?? 0) + 1);
      this.queue.push(resource);
    }
    if (this.queue.length > before) this.queue.sort((one, other) => URGENCIES.indexOf(one.urgency) - URGENCIES.indexOf(other.urgency));
  }

  /** Whether a browser asks for it at once, whatever waits besides. */
  isTime({ urgency }: Resource, onTheWay: Iterable<Resource>, isBodyHeld: boolean): boolean {
    if (urgency === 'afterwards') return this.state === 'afterwards';
    if (!isBodyHeld || !WAITS_FOR_BODY.has(urgency)) return true;
    return [...onTheWay].filter((resource) => WAITS_FOR_BODY.has(resource.urgency)).length < MOST_BEFORE_BODY;
  }

  isOutstanding(onTheWay: Iterable<Resource>, which: (resource: Resource) => boolean): boolean {
    return this.queue.some(which) || [...onTheWay].some(which);
  }

  /** The run was stopped: nothing more is asked for. */
  cut(): void {
    if (this.state === 'resources') this.state = 'cut';
    this.queue = [];
  }

  end(atUs: number, isComplete: boolean): void {
    this.countAsked(atUs);
    this.recorder.pageEnded(this.slot, atUs, isComplete, atUs - this.startUs);
  }

  /** How much of each kind it has asked for, once. */
  countAsked(atUs: number): void {
    for (const [slot, count] of this.perSlot) this.recorder.pageAsksFor(slot, atUs, count);
    this.perSlot.clear();
  }
}

function holdsLook({ sheet, holdsBody }: Resource): boolean {
  return holdsBody || sheet?.counts === true;
}
