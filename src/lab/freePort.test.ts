import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort } from './freePort.ts';

it('freePort returns a port below the ephemeral range', async () => {
  const server = createServer();
  for (let round = 0; round < 20; round += 1) {
    const port = await freePort();
    await once(server.listen(port, '127.0.0.1'), 'listening');
    await once(server.close(), 'close');
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_768);
  }
});

it('freePort returns consecutive free ports', async () => {
  const first = await freePort(4);
  const servers = Array.from({ length: 4 }, (_, index) => createServer().listen(first + index, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  for (const server of servers) server.close();
});
