import { KeptByLength } from './keptByLength.ts';
import { hash } from 'node:crypto';
import type { PageLink } from '#core/work/pages/pageLinks.ts';
import { readPage, listTaggedLinks } from '#core/work/pages/readPage.ts';
import { readElements } from '#core/work/styles/elements.ts';
import type { SeenResponse } from '#workers/bodyCheck/keptResponse.ts';
import { UnreadableBody } from '#workers/bodyCheck/decodeBody.ts';
import type { PageLook, PageStyles } from './pageStyles.ts';

export interface KnownPage {
  readonly links: readonly PageLink[];
  /** The part of a page that determines which resources its style sheets request; null if no style sheet can request resources. */
  readonly look: PageLook | null;
}

/** Maximum number of characters in each thread's cache, enough for about a thousand pages with a hundred links each. */
const MAX_CHARACTERS = 8_388_608;
const ELEMENT_CHARACTERS = 100;
const HTML_TYPE_PATTERN = /^\s*(text\/html|application\/xhtml\+xml)\b/i;
const STYLE_URL_PATTERN = /\sstyle\s*=\s*(?:"[^"]*url\(|'[^']*url\()/i;

const NO_LINKS: KnownPage = { links: [], look: null };

/** Caches the links of pages. A page with identical bytes is parsed only once. */
export class LinkCache {
  private readonly pages = new KeptByLength<KnownPage>(MAX_CHARACTERS);
  private readonly styles: PageStyles;

  constructor(styles: PageStyles) {
    this.styles = styles;
  }

  /** Returns the links of a page; none if the response is not HTML or cannot be decompressed. */
  findOrReadPage(seen: SeenResponse, url: URL, readsTags: boolean): KnownPage {
    if (!HTML_TYPE_PATTERN.test(seen.contentType ?? '')) return NO_LINKS;
    const { body } = seen;
    if (body === null || body.length === 0) return NO_LINKS;
    const key = `${hash('sha1', body, 'base64')} ${seen.contentEncoding ?? ''} ${readsTags ? 'tags' : ''} ${url.href}`;
    const cachedPage = this.pages.get(key);
    if (cachedPage !== undefined) return cachedPage;
    const page = this.read(seen, url, readsTags);
    this.pages.set(key, page, countCharacters(page));
    return page;
  }

  private read(seen: SeenResponse, url: URL, readsTags: boolean): KnownPage {
    try {
      const html = seen.text();
      if (readsTags) return { links: listTaggedLinks(html, url.href), look: null };
      const { resources, styles, base } = readPage(html, url.href);
      const asks = base !== null && (this.styles.mayAsk(styles, base) || STYLE_URL_PATTERN.test(html));
      if (!asks) return { links: resources, look: null };
      const { shape, ...page } = readElements(html);
      return { links: resources, look: { styles, base, shape: hash('sha1', shape, 'base64'), page } };
    } catch (thrown) {
      if (thrown instanceof UnreadableBody) return NO_LINKS;
      throw thrown;
    }
  }
}

function countCharacters({ links, look }: KnownPage): number {
  const ofLinks = links.reduce((sum, link) => sum + link.url.length, 0);
  if (look === null) return ofLinks;
  const ofStyles = look.styles.reduce((sum, style) => sum + ('text' in style ? style.text.length : style.url.length), 0);
  return ofLinks + ofStyles + look.page.elements.length * ELEMENT_CHARACTERS;
}
