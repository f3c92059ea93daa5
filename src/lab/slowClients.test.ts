import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startSlowClients } from './slowClients.ts';
import type { Part } from './supervisor/part.ts';

const CLIENTS = 12;

let part: Part | undefined;
const server = createServer();
afterEach(async () => {
  await part?.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describe('slow clients', () => {
  it('hold the configured number of connections with endless requests, and reconnect when one is closed', async () => {
    const open = new Set<Socket>();
    let accepted = 0;
    let whole = 0;
    let lettersAtOnce = 0;
    server.on('request', () => {
      whole += 1;
    });
    server.on('connection', (socket: Socket) => {
      accepted += 1;
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('data', (data) => (lettersAtOnce = Math.max(lettersAtOnce, data.length)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    part = await startSlowClients({ host: '127.0.0.1', port, clients: CLIENTS });
    await expect.poll(() => open.size, { timeout: 30_000 }).toBe(CLIENTS);
    await expect.poll(() => lettersAtOnce, { timeout: 30_000 }).toBeGreaterThan(0);
    expect(lettersAtOnce, 'a few letters at a time').toBeLessThan(10);
    const [first] = open;
    first?.destroy();
    await expect.poll(() => accepted, { timeout: 30_000 }).toBe(CLIENTS + 1);
    await expect.poll(() => open.size, { timeout: 30_000 }).toBe(CLIENTS);
    expect(whole, 'no request was ever whole').toBe(0);
  });
});
