import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { runPart } from '#lab/supervisor/part.ts';

const settingsSchema = z.object({ kind: z.enum(['events', 'websocket']), eventsPerSecond: z.int(), groups: z.int(), cut: z.int() });

/** The publisher's log. Delays are from the timestamp of an event until the kernel accepted the event for a listener, in whole µs. */
export interface PushLog {
  readonly opened: number;
  readonly written: number;
  readonly cut: number;
  readonly delayUs: { readonly p50: number; readonly p99: number };
}

/** Maximum delay that is recorded. Longer delays are recorded as this value. */
const MAX_DELAY_US = 1_000_000;

const nowUs = (): number => (performance.timeOrigin + performance.now()) * 1_000;

function frameEvent(kind: 'websocket' | 'events', at: number, number: number): Buffer {
  const json = `{"at":${Math.round(at)},"n":${number}}`;
  if (kind === 'websocket') return Buffer.concat([Buffer.from([0x81, json.length]), Buffer.from(json)]);
  const event = `data: ${json}\n\n`;
  return Buffer.from(`${event.length.toString(16)}\r\n${event}\r\n`);
}

/**
 * Pushes events to many listeners. Each event is sent to one group of listeners, in turn, and contains its time (µs since 1970) and its
 * number within the group. `/log` returns a `PushLog`, `/cut` ends the configured number of streams, and `/forget` empties the log.
 */
await runPart(async (input) => {
  const { kind, eventsPerSecond, groups, cut } = settingsSchema.parse(input);
  const members = Array.from({ length: groups }, () => new Set<Socket>());
  const numbers = members.map(() => 0);
  const delays = new Uint32Array(MAX_DELAY_US + 1);
  const counts = { opened: 0, written: 0, cut: 0 };

  const join = (socket: Socket): void => {
    const group = members[counts.opened % groups];
    counts.opened += 1;
    group?.add(socket);
    socket.once('close', () => group?.delete(socket)).on('error', () => {});
  };
  let turn = 0;
  const publish = (): void => {
    const at = nowUs();
    const group = turn % groups;
    turn += 1;
    const number = (numbers[group] = (numbers[group] ?? 0) + 1);
    const bytes = frameEvent(kind, at, number);
    for (const socket of members[group] ?? []) {
      socket.write(bytes);
      const took = Math.min(MAX_DELAY_US, Math.round(nowUs() - at));
      delays[took] = (delays[took] ?? 0) + 1;
      counts.written += 1;
    }
  };
  const cutConnections = (): void => {
    for (const socket of members.flatMap((group) => [...group]).slice(0, cut)) {
      socket.resetAndDestroy();
      counts.cut += 1;
    }
  };
  const rankUs = (percentile: number): number => {
    let remaining = (counts.written * percentile) / 100;
    return Math.max(
      0,
      delays.findIndex((count) => (remaining -= count) <= 0),
    );
  };

  const server = createServer((request, response) => {
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('retry: 200\n\n');
      join(request.socket);
      return;
    }
    if (request.url === '/cut') cutConnections();
    if (request.url === '/forget') {
      delays.fill(0);
      counts.written = 0;
    }
    const log: PushLog = { ...counts, delayUs: { p50: rankUs(50), p99: rankUs(99) } };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(log));
  });
  if (kind === 'websocket') {
    const sockets = new WebSocketServer({ noServer: true });
    server.on('upgrade', (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (openedSocket) => {
        openedSocket.on('error', () => {});
        join(socket as Socket);
      });
    });
  }
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4_096 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const timer = setInterval(publish, 1_000 / eventsPerSecond);
  return {
    facts: { url: `http://127.0.0.1:${port}` },
    close: async () => {
      clearInterval(timer);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
});
