import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTls, type TlsOptions, TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { Endpoint, type TlsSettings } from '../endpoint.ts';
import { AUTHORITY, CLIENT_CERTIFICATE, CLIENT_KEY, SERVER_CERTIFICATE, SERVER_KEY } from './testing/certificates.ts';
import { DEFAULT_TLS, type Drive, driveNative, type Figures, NativeDrive } from './testing/driveNative.ts';
import { type Answer, OK, OK_AND_CLOSE, ScriptedServer } from './testing/scriptedServer.ts';

const IDENTITY: TlsOptions = { cert: SERVER_CERTIFICATE, key: SERVER_KEY };
const answerOk: Answer = ({ socket }) => void socket.write(OK);

const opened: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(
  tls: TlsOptions | null,
  options?: Parameters<ScriptedServer['listen']>[0],
  answer: Answer = answerOk,
): Promise<ScriptedServer> {
  const server = new ScriptedServer(answer, tls);
  opened.push(server);
  await server.listen(options);
  return server;
}

const SHORT: Omit<Drive, 'url'> = { connections: 1, journeys: 3 };

async function overTls(server: ScriptedServer, tls: Partial<TlsSettings>, host = '127.0.0.1'): Promise<Figures> {
  return driveNative({ ...SHORT, url: `https://${host}:${server.port}/`, endpoint: { tls: { ...DEFAULT_TLS, ...tls } } });
}

describe('TLS', () => {
  it('refuses a certificate of an unknown authority unless told otherwise', async () => {
    const server = await serve(IDENTITY);
    const figures = await overTls(server, {});
    expect(figures.outcomes).toEqual({ tls: 3 });
    expect(figures.errors).toEqual({ 'UNABLE_TO_VERIFY_LEAF_SIGNATURE@tls': 3 });
    expect(server.log).toHaveLength(0);
  });

  it('accepts it when the authority is given, and reuses the connection', async () => {
    const server = await serve(IDENTITY);
    expect(await overTls(server, { ca: [AUTHORITY] })).toMatchObject({ outcomes: { ok: 3 }, connectionsOpened: 1, bodyBytes: 15 });
  });

  it('makes a full handshake for each connection, though the server would resume a session', async () => {
    const server = await serve(IDENTITY, undefined, ({ socket }) => void socket.write(OK_AND_CLOSE));
    const resumed: boolean[] = [];
    server.server.on('secureConnection', (socket: TLSSocket) => resumed.push(socket.isSessionReused()));
    await overTls(server, { ca: [AUTHORITY] });
    expect(resumed).toEqual([false, false, false]);
  });

  it('accepts anything when told not to verify', async () => {
    const server = await serve(IDENTITY);
    expect(await overTls(server, { verifies: false })).toMatchObject({ outcomes: { ok: 3 } });
  });

  it('refuses a certificate for another name', async () => {
    const server = await serve(IDENTITY);
    const figures = await overTls(server, { ca: [AUTHORITY], serverName: 'bank.test' });
    expect(figures.errors).toEqual({ 'ERR_TLS_CERT_ALTNAME_INVALID@tls': 3 });
  });

  it('asks for the name it was told, or for the host name', async () => {
    const names: unknown[] = [];
    const answer: Answer = ({ socket }) => {
      names.push(socket instanceof TLSSocket ? socket.servername : null);
      socket.write(OK);
    };
    const server = await serve(IDENTITY, { host: '127.0.0.1', port: 0 }, answer);
    await overTls(server, { ca: [AUTHORITY], serverName: 'shop.test' });
    await overTls(server, { ca: [AUTHORITY] }, 'localhost');
    expect([...new Set(names)]).toEqual(['shop.test', 'localhost']);
  });

  it('shows a client certificate to a server that demands one', async () => {
    const server = await serve({ ...IDENTITY, ca: AUTHORITY, requestCert: true, rejectUnauthorized: true });
    const without = await overTls(server, { ca: [AUTHORITY] });
    expect(without.outcomes).not.toHaveProperty('ok');
    const clientCertificate = { certificate: CLIENT_CERTIFICATE, key: CLIENT_KEY, passphrase: null };
    expect(await overTls(server, { ca: [AUTHORITY], clientCertificate })).toMatchObject({ outcomes: { ok: 3 } });
  });

  it.each([
    ['no certificate at all', { ca: ['my authority'] }],
    ['a damaged certificate', { ca: [AUTHORITY.replace('MII', 'XXX')] }],
    ['a key of another certificate', { clientCertificate: { certificate: CLIENT_CERTIFICATE, key: SERVER_KEY, passphrase: null } }],
  ])('says before the load that a text is of no use: %s', (_name, tls) => {
    const settings = { targetUrl: 'https://127.0.0.1/', tls: { ...DEFAULT_TLS, ...tls }, socketPath: null, localAddresses: [] };
    expect(() => new Endpoint(settings)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' }));
  });

  it('a server that speaks no TLS is a TLS failure', async () => {
    const server = await serve(null);
    const greeting = createServer((socket) => void socket.on('error', () => {}).end('220 mail.example.org ESMTP\r\n')).listen(
      0,
      '127.0.0.1',
    );
    const address = await new Promise<number>((resolve) => {
      greeting.on('listening', () => {
        const bound = greeting.address();
        resolve(typeof bound === 'object' && bound !== null ? bound.port : 0);
      });
    });
    const figures = await driveNative({ ...SHORT, url: `https://127.0.0.1:${address}/` });
    greeting.close();
    expect(figures.outcomes).toEqual({ tls: 3 });
    expect(server.log).toHaveLength(0);
  });

  it('a handshake that never ends is a timeout of that phase', async () => {
    const server = await serve(null, { host: '127.0.0.1', port: 0 }, () => {});
    const figures = await driveNative({
      connections: 1,
      journeys: 1,
      url: `https://127.0.0.1:${server.port}/`,
      limits: { connectUs: 100_000 },
    });
    expect(figures.errors).toEqual({ 'TIMEOUT@tls': 1 });
  });
});

describe('where a connection goes to and comes from', () => {
  it('a Unix socket', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'holdfast-socket-'));
    const path = join(directory, 'server.sock');
    const server = await serve(null, { path });
    const drive = new NativeDrive({ ...SHORT, url: 'http://shop.test/', endpoint: { socketPath: path } });
    expect(await drive.run()).toMatchObject({ outcomes: { ok: 3 } });
    expect([...drive.driver.addressesUsed]).toEqual([[path, 3]]);
    await server.close();
    opened.splice(0);
    await rm(directory, { recursive: true });
  });

  it('local addresses in turn', async () => {
    const server = await serve(null);
    const localAddresses = ['127.0.0.2', '127.0.0.3', '::1'];
    await driveNative({ url: server.url, connections: 4, journeys: 8, endpoint: { localAddresses } });
    expect([...server.remoteAddresses].sort()).toEqual(['127.0.0.2', '127.0.0.3']);
  });

  it('a local address that is not ours is told with its errno', async () => {
    const server = await serve(null);
    const figures = await driveNative({ ...SHORT, url: server.url, endpoint: { localAddresses: ['192.0.2.1'] } });
    expect(figures.errors).toEqual({ 'EADDRNOTAVAIL@connect': 3 });
    expect(figures.outcomes).toEqual({ noPort: 3 });
  });

  it('IPv6, and the address that was used', async () => {
    const server = await serve(null, { host: '::1', port: 0 });
    const drive = new NativeDrive({ ...SHORT, url: `http://[::1]:${server.port}/` });
    expect(await drive.run()).toMatchObject({ outcomes: { ok: 3 } });
    expect([...drive.driver.addressesUsed]).toEqual([['::1', 3]]);
  });

  it('a name that does not exist', async () => {
    const figures = await driveNative({ ...SHORT, journeys: 1, url: 'http://nowhere.invalid/' });
    expect(figures).toMatchObject({ sent: 1, outcomes: { dns: 1 } });
  });
});

describe('sessions of TLS that are taken up again', () => {
  it.each([
    [0, 0],
    [0.5, 15],
    [1, 29],
  ])('by a share of %d of the connections', async (resume, atLeast) => {
    let resumed = 0;
    const server = createTls({ key: SERVER_KEY, cert: SERVER_CERTIFICATE }, (socket) => {
      if (socket.isSessionReused()) resumed += 1;
      socket.on('error', () => {});
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const figures = await driveNative({
      url: `https://127.0.0.1:${port}/`,
      connections: 1,
      journeys: 30,
      endpoint: { tls: { ...DEFAULT_TLS, verifies: false, resume } },
    });
    expect(figures).toMatchObject({ outcomes: { ok: 30 }, connectionsOpened: 30, sessionsResumed: resumed });
    expect(resumed).toBeGreaterThanOrEqual(Math.floor(atLeast * 0.9));
    expect(resumed).toBeLessThanOrEqual(atLeast);
    server.close();
  });
});
