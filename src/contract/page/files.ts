import { getOwn } from '#core/base/ownMembers.ts';

/**
 * Returns the file below the page folder for a URL path, as segments, or null if nothing may be served. A path without an extension is a
 * view of the app and returns `index.html`. Refuses paths that could leave the folder or are ambiguous between systems, in any encoding.
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

/** Returns whether a segment has only letters, digits and `-_.`, and no dot at either end. Excludes `..`, hidden files and drives. */
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

/** Returns the media type of a file name; the default is a byte stream. */
export function mediaType(fileName: string): string {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return getOwn(mediaTypes, extension) ?? 'application/octet-stream';
}

/**
 * Returns the content security policy of the page: only its own files, no inline script or style, no frames. `connections` are additional
 * allowed sources, such as a WebSocket address, which older browsers do not include in `'self'`.
 */
export function contentSecurityPolicy(connections: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    // Copying charts as images needs data: and blob: addresses.
    "img-src 'self' data: blob:",
    "font-src 'self'",
    ["connect-src 'self'", ...connections].join(' '),
    "worker-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    // The browser refuses any text that becomes HTML or script (innerHTML, eval).
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** Returns the headers of every response, page or error. */
export function pageHeaders(connections: readonly string[] = []): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(connections),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // Without this header, browsers may put all ports of 127.0.0.1, including a target's page, in the same process.
    'origin-agent-cluster': '?1',
    'x-frame-options': 'DENY',
  };
}

/** Returns the caching header. Built files have a digest in their name and never change; all others are revalidated. */
export function cacheControl(segments: readonly string[]): string {
  return segments[0] === 'assets' ? 'private, max-age=31536000, immutable' : 'no-cache';
}
