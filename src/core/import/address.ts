import { hasPlaceholders } from '#core/plan/secrets.ts';
import { isSecretField } from '../plan/secretShapes.ts';
import { completeUrl } from '../plan/url.ts';
import type { Draft } from './draft.ts';
import { escapePlaceholders, unescapePlaceholders } from './placeholders.ts';

/** Returns a part of an address without percent-encoding (RFC 3986, 2.1); `otherwise` if the encoding is invalid. */
export function percentDecoded(text: string, otherwise = text): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return otherwise;
  }
}

export function queryDecoded(text: string): string {
  return percentDecoded(text.replaceAll('+', ' '), text);
}

/** Returns a path as plan text, with placeholders for parameters that have names of secrets. */
export function secretFreePath(draft: Draft, path: string, location: string): string {
  const at = path.indexOf('?');
  if (at < 0) return path;
  const fields = path
    .slice(at + 1)
    .split('&')
    .map((field) => {
      const equals = field.indexOf('=');
      const name = field.slice(0, Math.max(0, equals));
      const value = field.slice(equals + 1);
      if (equals <= 0 || value === '' || !isSecretField(queryDecoded(name), value) || hasPlaceholders(value)) return field;
      return `${name}=${draft.secretVariable(queryDecoded(name), queryDecoded(unescapePlaceholders(value)), location)}`;
    });
  return `${path.slice(0, at)}?${fields.join('&')}`;
}

export interface Address {
  /** Origin, `http://host:port`, as URL writes it. */
  readonly origin: string;
  /** Path and query as plan text. */
  readonly path: string;
  /** `name:password` before the host; null if there is no login. */
  readonly login: string | null;
}

const MAX_ADDRESS_LENGTH = 2_048;

/** Parses an address. Returns null for anything but an http or https address, and for addresses longer than a plan allows. */
export function readAddress(text: string): Address | null {
  const url = completeUrl(text);
  if (url.length > MAX_ADDRESS_LENGTH || !/^https?:\/\/[^\s/?#]/i.test(url) || !URL.canParse(url)) return null;
  const { origin, protocol, hostname, pathname, search, username, password } = new URL(url);
  // A host name with these characters still contains a placeholder of a shell or a template.
  if (!/^https?:$/.test(protocol) || hostname === '' || /[%\s$`{}]/.test(hostname)) return null;
  // A path that begins with `//` would be resolved against the target as another host.
  const path = escapePlaceholders(`${pathname.startsWith('//') ? '/.' : ''}${pathname}${search}`);
  if (path.length > MAX_ADDRESS_LENGTH) return null;
  return { origin, path, login: username === '' && password === '' ? null : `${percentDecoded(username)}:${percentDecoded(password)}` };
}

/** Returns an address (or an invalid one) for messages, without its login and without anything after its path. */
export function displayAddress(text: string): string {
  const [bare = ''] = text.slice(0, MAX_ADDRESS_LENGTH).split(/[?#]/, 1);
  return bare.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/]*@/i, '$1').slice(0, 60);
}

/** Returns the value of an Authorization header for HTTP Basic (RFC 7617, UTF-8). */
export function basicLogin(login: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(login.slice(0, 4_000))))}`;
}
