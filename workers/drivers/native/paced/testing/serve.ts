import type { RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

/** A server for the test that asks for it; left out, it says hello to everything. */
export async function serve(listener: RequestListener = (_, response) => response.end('hello')): Promise<TestServer> {
  const server = await httpServer(listener);
  onTestFinished(() => server.close());
  return server;
}
