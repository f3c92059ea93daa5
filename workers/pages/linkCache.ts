import { hash } from 'node:crypto';
import { type PageLink, readPage } from '#core/work/pages/readPage.ts';
import type { SeenAnswer } from '../bodyCheck/answerReader.ts';
import { UnreadableBody } from '../bodyCheck/unreadable.ts';
import { KeptByLength } from './keptByLength.ts';

/** Of the links that are remembered, on each thread: a thousand pages with a hundred links each. */
const MOST_CHARACTERS = 8_388_608;
const HTML = /^\s*(text\/html|application\/xhtml\+xml)\b/i;

/** What pages link to. A page that comes again, byte by byte the same, is not read again. */
export class LinkCache {
  private readonly pages = new KeptByLength<readonly PageLink[]>(MOST_CHARACTERS);

  /** None where the answer is no HTML, or cannot be unpacked. */
  linksOf(seen: SeenAnswer, url: URL): readonly PageLink[] {
    if (!HTML.test(seen.contentType ?? '')) return [];
    const { body } = seen;
    if (body === null || body.length === 0) return [];
    const key = `${hash('sha1', body, 'base64')} ${seen.contentEncoding ?? ''} ${url.href}`;
    const known = this.pages.get(key);
    if (known !== undefined) return known;
    const links = read(seen, url);
    this.pages.set(
      key,
      links,
      links.reduce((sum, link) => sum + link.url.length, 0),
    );
    return links;
  }
}

function read(seen: SeenAnswer, url: URL): readonly PageLink[] {
  try {
    return readPage(seen.text(), url.href).resources;
  } catch (thrown) {
    if (thrown instanceof UnreadableBody) return [];
    throw thrown;
  }
}
