import { hash } from 'node:crypto';
import { type PageLink, readPage } from '#core/work/pages/readPage.ts';
import type { SeenAnswer } from '../bodyCheck/keptAnswer.ts';
import { UnreadableBody } from '../bodyCheck/decodeBody.ts';

interface Kept<Value> {
  readonly value: Value;
  readonly characters: number;
}

/** Keeps values by their names until they have more characters in all than may be kept; then the oldest go. Whoever writes the names decides how long they are. */
export class KeptByLength<Value> {
  private readonly kept = new Map<string, Kept<Value>>();
  private readonly mostCharacters: number;
  private characters = 0;

  constructor(mostCharacters: number) {
    this.mostCharacters = mostCharacters;
  }

  has(name: string): boolean {
    return this.kept.has(name);
  }

  get(name: string): Value | undefined {
    return this.kept.get(name)?.value;
  }

  /** `characters`: what is to be counted of it beside its name. */
  set(name: string, value: Value, characters: number): void {
    this.delete(name);
    const added = { value, characters: name.length + characters };
    this.kept.set(name, added);
    this.characters += added.characters;
    for (const [oldest] of this.kept) {
      if (this.characters <= this.mostCharacters) return;
      this.delete(oldest);
    }
  }

  clear(): void {
    this.kept.clear();
    this.characters = 0;
  }

  private delete(name: string): void {
    const known = this.kept.get(name);
    if (known === undefined) return;
    this.kept.delete(name);
    this.characters -= known.characters;
  }
}

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
