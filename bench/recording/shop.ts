import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { accountPage, API_SCRIPT, FONT, homePage, offlinePage, PIXEL, SERVICE_WORKER, STYLES } from './shopFiles.ts';

/**
 * A shop with features that the practice servers lack: compressed pages, conditional requests, a JSON API with tokens, a service worker,
 * streams and failures.
 */
export interface Shop {
  readonly url: string;
  /** Address of the shop's API for single-page apps. It is on another port of the same host, so browsers send preflight requests. */
  readonly api: string;
  /** Address of the API under another host name. In a recording, it looks like that of a third party. */
  readonly elsewhere: string;
  stop(): Promise<void>;
}

export async function startShop(port: number, apiPort: number): Promise<Shop> {
  const orders = new Map<number, object>();
  const tokens = new Set<string>();
  const shop = await listen(port, shopHandler({ orders, tokens, apiPort }));
  const api = await listen(apiPort, apiHandler);
  return {
    url: `http://127.0.0.1:${port}/`,
    api: `http://127.0.0.1:${apiPort}/`,
    elsewhere: `http://localhost:${apiPort}/`,
    stop: async () => {
      await Promise.all([shop, api].map(closeServer));
    },
  };
}

function listen(port: number, handler: RequestListener): Promise<Server> {
  const server = createServer(handler);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

interface Stock {
  readonly orders: Map<number, object>;
  readonly tokens: Set<string>;
  readonly apiPort: number;
}

const FIRST_ORDER = 48_151;

function shopHandler({ orders, tokens, apiPort }: Stock): RequestListener {
  return (request, response) => {
    void respond(request, response).catch((cause: unknown) => {
      response.writeHead(500).end(String(cause));
    });
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop/');
    switch (pathname) {
      case '/':
        return sendText(request, response, 'text/html; charset=utf-8', homePage(apiPort));
      case '/account':
        return sendText(request, response, 'text/html; charset=utf-8', accountPage());
      case '/offline':
        return sendText(request, response, 'text/html; charset=utf-8', offlinePage());
      case '/assets/shop.css':
        return sendText(request, response, 'text/css', STYLES);
      case '/assets/api.js':
        return sendText(request, response, 'text/javascript', API_SCRIPT);
      case '/worker.js':
        return sendText(request, response, 'text/javascript', SERVICE_WORKER);
      case '/assets/letters.woff2':
        return sendBytes(response, 'font/woff2', FONT);
      case '/assets/logo.gif':
      case '/favicon.ico':
        return sendBytes(response, 'image/gif', PIXEL);
      case '/old':
        return void response.writeHead(301, { Location: '/moved?to=account' }).end();
      case '/moved':
        return void response.writeHead(303, { Location: '/account' }).end();
      case '/broken':
        return sendJson(response, 500, { error: 'The warehouse does not answer.' });
      case '/busy':
        return void response.writeHead(503, { 'Retry-After': '1', 'Content-Type': 'text/plain' }).end('Come back later.\n');
      case '/news':
        return void response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('data: one\n\ndata: two\n\n');
      case '/api/login':
        return logIn(request, response);
      default:
        if (pathname.startsWith('/api/')) return handleAccount(request, response, pathname, searchParams);
        response
          .writeHead(404, { 'Content-Type': 'text/html' })
          .end('<!DOCTYPE html><title>Not here</title><h1>There is no such page</h1>');
    }
  }

  async function logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const input: unknown = JSON.parse(await textOf(request));
    const isRight = typeof input === 'object' && input !== null && 'password' in input && input.password === 'correct horse';
    if (!isRight) return sendJson(response, 401, { error: 'The password is wrong.' });
    const token = `shop.${randomUUID()}`;
    tokens.add(token);
    sendJson(response, 200, { token, user: { id: 23_042, name: 'Ada' }, expiresInSeconds: 3_600 });
  }

  async function handleAccount(request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams): Promise<void> {
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (!tokens.has(token)) return sendJson(response, 401, { error: 'Log in first.' });
    const id = Number(/^\/api\/orders\/(\d+)$/.exec(path)?.[1] ?? Number.NaN);
    if (path === '/api/orders' && request.method === 'POST') {
      const order = { id: FIRST_ORDER + orders.size, state: 'open' };
      await textOf(request);
      orders.set(order.id, order);
      response.setHeader('Location', `/api/orders/${order.id}`);
      return sendJson(response, 201, order);
    }
    if (path === '/api/orders') return sendJson(response, 200, { page: Number(query.get('page') ?? 1), orders: [...orders.values()] });
    if (!orders.has(id)) return sendJson(response, 404, { error: 'There is no such order.' });
    if (request.method === 'DELETE') {
      orders.delete(id);
      return void response.writeHead(204).end();
    }
    if (request.method === 'PATCH') orders.set(id, { id, state: 'paid' });
    sendJson(response, 200, orders.get(id) ?? {});
  }
}

/** Serves other origins: the API with CORS, and a picture that any site may use. */
const apiHandler: RequestListener = (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://api/');
  const allowed = {
    'Access-Control-Allow-Origin': request.headers.origin ?? '*',
    'Access-Control-Allow-Headers': 'content-type, x-client',
    'Access-Control-Allow-Methods': 'GET, POST',
    'Access-Control-Max-Age': '0',
  };
  if (request.method === 'OPTIONS') return void response.writeHead(204, allowed).end();
  if (pathname === '/pixel.gif') return sendBytes(response, 'image/gif', PIXEL);
  if (pathname === '/widget.js') return sendBytes(response, 'text/javascript', Buffer.from('document.title += "!";\n'));
  response.writeHead(200, { ...allowed, 'Content-Type': 'application/json' }).end(JSON.stringify({ stock: 7, asked: request.method }));
};

/** Sends a text, compressed if the client accepts that, or 304 if the client already has the text's ETag. */
function sendText(request: IncomingMessage, response: ServerResponse, type: string, text: string): void {
  const etag = `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`;
  const headers = { ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding', ...visitorCookie(request) };
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const body = takesGzip ? gzipSync(text) : Buffer.from(text);
  response.writeHead(200, {
    ...headers,
    'Content-Type': type,
    'Content-Length': body.length,
    ...(takesGzip ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(body);
}

function visitorCookie(request: IncomingMessage): Record<string, string> {
  return request.headers.cookie === undefined ? { 'Set-Cookie': `visitor=${randomUUID()}; Path=/; HttpOnly; SameSite=Lax` } : {};
}

function sendBytes(response: ServerResponse, type: string, bytes: Buffer): void {
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': bytes.length, 'Cache-Control': 'public, max-age=600' }).end(bytes);
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
