import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface CountingServer {
  readonly url: string;
  served(): number;
}

/** Starts a server that responds “hello” and counts the requests. The server is closed after the test. */
export async function countingServer(): Promise<CountingServer> {
  let served = 0;
  const server = createServer((_request, response) => {
    served += 1;
    response.end('hello');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, served: () => served };
}
