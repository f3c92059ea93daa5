import { afterEach, describe, expect, it } from 'vitest';
import { momentsUs } from '#core/statistics/latency.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { responseText, httpServer, rawServer, type TestServer } from '#workers/testing/servers.ts';

let server: TestServer;
afterEach(() => server.close());

describe('autocannon with a server that closes after each response', () => {
  it.each([{ requests: 630 }, { seconds: 0.5 }])('counts every request and response: %o', async (amount) => {
    server = await rawServer(({ socket }) => socket.end(responseText(11, ['Connection: close'])));
    const driven = await drive({ targets: [server.url], stage: { connections: 4, ...amount } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: server.requests });
    expect(driven.cell.connectionsOpened).toBe(server.requests);
    expect(driven.cell.requestsOnReusedConnection).toBe(0);
  });

  // Plain autocannon leaves the old request in its queue and times each response from an older start. Its p50 was 1,026 ms, the correct one
  // 12 ms. Times that overlap on a connection have a sum larger than the elapsed time.
  it('measures each time from the request that the response belongs to', async () => {
    server = await rawServer(({ socket }) => setTimeout(() => socket.end(responseText(11, ['Connection: close'])), 5));
    const driven = await drive({ targets: [server.url], stage: { connections: 4, requests: 100 } });
    const times = driven.cell.times.serviceOk;
    expect(times?.totalCount).toBe(100);
    expect((times === undefined ? 0 : momentsUs(times).mean) * 100).toBeLessThan(4 * driven.elapsedUs * 1.01);
  });

  it("lets the server close first, so that ports in TIME_WAIT are on the server's side", async () => {
    let closedByClient = 0;
    server = await rawServer(({ socket }) => {
      let closing = false;
      socket.on('end', () => (closedByClient += closing ? 0 : 1));
      socket.write(responseText(11, ['Connection: close']));
      setTimeout(() => {
        closing = true;
        socket.end();
      }, 20);
    });
    await drive({ targets: [server.url], stage: { connections: 2, requests: 20 } });
    // The connections of the last responses are closed at the end of the stage.
    expect(closedByClient).toBeLessThanOrEqual(6);
  });
});

describe('a server that closes connections after many requests', () => {
  // By default nginx sends `Connection: close` with every 1,000th response of a connection, Apache with every 100th. By then, plain
  // autocannon has sent the next request on that connection, and loses it.
  it.each([100, 1_000])('causes no lost request if it closes after every %i requests', async (every) => {
    server = await rawServer(({ socket, onConnection }) => {
      if (onConnection === every) socket.end(responseText(11, ['Connection: close']));
      else socket.write(responseText());
    });
    const driven = await drive({ targets: [server.url], stage: { connections: 3, requests: every * 5 + 7 } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: every * 5 + 7 });
    expect(driven.cell.connectionsOpened).toBe(server.connections);
  });

  // With autocannon's `reconnectRate`, the response that causes a reconnect is never reported: at a rate of 1, there are no responses.
  it('has its last response counted', async () => {
    server = await rawServer(({ socket }) => socket.end(responseText(5, ['Connection: close'])));
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 3 } });
    expect(driven.cell.statuses).toEqual(new Map([[200, 3]]));
    expect(driven.cell.bodyBytes).toBe(15);
  });

  it('receives one connection per request if the plan requires it', async () => {
    server = await httpServer((_, response) => response.end('hello'));
    const driven = await drive({ targets: [server.url], headers: { connection: 'close' }, stage: { connections: 3, requests: 30 } });
    expect(driven.cell.outcomes).toEqual({ ok: 30 });
    expect(server.connections).toBe(30);
  });
});

describe('a server that closes a connection early', () => {
  it('causes one reset for each request without a response', async () => {
    server = await rawServer(({ socket, inAll }) => (inAll % 5 === 0 ? socket.destroy() : socket.write(responseText())));
    const plan = { engine: 'autocannon' as const, journey: [{ name: 'hand in', method: 'POST' as const }] };
    const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 50 }, plan });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 40, reset: 10 });
    const errors = Object.entries(driven.cell.errors);
    expect(errors.map(([error]) => error).filter((error) => !/^(EOF|ECONNRESET|EPIPE)@firstByte$/.test(error))).toEqual([]);
    expect(errors.reduce((sum, [, count]) => sum + count, 0)).toBe(10);
  });

  it('within a body does not affect responses on the next connection', async () => {
    server = await rawServer(({ socket, inAll }) =>
      inAll % 2 === 1 ? socket.end(responseText(100).slice(0, -50)) : socket.write(responseText()),
    );
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 10 } });
    expect(driven.cell.outcomes).toEqual({ ok: 5, reset: 5 });
    expect(driven.cell.errors).toEqual({ 'EOF@body': 5 });
    expect(driven.cell.bodyBytes).toBe(5 * 11);
  });

  // In plain autocannon, old sockets keep their listeners after 'end', so one close opens two connections.
  it('causes one reconnect for each closed connection', async () => {
    server = await rawServer(({ socket }) => socket.destroy());
    const driven = await drive({ targets: [server.url], stage: { connections: 3, requests: 12 } });
    expect(server.connections).toBe(12);
    expect(server.peakConnections).toBeLessThanOrEqual(3);
    expect(driven.cell.connectionsOpened).toBe(12);
  });

  it('does not cause the loss of a response with `Connection: close`', async () => {
    server = await rawServer(({ socket }) => {
      setTimeout(() => {
        socket.write(responseText(11, ['Connection: close']));
        setTimeout(() => socket.resetAndDestroy(), 5);
      }, 15);
    });
    const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 20 } });
    expect(discrepancies(driven, 20)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 20 });
  });

  it('completes a response that has no length by closing', async () => {
    server = await rawServer(({ socket }) => socket.end('HTTP/1.0 200 OK\r\nServer: old/1.0\r\n\r\nhello'));
    const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 10 } });
    expect(driven.cell.outcomes).toEqual({ ok: 10 });
    expect(driven.cell.bodyBytes).toBe(50);
    expect(driven.server).toBe('old/1.0');
  });
});
