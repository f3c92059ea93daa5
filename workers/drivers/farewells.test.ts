import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Farewells } from './stageLoad.ts';

const LAST_BYTES = Buffer.from('bye');
const SECOND_US = 1_000_000;

interface ConnectionEnds {
  readonly near: readonly Socket[];
  readonly received: string[];
  /** Closes the server's side of all connections. */
  hangUp(): void;
}

/** Opens connections to a server that reads and never closes by itself. */
async function openConnections(count: number): Promise<ConnectionEnds> {
  const far: Socket[] = [];
  const received: string[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    far.push(socket);
    socket.on('data', (data) => received.push(data.toString()));
    socket.on('error', ({ message }) => received.push(message));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const near = Array.from({ length: count }, () => connect(port, '127.0.0.1').resume());
  await Promise.all(near.map((socket) => once(socket, 'connect')));
  await expect.poll(() => far.length).toBe(count);
  onTestFinished(() => {
    for (const socket of [...near, ...far]) socket.destroy();
    server.close();
  });
  return { near, received, hangUp: () => far.forEach((socket) => socket.end()) };
}

it('Farewells sends the last bytes and ends when the servers have closed', async () => {
  const { near, received, hangUp } = await openConnections(3);
  const farewells = new Farewells(() => 0);
  for (const socket of near) farewells.closeAfter(socket, LAST_BYTES);
  let isOver = false;
  const over = farewells.waitUntilClosed().then(() => (isOver = true));
  await expect.poll(() => received).toEqual(['bye', 'bye', 'bye']);
  expect(near.some(({ destroyed }) => destroyed)).toBe(false);
  expect(isOver).toBe(false);
  hangUp();
  await over;
  expect(near.every(({ destroyed }) => destroyed)).toBe(true);
});

it('Farewells waits one second for servers that do not close', async () => {
  const { near, received } = await openConnections(3);
  let nowUs = 0;
  const farewells = new Farewells(() => nowUs);
  for (const socket of near) farewells.closeAfter(socket, LAST_BYTES);
  await expect.poll(() => received.length).toBe(3);
  nowUs = SECOND_US - 1;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(near.some(({ destroyed }) => destroyed)).toBe(false);
  nowUs = SECOND_US;
  await farewells.waitUntilClosed();
  expect(near.every(({ destroyed }) => destroyed)).toBe(true);
});

it('Farewells ends many connections in batches', async () => {
  const { near, received } = await openConnections(450);
  const sizes: number[] = [];
  let size = 0;
  const endTurn = (): void => {
    sizes.push(size);
    size = 0;
  };
  const farewells = new Farewells(() => 0);
  for (const socket of near) {
    const write = socket.write.bind(socket);
    socket.write = (words: Uint8Array | string) => {
      if (size === 0) setImmediate(endTurn);
      size += 1;
      return write(words);
    };
    farewells.closeAfter(socket, LAST_BYTES);
  }
  await expect.poll(() => received.length).toBe(450);
  expect(sizes).toEqual([200, 200, 50]);
});

it('Farewells ignores destroyed sockets', async () => {
  const { near, received } = await openConnections(1);
  const farewells = new Farewells(() => 0);
  for (const socket of near) farewells.closeAfter(socket.destroy(), LAST_BYTES);
  await farewells.waitUntilClosed();
  expect(received).toEqual([]);
});
