const COOKIE = 'cookie';

/** What a placeholder asks for: a member of something (`feed.column`, `cookie.NAME`), or a variable or captured value, which is a member of nothing (null). */
export interface ValueName {
  readonly owner: string | null;
  readonly member: string;
}

/** The name of a value of a feed. */
export function columnName(feed: string, column: string): string {
  return `${feed}.${column}`;
}

/** The name of the value of a cookie. */
export function cookieName(cookie: string): string {
  return `${COOKIE}.${cookie}`;
}

/** The parts of a name. That of a column or a cookie may hold full stops itself. */
export function readValueName(name: string): ValueName {
  const at = name.indexOf('.');
  return at < 0 ? { owner: null, member: name } : { owner: name.slice(0, at), member: name.slice(at + 1) };
}

/** The cookie whose value is asked for; null where it is none. */
export function cookieOf(name: string): string | null {
  const { owner, member } = readValueName(name);
  return owner === COOKIE ? member : null;
}
