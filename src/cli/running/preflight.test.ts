import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { requireReachable } from './preflight.ts';

async function startListener(): Promise<{ url: string; server: Server }> {
  const server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}/`, server };
}

async function checkReachable(...urls: string[]): Promise<void> {
  await requireReachable(
    planSchema.parse({
      holdfast: 1,
      name: 'x',
      targets: urls.map((url) => ({ url })),
      journey: [{ name: 'page' }],
      load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
    }),
  );
}

describe('requireReachable', () => {
  it('accepts servers that accept a connection', async () => {
    const { url, server } = await startListener();
    onTestFinished(() => void server.close());
    await expect(checkReachable(url)).resolves.toBeUndefined();
  });

  it('names every unreachable server with its own advice', async () => {
    const { url, server } = await startListener();
    server.close();
    await once(server, 'close');
    await expect(checkReachable(url, 'http://no-such-host.invalid/')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringMatching(/refused[\s\S]*no-such-host\.invalid does not resolve/),
      hint: expect.stringMatching(/Start the server[\s\S]*mistyped/),
    });
  });
});
