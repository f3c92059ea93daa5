import { describe, expect, it } from 'vitest';
import { once } from 'node:events';
import { REFUSED_CODE, WELCOME } from '#contract/rpc/frames.ts';
import { isOtherNameOfOurs, isOurHost, isOurOrigin, newSecret, isSameSecret } from './admission.ts';
import { openUnadmittedSocket, openSocket, servedPage, openAdmittedSocket, makeToken } from './testing/servedPage.ts';

describe('a secret', () => {
  it('is unique, and has 32 characters that are safe in a URL', () => {
    const made = new Set(Array.from({ length: 100 }, newSecret));
    expect(made.size).toBe(100);
    for (const secret of made) expect(secret).toMatch(/^[A-Za-z0-9_-]{32}$/);
  });

  it('equals only the same whole secret', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true);
    for (const wrong of ['', 'ab', 'abcd', 'ABC', 'abc ']) expect(isSameSecret(wrong, 'abc')).toBe(false);
  });
});

describe('isOurHost and isOurOrigin', () => {
  it('accept 127.0.0.1 with the port; localhost is only known as another name', () => {
    expect(isOurHost('127.0.0.1:8080', 8080)).toBe(true);
    expect(isOurOrigin('http://127.0.0.1:8080', 8080)).toBe(true);
    expect(isOtherNameOfOurs('localhost:8080', 8080)).toBe(true);
    expect(isOurOrigin('http://localhost:8080', 8080)).toBe(false);
  });

  it.each([
    undefined,
    '',
    '127.0.0.1',
    'localhost',
    '127.0.0.1:80',
    'evil.example:8080',
    'localhost:8080.evil.example',
    '127.0.0.1.nip.io:8080',
    'localhost:8080@evil.example',
    '0.0.0.0:8080',
    '[::1]:8080',
    'LOCALHOST:8080',
  ])('reject host %s, which isOtherNameOfOurs also rejects', (host) =>
    expect([isOurHost(host, 8080), isOtherNameOfOurs(host, 8080)]).toEqual([false, false]),
  );

  it.each([
    undefined,
    '',
    'null',
    'http://evil.example',
    'https://127.0.0.1:8080',
    'http://127.0.0.1:8081',
    'http://127.0.0.1:8080.evil.example',
  ])('reject origin %s', (origin) => expect(isOurOrigin(origin, 8080)).toBe(false));
});

const closeCode = async (socket: Awaited<ReturnType<typeof openUnadmittedSocket>>): Promise<unknown> => (await once(socket, 'close'))[0];

describe('a WebSocket with our Host and Origin, which any process can forge,', () => {
  it('is admitted by the token in its first frame', async () => {
    await using page = await servedPage();
    await openAdmittedSocket(page.server);
    expect(page.connections).toHaveLength(1);
  });

  it('may send further frames at once, without waiting for a reply', async () => {
    await using page = await servedPage();
    const socket = await openUnadmittedSocket(page.server);
    const received: string[] = [];
    const responded = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        received.push(String(data));
        if (received.length === 51) resolve();
      });
    });
    socket.send(JSON.stringify({ type: 'hello', token: makeToken(page.server) }));
    for (let id = 1; id <= 50; id += 1) socket.send(JSON.stringify({ type: 'call', id, method: 'app.info', input: {} }));
    await responded;
    expect(received[0]).toBe(WELCOME);
  });

  it('is not admitted because of cookies', async () => {
    await using page = await servedPage();
    const { port } = page.server;
    const token = makeToken(page.server);
    const socket = await openSocket(page.server, { cookie: `holdfast-${port}=${token}; token=${token}` });
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`);
    socket.send(JSON.stringify({ type: 'call', id: 1, method: 'app.info', input: {} }));
    expect(await closeCode(socket)).toBe(REFUSED_CODE);
    expect(page.connections).toHaveLength(0);
  });

  it.each([
    '',
    'null',
    '[]',
    '{',
    '{"type":"hello"}',
    '{"type":"hello","token":""}',
    '{"type":"hello","token":null}',
    `{"type":"hello","token":"${'x'.repeat(32)}"}`,
    '{"type":"hello","token":"x","__proto__":{"token":"x"}}',
  ])('that sends %s is rejected without a second try or further information', async (frame) => {
    await using page = await servedPage();
    const socket = await openUnadmittedSocket(page.server);
    const received: string[] = [];
    socket.on('message', (data) => received.push(String(data)));
    socket.send(frame);
    socket.send(JSON.stringify({ type: 'hello', token: makeToken(page.server) }));
    expect(await closeCode(socket)).toBe(REFUSED_CODE);
    expect([received, page.connections.length]).toEqual([[], 0]);
  });

  it('that sends its token in a binary frame, or a token from an earlier start, is rejected', async () => {
    let earlier: string;
    {
      await using page = await servedPage();
      earlier = makeToken(page.server);
    }
    await using page = await servedPage();
    for (const frame of [
      Buffer.from(JSON.stringify({ type: 'hello', token: makeToken(page.server) })),
      JSON.stringify({ type: 'hello', token: earlier }),
    ]) {
      const socket = await openUnadmittedSocket(page.server);
      socket.send(frame);
      expect(await closeCode(socket)).toBe(REFUSED_CODE);
    }
    expect(page.connections).toHaveLength(0);
  });

  it('may send at most a kilobyte before the token, in one frame or many', async () => {
    await using page = await servedPage();
    const [large, many] = [await openUnadmittedSocket(page.server), await openUnadmittedSocket(page.server)];
    large.send(JSON.stringify({ type: 'hello', token: makeToken(page.server), more: 'x'.repeat(1_000_000) }));
    for (let ping = 0; ping < 50; ping += 1) many.ping('x'.repeat(100));
    // 1006: closed without a close frame.
    expect(await Promise.all([closeCode(large), closeCode(many)])).toEqual([1006, 1006]);
    expect(page.connections).toHaveLength(0);
  });

  it('is closed after five seconds of silence, even if it was rejected and stays open', { timeout: 20_000 }, async () => {
    await using page = await servedPage();
    const silentSocket = await openUnadmittedSocket(page.server);
    const stubborn = await openUnadmittedSocket(page.server);
    stubborn.send('no hello');
    // This client stops reading, so it never replies to the close frame.
    stubborn.pause();
    const within = await openAdmittedSocket(page.server);
    expect(await closeCode(silentSocket)).toBe(1006);
    const received = once(within, 'message');
    within.send(JSON.stringify({ type: 'call', id: 1, method: 'app.info', input: {} }));
    expect(String((await received)[0])).toContain('"hostname":"here"');
    stubborn.resume();
    await once(stubborn, 'close');
  });

  it('is closed to make room for another WebSocket if it has waited longest of 32', async () => {
    await using page = await servedPage();
    const heldSockets = await Promise.all(Array.from({ length: 32 }, () => openUnadmittedSocket(page.server)));
    const closed = Promise.race(heldSockets.map((socket) => closeCode(socket)));
    await openAdmittedSocket(page.server);
    expect(await closed).toBe(1006);
    expect(heldSockets.filter(({ readyState, OPEN }) => readyState === OPEN).length).toBeGreaterThanOrEqual(31);
  });
});
