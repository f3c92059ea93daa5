import { flatCopy } from '#core/base/text.ts';
import type { ResourceKind } from '#core/plan/schema/pages.ts';
import { readTags, type TagReader, UNSEEN_TAGS } from './readTags.ts';

/** A screen of one device pixel for each CSS pixel, this wide: the picture that it needs is never chosen by luck. */
const SCREEN_WIDTH = 1_280;
/** More of one picture are left out. */
const MOST_CANDIDATES = 200;

interface Candidate {
  readonly url: string;
  /** In pixels of the picture; null where density says which is meant. */
  readonly width: number | null;
  readonly density: number;
}

/**
 * The picture that a browser would take of `srcset` and `src` on a screen of 1,280 pixels: of widths the smallest that fills it, else the
 * largest; of densities the one nearest to 1. `sizes` is not looked at. null when there is none.
 */
export function chosenImage(src: string | undefined, srcset: string | undefined): string | null {
  const candidates = srcset === undefined ? [] : candidatesOf(srcset);
  const wide = candidates.filter((candidate) => candidate.width !== null);
  if (wide.length > 0) return widest(wide);
  if (src !== undefined && src.trim() !== '' && !candidates.some(({ density }) => density === 1))
    candidates.push({ url: src, width: null, density: 1 });
  const [nearest] = candidates.toSorted((one, other) => Math.abs(one.density - 1) - Math.abs(other.density - 1));
  return nearest?.url ?? null;
}

function widest(candidates: readonly Candidate[]): string | null {
  const byWidth = candidates.toSorted((one, other) => (one.width ?? 0) - (other.width ?? 0));
  return (byWidth.find(({ width }) => (width ?? 0) >= SCREEN_WIDTH) ?? byWidth.at(-1))?.url ?? null;
}

/** Addresses may hold commas, but neither begin nor end with one, and end at a blank (HTML, “parsing a srcset attribute”). */
function candidatesOf(srcset: string): Candidate[] {
  const found: Candidate[] = [];
  const pattern = /[\s,]*([^\s,]\S*)(?:\s+([^,]*))?,?/y;
  for (let match = pattern.exec(srcset); match !== null && found.length < MOST_CANDIDATES; match = pattern.exec(srcset)) {
    const [, written = '', descriptor = ''] = match;
    const url = written.slice(0, endWithoutCommas(written));
    if (url !== written) pattern.lastIndex -= match[0].length - match[0].indexOf(written) - written.length;
    found.push({ url, ...descriptorOf(url === written ? descriptor : '') });
  }
  return found;
}

/** Not by a pattern for commas at the end, which begins anew at each comma of an address that is full of them. */
function endWithoutCommas(text: string): number {
  let end = text.length;
  while (text[end - 1] === ',') end -= 1;
  return end;
}

function descriptorOf(text: string): Pick<Candidate, 'width' | 'density'> {
  const [, number = '', unit] = /(?:^|\s)(\d+(?:\.\d+)?)([wx])(?:\s|$)/.exec(text) ?? [];
  if (unit === 'w') return { width: Number(number), density: 1 };
  return { width: null, density: unit === 'x' ? Number(number) : 1 };
}

/** More links of a page are left out. */
export const MOST_LINKS = 500;
/** What lies behind so many characters of a page is not looked at: reading must not hold the load up. */
export const MOST_CHARACTERS = 524_288;
/** Each relative link of a page costs as much as its base is long. */
const LONGEST_BASE = 2_048;
/** As many links are looked at; most pages name the same again and again. */
const MOST_WRITTEN = 10_000;
const LONGEST_TITLE = 200;

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

const SCRIPT_TYPE = /^(module|(text|application)\/(x-)?(java|ecma)script(1\.\d)?(\s*;.*)?)?$/i;
const PRELOADED = new Map<string, ResourceKind>([
  ['style', 'css'],
  ['script', 'script'],
  ['image', 'image'],
  ['font', 'font'],
]);

const READ = new Set(['base', 'title', 'link', 'script', 'img', 'input', 'a', 'area', ...UNSEEN_TAGS]);

/**
 * Reads a page that came from `url`. Bad HTML is read as browsers would, as far as links are concerned. It takes a time that grows with the length
 * of the page, whatever stands in it, and some 50 ms at most, so it need not be interrupted.
 */
export function readPage(html: string, url: string): ReadPage {
  const reader = new PageReader(url);
  readTags(html.slice(0, MOST_CHARACTERS), reader);
  return reader.page(html.length > MOST_CHARACTERS);
}

class PageReader implements TagReader {
  /** Where it is too long, only whole addresses lead anywhere. */
  private base: string | undefined;
  private hasBase = false;
  private unseen = 0;
  private title: string | null = null;
  private titlePieces: string[] = [];
  private written = 0;
  text: ((text: string) => void) | null = null;
  private isCut = false;
  private readonly resources = new Map<string, PageLink>();
  private readonly pages = new Set<string>();

  constructor(url: string) {
    this.base = url;
  }

  page(isCut: boolean): ReadPage {
    this.endTitle();
    return {
      title: this.title ?? '',
      resources: [...this.resources.values()],
      pages: [...this.pages],
      isCut: isCut || this.isCut,
    };
  }

  wants(name: string): boolean {
    return READ.has(name);
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (UNSEEN_TAGS.has(name)) this.unseen += 1;
    if (this.unseen > 0) return;
    switch (name) {
      case 'base':
        this.takeBase(attributes.get('href'));
        return;
      case 'title':
        if (this.title === null) this.text = (text) => void this.titlePieces.push(text);
        return;
      case 'link':
        this.takeLink(attributes);
        return;
      case 'script':
        if (SCRIPT_TYPE.test(attributes.get('type')?.trim() ?? '')) this.add('script', attributes.get('src'));
        return;
      case 'img':
        this.add('image', chosenImage(attributes.get('src'), attributes.get('srcset')) ?? undefined);
        return;
      case 'input':
        if (attributes.get('type')?.toLowerCase() === 'image') this.add('image', attributes.get('src'));
        return;
      case 'a':
      case 'area':
        this.addPage(attributes.get('href'));
        return;
      default:
    }
  }

  close(name: string): void {
    if (UNSEEN_TAGS.has(name) && this.unseen > 0) this.unseen -= 1;
    if (name === 'title') this.endTitle();
  }

  private endTitle(): void {
    if (this.text === null) return;
    this.text = null;
    const title = this.titlePieces.join('').replaceAll(/\s+/g, ' ').trim();
    this.title = flatCopy(title.slice(0, LONGEST_TITLE));
    this.titlePieces = [];
  }

  /** The first one counts, for what stands before it too little to matter. */
  private takeBase(href: string | undefined): void {
    if (this.hasBase || href === undefined) return;
    const isLong = href.length > LONGEST_BASE;
    const base = isLong ? null : absolute(href, this.base);
    if (base === null && !isLong) return;
    this.hasBase = true;
    this.base = base ?? undefined;
  }

  private takeLink(attributes: ReadonlyMap<string, string>): void {
    const href = attributes.get('href');
    const relations = new Set((attributes.get('rel') ?? '').toLowerCase().split(/\s+/));
    if (relations.has('stylesheet')) this.add('css', href);
    else if (relations.has('icon')) this.add('icon', href);
    else if (relations.has('modulepreload')) this.add('script', href);
    else if (relations.has('preload')) {
      const kind = PRELOADED.get((attributes.get('as') ?? '').toLowerCase());
      if (kind === 'image') this.add(kind, chosenImage(href, attributes.get('imagesrcset')) ?? undefined);
      else if (kind !== undefined) this.add(kind, href);
    }
  }

  private add(kind: ResourceKind, written: string | undefined): void {
    const url = written === undefined || written.trim() === '' ? null : this.addressOf(written);
    if (url === null || this.resources.has(url)) return;
    if (this.resources.size >= MOST_LINKS) this.isCut = true;
    else this.resources.set(url, { kind, url });
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

  private addPage(written: string | undefined): void {
    const url = written === undefined ? null : this.addressOf(written);
    if (url === null || this.pages.has(url)) return;
    if (this.pages.size >= MOST_LINKS) this.isCut = true;
    else this.pages.add(url);
  }
}

/** null for what no server is asked for (`data:`, `mailto:` …). */
function absolute(written: string, base: string | undefined): string | null {
  const text = written.trim();
  if (!URL.canParse(text, base)) return null;
  const { protocol, href, hash } = new URL(text, base);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  return hash === '' && !href.endsWith('#') ? href : href.slice(0, href.indexOf('#'));
}
