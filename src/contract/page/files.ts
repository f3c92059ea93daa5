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
