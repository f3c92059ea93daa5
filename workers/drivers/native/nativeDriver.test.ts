import { afterEach, describe, expect, it } from 'vitest';
import { driveNative, NativeDrive, nativeStep } from './testing/driveNative.ts';
import { type Response, OK, OK_AND_CLOSE, ScriptedServer } from './testing/scriptedServer.ts';

const servers: ScriptedServer[] = [];
async function serve(response: Response): Promise<ScriptedServer> {
  const server = new ScriptedServer(response);
  servers.push(server);
  await server.listen();
  return server;
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const respondOk: Response = ({ socket }) => void socket.write(OK);

describe("native driver: its counts and the server's", () => {
  it('match for a fixed number of requests', async () => {
    const server = await serve(respondOk);
    const figures = await driveNative({ url: server.url, connections: 7, journeys: 1_000 });
    expect(figures).toMatchObject({ sent: 1_000, outcomes: { ok: 1_000 }, statuses: { 200: 1_000 }, errors: {}, inFlight: 0 });
    expect(figures).toMatchObject({ connectionsOpened: 7, onReusedConnection: 993, bodyBytes: 5_000 });
    expect(server.log).toHaveLength(1_000);
    expect(server.connections).toBe(7);
  });

  it('match for a load that is stopped', async () => {
    const server = await serve(respondOk);
    const drive = new NativeDrive({ url: server.url, connections: 5 });
    drive.start();
    await server.seen(800);
    drive.driver.drain('over');
    await drive.driver.done;
    const figures = drive.end();
    expect(figures.sent).toBe(server.log.length);
    expect(figures.outcomes).toEqual({ ok: server.log.length });
    expect(figures.inFlight).toBe(0);
  });

  it('match for a server that closes after every response', async () => {
    const server = await serve(({ socket }) => void socket.end(OK_AND_CLOSE));
    const figures = await driveNative({ url: server.url, connections: 4, journeys: 300 });
    expect(figures).toMatchObject({ sent: 300, outcomes: { ok: 300 }, errors: {}, connectionsOpened: 300, onReusedConnection: 0 });
    expect(server.log).toHaveLength(300);
  });

  it('match for a server that closes after every 100 requests', async () => {
    const server = await serve(({ socket, onConnection }) => void (onConnection === 100 ? socket.end(OK_AND_CLOSE) : socket.write(OK)));
    const figures = await driveNative({ url: server.url, connections: 4, journeys: 2_000 });
    expect(figures).toMatchObject({ sent: 2_000, outcomes: { ok: 2_000 }, errors: {} });
    expect(server.log).toHaveLength(2_000);
  });

  it('match for a server that closes after every 20 requests without notice: unread requests are sent again', async () => {
    const server = await serve(({ socket, onConnection }) => {
      socket.write(OK);
      if (onConnection === 20) socket.destroySoon();
    });
    const figures = await driveNative({ url: server.url, connections: 4, journeys: 400 });
    expect(figures).toMatchObject({ sent: 400, outcomes: { ok: 400 }, errors: {} });
    expect(server.log).toHaveLength(400);
  });

  it('match for a server that resets every 7th request', async () => {
    const server = await serve(({ socket, number }) => void (number % 7 === 0 ? socket.resetAndDestroy() : socket.write(OK)));
    const steps = [nativeStep(server.url, '', {}, 'POST')];
    const figures = await driveNative({ url: server.url, connections: 3, journeys: 210, steps });
    expect(figures).toMatchObject({ sent: 210, outcomes: { ok: 180, reset: 30 }, errors: { 'ECONNRESET@firstByte': 30 } });
    expect(server.log).toHaveLength(210);
    expect(figures.journeys).toEqual({ started: 210, finished: 180, abandoned: 30 });
  });

  it('match for a closed port, where back-off limits the number of attempts', async () => {
    const server = await serve(respondOk);
    const { url } = server;
    await server.close();
    servers.splice(0);
    const figures = await driveNative({ url, connections: 2, journeys: 6 });
    expect(figures).toMatchObject({ sent: 6, outcomes: { refused: 6 }, errors: { 'ECONNREFUSED@connect': 6 }, connectionsOpened: 0 });
  });

  it('match for unexpected statuses', async () => {
    const server = await serve(({ socket, number }) => {
      socket.write(number % 2 === 0 ? 'HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n' : OK);
    });
    const figures = await driveNative({ url: server.url, connections: 1, journeys: 10 });
    expect(figures).toMatchObject({ outcomes: { ok: 5, httpError: 5 }, statuses: { 200: 5, 503: 5 } });
  });

  it('match for a server that sends surplus bytes: the driver drops them and reconnects', async () => {
    const server = await serve(({ socket }) => void socket.write(`${OK}HTTP/1.1 500 Not Yours\r\nContent-Length: 0\r\n\r\n`));
    const figures = await driveNative({ url: server.url, connections: 1, journeys: 20 });
    expect(figures).toMatchObject({ sent: 20, outcomes: { ok: 20 }, connectionsOpened: 20 });
    expect(server.log).toHaveLength(20);
  });
});

describe('native driver: forms of responses', () => {
  it('reads chunked, interim, unframed, HTTP/1.0 and slow responses', async () => {
    const responses = [
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX: y\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
      'HTTP/1.1 204 No Content\r\n\r\n',
      'HTTP/1.0 200 OK\r\n\r\nhello',
    ];
    const server = await serve(({ socket, number }) => {
      const text = responses[number % responses.length] ?? '';
      if (text.startsWith('HTTP/1.0')) socket.end(text);
      else drip(socket, text);
    });
    const figures = await driveNative({ url: server.url, connections: 1, journeys: 40 });
    expect(figures).toMatchObject({ sent: 40, outcomes: { ok: 40 }, statuses: { 200: 30, 204: 10 }, bodyBytes: 150 });
  });

  it('reads a response to HEAD, which has a length and no body', async () => {
    const server = await serve(({ socket }) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n'));
    const steps = [nativeStep(server.url, '', {}, 'HEAD')];
    const figures = await driveNative({ url: server.url, connections: 2, journeys: 50, steps });
    expect(figures).toMatchObject({ outcomes: { ok: 50 }, bodyBytes: 0, connectionsOpened: 2 });
    expect(new Set(server.log)).toEqual(new Set(['HEAD / HTTP/1.1']));
  });

  it('measures the time to the last byte, and to the first byte separately', async () => {
    const holdsMs = [30, 60];
    const server = await serve(({ socket }) => {
      setTimeout(() => socket.write('HTTP/1.1 200 OK\r\n'), holdsMs[0]);
      setTimeout(() => socket.write('Content-Length: 0\r\n\r\n'), holdsMs[1]);
    });
    const { service, firstByte } = await driveNative({ url: server.url, connections: 3, journeys: 12 });
    // A timer of Node may fire a millisecond early. A busy machine only makes both times longer.
    expect(service.totalCount).toBe(12);
    expect(service.minNonZeroValue).toBeGreaterThan(58_000);
    expect(firstByte.minNonZeroValue).toBeGreaterThan(28_000);
    expect(firstByte.minNonZeroValue).toBeLessThan(service.minNonZeroValue);
  });

  it('reports the Server header of the first response', async () => {
    const server = await serve(respondOk);
    const drive = new NativeDrive({ url: server.url, journeys: 3 });
    await drive.run();
    expect(drive.software).toBe('scripted');
  });
});

describe('native driver: connections', () => {
  it('opens one for each journey or for each request, as configured', async () => {
    const server = await serve(({ socket, head }) => void (head.includes('close') ? socket.end(OK_AND_CLOSE) : socket.write(OK)));
    const steps = [nativeStep(server.url, 'a'), nativeStep(server.url, 'b'), nativeStep(server.url, 'c')];
    const perJourney = await driveNative({ url: server.url, connections: 2, journeys: 10, steps, reuse: 'journey' });
    expect(perJourney).toMatchObject({ sent: 30, outcomes: { ok: 30 }, connectionsOpened: 10, journeys: { started: 10, finished: 10 } });
    const closing = [nativeStep(server.url, 'a', { Connection: 'close' })];
    const perRequest = await driveNative({ url: server.url, connections: 2, journeys: 10, steps: closing, reuse: 'never' });
    expect(perRequest).toMatchObject({ sent: 10, outcomes: { ok: 10 }, connectionsOpened: 10 });
    expect(server.log).toHaveLength(40);
  });

  it('leaves requests in flight outstanding if the load is aborted', async () => {
    const server = await serve(() => {});
    const drive = new NativeDrive({ url: server.url, connections: 3 });
    drive.start();
    await server.seen(3);
    drive.driver.abort();
    await drive.driver.done;
    expect(drive.end()).toMatchObject({ sent: 3, outcomes: {}, inFlight: 3 });
  });
});

function drip(socket: Parameters<Response>[0]['socket'], text: string): void {
  const [first = '', ...rest] = text.match(/[\s\S]{1,7}/g) ?? [];
  socket.write(first, () => {
    if (rest.length > 0) drip(socket, rest.join(''));
  });
}
