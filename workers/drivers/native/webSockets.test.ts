import { createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws';
import type { StreamCount } from '#core/measurement/window.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { driveThreads, type ThreadsDriven, type ThreadsOptions, type CallCounts } from './paced/testing/driveThreads.ts';

type StreamInput = NonNullable<PlanInput['journey'][number]['stream']>;

interface WebSocketLoad {
  readonly options?: ServerOptions;
  /** Number of bytes that a socket of the server buffers while the socket is paused. */
  readonly readsAhead?: number;
  readonly users?: number;
  readonly plan?: Partial<PlanInput>;
  readonly load?: ThreadsOptions['load'];
  readonly until?: ThreadsOptions['until'];
}

/** Maximum duration of a load that ends as soon as the expected events have happened. */
const LONG_SECONDS = 30;
const isOpen = ({ streamOpened }: CallCounts): boolean => streamOpened > 0;
const hasEnded = ({ streamEnded }: CallCounts): boolean => streamEnded > 0;

const PING = Buffer.alloc(125);
const LARGE = Buffer.alloc(262_144);

/** Drives users who hold a WebSocket on a server of the `ws` package. */
async function driveWebSockets(
  stream: Omit<StreamInput, 'kind'>,
  onSocket: (socket: WebSocket, request: IncomingMessage, all: ReadonlySet<WebSocket>) => void,
  { options = {}, readsAhead = 65_536, users = 3, plan = {}, load, until = isOpen }: WebSocketLoad = {},
) {
  let requests = 0;
  const server = createServer({ highWaterMark: readsAhead }, (_, response) => response.writeHead(404).end());
  const sockets = new WebSocketServer({ server, path: '/chat', ...options });
  sockets.on('connection', (socket, request) => {
    requests += 1;
    socket.on('error', () => {});
    onSocket(socket, request, sockets.clients);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const driven = await driveThreads({
    targets: [`http://127.0.0.1:${port}/`],
    load: load ?? { model: 'users', stages: [{ users, seconds: LONG_SECONDS }] },
    ...(load === undefined ? { until } : {}),
    plan: { journey: [{ name: 'chat', path: '/chat', stream: { kind: 'websocket', ...stream } }], ...plan },
  });
  return { driven, requests: () => requests };
}

function makeStreams({ cell }: ThreadsDriven): StreamCount {
  if (cell.streams === undefined) throw new Error('No stream was counted.');
  return cell.streams;
}

describe('listeners of a WebSocket', () => {
  it.each([
    ['plain', {}],
    ['compressed', { perMessageDeflate: { threshold: 0 } }],
  ] as const)('send messages and receive those of all users: %s', async (_name, options) => {
    let received = 0;
    const { driven } = await driveWebSockets(
      { send: { messages: ['{"at":{{now}},"text":"hello, hello, hello"}'], everySeconds: 0.1 }, sentAt: { from: 'data', path: '$.at' } },
      (socket, _request, all) =>
        socket.on('message', (data, isBinary) => {
          received += 1;
          for (const one of all) one.send(data, { binary: isBinary });
        }),
      {
        options,
        until: ({ messageSent, eventReceived }) => messageSent >= 12 && eventReceived > 2 * messageSent,
        plan: {
          variables: { now: { kind: 'timestamp' } },
          journey: [
            {
              name: 'chat',
              path: '/chat',
              stream: {
                kind: 'websocket',
                send: { messages: ['{"at":{{now}},"text":"hello, hello, hello"}'], everySeconds: 0.1 },
                sentAt: { from: 'data', path: '$.at' },
              },
            },
          ],
        },
      },
    );
    const streams = makeStreams(driven);
    expect(driven.discrepancies(3)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 3 });
    expect(driven.cell.statuses).toEqual(new Map([[101, 3]]));
    expect(streams).toMatchObject({ opened: 3, left: 3, ended: 0, lost: 0 });
    expect(streams.sent).toBeGreaterThanOrEqual(12);
    // Each user sends a message immediately, and then every 0.1 s.
    expect(driven.elapsedUs).toBeGreaterThan((streams.sent / 3 - 1) * 100_000);
    await expect.poll(() => received).toBe(streams.sent);
    expect(streams.events).toBeGreaterThan(2 * streams.sent);
    expect(driven.cell.times.eventDelay?.totalCount).toBe(streams.events);
  });

  it('send a close frame when they leave, and respond to pings', async () => {
    const log: string[] = [];
    await driveWebSockets(
      {},
      (socket) => {
        socket.ping('are you there');
        socket.on('pong', (data) => log.push(`pong ${data.toString()}`));
        socket.on('close', (code) => log.push(`close ${code}`));
      },
      { users: 1, until: () => log.length > 0 },
    );
    await expect.poll(() => log).toEqual(['pong are you there', 'close 1000']);
  });

  it('send all their messages before they leave a server that keeps sending', async () => {
    const faults: string[] = [];
    const deaf = new Set<WebSocket>();
    let received = 0;
    let isLate = false;
    const listenAgain = (): void => {
      isLate = true;
      for (const socket of deaf) socket.resume();
    };
    const { driven } = await driveWebSockets(
      { send: { messages: ['one', 'two', 'three'], everySeconds: 0.1 } },
      (socket) => {
        deaf.add(socket);
        // The server sends without reading until the users have left.
        socket.on('message', () => {
          received += 1;
          if (!isLate) socket.pause();
        });
        const flood = setInterval(() => {
          if (socket.bufferedAmount < LARGE.length) socket.send(LARGE);
        }, 1);
        socket.on('error', ({ message }) => faults.push(message));
        socket.on('close', (code) => {
          clearInterval(flood);
          if (code !== 1000) faults.push(`close ${code}`);
        });
      },
      {
        users: 5,
        readsAhead: 1,
        until: ({ messageSent }) => {
          const isOver = messageSent >= 45;
          if (isOver) setTimeout(listenAgain, 200);
          return isOver;
        },
      },
    );
    const streams = makeStreams(driven);
    await expect.poll(() => received).toBe(streams.sent);
    expect(faults).toEqual([]);
    expect(streams).toMatchObject({ opened: 5, left: 5, ended: 0, lost: 0 });
    expect(driven.discrepancies(5)).toEqual([]);
  });

  it('lose the connection to a server that sends floods of pings and reads nothing', async () => {
    const { driven } = await driveWebSockets(
      {},
      (socket) => {
        socket.pause();
        const flood = setInterval(() => {
          while (socket.readyState === socket.OPEN && socket.bufferedAmount === 0) for (let n = 0; n < 500; n += 1) socket.ping(PING);
        }, 5);
        socket.on('close', () => clearInterval(flood));
      },
      { users: 1, until: hasEnded },
    );
    expect(makeStreams(driven)).toMatchObject({ opened: 1, lost: 1, ended: 0 });
  });

  it('reconnect with a new key if the server closes', async () => {
    const keys = new Set<string | undefined>();
    const { driven, requests } = await driveWebSockets(
      {},
      (socket, { headers }) => {
        keys.add(headers['sec-websocket-key']);
        socket.send('hello');
        if (keys.size === 1) setTimeout(() => socket.close(1001, 'restart'), 50);
      },
      { users: 1, until: ({ eventReceived }) => eventReceived >= 2 },
    );
    expect(requests()).toBe(2);
    expect(keys.size).toBe(2);
    expect(makeStreams(driven)).toMatchObject({ opened: 2, reopened: 1, ended: 1, left: 1, events: 2 });
  });

  it('count a connection that the server terminates as lost or ended', async () => {
    const { driven } = await driveWebSockets({}, (socket) => void setTimeout(() => socket.terminate(), 50), { users: 1, until: hasEnded });
    expect(makeStreams(driven).ended + makeStreams(driven).lost).toBe(1);
  });

  it('request subprotocols, and accept the one that the server chooses', async () => {
    const chosen: string[] = [];
    const { driven } = await driveWebSockets({ protocols: ['graphql-ws', 'chat'] }, ({ protocol }) => chosen.push(protocol), {
      users: 1,
      options: { handleProtocols: () => 'chat' },
    });
    expect(chosen).toEqual(['chat']);
    expect(driven.cell.outcomes).toEqual({ ok: 1 });
  });

  it('do not hold a response that does not open a WebSocket', async () => {
    const { driven } = await driveWebSockets({}, () => {}, {
      users: 1,
      until: ({ requestCompleted, requestFailed }) => requestCompleted + requestFailed > 0,
      plan: { journey: [{ name: 'chat', path: '/elsewhere', stream: { kind: 'websocket' } }] },
    });
    expect(driven.cell.streams).toBeUndefined();
    expect(driven.cell.outcomes.ok ?? 0).toBe(0);
  });

  it('do not open a WebSocket if a message lacks a value', async () => {
    const { driven, requests } = await driveWebSockets({ send: { messages: ['{{token}}'] } }, () => {}, {
      users: 1,
      until: ({ requestFailed }) => requestFailed > 0,
    });
    expect(requests()).toBe(0);
    expect(Object.keys(driven.cell.errors)).toEqual(['NO_VALUE {{token}}@build']);
    expect(driven.cell.streams).toBeUndefined();
  });

  it('hold WebSockets in a load of fixed connections', async () => {
    const { driven } = await driveWebSockets({ seconds: 0.5 }, (socket) => socket.send('hello'), {
      load: { model: 'connections', stages: [{ connections: 2, requests: 6 }] },
    });
    expect(makeStreams(driven)).toMatchObject({ opened: 6, left: 6, events: 6 });
  });
});
