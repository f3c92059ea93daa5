import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { forward } from './forward.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const MEGABYTE = 1_024 * 1_024;
const SENT_BYTES = 64 * MEGABYTE;

/** Opens a line with a delay, and returns both ends. The far end is paused until the test reads from it. */
async function openLine(delayMs: number): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ pauseOnConnect: true });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const there = await forward({ port: 0, host: '127.0.0.1' }, { port, host: '127.0.0.1' }, delayMs);
  closing.push(() => there.close());
  const near = connect({ port: there.port, host: '127.0.0.1' });
  const [far]: Socket[] = await once(server, 'connection');
  if (far === undefined) throw new Error('Nobody came.');
  closing.push(
    () => far.destroy(),
    () => near.destroy(),
  );
  return { near, far };
}

describe.each([0, 20])('a line with a delay of %s ms', (delayMs) => {
  it('stops reading while the receiver does not read, and then delivers everything', async () => {
    const { near, far } = await openLine(delayMs);
    near.end(Buffer.alloc(SENT_BYTES, 'x'));
    let remaining = Number.NaN;
    await expect
      .poll(
        () => {
          const before = remaining;
          remaining = near.writableLength;
          return remaining === before;
        },
        { interval: 500, timeout: 20_000 },
      )
      .toBe(true);
    // The system buffers of three sockets hold some data, and the line holds data in flight, so these bytes may have left the sender.
    expect(remaining).toBeGreaterThan(SENT_BYTES - 40 * MEGABYTE);
    let came = 0;
    far.on('data', (chunk) => (came += chunk.length));
    far.resume();
    await once(far, 'end');
    expect(came).toBe(SENT_BYTES);
  });
});
