import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join, sep } from 'node:path';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { mkdir, readdir, readFile, rm, writeFile, realpath, stat } from 'node:fs/promises';
import { HoldfastError } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { Port } from '#contract/rpc/port.ts';
import { createAdmission, isOurHost, isOurOrigin, newSecret, ownOrigin, isOtherNameOfOurs } from './admission.ts';
import { keepAlive, webSocketPort } from './webSocketPort.ts';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { cacheControl, mediaType, pageFile, pageHeaders } from '#contract/page/files.ts';

/**
 * Writes the address with its token to a file that only this user can read, so that the user's programs can find a running Holdfast.
 * Returns a function that removes the file.
 */
async function writeTokenFile(dataDirectory: string, port: number, url: string): Promise<() => Promise<void>> {
  const folder = join(dataDirectory, 'web');
  const file = join(folder, `${port}.url`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeStaleAddresses(folder);
  // An old file is removed first, because an overwritten file would keep its mode.
  await rm(file, { force: true });
  await writeFile(file, `${url}\n`, { mode: 0o600, flag: 'wx' });
  return () => rm(file, { force: true });
}

/** Removes the address files of killed servers. A file stays while a program listens on the file's port. */
async function removeStaleAddresses(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const port = Number(/^(\d{1,5})\.url$/.exec(name)?.[1]);
    if (port > 0 && !(await isListening(port))) await rm(join(folder, name), { force: true });
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Maximum size of a frame in bytes: enough for a plan of 1,000,000 characters with escapes. */
const maxFrameBytes = 8_000_000;
const pingIntervalMs = 20_000;
/** Maximum number of connections: many times as many as the tabs of one user need. */
const maxConnections = 500;

/** The part of a backend that the server needs. */
export interface ServedBackend {
  connect(port: Port): void;
  client(): Client;
}

export interface ServerOptions {
  /** The folder with the built page. */
  readonly uiDirectory: string;
  /** Port to listen on; 0, the default, selects a free port. */
  readonly port?: number;
  /** Token that pages must send; default: a new token. */
  readonly token?: string;
}

export interface WebServer {
  /** The address to open in a browser, with the token. */
  readonly url: string;
  readonly port: number;
  /** Resolves when a browser has loaded the files for its first screen, or opens the WebSocket. */
  readonly firstVisit: Promise<void>;
  /** Starts to serve a backend: writes the address to the backend's data directory, and admits waiting pages. */
  serve(backend: ServedBackend): Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves the page to browsers on this machine, and later a backend. The page comes first, because browsers can load it while the backend
 * starts. @throws HoldfastError `UI_MISSING`, `PORT_IN_USE`, `PORT_REFUSED`
 */
export async function startServer({ uiDirectory, port: wantedPort = 0, token = newSecret() }: ServerOptions): Promise<WebServer> {
  const page = await readFile(join(uiDirectory, 'index.html'), 'utf8').catch(() => {
    throw uiMissing(uiDirectory);
  });
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000 });
  server.maxConnections = maxConnections;
  const port = await listen(server, wantedPort);
  // The fragment after # stays in the browser: it is contained in no request, Referer or log.
  const url = `${ownOrigin(port)}/#token=${encodeURIComponent(token)}`;

  const respond = httpHandler(uiDirectory, port);
  const admit = createAdmission(token);
  const backend = Promise.withResolvers<ServedBackend>();
  const firstVisit = Promise.withResolvers<void>();
  // Files that a browser must have loaded before the page works.
  const awaited = new Set(['/', ...[...page.matchAll(/"(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path)]);
  server.on('request', async (request, response) => {
    await respond(request, response);
    awaited.delete(request.url);
    if (awaited.size === 0) firstVisit.resolve();
  });
  const waiting = new Set<Duplex>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: maxFrameBytes, perMessageDeflate: false });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const refusal = upgradeRefusal(request, port);
    if (refusal) return refuseUpgrade(socket, refusal);
    firstVisit.resolve();
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    void backend.promise.then((ready) =>
      sockets.handleUpgrade(request, socket, head, (openedSocket) => {
        waiting.delete(socket);
        // Without this listener, an oversized frame would end the process. The close event follows in any case.
        openedSocket.on('error', () => {});
        admit(openedSocket, socket, () => {
          keepAlive(openedSocket, pingIntervalMs);
          ready.connect(webSocketPort(openedSocket));
        });
      }),
    );
  });

  const stop = async (): Promise<void> => {
    for (const open of sockets.clients) open.terminate();
    for (const socket of waiting) socket.destroy();
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
  let removeAddress = async (): Promise<void> => {};
  // The file is removed only once, because it may belong to another server later.
  let closing: Promise<void> | null = null;
  return {
    url,
    port,
    firstVisit: firstVisit.promise,
    async serve(ready) {
      const { dataDirectory } = await ready.client().call('app.info', {});
      removeAddress = await writeTokenFile(dataDirectory, port, url);
      backend.resolve(ready);
    },
    close: () => (closing ??= stop().then(() => removeAddress())),
  };
}

function upgradeRefusal({ headers, url }: IncomingMessage, port: number): '403 Forbidden' | '404 Not Found' | undefined {
  if (!isOurHost(headers.host, port) || !isOurOrigin(headers.origin, port)) return '403 Forbidden';
  return url === '/rpc' ? undefined : '404 Not Found';
}

/**
 * Refuses a WebSocket. The socket is destroyed, because a rejected client may keep its side open, and the connection would count towards
 * the limit.
 */
function refuseUpgrade(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
}

async function listen(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, port)));
    // The address must never be another one, because other machines must not control a load generator.
    server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve);
  });
  server.removeAllListeners('error');
  return (server.address() as AddressInfo).port;
}

function listenError(error: NodeJS.ErrnoException, port: number): HoldfastError {
  const another = 'Choose another port with --port, or leave it out to get a free one.';
  const problems: Readonly<Record<string, { readonly code: string; readonly message: string; readonly hint: string }>> = {
    EADDRINUSE: {
      code: 'PORT_IN_USE',
      message: `Port ${port} of this computer is taken by another program.`,
      hint: `Probably it is another Holdfast. ${another}`,
    },
    EACCES: {
      code: 'PORT_REFUSED',
      message: `This user may not open port ${port}.`,
      hint: 'Ports below 1024 are reserved for the system. Choose a higher one, or leave out --port to get a free one.',
    },
  };
  const other = { code: 'PORT_REFUSED', message: `Port ${port} could not be opened: ${error.message}`, hint: another };
  return new HoldfastError({ ...(getOwn(problems, error.code ?? '') ?? other), data: { port } }, { cause: error });
}

function uiMissing(uiDirectory: string): HoldfastError {
  return new HoldfastError({
    code: 'UI_MISSING',
    message: `The page of Holdfast is missing in ${uiDirectory}.`,
    hint: 'In a checkout, build it first: npm run build. Otherwise, reinstall Holdfast.',
  });
}

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
function httpHandler(uiDirectory: string, port: number): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
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
