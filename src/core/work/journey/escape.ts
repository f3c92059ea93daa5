/** Where in a request a value stands: that decides what has to be done so that it stays one value. */
export type Place = 'address' | 'form' | 'json' | 'header' | 'text';

/** A value as it must be written where it stands, so that it is read back as it was. Never throws. */
export function escapeFor(place: Place, value: string): string {
  switch (place) {
    case 'address':
      return percentEncoded(value);
    case 'form':
      return formEncoded(value);
    case 'json':
      return JSON.stringify(value).slice(1, -1);
    case 'header':
      return withoutControls(value);
    case 'text':
      return value;
    default:
      return place satisfies never;
  }
}

/** RFC 3986: everything but unreserved letters, so that no value can end a path segment or begin a query. */
function percentEncoded(value: string): string {
  return encodeURIComponent(value.toWellFormed()).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** application/x-www-form-urlencoded (WHATWG URL, 5.2). */
export function formEncoded(value: string): string {
  return percentEncoded(value).replaceAll('%20', '+').replaceAll('%2A', '*').replaceAll('~', '%7E');
}

/** A line break in a value would begin a header of its own. */
function withoutControls(value: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are exactly what must not pass
  return value.replaceAll(/[\u0000-\u0008\u000a-\u001f\u007f]/g, percentOf);
}

function percentOf(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

/**
 * The name that stands for the path of the target as it is without a slash at its end: `/italia` of `http://host/italia/`, `/` of `http://host/`.
 * A contest below a prefix has its start page there, and everything else below it.
 */
export const TARGET_WITHOUT_SLASH = 'target.withoutSlash';

/** The value of {@link TARGET_WITHOUT_SLASH}. */
/** The header Authorization for a name and a password (RFC 7617), as UTF-8. */
export function basicAuthorization(user: string, password: string): string {
  const bytes = new TextEncoder().encode(`${user}:${password}`);
  return `Basic ${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}

export function withoutSlash(targetUrl: string): string {
  const { pathname } = new URL(targetUrl);
  return pathname.replace(/\/+$/, '') || '/';
}

/** Fields as the body of a form has them. */
export function encodedFields(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map((field) => field.map(formEncoded).join('=')).join('&');
}
