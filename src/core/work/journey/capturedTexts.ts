import { isSameOrigin } from '#core/base/origins.ts';
import { getOwn } from '#core/base/ownMembers.ts';

// Captures use these functions during a load, where time is limited, and in a recording.

/** Returns the path and query of a link; null for another server or an invalid address. */
export function linkPlace(link: string, page: URL | null): string | null {
  if (page === null || !URL.canParse(link, page.href)) return null;
  const url = new URL(link, page.href);
  return isSameOrigin(page, url) ? url.pathname + url.search : null;
}

export function* textsMatching(text: string, pattern: RegExp, textOf: (match: RegExpExecArray) => string): Generator<string> {
  for (const match of text.matchAll(pattern)) yield textOf(match);
}

export function* listTextsBetween(text: string, after: string, before: string): Generator<string> {
  let position = text.indexOf(after);
  while (position >= 0) {
    const start = position + after.length;
    const end = text.indexOf(before, start);
    if (end < 0) return;
    yield text.slice(start, end);
    position = text.indexOf(after, end + before.length);
  }
}

/** Counts the groups of a regular expression. Throws a SyntaxError if it is invalid. */
export function countGroups(pattern: string, flags = ''): number {
  // The empty alternative makes the expression match any text.
  return (new RegExp(`${pattern}|`, flags).exec('')?.length ?? 1) - 1;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

/** Decodes numeric entities, and the named ones that are usual in attributes. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return getOwn(ENTITIES, name.toLowerCase()) ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}
