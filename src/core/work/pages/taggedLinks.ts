import { type PageLink, PageLinks } from './pageLinks.ts';
import { MAX_PAGE_CHARACTERS } from './readPage.ts';
import { readTags, type TagReader } from './readTags.ts';

const READ = new Set(['base', 'link', 'img']);

/**
 * Returns the addresses of `link` and `img` tags in order, as simple load generators fetch them: `link` of any kind, also in `noscript`, and one image of
 * several. Each address occurs once.
 */
export function taggedLinks(html: string, url: string): PageLink[] {
  const links = new PageLinks(url);
  readTags(html.slice(0, MAX_PAGE_CHARACTERS), readerOf(links));
  return links.foundResources.map((link) => ({ ...link, holdsBody: false }));
}

function readerOf(links: PageLinks): TagReader {
  return {
    text: null,
    wants: (name) => READ.has(name),
    open(name, attributes) {
      if (name === 'base') links.takeBase(attributes.get('href'));
      else if (name === 'img') links.add('image', attributes.get('src'), 'usual');
      else links.add(/(^|\s)icon(\s|$)/i.test(attributes.get('rel') ?? '') ? 'icon' : 'css', attributes.get('href'), 'usual');
    },
    close() {},
  };
}
