import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface TargetOptions {
  /** Whether the connection is closed after every response. */
  readonly close?: boolean;
  readonly status?: number;
  /** Mean response time in ms. With 0, the server responds at once. */
  readonly delayMs?: number;
}

/** A server that counts its requests. */
export interface TestTarget {
  readonly url: string;
  /** Number of requests whose head has arrived. */
  readonly requests: number;
  /** Headers of the last request. */
  readonly lastHeaders: Readonly<Record<string, string | string[] | undefined>>;
  /** Resolves when this many requests have arrived. */
  reached(requests: number): Promise<void>;
}

export async function startTarget(options: TargetOptions = {}): Promise<TestTarget> {
  const { close = false, status = 200, delayMs = 0 } = options;
  let requests = 0;
  let lastHeaders: TestTarget['lastHeaders'] = {};
  const waiting: { count: number; resolve: () => void }[] = [];
  const reply = (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'text/plain', 'content-length': 5, ...(close ? { connection: 'close' } : {}) });
    response.end('hello');
  };
  const server = createServer((request, response) => {
    requests += 1;
    lastHeaders = request.headers;
    for (const { count, resolve } of waiting) if (requests >= count) resolve();
    if (delayMs > 0) setTimeout(reply, delayMs * (0.5 + Math.random()), response);
    else reply(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `http://127.0.0.1:${address.port}/`,
    get requests() {
      return requests;
    },
    get lastHeaders() {
      return lastHeaders;
    },
    reached: (count) =>
      new Promise((resolve) => {
        if (requests >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}

/** Returns a URL with a port on which nothing listens. */
export async function deadUrl(): Promise<string> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('The server had no address.');
  return `http://127.0.0.1:${address.port}/`;
}
