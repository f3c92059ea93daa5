import { flatCopy } from '#core/base/text.ts';
import type { ResourceKind } from '#core/plan/schema/pages.ts';
import { chosenImage, isForScreen } from './chosenImage.ts';
import { readTags, type TagReader, UNSEEN_TAGS } from './readTags.ts';

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

/** What Chromium shows of pictures. */
const SHOWN_TYPE = /^image\/(avif|webp|png|apng|jpe?g|gif|svg\+xml|bmp|x-icon|vnd\.microsoft\.icon)$/i;
/** So many pictures are asked for before the others, but for small ones. */
const MOST_FIRST_IMAGES = 5;
const SMALL_IMAGE_PIXELS = 10_000;
/** Icons above this are for other places than the tab of a browser. */
const LARGEST_ICON = 32;

const READ = new Set(
  ['base', 'title', 'link', 'script', 'body', 'picture', 'source', 'img', 'image', 'video', 'input', 'a', 'area'].concat(...UNSEEN_TAGS),
);

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
  private isInHead = true;
  /** Style sheets of the head so far. */
  private readonly styles: string[] = [];
  private readonly holding = new Set<string>();
  /** The picture of the open `picture` that a source of it has chosen; undefined while none has. */
  private ofSources: string | undefined;
  private isInPicture = false;
  private images = 0;
  private firstImages = 0;
  private largeIcon: string | null = null;
  private readonly resources = new Map<string, Omit<PageLink, 'holdsBody'>>();
  private readonly pages = new Set<string>();

  constructor(url: string) {
    this.base = url;
  }

  page(isCut: boolean): ReadPage {
    this.endTitle();
    // A page with large icons only is shown with one of them.
    if (this.largeIcon !== null && ![...this.resources.values()].some(({ kind }) => kind === 'icon'))
      this.add('icon', this.largeIcon, 'afterwards');
    return {
      title: this.title ?? '',
      resources: [...this.resources.values()].map((link) => ({ ...link, holdsBody: this.holding.has(link.url) })),
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
        if (SCRIPT_TYPE.test(attributes.get('type')?.trim() ?? '')) this.takeScript(attributes);
        return;
      case 'body':
        this.isInHead = false;
        return;
      case 'picture':
        this.isInPicture = true;
        this.ofSources = undefined;
        return;
      case 'source':
        this.takeSource(attributes);
        return;
      case 'img':
        this.takeImage(attributes);
        return;
      case 'image':
        this.add('image', attributes.get('href') ?? attributes.get('xlink:href'), 'low');
        return;
      case 'video':
        this.add('image', attributes.get('poster'), 'low');
        return;
      case 'input':
        if (attributes.get('type')?.toLowerCase() === 'image') this.add('image', attributes.get('src'), 'low');
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
    if (name === 'head') this.isInHead = false;
    if (name === 'picture') this.isInPicture = false;
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
    const isMeant = isForScreen(attributes.get('media'));
    if (relations.has('stylesheet')) this.takeStyle(href, attributes.has('disabled'), isMeant && !relations.has('alternate'));
    else if (relations.has('icon')) this.takeIcon(href, attributes.get('sizes'));
    else if (relations.has('modulepreload')) this.add('script', href, 'soon');
    else if (relations.has('preload') && isMeant) {
      const kind = PRELOADED.get((attributes.get('as') ?? '').toLowerCase());
      if (kind === 'image')
        this.add(kind, chosenImage(href, attributes.get('imagesrcset'), attributes.get('imagesizes')) ?? undefined, 'low');
      else if (kind !== undefined) this.add(kind, href, kind === 'script' ? 'soon' : 'first');
    }
  }

  /** One for other media is fetched too, but late. */
  private takeStyle(href: string | undefined, isDisabled: boolean, isMeant: boolean): void {
    if (isDisabled) return;
    const url = this.add('css', href, isMeant ? 'first' : 'last');
    if (url !== null && isMeant && this.isInHead) this.styles.push(url);
  }

  private takeIcon(href: string | undefined, sizes: string | undefined): void {
    const isLarge = Number.parseInt(sizes ?? '', 10) > LARGEST_ICON;
    if (!isLarge) this.add('icon', href, 'afterwards');
    else this.largeIcon ??= href ?? null;
  }

  private takeScript(attributes: ReadonlyMap<string, string>): void {
    const isModule = attributes.get('type')?.trim().toLowerCase() === 'module';
    if (attributes.has('nomodule') && !isModule) return;
    const isLater = attributes.has('src') && (attributes.has('async') || attributes.has('defer'));
    // Also one that stands in the page waits for the style sheets before it.
    const isHolding = this.isInHead && !isModule && !isLater;
    if (isHolding) for (const style of this.styles) this.holding.add(style);
    const isLate = this.images > 0 && !isModule;
    const url = this.add('script', attributes.get('src'), isLater ? 'low' : isLate ? 'usual' : 'soon');
    if (url !== null && isHolding) this.holding.add(url);
  }

  private takeSource(attributes: ReadonlyMap<string, string>): void {
    if (!this.isInPicture || this.ofSources !== undefined) return;
    const type = attributes.get('type')?.trim() ?? '';
    if (!isForScreen(attributes.get('media')) || !(type === '' || SHOWN_TYPE.test(type))) return;
    this.ofSources = chosenImage(undefined, attributes.get('srcset'), attributes.get('sizes')) ?? undefined;
  }

  private takeImage(attributes: ReadonlyMap<string, string>): void {
    const chosen =
      (this.isInPicture ? this.ofSources : undefined) ??
      chosenImage(attributes.get('src'), attributes.get('srcset'), attributes.get('sizes')) ??
      undefined;
    this.isInHead = false;
    this.add('image', chosen, this.urgencyOfImage(attributes));
  }

  private urgencyOfImage(attributes: ReadonlyMap<string, string>): Urgency {
    if (attributes.get('loading')?.trim().toLowerCase() === 'lazy') return 'afterwards';
    this.images += 1;
    const pixels = Number.parseInt(attributes.get('width') ?? '', 10) * Number.parseInt(attributes.get('height') ?? '', 10);
    if (pixels < SMALL_IMAGE_PIXELS || this.firstImages >= MOST_FIRST_IMAGES) return 'low';
    this.firstImages += 1;
    return 'usual';
  }

  /** Its address; null where there is none. Of what is named twice, the first counts. */
  private add(kind: ResourceKind, written: string | undefined, urgency: Urgency): string | null {
    const url = written === undefined || written.trim() === '' ? null : this.addressOf(written);
    if (url === null) return null;
    // What the page asks for is not put off because its icon is the same.
    if (this.resources.get(url)?.urgency === 'afterwards' && urgency !== 'afterwards') this.resources.delete(url);
    if (this.resources.has(url)) return url;
    if (this.resources.size >= MOST_LINKS) this.isCut = true;
    else this.resources.set(url, { kind, url, urgency });
    return url;
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
