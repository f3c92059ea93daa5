import { flatCopy } from '#core/base/text.ts';
import type { ResourceKind } from '#core/plan/schema/step.ts';
import { parseImports } from '#core/work/styles/readSheet.ts';
import { chosenImage, isForScreen, PagePictures } from './chosenImage.ts';
import { type PageLink, PageLinks } from './pageLinks.ts';
import { MAX_PAGE_CHARACTERS, readTags, type TagReader, UNSEEN_TAGS } from './readTags.ts';

const MAX_TITLE_LENGTH = 200;

/** Content of an HTML page as written, without scripts and styles applied. */
interface ReadPage {
  readonly title: string;
  /** Resources of the page, each address once, in page order. */
  readonly resources: readonly PageLink[];
  /** Style sheets in page order, which determines their precedence. */
  readonly styles: readonly PageStyle[];
  /** Base for relative addresses, or the address of the page; null if it is too long. */
  readonly base: string | null;
  /** Addresses of linked pages, each once. */
  readonly pages: readonly string[];
  /** Whether the page exceeded a limit, so that a part of it is missing. */
  readonly isCut: boolean;
}

/** A linked style sheet, or the text of an embedded one. */
export type PageStyle = { readonly url: string } | { readonly text: string };

const SCRIPT_TYPE_PATTERN = /^(module|(text|application)\/(x-)?(java|ecma)script(1\.\d)?(\s*;.*)?)?$/i;
const PRELOADED_KINDS = new Map<string, ResourceKind>([
  ['style', 'css'],
  ['script', 'script'],
  ['image', 'image'],
  ['font', 'font'],
]);

/** Maximum size of an icon for a browser tab; browsers request larger icons only if there is no other. */
const MAX_ICON_PIXELS = 32;

const READ_TAGS = new Set(
  ['base', 'title', 'link', 'style', 'script', 'body', 'picture', 'source', 'img', 'image', 'video', 'input', 'a', 'area'].concat(
    ...UNSEEN_TAGS,
  ),
);

/**
 * Parses a page from `url`. Finds the links in malformed HTML as browsers do. The time grows linearly with the length, up to about 50 ms,
 * so parsing needs no interruption.
 */
export function readPage(html: string, url: string): ReadPage {
  const reader = new PageReader(url);
  readTags(html.slice(0, MAX_PAGE_CHARACTERS), reader);
  return reader.page(html.length > MAX_PAGE_CHARACTERS);
}

class PageReader implements TagReader {
  private readonly links: PageLinks;
  private unseen = 0;
  private title: string | null = null;
  private titlePieces: string[] = [];
  text: ((text: string) => void) | null = null;
  private isInHead = true;
  private readonly styles: PageStyle[] = [];
  /** Text of the open `style`; null if none is open or it does not apply. */
  private style: string[] | null = null;
  private readonly headStyles: string[] = [];
  private readonly holding = new Set<string>();
  private readonly pictures = new PagePictures();
  private largeIcon: string | null = null;

  constructor(url: string) {
    this.links = new PageLinks(url);
  }

  page(isCut: boolean): ReadPage {
    this.endTitle();
    this.endStyle();
    // If a page has only large icons, browsers use one of them.
    if (this.largeIcon !== null && !this.links.foundResources.some(({ kind }) => kind === 'icon'))
      this.links.add('icon', this.largeIcon, 'afterwards');
    return {
      title: this.title ?? '',
      resources: this.links.foundResources.map((link) => ({ ...link, holdsBody: this.holding.has(link.url) })),
      styles: this.styles,
      base: this.links.base ?? null,
      pages: this.links.foundPages,
      isCut: isCut || this.links.isCut,
    };
  }

  wants(name: string): boolean {
    return READ_TAGS.has(name);
  }

  open(name: string, attributes: ReadonlyMap<string, string>): void {
    if (UNSEEN_TAGS.has(name)) this.unseen += 1;
    if (this.unseen > 0) return;
    switch (name) {
      case 'base':
        this.links.takeBase(attributes.get('href'));
        return;
      case 'title':
        if (this.title === null) this.text = (text) => void this.titlePieces.push(text);
        return;
      case 'link':
        this.takeLink(attributes);
        return;
      case 'style':
        this.beginStyle(attributes);
        return;
      case 'script':
        if (SCRIPT_TYPE_PATTERN.test(attributes.get('type')?.trim() ?? '')) this.takeScript(attributes);
        return;
      case 'body':
        this.isInHead = false;
        return;
      case 'picture':
        this.pictures.begin();
        return;
      case 'source':
        this.pictures.takeSource(attributes);
        return;
      case 'img':
        this.takeImage(attributes);
        return;
      case 'image':
        this.links.add('image', attributes.get('href') ?? attributes.get('xlink:href'), 'low');
        return;
      case 'video':
        this.links.add('image', attributes.get('poster'), 'low');
        return;
      case 'input':
        if (attributes.get('type')?.toLowerCase() === 'image') this.links.add('image', attributes.get('src'), 'low');
        return;
      case 'a':
      case 'area':
        this.links.addPage(attributes.get('href'));
        return;
      default:
    }
  }

  close(name: string): void {
    if (UNSEEN_TAGS.has(name) && this.unseen > 0) this.unseen -= 1;
    if (name === 'title') this.endTitle();
    if (name === 'style') this.endStyle();
    if (name === 'head') this.isInHead = false;
    if (name === 'picture') this.pictures.end();
  }

  private endTitle(): void {
    if (this.text === null || this.style !== null) return;
    this.text = null;
    const title = this.titlePieces.join('').replaceAll(/\s+/g, ' ').trim();
    this.title = flatCopy(title.slice(0, MAX_TITLE_LENGTH));
    this.titlePieces = [];
  }

  private takeLink(attributes: ReadonlyMap<string, string>): void {
    const href = attributes.get('href');
    const relations = new Set((attributes.get('rel') ?? '').toLowerCase().split(/\s+/));
    const isMeant = isForScreen(attributes.get('media'));
    if (relations.has('stylesheet')) this.takeStyle(href, attributes.has('disabled'), isMeant && !relations.has('alternate'));
    else if (relations.has('icon')) this.takeIcon(href, attributes.get('sizes'));
    else if (relations.has('modulepreload')) this.links.add('script', href, 'soon');
    else if (relations.has('preload') && isMeant) {
      const kind = PRELOADED_KINDS.get((attributes.get('as') ?? '').toLowerCase());
      if (kind === 'image')
        this.links.add(kind, chosenImage(href, attributes.get('imagesrcset'), attributes.get('imagesizes')) ?? undefined, 'low');
      else if (kind !== undefined) this.links.add(kind, href, kind === 'script' ? 'soon' : 'first');
    }
  }

  /** Adds a style sheet. Browsers fetch style sheets for other media too, but late. */
  private takeStyle(href: string | undefined, isDisabled: boolean, isMeant: boolean): void {
    if (isDisabled) return;
    const url = this.links.add('css', href, isMeant ? 'first' : 'last');
    if (url === null || !isMeant) return;
    this.styles.push({ url });
    if (this.isInHead) this.headStyles.push(url);
  }

  private beginStyle(attributes: ReadonlyMap<string, string>): void {
    const type = attributes.get('type')?.trim() ?? '';
    if (!isForScreen(attributes.get('media')) || !(type === '' || /^text\/css$/i.test(type))) return;
    const pieces: string[] = [];
    this.style = pieces;
    this.text = (text) => void pieces.push(text);
  }

  /** Ends an embedded style sheet. Browsers scan it ahead and request its imports together with the page. */
  private endStyle(): void {
    if (this.style === null) return;
    const text = this.style.join('');
    this.style = null;
    this.text = null;
    this.styles.push({ text: flatCopy(text) });
    for (const { url, isForScreen: isMeant } of parseImports(text)) {
      const found = this.links.add('css', url, isMeant ? 'first' : 'last');
      if (found !== null && isMeant && this.isInHead) this.headStyles.push(found);
    }
  }

  private takeIcon(href: string | undefined, sizes: string | undefined): void {
    const isLarge = Number.parseInt(sizes ?? '', 10) > MAX_ICON_PIXELS;
    if (!isLarge) this.links.add('icon', href, 'afterwards');
    else this.largeIcon ??= href ?? null;
  }

  private takeScript(attributes: ReadonlyMap<string, string>): void {
    const isModule = attributes.get('type')?.trim().toLowerCase() === 'module';
    if (attributes.has('nomodule') && !isModule) return;
    const isLater = attributes.has('src') && (attributes.has('async') || attributes.has('defer'));
    // An inline script also waits for the style sheets before it.
    const isHolding = this.isInHead && !isModule && !isLater;
    if (isHolding) for (const style of this.headStyles) this.holding.add(style);
    const isLate = this.pictures.count > 0 && !isModule;
    const url = this.links.add('script', attributes.get('src'), isLater ? 'low' : isLate ? 'usual' : 'soon');
    if (url !== null && isHolding) this.holding.add(url);
  }

  private takeImage(attributes: ReadonlyMap<string, string>): void {
    this.isInHead = false;
    this.links.add('image', this.pictures.chosen(attributes), this.pictures.urgencyOf(attributes));
  }
}

const LINK_TAGS = new Set(['base', 'link', 'img']);

/**
 * Returns the addresses of `link` and `img` tags in order, as simple load generators fetch them: each `link` of any kind, also in
 * `noscript`, and one candidate of each `srcset`. Each address occurs once.
 */
export function listTaggedLinks(html: string, url: string): PageLink[] {
  const links = new PageLinks(url);
  readTags(html.slice(0, MAX_PAGE_CHARACTERS), createReader(links));
  return links.foundResources.map((link) => ({ ...link, holdsBody: false }));
}

function createReader(links: PageLinks): TagReader {
  return {
    text: null,
    wants: (name) => LINK_TAGS.has(name),
    open(name, attributes) {
      if (name === 'base') links.takeBase(attributes.get('href'));
      else if (name === 'img') links.add('image', attributes.get('src'), 'usual');
      else links.add(/(^|\s)icon(\s|$)/i.test(attributes.get('rel') ?? '') ? 'icon' : 'css', attributes.get('href'), 'usual');
    },
    close() {},
  };
}
