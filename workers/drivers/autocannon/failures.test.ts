import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from '#lab/freePort.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { responseText, httpServer, rawServer, type TestServer } from '#workers/testing/servers.ts';

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

describe('a closed port', () => {
  // Plain autocannon reconnects without a pause: it caused 19,270 errors in 3 s.
  it('is retried with growing pauses', async () => {
    const port = await freePort();
    const driven = await drive({ targets: [`http://127.0.0.1:${port}/`], stage: { connections: 4, seconds: 2 } });
    expect(driven.cell.started).toBeLessThan(40);
    expect(driven.cell.started).toBeGreaterThanOrEqual(8);
    expect(discrepancies(driven, 0)).toEqual([]);
    expect(driven.cell.errors).toEqual({ 'ECONNREFUSED@connect': driven.cell.started });
    expect(driven.cell.outcomes).toEqual({ refused: driven.cell.started });
  });

  it('ends a load of a fixed number of requests', async () => {
    const port = await freePort();
    const driven = await drive({ targets: [`http://127.0.0.1:${port}/`], stage: { connections: 5, requests: 10 } });
    expect(driven.cell.outcomes).toEqual({ refused: 10 });
    expect(driven.journeys).toMatchObject({ started: 10, finished: 0, abandoned: 10 });
  });

  it('delays only the connections to it', async () => {
    server = await httpServer((_, response) => response.end());
    const port = await freePort();
    const driven = await drive({ targets: [server.url, `http://127.0.0.1:${port}/`], stage: { connections: 2, seconds: 0.5 } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(server.requests).toBeGreaterThan((driven.cell.outcomes.refused ?? 0) * 5);
  });

  it('ends immediately if the run is stopped during a pause', async () => {
    const port = await freePort();
    const driven = await drive({
      targets: [`http://127.0.0.1:${port}/`],
      stage: { connections: 4, seconds: 600 },
      onRun: (run) => setTimeout(() => run.drain(), 700),
    });
    expect(driven.inFlight).toBe(0);
    expect(driven.elapsedUs).toBeLessThan(600_000_000);
  });
});

describe('a host name', () => {
  it('that does not resolve counts as a DNS failure', async () => {
    const driven = await drive({ targets: ['http://does-not-exist.invalid/'], stage: { connections: 2, requests: 2 } });
    expect(driven.cell.outcomes).toEqual({ dns: 2 });
    expect(Object.keys(driven.cell.errors)[0]).toMatch(/@resolve$/);
  });

  it('is not looked up if it is an IPv6 address', async () => {
    const driven = await drive({ targets: [`http://[::1]:${await freePort()}/`], stage: { connections: 1, requests: 1 } });
    // If there is IPv6, the connection is refused; otherwise no local address is usable.
    expect(Object.keys(driven.cell.errors)[0]).toMatch(/^(ECONNREFUSED|EADDRNOTAVAIL|EAFNOSUPPORT|ENETUNREACH)@connect$/);
  });

  it('with several addresses connects to the one that listens', async () => {
    server = await httpServer((_, response) => response.end());
    const driven = await drive({ targets: [`http://localhost:${server.port}/`], stage: { connections: 3, requests: 30 } });
    expect(driven.cell.outcomes).toEqual({ ok: 30 });
    expect(server.requests).toBe(30);
  });
});

describe('a response that does not arrive', () => {
  // autocannon reports a time-out only after it has sent the next request.
  it('is timed out once, and its connection is replaced', async () => {
    server = await rawServer(({ socket, inAll }) => {
      if (inAll !== 2) socket.write(responseText());
    });
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 5 }, plan: { timeoutSeconds: 1 } });
    expect(discrepancies(driven, 5)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 4, timeout: 1 });
    expect(driven.cell.errors).toEqual({ 'TIMEOUT@firstByte': 1 });
    expect(server.connections).toBe(2);
  });

  it('whose body stalls is a time-out in the body', async () => {
    server = await rawServer(({ socket }) => socket.write(responseText(100).slice(0, -1)));
    const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 2 }, plan: { timeoutSeconds: 1 } });
    expect(driven.cell.errors).toEqual({ 'TIMEOUT@body': 2 });
  });

  it('that arrives after its time-out is not used as the response to the next request', async () => {
    server = await rawServer(({ socket, inAll }) => {
      if (inAll === 1) setTimeout(() => socket.write(responseText(7)), 1_300);
      else setTimeout(() => socket.write(responseText(3)), 500);
    });
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { timeoutSeconds: 1 } });
    expect(driven.cell.outcomes).toEqual({ ok: 1, timeout: 1 });
    expect(driven.cell.bodyBytes).toBe(3);
  });
});

describe('a response to autocannon', () => {
  it('counts as an error with its own name if it is not HTTP', async () => {
    server = await rawServer(({ socket }) => socket.write('220 mail.example.org ESMTP\r\n'));
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 } });
    expect(driven.cell.outcomes).toEqual({ otherError: 2 });
    expect(driven.cell.errors).toEqual({ 'NOT_HTTP@body': 2 });
  });

  it('counts once, and bytes after it are not the response to the next request', async () => {
    server = await rawServer(({ socket, inAll }) => socket.write(inAll === 1 ? responseText(4) + responseText(9) : responseText(4)));
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 4 } });
    expect([driven.cell.outcomes, driven.cell.bodyBytes, server.connections]).toEqual([{ ok: 4 }, 16, 2]);
  });

  it('may follow interim responses', async () => {
    server = await rawServer(({ socket }) => socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n${responseText(4)}`));
    const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 6 } });
    expect(driven.cell.statuses).toEqual(new Map([[200, 6]]));
  });

  it('counts by its status: a redirect fails unless the plan expects it', async () => {
    server = await httpServer((_, response) => response.writeHead(302, { location: '/login' }).end());
    const unexpected = await drive({ targets: [server.url], stage: { connections: 1, requests: 3 } });
    expect(unexpected.cell.outcomes).toEqual({ httpError: 3 });
    const journey = [{ name: 'page', expectStatus: [302] }];
    const expected = await drive({ targets: [server.url], stage: { connections: 1, requests: 3 }, plan: { journey } });
    expect(expected.cell.outcomes).toEqual({ ok: 3 });
  });

  it('may arrive in any pieces', async () => {
    server = await rawServer(({ socket }) => {
      const text = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n';
      let at = 0;
      const timer = setInterval(() => {
        socket.write(text.slice(at, at + 7));
        at += 7;
        if (at >= text.length) clearInterval(timer);
      }, 1);
    });
    const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 4 } });
    expect(driven.cell.outcomes).toEqual({ ok: 4 });
    expect(driven.cell.bodyBytes).toBe(44);
    expect(driven.cell.times.firstByte?.maxValue).toBeLessThan(driven.cell.times.serviceOk?.maxValue ?? 0);
  });

  it('has its body counted but not kept', async () => {
    const body = Buffer.alloc(5_000_000, 'x');
    server = await httpServer((_, response) => response.end(body));
    const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 20 } });
    expect(driven.cell.bodyBytes).toBe(100_000_000);
    expect(driven.cell.bytesReceived).toBeGreaterThan(100_000_000);
    expect(driven.cell.bodyLengthDiffers).toBe(0);
  });

  it('is compared with the first response of the same step', async () => {
    server = await rawServer(({ socket, inAll }) => socket.write(responseText([10, 12, 0, 10][inAll - 1])));
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 4 } });
    expect(driven.cell).toMatchObject({ bodyLengthDiffers: 2, bodyLengthDeviation: 2 - 10, bodyEmpty: 1 });
  });
});

describe('a response whose framing does not end', () => {
  it.each([
    ['the line of a chunk', 'HEAD_TOO_LARGE', '1;', 'a'.repeat(65_536)],
    ['the line after a chunk', 'BAD_CHUNK_END', '1\r\na', 'a'.repeat(65_536)],
    ['trailers', 'HEAD_TOO_LARGE', '0\r\n', `X-T: ${'b'.repeat(1_000)}\r\n`.repeat(64)],
  ])('is refused: %s', async (_what, refusal, begin, more) => {
    // Maximum number of bytes of the flood, so that no test sends forever.
    const most = 30_000_000;
    let sent = 0;
    server = await rawServer(({ socket }) => {
      socket.on('error', () => {});
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${begin}`);
      const flood = (): void => {
        while (sent < most && !socket.destroyed) {
          sent += more.length;
          if (!socket.write(more)) return void socket.once('drain', flood);
        }
        socket.destroy();
      };
      flood();
    });
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 } });
    expect(driven.cell.errors).toEqual({ [`${refusal}@body`]: 1 });
    expect(sent).toBeLessThan(most);
  });
});
