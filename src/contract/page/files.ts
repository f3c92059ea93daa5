import { getOwn } from '#core/base/ownMembers.ts';

/**
 * The path of a file below the page's folder that a URL's path asks for, as segments, or null when nothing may be served for
 * it. A path without an extension is a place inside the app, so it gets the app itself. Everything that could leave the folder
 * or mean different things to different systems is refused, however it is encoded.
 */
export function pageFile(pathname: string): readonly string[] | null {
  const decoded = decodeOnce(pathname);
  if (decoded === null || !decoded.startsWith('/')) return null;
  const segments = decoded.slice(1).split('/');
  if (segments.at(-1) === '') segments.pop();
  if (!segments.every(isPlain)) return null;
  const last = segments.at(-1);
  return last?.includes('.') === true ? segments : ['index.html'];
}

function decodeOnce(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return null;
  }
}

/** Letters, digits and `-_.` only, not starting with a dot: no `..`, no hidden file, no drive, no stream, no second encoding. */
function isPlain(segment: string): boolean {
  return segment.length <= 200 && /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/.test(segment) && !segment.endsWith('.');
}

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  map: 'application/json; charset=utf-8',
};

/** The media type by a file's name; what is not known is bytes. */
export function mediaType(fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return getOwn(mediaTypes, extension) ?? 'application/octet-stream';
}

/**
 * The rules the page lives under, whoever serves it: nothing but its own files, no inline script or style, no frame around it.
 * `connections` are the sources it may open besides its own origin (a WebSocket's address, which older browsers do not count as
 * `'self'`).
 */
export function contentSecurityPolicy(connections: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Charts are copied as pictures by way of data: and blob: addresses.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...connections].join(' '),
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // Text that becomes HTML or script (innerHTML, eval) is refused by the browser, whoever wrote the line that tries.
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** The headers that go with every answer, page or error. */
export function pageHeaders(connections: readonly string[] = []): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(connections),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Browsers otherwise put all ports of 127.0.0.1, hence a target's page, into the same process as this one.
    'origin-agent-cluster': '?1',
    'x-frame-options': 'DENY',
  };
}

/** Built files carry a digest in their name and never change; everything else is asked for again. */
export function cacheControl(segments: readonly string[]): string {
  return segments[0] === 'assets' ? 'private, max-age=31536000, immutable' : 'no-cache';
}
