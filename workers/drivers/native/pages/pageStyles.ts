import { hash } from 'node:crypto';
import type { PageLink } from '#core/work/pages/pageLinks.ts';
import type { PageStyle } from '#core/work/pages/readPage.ts';
import type { PageElements } from '#core/work/styles/elements.ts';
import { readSheet } from '#core/work/styles/readSheet.ts';
import type { ImportedSheet, Sheet } from '#core/work/styles/sheet.ts';
import { findStyledLinks } from '#core/work/styles/styledLinks.ts';
import { UnreadableBody } from '#workers/bodyCheck/decodeBody.ts';
import type { SeenResponse } from '#workers/bodyCheck/keptResponse.ts';
import { KeptByLength } from './keptByLength.ts';

/** The parts of a page that decide which resources its style sheets request. */
export interface PageLook {
  readonly styles: readonly PageStyle[];
  /** Base URL of addresses in the page. */
  readonly base: string;
  /** Hash that is the same for two pages if every style sheet has the same effect on both. */
  readonly shape: string;
  readonly page: PageElements;
}

interface KeptSheet {
  /** Hash that is the same for style sheets with the same content. */
  readonly key: string;
  readonly sheet: Sheet;
  /** Whether the style sheet names images or fonts, even unused ones. */
  readonly asks: boolean;
}

/** Maximum number of characters in each of a thread's three caches: style sheets, their keys by address, and the resulting requests. */
const MAX_CHARACTERS = 8_388_608;
/** Maximum depth of imports. The constant below limits the number of style sheets of a page. */
export const MAX_IMPORT_DEPTH = 5;
const MAX_SHEETS = 100;
const CSS_TYPE_PATTERN = /^\s*(text\/css\b|$)/i;

/**
 * Caches fetched style sheets and the requests of pages that result from them. Each style sheet is parsed once, and each page shape is
 * evaluated once per set of style sheets.
 */
export class PageStyles {
  private readonly sheets = new KeptByLength<KeptSheet>(MAX_CHARACTERS);
  private readonly keys = new KeptByLength<string>(MAX_CHARACTERS);
  private readonly links = new KeptByLength<readonly PageLink[]>(MAX_CHARACTERS);

  /** Stores the style sheet that was requested as `written` and received from `url`, possibly after redirects. Returns its imports. */
  take(seen: SeenResponse, written: string, url: string): readonly ImportedSheet[] {
    const { body } = seen;
    const isCss = CSS_TYPE_PATTERN.test(seen.contentType ?? '') && body !== null && body.length > 0;
    const key = isCss ? `${hash('sha1', body, 'base64')} ${seen.contentEncoding ?? ''} ${seen.contentType ?? ''} ${url}` : '';
    const { sheet } = this.findOrReadSheet(key, () => (isCss ? textOf(seen) : ''), url);
    this.keys.set(written, key, key.length);
    return sheet.imports;
  }

  /** Returns the imports of the sheet requested as `written`, if it is known. */
  parseImports(written: string): readonly ImportedSheet[] {
    return this.linkedSheet(written)?.sheet.imports ?? [];
  }

  /** Returns whether style sheets of a page may request resources. Unknown sheets count as true. */
  mayAsk(styles: readonly PageStyle[], base: string): boolean {
    return this.orderStyles(styles, base).some((known) => known === null || known.asks);
  }

  /** Returns the resources that a browser requests once all style sheets of a page have loaded. */
  linksOf({ styles, base, shape, page }: PageLook): readonly PageLink[] {
    const sheets = this.orderStyles(styles, base).filter((known) => known !== null);
    const key = hash('sha1', [shape, base, ...sheets.map((known) => known.key)].join('\n'), 'base64');
    const cachedLinks = this.links.get(key);
    if (cachedLinks !== undefined) return cachedLinks;
    const links = findStyledLinks(
      page,
      sheets.map(({ sheet }) => sheet),
      base,
    );
    this.links.set(
      key,
      links,
      links.reduce((sum, { url }) => sum + url.length, 0),
    );
    return links;
  }

  private findOrReadSheet(key: string, read: () => string, url: string): KeptSheet {
    const cachedSheet = this.sheets.get(key);
    if (cachedSheet !== undefined) return cachedSheet;
    const text = read();
    const sheet = readSheet(text, url);
    const kept = { key, sheet, asks: needsElements(sheet) };
    this.sheets.set(key, kept, text.length);
    return kept;
  }

  /** Orders sheets by the cascade: a sheet's imports precede the sheet. null for an unknown sheet. */
  private orderStyles(styles: readonly PageStyle[], base: string): (KeptSheet | null)[] {
    const found: (KeptSheet | null)[] = [];
    const seen = new Set<string>();
    const take = (kept: KeptSheet | null, depth: number): void => {
      for (const { url, isForScreen } of kept?.sheet.imports ?? []) if (isForScreen && depth < MAX_IMPORT_DEPTH) takeLinked(url, depth + 1);
      found.push(kept);
    };
    const takeLinked = (url: string, depth: number): void => {
      if (seen.has(url) || seen.size >= MAX_SHEETS) return;
      seen.add(url);
      take(this.linkedSheet(url), depth);
    };
    for (const style of styles) {
      if ('url' in style) takeLinked(style.url, 0);
      else if (found.length < MAX_SHEETS) take(this.inlineSheet(style.text, base), 0);
    }
    return found;
  }

  private linkedSheet(written: string): KeptSheet | null {
    const key = this.keys.get(written);
    return key === undefined ? null : (this.sheets.get(key) ?? null);
  }

  private inlineSheet(text: string, base: string): KeptSheet {
    const key = `${hash('sha1', text, 'base64')} ${base}`;
    const { sheet, asks: does } = this.findOrReadSheet(key, () => text, base);
    return { key, sheet: { ...sheet, url: null, faces: sheet.faces.map((face) => ({ ...face, by: null })) }, asks: does };
  }
}

function needsElements({ rules, faces }: Sheet): boolean {
  return (
    faces.some(({ url }) => url !== null) || rules.some(({ declarations }) => declarations.some(({ value }) => value.includes('url("http')))
  );
}

function textOf(seen: SeenResponse): string {
  try {
    return seen.text();
  } catch (thrown) {
    if (thrown instanceof UnreadableBody) return '';
    throw thrown;
  }
}
