import { once } from 'node:events';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { calls, streams } from '#contract/api.ts';
import { createClient } from '#contract/rpc/client.ts';
import { type Hello, WELCOME } from '#contract/rpc/frames.ts';
import { type Port, portPair } from '#contract/rpc/port.ts';
import { type Handlers, serve } from '#contract/rpc/server.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { type ServedBackend, type ServerOptions, startServer, type WebServer } from '../startServer.ts';

function handlersFor(dataDirectory: string): Handlers {
  const rejectCall = (): never => {
    throw new Error('this test asks for nothing but app.info and runs.active');
  };
  const handlers = {
    calls: {
      ...Object.fromEntries(Object.keys(calls).map((name) => [name, rejectCall])),
      'app.info': () => ({
        version: '0.0.0',
        nodeVersion: process.version,
        platform: process.platform,
        hostname: 'here',
        cores: 2,
        dataDirectory,
        logFile: join(dataDirectory, 'log'),
        notice: null,
      }),
    },
    streams: { ...Object.fromEntries(Object.keys(streams).map((name) => [name, rejectCall])), 'runs.active': () => () => {} },
  };
  return handlers as unknown as Handlers;
}

export interface ServedPage extends AsyncDisposable {
  readonly server: WebServer;
  readonly directory: string;
  readonly dataDirectory: string;
  /** The backend. {@link servedPage} serves it at once; {@link servedPageWithoutBackend} does not serve it. */
  readonly backend: ServedBackend;
  /** Connections that reached the backend. */
  readonly connections: Port[];
}

interface PageOptions extends Partial<ServerOptions> {
  /** HTML of the page. */
  readonly index?: string;
}

/**
 * Starts a real server with a small page. A file with a secret is beside the page's folder, and a link in the folder leads to that file.
 */
export async function servedPage(options: PageOptions = {}): Promise<ServedPage> {
  const page = await servedPageWithoutBackend(options);
  await page.server.serve(page.backend);
  return page;
}

/** Like {@link servedPage}, but without a backend at first. */
export async function servedPageWithoutBackend({
  index = '<!doctype html><title>Holdfast</title>',
  ...options
}: PageOptions = {}): Promise<ServedPage> {
  const directory = temporaryDirectory();
  const uiDirectory = join(directory, 'ui');
  await mkdir(join(uiDirectory, 'assets'), { recursive: true });
  await writeFile(join(uiDirectory, 'index.html'), index);
  await writeFile(join(uiDirectory, 'assets', 'index-1.js'), 'export {};');
  await writeFile(join(directory, 'secret.txt'), 'a secret');
  await symlink(join(directory, 'secret.txt'), join(uiDirectory, 'link.txt'));
  const dataDirectory = join(directory, 'data');
  const handlers = handlersFor(dataDirectory);
  const connections: Port[] = [];
  const backend: ServedBackend = {
    connect(port) {
      connections.push(port);
      serve(port, handlers);
    },
    client() {
      const [ours, theirs] = portPair();
      serve(theirs, handlers);
      return createClient(ours);
    },
  };
  const server = await startServer({ uiDirectory, ...options });
  return {
    server,
    backend,
    directory,
    dataDirectory,
    connections,
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}

export interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends one request exactly as given. Unlike fetch, this changes neither the path nor the Host header. */
export function ask(port: number, path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return new Promise((resolve, reject) => {
    const clientRequest = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
    });
    clientRequest.on('error', reject);
    clientRequest.end();
  });
}

/** Returns the token in the printed address. */
export function makeToken(server: WebServer): string {
  return new URLSearchParams(new URL(server.url).hash.slice(1)).get('token') ?? '';
}

export interface Attempt {
  readonly origin?: string | null;
  readonly cookie?: string;
  readonly host?: string;
  readonly path?: string;
}

/** Opens a WebSocket like the page, with the given changes. Returns the WebSocket, or the status with which it was rejected. */
export async function openSocket({ port }: WebServer, { origin, cookie, host, path = '/rpc' }: Attempt = {}): Promise<WebSocket | number> {
  const from = origin === undefined ? `http://127.0.0.1:${port}` : origin;
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, {
    headers: { ...(from !== null && { origin: from }), ...(cookie !== undefined && { cookie }), ...(host !== undefined && { host }) },
  });
  return await new Promise((resolve, reject) => {
    socket.once('open', () => resolve(socket));
    socket.once('unexpected-response', (clientRequest, response) => {
      clientRequest.destroy();
      resolve(response.statusCode ?? 0);
    });
    socket.once('error', reject);
  });
}

/** Opens a WebSocket like the page, but sends nothing. */
export async function openUnadmittedSocket(server: WebServer): Promise<WebSocket> {
  const socket = await openSocket(server);
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
  socket.on('error', () => {});
  return socket;
}

/** Opens a WebSocket and sends the token. */
export async function openAdmittedSocket(server: WebServer): Promise<WebSocket> {
  const socket = await openUnadmittedSocket(server);
  socket.send(JSON.stringify({ type: 'hello', token: makeToken(server) } satisfies Hello));
  const [welcome] = await once(socket, 'message');
  if (String(welcome) !== WELCOME) throw new Error(`not let in: ${String(welcome)}`);
  return socket;
}
