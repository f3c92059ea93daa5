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
import { type Response, OK, OK_AND_CLOSE, ScriptedServer } from './testing/scriptedServer.ts';

const IDENTITY: TlsOptions = { cert: SERVER_CERTIFICATE, key: SERVER_KEY };
const respondOk: Response = ({ socket }) => void socket.write(OK);

const opened: ScriptedServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function serve(
  tls: TlsOptions | null,
  options?: Parameters<ScriptedServer['listen']>[0],
  response: Response = respondOk,
): Promise<ScriptedServer> {
  const server = new ScriptedServer(response, tls);
  opened.push(server);
  await server.listen(options);
  return server;
}

const SHORT: Omit<Drive, 'url'> = { connections: 1, journeys: 3 };

async function overTls(server: ScriptedServer, tls: Partial<TlsSettings>, host = '127.0.0.1'): Promise<Figures> {
  return driveNative({ ...SHORT, url: `https://${host}:${server.port}/`, endpoint: { tls: { ...DEFAULT_TLS, ...tls } } });
}

describe('Endpoint with TLS', () => {
  it('refuses a certificate of an unknown authority by default', async () => {
    const server = await serve(IDENTITY);
    const figures = await overTls(server, {});
    expect(figures.outcomes).toEqual({ tls: 3 });
    expect(figures.errors).toEqual({ 'UNABLE_TO_VERIFY_LEAF_SIGNATURE@tls': 3 });
    expect(server.log).toHaveLength(0);
  });

  it('accepts a certificate of the given authority, and reuses the connection', async () => {
    const server = await serve(IDENTITY);
    expect(await overTls(server, { ca: [AUTHORITY] })).toMatchObject({ outcomes: { ok: 3 }, connectionsOpened: 1, bodyBytes: 15 });
  });

  it('makes a full handshake for each connection by default, even if the server offers session resumption', async () => {
    const server = await serve(IDENTITY, undefined, ({ socket }) => void socket.write(OK_AND_CLOSE));
    const resumed: boolean[] = [];
    server.server.on('secureConnection', (socket: TLSSocket) => resumed.push(socket.isSessionReused()));
    await overTls(server, { ca: [AUTHORITY] });
    expect(resumed).toEqual([false, false, false]);
  });

  it('accepts any certificate if verification is off', async () => {
    const server = await serve(IDENTITY);
    expect(await overTls(server, { verifies: false })).toMatchObject({ outcomes: { ok: 3 } });
  });

  it('refuses a certificate issued for another name', async () => {
    const server = await serve(IDENTITY);
    const figures = await overTls(server, { ca: [AUTHORITY], serverName: 'bank.test' });
    expect(figures.errors).toEqual({ 'ERR_TLS_CERT_ALTNAME_INVALID@tls': 3 });
  });

  it('sends the configured server name as SNI, or else the host name', async () => {
    const names: unknown[] = [];
    const response: Response = ({ socket }) => {
      names.push(socket instanceof TLSSocket ? socket.servername : null);
      socket.write(OK);
    };
    const server = await serve(IDENTITY, { host: '127.0.0.1', port: 0 }, response);
    await overTls(server, { ca: [AUTHORITY], serverName: 'shop.test' });
    await overTls(server, { ca: [AUTHORITY] }, 'localhost');
    expect([...new Set(names)]).toEqual(['shop.test', 'localhost']);
  });

  it('presents a client certificate to a server that requires one', async () => {
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
  ])('rejects unusable certificate settings before the load: %s', (_name, tls) => {
    const settings = { targetUrl: 'https://127.0.0.1/', tls: { ...DEFAULT_TLS, ...tls }, socketPath: null, localAddresses: [] };
    expect(() => new Endpoint(settings)).toThrow(expect.objectContaining({ code: 'CERTIFICATE_UNREADABLE' }));
  });

  it('counts a server that does not use TLS as a TLS failure', async () => {
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

  it('times out in the TLS phase if the handshake never completes', async () => {
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

describe('Endpoint addresses', () => {
  it('connects to a Unix socket', async () => {
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

  it("uses the local addresses of the target's address family in turn", async () => {
    const server = await serve(null);
    const localAddresses = ['127.0.0.2', '127.0.0.3', '::1'];
    await driveNative({ url: server.url, connections: 4, journeys: 8, endpoint: { localAddresses } });
    expect([...server.remoteAddresses].sort()).toEqual(['127.0.0.2', '127.0.0.3']);
  });

  it('reports the errno for a local address that this computer does not have', async () => {
    const server = await serve(null);
    const figures = await driveNative({ ...SHORT, url: server.url, endpoint: { localAddresses: ['192.0.2.1'] } });
    expect(figures.errors).toEqual({ 'EADDRNOTAVAIL@connect': 3 });
    expect(figures.outcomes).toEqual({ noPort: 3 });
  });

  it('connects over IPv6, and counts the address it used', async () => {
    const server = await serve(null, { host: '::1', port: 0 });
    const drive = new NativeDrive({ ...SHORT, url: `http://[::1]:${server.port}/` });
    expect(await drive.run()).toMatchObject({ outcomes: { ok: 3 } });
    expect([...drive.driver.addressesUsed]).toEqual([['::1', 3]]);
  });

  it('counts an unknown host name as a DNS failure', async () => {
    const figures = await driveNative({ ...SHORT, journeys: 1, url: 'http://nowhere.invalid/' });
    expect(figures).toMatchObject({ sent: 1, outcomes: { dns: 1 } });
  });
});

describe('TLS session resumption', () => {
  it.each([
    [0, 0],
    [0.5, 15],
    [1, 29],
  ])('resumes sessions on a share of %d of the connections', async (resume, atLeast) => {
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
