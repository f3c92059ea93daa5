const COOKIE_OWNER = 'cookie';

/** Name in a placeholder: a member (`feed.column`, `cookie.NAME`), or a variable or captured value, whose owner is null. */
export interface ValueName {
  readonly owner: string | null;
  readonly member: string;
}

export function columnName(feed: string, column: string): string {
  return `${feed}.${column}`;
}

export function cookieName(cookie: string): string {
  return `${COOKIE_OWNER}.${cookie}`;
}

/** Splits a value name. Names of columns and cookies may contain dots. */
export function readValueName(name: string): ValueName {
  const at = name.indexOf('.');
  return at < 0 ? { owner: null, member: name } : { owner: name.slice(0, at), member: name.slice(at + 1) };
}

/** Returns the cookie of a value name; null for any other value. */
export function cookieOf(name: string): string | null {
  const { owner, member } = readValueName(name);
  return owner === COOKIE_OWNER ? member : null;
}
