import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { PATH_LIMITS } from '#core/machines/checks/path/schema.ts';
import { measurePath } from './measurePath.ts';

let server: Server;
let sent = 0;

async function serving(bytes: number): Promise<string> {
  sent = 0;
  const body = Buffer.alloc(bytes, 'x');
  server = createServer((_request, response) => {
    sent += 1;
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

it('measurePath stops at its limit of bytes, and reports how many it received', async () => {
  const reading = await measurePath(await serving(200_000));
  expect(reading.failure).toBeNull();
  expect(reading.bytes).toBeGreaterThanOrEqual(PATH_LIMITS.bytes);
  // Data that is in transit on each connection may arrive together with the chunk that reaches the limit.
  expect(reading.bytes).toBeLessThan(PATH_LIMITS.bytes + 1_000_000);
  expect(reading.responses).toBeLessThanOrEqual(sent);
  expect(reading.respondedBytes).toBe(200_000 * reading.responses);
  expect(reading.megabits).toBeGreaterThan(0);
});

it('measurePath stops at its limit of responses if they are small, and reports no rate', async () => {
  const reading = await measurePath(await serving(50));
  expect([sent, reading.responses]).toEqual([PATH_LIMITS.responses, PATH_LIMITS.responses]);
  expect([reading.bytes, reading.respondedBytes]).toEqual([50 * PATH_LIMITS.responses, 50 * PATH_LIMITS.responses]);
  expect(reading).toMatchObject({ megabits: null, isFull: false, failure: null });
});

it('measurePath reports why it received nothing', async () => {
  const address = await serving(50);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  expect(await measurePath(address)).toMatchObject({
    megabits: null,
    bytes: 0,
    responses: 0,
    failure: expect.stringContaining('ECONNREFUSED'),
  });
});
