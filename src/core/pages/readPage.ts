import { Parser } from 'htmlparser2';
import { flatCopy } from '../flatCopy.ts';
import { getOwn } from '../ownMembers.ts';
import type { ResourceKind } from './schema.ts';
import { chosenImage } from './srcset.ts';

/** More links of a page are left out. */
export const MOST_LINKS = 500;
/** What lies behind so many characters of a page is not looked at: reading must not hold the load up. */
export const MOST_CHARACTERS = 524_288;

/** Longer addresses are left out: servers refuse them, and a page can make thousands of them with one long base. */
export const LONGEST_ADDRESS = 8_192;

export interface PageLink {
  readonly kind: ResourceKind;
  /** Absolute, without a fragment. */
  readonly url: string;
}

/** What an HTML page says of itself, as far as a visitor without scripts and styles finds out. */
export interface ReadPage {
  readonly title: string;
  /** Each address once, in the order of the page. */
  readonly resources: readonly PageLink[];
  /** Addresses of pages that it links to; each once. */
  readonly pages: readonly string[];
  /** There was more than is read of a page. */
  readonly isCut: boolean;
}

/** Of an address as it is written together with its base, dots and escapes included. */
const MOST_RESOLVED = 4 * LONGEST_ADDRESS;

/** What is inside is no part of the page for a browser that runs scripts. */
const UNSEEN = new Set(['noscript', 'template']);
const SCRIPT_TYPE = /^(module|(text|application)\/(x-)?(java|ecma)script(1\.\d)?(\s*;.*)?)?$/i;
const PRELOADED: Readonly<Record<string, ResourceKind>> = { style: 'css', script: 'script', image: 'image', font: 'font' };

/** Reads a page that came from `url`. Bad HTML is read as browsers would, as far as links are concerned. */
export function readPage(html: string, url: string): ReadPage {
  const reader = new PageReader(url);
  const parser = new Parser(reader, { decodeEntities: true });
  parser.write(html.slice(0, MOST_CHARACTERS));
  parser.end();
  return reader.page(html.length > MOST_CHARACTERS);
}

class PageReader {
  private base: string;
  private hasBase = false;
  private unseen = 0;
  private title: string | null = null;
  private isInTitle = false;
  private isCut = false;
  private readonly resources = new Map<string, PageLink>();
  private readonly pages = new Set<string>();

  constructor(url: string) {
    this.base = url;
  }

  page(isCut: boolean): ReadPage {
    return {
      title: flatCopy((this.title ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 200)),
      resources: [...this.resources.values()],
      pages: [...this.pages],
      isCut: isCut || this.isCut,
    };
  }

  onopentag(name: string, attributes: Readonly<Record<string, string>>): void {
    if (UNSEEN.has(name)) this.unseen += 1;
    if (this.unseen > 0) return;
    switch (name) {
      case 'base':
        this.takeBase(attributes['href']);
        return;
      case 'title':
        this.isInTitle = this.title === null;
        return;
      case 'link':
        this.takeLink(attributes);
        return;
      case 'script':
        if (SCRIPT_TYPE.test(attributes['type']?.trim() ?? '')) this.add('script', attributes['src']);
        return;
      case 'img':
        this.add('image', chosenImage(attributes['src'], attributes['srcset']) ?? undefined);
        return;
      case 'input':
        if (attributes['type']?.toLowerCase() === 'image') this.add('image', attributes['src']);
        return;
      case 'a':
      case 'area':
        this.addPage(attributes['href']);
        return;
      default:
    }
  }

  onclosetag(name: string): void {
    if (UNSEEN.has(name) && this.unseen > 0) this.unseen -= 1;
    if (name === 'title') this.isInTitle = false;
  }

  ontext(text: string): void {
    if (this.isInTitle) this.title = (this.title ?? '') + text;
  }

  /** The first one counts, for what stands before it too little to matter. */
  private takeBase(href: string | undefined): void {
    if (this.hasBase || href === undefined) return;
    const base = absolute(href, this.base);
    if (base === null) return;
    this.hasBase = true;
    this.base = base;
  }

  private takeLink({ rel = '', href, as = '', imagesrcset }: Readonly<Record<string, string>>): void {
    const relations = rel.toLowerCase().split(/\s+/);
    if (relations.includes('stylesheet')) this.add('css', href);
    else if (relations.includes('icon')) this.add('icon', href);
    else if (relations.includes('modulepreload')) this.add('script', href);
    else if (relations.includes('preload')) {
      const kind = getOwn(PRELOADED, as.toLowerCase());
      if (kind === 'image') this.add(kind, chosenImage(href, imagesrcset) ?? undefined);
      else if (kind !== undefined) this.add(kind, href);
    }
  }

  private add(kind: ResourceKind, written: string | undefined): void {
    const url = written === undefined || written.trim() === '' ? null : this.addressOf(written);
    if (url === null || this.resources.has(url)) return;
    if (this.resources.size >= MOST_LINKS) this.isCut = true;
    else this.resources.set(url, { kind, url });
  }

  /** Resolving an address costs as much as it is long, with its base. */
  private addressOf(written: string): string | null {
    if (written.length + this.base.length > MOST_RESOLVED) {
      this.isCut ||= !/^\s*data:/i.test(written);
      return null;
    }
    const url = absolute(written, this.base);
    if (url === null || url.length <= LONGEST_ADDRESS) return url;
    this.isCut = true;
    return null;
  }

  private addPage(written: string | undefined): void {
    const url = written === undefined ? null : this.addressOf(written);
    if (url === null || this.pages.has(url)) return;
    if (this.pages.size >= MOST_LINKS) this.isCut = true;
    else this.pages.add(url);
  }
}

/** null for what no server is asked for (`data:`, `mailto:` …). */
function absolute(written: string, base: string): string | null {
  const text = written.trim();
  if (!URL.canParse(text, base)) return null;
  const { protocol, href, hash } = new URL(text, base);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return hash === '' && !href.endsWith('#') ? href : href.slice(0, href.indexOf('#'));
}
