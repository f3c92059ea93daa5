import { describe, expect, it, onTestFinished } from 'vitest';
import { drive } from '#workers/testing/drive.ts';
import { rawServer } from '#workers/testing/servers.ts';

describe('header values with non-ASCII characters', () => {
  it.each([
    ['UTF-8', Buffer.from('/café'), '/caf%C3%A9'],
    ['Latin-1', Buffer.from('/café', 'latin1'), '/caf%E9'],
  ])('are read as addresses as in browsers: %s', async (_name, location, path) => {
    const seen: string[] = [];
    const server = await rawServer(({ socket, text }) => {
      seen.push(text.split(' ')[1] ?? '');
      const moved = Buffer.concat([
        Buffer.from('HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: '),
        location,
        Buffer.from('\r\n\r\n'),
      ]);
      socket.write(seen.at(-1) === '/start' ? moved : 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
    });
    onTestFinished(() => server.close());
    const journey = [{ name: 'page', path: '/start', redirects: { follow: true as const } }];
    await drive({ targets: [server.url], stage: { connections: 1, requests: 1 }, plan: { journey } });
    expect(seen).toEqual(['/start', path]);
  });

  it('are returned unchanged in cookies', async () => {
    const seen: string[] = [];
    const server = await rawServer(({ socket, text }) => {
      seen.push(/\r\ncookie: (.*)/i.exec(text)?.[1] ?? '');
      socket.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: name=Zoë\r\n\r\n'));
    });
    onTestFinished(() => server.close());
    const plan = { cookies: 'user' as const, journey: [{ name: 'page' }] };
    await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan });
    expect(seen).toEqual(['', Buffer.from('name=Zoë').toString('latin1')]);
  });
});
