import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheControl, mediaType, pageFile, pageHeaders } from '#contract/page/files.ts';
import { isOtherNameOfOurs, isOurHost, ownOrigin } from './admission.ts';

/**
 * Returns a page for visitors without a token. The page contains no script and no style, so that the content security policy needs no
 * exception. It has an empty icon, so that browsers do not request one.
 */
function page(title: string, paragraphs: readonly string[]): string {
  const body = paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n');
  return `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><link rel="icon" href="data:,"><title>${title}</title></head>\n<body>\n<h1>${title}</h1>\n${body}\n</body>\n</html>\n`;
}

const wrongHostPage = page('Wrong address', [
  'Holdfast is available only at 127.0.0.1. Pages on the internet cannot reach it through your browser. Open the address that it printed at its start.',
]);

const notFoundPage = page('Not found', ['There is no such file in Holdfast. <a href="/">Go to its first page</a>.']);

const onlyGetPage = page('Only GET', ['Holdfast only serves its page here. Everything else uses its own connection.']);

/**
 * Serves the page's files: only by GET, only under the server's own name, and only from one folder. The page is the same for everyone and
 * contains no secrets, because secrets are sent only through the WebSocket. Requests therefore need no cookie, which browsers would send to
 * every port of 127.0.0.1.
 */
export function httpHandler(uiDirectory: string, port: number): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const { host } = request.headers;
    const isOtherName = isOtherNameOfOurs(host, port);
    if (!isOtherName && !isOurHost(host, port)) return refuse(response, 421, wrongHostPage);
    if (request.method !== 'GET') return refuse(response, 405, onlyGetPage, { allow: 'GET' });

    const url = parseUrl(request.url ?? '/');
    if (!url) return refuse(response, 404, notFoundPage);
    // After the redirect, the browser still has the fragment with the token.
    if (isOtherName) return redirect(response, `${ownOrigin(port)}${url.pathname}`);

    const segments = pageFile(url.pathname);
    const file = segments && (await readInside(uiDirectory, segments));
    if (!segments || !file) return refuse(response, 404, notFoundPage);
    response.writeHead(200, {
      ...pageHeaders([`ws://${host}`]),
      'content-type': mediaType(file.path),
      'content-length': file.bytes,
      'cache-control': cacheControl(segments),
    });
    // It is not an error if a client leaves during the transfer.
    await pipeline(createReadStream(file.path), response).catch(() => response.destroy());
  };
}

function parseUrl(target: string): URL | null {
  // A target such as `//elsewhere/x` would be parsed as a host.
  if (!target.startsWith('/') || target.startsWith('//')) return null;
  // The parser resolves some spellings of `..`, so the raw path is checked as well.
  const url = URL.parse(target, 'http://127.0.0.1');
  const rawPath = target.split(/[?#]/, 1)[0] ?? '/';
  return url && url.pathname === rawPath ? url : null;
}

function redirect(response: ServerResponse, location: string): void {
  response.writeHead(307, { ...pageHeaders(), location, 'cache-control': 'no-store' });
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

async function readInside(directory: string, segments: readonly string[]): Promise<{ path: string; bytes: number } | null> {
  try {
    // Links are resolved first, because a link in the folder could lead to a file outside of the folder.
    const path = await realpath(join(directory, ...segments));
    const home = await realpath(directory);
    if (!path.startsWith(home + sep)) return null;
    const stats = await stat(path);
    return stats.isFile() ? { path, bytes: stats.size } : null;
  } catch {
    return null;
  }
}
