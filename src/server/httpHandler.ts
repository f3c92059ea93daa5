import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { mediaType, pageFile } from '#contract/page/files.ts';
import { cacheControl, pageHeaders } from '#contract/page/headers.ts';
import { cookieName, isOurHost, readCookie, sameSecret } from './access.ts';
import { needsToken, notFound, onlyGet, wrongHost } from './pages.ts';

export interface HttpAccess {
  readonly port: number;
  /** What the printed URL carries. */
  readonly token: string;
  /** What the cookie carries once the token was shown. */
  readonly session: string;
}

/** Whether a request comes from a browser that has shown the token. */
export function isSignedIn(request: IncomingMessage, { port, session }: HttpAccess): boolean {
  return sameSecret(readCookie(request.headers.cookie, cookieName(port)) ?? '', session);
}

/** Answers the page's requests: GET only, under our own names only, to signed-in browsers only, from one folder only. */
export function httpHandler(
  uiDirectory: string,
  access: HttpAccess,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { host } = request.headers;
    if (!isOurHost(host, access.port)) return refuse(response, 421, wrongHost);
    if (request.method !== 'GET') return refuse(response, 405, onlyGet, { allow: 'GET' });

    const url = parseUrl(request.url ?? '/');
    if (!url) return refuse(response, 404, notFound);
    const token = url.searchParams.get('token');
    if (token !== null && sameSecret(token, access.token)) return signIn(response, url, access);
    if (!isSignedIn(request, access)) return refuse(response, 401, needsToken);

    const segments = pageFile(url.pathname);
    const file = segments && (await fileWithin(uiDirectory, segments));
    if (!segments || !file) return refuse(response, 404, notFound);
    response.writeHead(200, {
      ...pageHeaders([`ws://${host}`]),
      'content-type': mediaType(file.path),
      'content-length': file.bytes,
      'cache-control': cacheControl(segments),
    });
    // A reader that goes away in the middle is its own business.
    await pipeline(createReadStream(file.path), response).catch(() => response.destroy());
  };
}

function parseUrl(target: string): URL | null {
  // A target such as `//elsewhere/x` would otherwise be read as a host.
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  // The parser resolves `..` in some spellings; the raw path is what gets judged.
  const url = URL.parse(target, 'http://127.0.0.1');
  const rawPath = target.split(/[?#]/, 1)[0] ?? '/';
  return url && url.pathname === rawPath ? url : null;
}

/** Exchanges the token for a cookie and takes the token out of the address bar, history and screenshots. */
function signIn(response: ServerResponse, url: URL, { port, session }: HttpAccess): void {
  url.searchParams.delete('token');
  response.writeHead(303, {
    ...pageHeaders(),
    location: `${url.pathname}${url.search}`,
    'set-cookie': `${cookieName(port)}=${session}; HttpOnly; SameSite=Strict; Path=/`,
    'cache-control': 'no-store',
  });
  response.end();
}

function refuse(response: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    ...pageHeaders(),
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(body);
}

async function fileWithin(directory: string, segments: readonly string[]): Promise<{ path: string; bytes: number } | null> {
  try {
    // Links are followed first, so that one inside the folder cannot lead out of it.
    const path = await realpath(join(directory, ...segments));
    const home = await realpath(directory);
    if (!path.startsWith(home + sep)) return null;
    const found = await stat(path);
    return found.isFile() ? { path, bytes: found.size } : null;
  } catch {
    return null;
  }
}
