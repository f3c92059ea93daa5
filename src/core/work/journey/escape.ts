/** Position of a value in a request, which determines how the value is escaped. */
export type EscapeContext = 'address' | 'form' | 'json' | 'header' | 'text';

const ESCAPES: Readonly<Record<EscapeContext, (value: string) => string>> = {
  address: percentEncoded,
  form: formEncoded,
  json: (value) => JSON.stringify(value).slice(1, -1),
  header: encodeControls,
  text: (value) => value,
};

/** Escapes a value for its position. Never throws. */
export function escapeFor(place: EscapeContext, value: string): string {
  return ESCAPES[place](value);
}

/** Encodes everything but unreserved characters (RFC 3986), so that a value cannot end a path segment or start a query. */
function percentEncoded(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Encodes as application/x-www-form-urlencoded (WHATWG URL, 5.2). */
export function formEncoded(value: string): string {
  return percentEncoded(value).replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E');
}

/** Encodes control characters, because a line break would start another header. */
function encodeControls(value: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  return value.replaceAll(/[\u0000-\u0008\u000a-\u001f\u007f]/g, percentOf);
}

function percentOf(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

/**
 * Placeholder for the path of the target without its trailing slash: `/italia` for `http://host/italia/`, and `/` for `http://host/`. A
 * contest below a prefix has its start page at that path.
 */
export const TARGET_WITHOUT_SLASH = 'target.withoutSlash';

/** Returns the Authorization header for a user name and password in UTF-8 (RFC 7617). */
export function basicAuthorization(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

/** Returns the value of {@link TARGET_WITHOUT_SLASH}. */
export function removeTrailingSlash(targetUrl: string): string {
  const { pathname } = new URL(targetUrl);
  return pathname.replace(/\/+$/, '') || '/';
}

/** Encodes the fields of a form body. */
export function encodeFields(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map((field) => field.map(formEncoded).join('=')).join('&');
}
