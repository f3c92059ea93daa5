import { completeUrl } from '../plan/url.ts';
import { percentDecoded } from './decoded.ts';
import { formPairs } from './requestParts.ts';
import { literal } from './literal.ts';

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
  if (!/^https?:$/.test(protocol) || hostname === '' || /%|\s/.test(hostname)) return null;
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
