import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { mutate, mutation, response } from '#framer/testing/arbitraries.ts';
import { driveNative, type Figures } from './testing/driveNative.ts';
import { type Response, ScriptedServer, type SeenRequest } from './testing/scriptedServer.ts';

const MEGABYTE = 1_048_576;
const SECOND_US = 1_000_000;

let server: ScriptedServer | null = null;
afterEach(async () => {
  await server?.close();
});

async function against(
  respond: Response,
  limits: Parameters<typeof driveNative>[0]['limits'] = {},
  limitBodyBytes = 8 * MEGABYTE,
): Promise<Figures> {
  server = new ScriptedServer(respond);
  await server.listen();
  return driveNative({ url: server.url, connections: 1, journeys: 1, limits, framerLimits: { limitHeadBytes: 16_384, limitBodyBytes } });
}

/** Repeats the text as fast as the client reads, until the connection is closed. */
function writeEndlessly(socket: SeenRequest['socket'], text: string): void {
  const block = text.repeat(Math.ceil(65_536 / text.length));
  const more = (): void => {
    while (!socket.destroyed && socket.write(block)) {}
  };
  socket.on('drain', more);
  more();
}

const head = (...lines: string[]): string => ['HTTP/1.1 200 OK', ...lines, '', ''].join('\r\n');

describe('native driver against a hostile server: counts one failed request for', () => {
  const cases: readonly [name: string, respond: Response, error: string][] = [
    [
      'headers without end',
      ({ socket }) => void (socket.write('HTTP/1.1 200 OK\r\n'), writeEndlessly(socket, 'X-Y: z\r\n')),
      'HEAD_TOO_LARGE@body',
    ],
    [
      'one header without end',
      ({ socket }) => void (socket.write('HTTP/1.1 200 OK\r\nX: '), writeEndlessly(socket, 'y')),
      'HEAD_TOO_LARGE@body',
    ],
    ['a reason without end', ({ socket }) => void (socket.write('HTTP/1.1 200 '), writeEndlessly(socket, 'y')), 'HEAD_TOO_LARGE@body'],
    ['empty lines without end', ({ socket }) => writeEndlessly(socket, '\r\n'), 'HEAD_TOO_LARGE@body'],
    ['interim responses without end', ({ socket }) => writeEndlessly(socket, 'HTTP/1.1 100 Continue\r\n\r\n'), 'TOO_MANY_INTERIM@body'],
    ['a body without end', ({ socket }) => void (socket.write(head()), writeEndlessly(socket, 'z')), 'BODY_TOO_LARGE@body'],
    [
      'chunks without end',
      ({ socket }) => void (socket.write(head('Transfer-Encoding: chunked')), writeEndlessly(socket, '1\r\nz\r\n')),
      'BODY_TOO_LARGE@body',
    ],
    [
      'trailers without end',
      ({ socket }) => void (socket.write(`${head('Transfer-Encoding: chunked')}0\r\n`), writeEndlessly(socket, 'A: b\r\n')),
      'HEAD_TOO_LARGE@body',
    ],
    ['a promised body that is too large', ({ socket }) => void socket.write(head('Content-Length: 99999999999')), 'BODY_TOO_LARGE@body'],
    ['a bad chunk', ({ socket }) => void socket.write(`${head('Transfer-Encoding: chunked')}zz\r\n`), 'BAD_CHUNK_SIZE@body'],
    ['two lengths', ({ socket }) => void socket.write(`${head('Content-Length: 1', 'Content-Length: 2')}xy`), 'DIFFERENT_LENGTHS@body'],
    ['another protocol', ({ socket }) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n'), 'NOT_HTTP@body'],
    [
      'garbage',
      ({ socket }) => void socket.write(Buffer.from(Array.from({ length: 5_000 }, (_, i) => (i * 7_919) % 256))),
      'NOT_HTTP@body',
    ],
    ['switching protocols', ({ socket }) => void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 'UPGRADED@body'],
    ['closing without a response', ({ socket }) => void socket.end(), 'EOF@firstByte'],
    ['closing within the head', ({ socket }) => void socket.end('HTTP/1.1 200 OK\r\nConte'), 'EOF@body'],
    ['a body that is one byte short', ({ socket }) => void socket.end(`${head('Content-Length: 6')}hello`), 'EOF@body'],
    ['chunks that are cut off', ({ socket }) => void socket.end(`${head('Transfer-Encoding: chunked')}5\r\nhel`), 'EOF@body'],
    [
      'a reset within the body',
      ({ socket }) => void socket.write(`${head('Content-Length: 6')}h`, () => socket.resetAndDestroy()),
      'ECONNRESET@body',
    ],
  ];

  it.each(cases)('%s', async (_name, respond, error) => {
    const figures = await against(respond);
    expect(figures.errors).toEqual({ [error]: 1 });
    expect(figures).toMatchObject({ sent: 1, statuses: {}, inFlight: 0 });
  });

  it('a body of 256 MB without keeping it', async () => {
    const before = process.memoryUsage().arrayBuffers;
    let peak = 0;
    const figures = await against(
      ({ socket }) => {
        const block = Buffer.alloc(MEGABYTE, 'z');
        socket.write(head(`Content-Length: ${256 * MEGABYTE}`));
        let left = 256;
        const more = (): void => {
          peak = Math.max(peak, process.memoryUsage().arrayBuffers);
          while (left > 0) {
            left -= 1;
            if (!socket.write(block)) return;
          }
        };
        socket.on('drain', more);
        more();
      },
      {},
      512 * MEGABYTE,
    );
    expect(figures).toMatchObject({ outcomes: { ok: 1 }, bodyBytes: 256 * MEGABYTE });
    expect(peak - before).toBeLessThan(32 * MEGABYTE);
  });
});

describe('native driver against mutated responses', () => {
  it('completes the load and accounts for every request', async () => {
    const responses = fc
      .sample(fc.tuple(response, fc.array(mutation, { maxLength: 3 })), { numRuns: 400, seed: 20_260 })
      .map(([text, mutations]) => mutate(Buffer.from(text, 'latin1'), mutations));
    server = new ScriptedServer(({ socket, number }) => {
      const bytes = responses[number % responses.length] ?? Buffer.alloc(0);
      const cut = (number * 31) % (bytes.length + 1);
      socket.write(bytes.subarray(0, cut));
      setImmediate(() => socket.end(bytes.subarray(cut)));
    });
    await server.listen();
    const figures = await driveNative({ url: server.url, connections: 40, journeys: 400, limits: { totalUs: 2 * SECOND_US } });
    const settled = Object.values(figures.outcomes).reduce((sum, count) => sum + count, 0);
    expect(figures).toMatchObject({ sent: 400, inFlight: 0 });
    expect(settled).toBe(400);
    expect(Object.keys(figures.errors).length).toBeGreaterThan(2);
    expect(figures.outcomes.ok ?? 0).toBeGreaterThan(20);
  });
});

describe('time limits', () => {
  it('report a missing response as a time-out before the first byte', async () => {
    const figures = await against(() => {}, { firstByteUs: SECOND_US / 10 });
    expect(figures).toMatchObject({ outcomes: { timeout: 1 }, errors: { 'TIMEOUT@firstByte': 1 } });
  });

  it('report a slow response as a time-out in the body', async () => {
    const figures = await against(
      ({ socket }) => {
        socket.write(head('Content-Length: 1000000'));
        const timer = setInterval(() => socket.write('x'), 5);
        socket.on('close', () => clearInterval(timer));
      },
      { firstByteUs: 5 * SECOND_US, totalUs: SECOND_US / 5 },
    );
    expect(figures).toMatchObject({ outcomes: { timeout: 1 }, errors: { 'TIMEOUT@body': 1 } });
  });

  it('no longer apply the first-byte limit after the first byte', async () => {
    const figures = await against(
      ({ socket }) => {
        socket.write('HTTP/1.1 ');
        setTimeout(() => socket.write('200 OK\r\nContent-Length: 0\r\n\r\n'), 300);
      },
      { firstByteUs: SECOND_US / 10, totalUs: 10 * SECOND_US },
    );
    expect(figures).toMatchObject({ outcomes: { ok: 1 } });
  });
});
