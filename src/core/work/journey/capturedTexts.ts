import { isSameOrigin } from '#core/base/origins.ts';
import { getOwn } from '#core/base/ownMembers.ts';

// How captures read answers: the same for a load, which watches its time, and for what looks at a recording.

/** Path and query of where a link leads from a page; null when that is another server, or no address. */
export function linkPlace(link: string, page: URL | null): string | null {
  if (page === null || !URL.canParse(link, page.href)) return null;
  const url = new URL(link, page.href);
  return isSameOrigin(page, url) ? url.pathname + url.search : null;
}

/** What each match gives. */
export function* textsMatching(text: string, pattern: RegExp, textOf: (match: RegExpExecArray) => string): Generator<string> {
  for (const match of text.matchAll(pattern)) yield textOf(match);
}

/** Everything that stands between two texts. */
export function* textsBetween(text: string, after: string, before: string): Generator<string> {
  let position = text.indexOf(after);
  while (position >= 0) {
    const start = position + after.length;
    const end = text.indexOf(before, start);
    if (end < 0) return;
    yield text.slice(start, end);
    position = text.indexOf(after, end + before.length);
  }
}

/** How many groups a regular expression has. Throws a SyntaxError for what is none. */
export function groupsOf(pattern: string, flags = ''): number {
  // With nothing as another way, it matches whatever it is held against.
  return (new RegExp(`${pattern}|`, flags).exec('')?.length ?? 1) - 1;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** The few named entities that stand in attributes, and numbers. */
export function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return getOwn(ENTITIES, name.toLowerCase()) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}
