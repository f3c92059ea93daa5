import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

/** Starts a server that is closed after the current test. By default it responds with "hello". */
export async function serve(listener: RequestListener = (_, response) => response.end('hello')): Promise<TestServer> {
  const server = await httpServer(listener);
  onTestFinished(() => server.close());
  return server;
}
