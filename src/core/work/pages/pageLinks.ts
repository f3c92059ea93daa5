import type { ResourceKind } from '#core/plan/schema/pages.ts';

/** More links of a page are left out. */
export const MOST_LINKS = 500;
/** Each relative link of a page costs as much as its base is long. */
const LONGEST_BASE = 2_048;
/** As many links are looked at; most pages name the same again and again. */
const MOST_WRITTEN = 10_000;

/** Longer addresses are left out: servers refuse them, and a page can make thousands of them with one long base. */
export const LONGEST_ADDRESS = 8_192;

/**
 * How soon Chromium asks for something where several wait: style sheets and fonts; scripts that hold the page up; late scripts and its first pictures; everything
 * else; style sheets for other media; and what comes after the page has loaded.
 */
export const URGENCIES = ['first', 'soon', 'usual', 'low', 'last', 'afterwards'] as const;
export type Urgency = (typeof URGENCIES)[number];

export interface PageLink {
  readonly kind: ResourceKind;
  /** Absolute, without a fragment. */
  readonly url: string;
  readonly urgency: Urgency;
  /** The body of the page begins after it: a script of the head, or a style sheet that such a script waits for. */
  readonly holdsBody: boolean;
  /** The style sheet that names it; left out for what the page names itself. */
  readonly by?: string | null;
}

/** The links of a page as they are found, each address once, and bounded. */
export class PageLinks {
  isCut = false;
  /** Where it is too long, only whole addresses lead anywhere. */
  base: string | undefined;
  private hasBase = false;
  private written = 0;
  private readonly resources = new Map<string, Omit<PageLink, 'holdsBody'>>();
  private readonly pages = new Set<string>();

  constructor(url: string) {
    this.base = url;
  }

  get foundPages(): readonly string[] {
    return [...this.pages];
  }

  get foundResources(): readonly Omit<PageLink, 'holdsBody'>[] {
    return [...this.resources.values()];
  }

  /** The first one counts, for what stands before it too little to matter. */
  takeBase(href: string | undefined): void {
    if (this.hasBase || href === undefined) return;
    const isLong = href.length > LONGEST_BASE;
    const base = isLong ? null : absolute(href, this.base);
    if (base === null && !isLong) return;
    this.hasBase = true;
    this.base = base ?? undefined;
  }

  /** Its address; null where there is none. Of what is named twice, the first counts. */
  add(kind: ResourceKind, written: string | undefined, urgency: Urgency): string | null {
    const url = written === undefined || written.trim() === '' ? null : this.addressOf(written);
    if (url === null) return null;
    // What the page asks for is not put off because its icon is the same.
    if (this.resources.get(url)?.urgency === 'afterwards' && urgency !== 'afterwards') this.resources.delete(url);
    if (this.resources.has(url)) return url;
    if (this.resources.size >= MOST_LINKS) this.isCut = true;
    else this.resources.set(url, { kind, url, urgency });
    return url;
  }

  addPage(written: string | undefined): void {
    const url = written === undefined ? null : this.addressOf(written);
    if (url === null || this.pages.has(url)) return;
    if (this.pages.size >= MOST_LINKS) this.isCut = true;
    else this.pages.add(url);
  }

  private addressOf(written: string): string | null {
    this.written += 1;
    if (this.written > MOST_WRITTEN || written.length > LONGEST_ADDRESS) {
      this.isCut ||= !/^\s*data:/i.test(written);
      return null;
    }
    const url = absolute(written, this.base);
    this.isCut ||= url === null ? this.base === undefined : url.length > LONGEST_ADDRESS;
    return url === null || url.length > LONGEST_ADDRESS ? null : url;
  }
}

/** null for what no server is asked for (`data:`, `mailto:` …). */
export function absolute(written: string, base: string | undefined): string | null {
  const text = written.trim();
  if (!URL.canParse(text, base)) return null;
  const { protocol, href, hash } = new URL(text, base);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return hash === '' && !href.endsWith('#') ? href : href.slice(0, href.indexOf('#'));
}
