import { hasPlaceholders } from '#core/plan/secrets.ts';
import { isSecretField } from '../plan/secretShapes.ts';
import { completeUrl } from '../plan/url.ts';
import type { Draft } from './draft.ts';
import { literal, unliteral } from './placeholders.ts';
import { formPairs } from './requestParts.ts';

/** A part of an address without its percent-encoding (RFC 3986, 2.1); as it is where it is not encoded well. */
export function percentDecoded(text: string): string {
  return decoded(text, text);
}

/** The same of a name or a value of a query, where a + stands for a blank. */
export function queryDecoded(text: string): string {
  return decoded(text.replaceAll('+', ' '), text);
}

function decoded(encoded: string, otherwise: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return otherwise;
  }
}

/** A path as text of a plan, with placeholders for parameters that are called like secrets. */
export function secretFreePath(draft: Draft, path: string, place: string): string {
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
      return `${name}=${draft.secretVariable(queryDecoded(name), queryDecoded(unliteral(value)), place)}`;
    });
  return `${path.slice(0, at)}?${fields.join('&')}`;
}

/** An address taken apart. */
export interface Address {
  /** `http://host:port`, as URL writes it. */
  readonly origin: string;
  /** Path and query, as a step writes them. */
  readonly path: string;
  /** `name:password` that stood before the host; null without. */
  readonly login: string | null;
  /** Parameters of the query, decoded. */
  readonly query: readonly (readonly [string, string])[];
  readonly hash: string;
}

const LONGEST_ADDRESS = 2_048;

/** null for what is no address of http or https, or is longer than a plan can hold. */
export function readAddress(text: string): Address | null {
  const url = completeUrl(text);
  if (url.length > LONGEST_ADDRESS || !/^https?:\/\/[^\s/?#]/i.test(url) || !URL.canParse(url)) return null;
  const { origin, protocol, hostname, pathname, search, hash, username, password } = new URL(url);
  // No machine is called so: it is what a shell, or a template, would have filled in.
  if (!/^https?:$/.test(protocol) || hostname === '' || /[%\s$`{}]/.test(hostname)) return null;
  const path = pathOf(pathname, search);
  if (path.length > LONGEST_ADDRESS) return null;
  return {
    origin,
    path,
    login: username === '' && password === '' ? null : `${percentDecoded(username)}:${percentDecoded(password)}`,
    query: formPairs(search.slice(1)) ?? [],
    hash,
  };
}

/** An address, or what should have been one, as it is told of: without a login, and without what stands behind its path. */
export function toldAddress(text: string): string {
  const [bare = ''] = text.slice(0, LONGEST_ADDRESS).split(/[?#]/, 1);
  return bare.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/]*@/i, '$1').slice(0, 60);
}

/** Resolved against the target, `//x` would name another host. */
function pathOf(pathname: string, search: string): string {
  return literal(`${pathname.startsWith('//') ? '/.' : ''}${pathname}${search}`);
}

/** The value of an Authorization header (RFC 7617, UTF-8). */
export function basicLogin(login: string): string {
  return `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(login.slice(0, 4_000))))}`;
}
