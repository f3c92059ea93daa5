import type { ResourceKind } from '#core/plan/schema/step.ts';

/** Maximum number of different links per page. */
export const MAX_LINKS = 500;
/** Maximum length of the base, because the time to resolve a relative link grows with it. */
const MAX_BASE_LENGTH = 2_048;
/** Maximum number of links examined; most pages repeat the same links. */
const MAX_EXAMINED = 10_000;

/** Maximum length of an address. Longer addresses are left out: servers reject them, and a long base could create thousands. */
export const MAX_ADDRESS_LENGTH = 8_192;

/**
 * Request priorities of Chromium, in this order: style sheets and fonts; blocking scripts; late scripts and the first images; everything
 * else; style sheets for other media; requests after the page has loaded.
 */
export const URGENCIES = ['first', 'soon', 'usual', 'low', 'last', 'afterwards'] as const;
export type Urgency = (typeof URGENCIES)[number];

export interface PageLink {
  readonly kind: ResourceKind;
  /** Absolute address without a fragment. */
  readonly url: string;
  readonly urgency: Urgency;
  /** Whether the resource blocks the body: a script of the head, or a style sheet that such a script waits for. */
  readonly holdsBody: boolean;
  /** Address of the style sheet that contains the link; omitted for links of the page itself. */
  readonly by?: string | null;
}

/** Collects the different links of a page, up to a limit. */
export class PageLinks {
  isCut = false;
  /** Base for relative addresses. If it is too long, only absolute addresses are resolved. */
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

  /** Sets the base. Only the first one counts; links before it are too rare to matter. */
  takeBase(href: string | undefined): void {
    if (this.hasBase || href === undefined) return;
    const isLong = href.length > MAX_BASE_LENGTH;
    const base = isLong ? null : toAbsolute(href, this.base);
    if (base === null && !isLong) return;
    this.hasBase = true;
    this.base = base ?? undefined;
  }

  /** Adds a link and returns its address; null if there is none. The first of several equal links counts. */
  add(kind: ResourceKind, written: string | undefined, urgency: Urgency): string | null {
    const url = written === undefined || written.trim() === '' ? null : this.addressOf(written);
    if (url === null) return null;
    // A link of the page keeps its urgency if the icon has the same address.
    if (this.resources.get(url)?.urgency === 'afterwards' && urgency !== 'afterwards') this.resources.delete(url);
    if (this.resources.has(url)) return url;
    if (this.resources.size >= MAX_LINKS) this.isCut = true;
    else this.resources.set(url, { kind, url, urgency });
    return url;
  }

  addPage(written: string | undefined): void {
    const url = written === undefined ? null : this.addressOf(written);
    if (url === null || this.pages.has(url)) return;
    if (this.pages.size >= MAX_LINKS) this.isCut = true;
    else this.pages.add(url);
  }

  private addressOf(written: string): string | null {
    this.written += 1;
    if (this.written > MAX_EXAMINED || written.length > MAX_ADDRESS_LENGTH) {
      this.isCut ||= !/^\s*data:/i.test(written);
      return null;
    }
    const url = toAbsolute(written, this.base);
    this.isCut ||= url === null ? this.base === undefined : url.length > MAX_ADDRESS_LENGTH;
    return url === null || url.length > MAX_ADDRESS_LENGTH ? null : url;
  }
}

/** Returns an absolute HTTP address; null for `data:`, `mailto:` and so on. */
export function toAbsolute(written: string, base: string | undefined): string | null {
  const text = written.trim();
  if (!URL.canParse(text, base)) return null;
  const { protocol, href, hash } = new URL(text, base);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return hash === '' && !href.endsWith('#') ? href : href.slice(0, href.indexOf('#'));
}
