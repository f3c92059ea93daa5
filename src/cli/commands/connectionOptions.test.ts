import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { selfSigned, visitor } from '#backend/testing/certificates.ts';
import { resultSchema, type RunResult } from '#core/result/schema.ts';
import { startHarness, type Harness } from '../testing/harness.ts';
import { readLoadFlags } from './loadOptions.ts';

let cli: Harness;
beforeEach(async () => {
  cli = await startHarness();
});

const LOAD = ['-c', '2', '-n', '20', '-t', '1'];
const NO_FLAGS = { keepalive: true, localAddress: [], resolve: [], watchPage: [] };

async function getResult(...args: string[]): Promise<RunResult> {
  const { code, out, err } = await cli.run(...args, '--json', '-');
  expect([code, err]).toEqual([0, '']);
  return resultSchema.parse(JSON.parse(out));
}

/** Makes a server listen until the test ends. Returns its port, or 0 for a Unix socket. */
async function listen(server: Server, path?: string): Promise<number> {
  if (path === undefined) server.listen(0, '127.0.0.1');
  else server.listen(path);
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('--unix-socket', () => {
  it('sends the load through a socket with the host name of the address', async () => {
    const hosts = new Set<string | undefined>();
    const server = createServer((request, response) => {
      hosts.add(`${request.headers.host} ${request.url}`);
      response.end('hello');
    });
    const path = join(cli.directory, 'app.sock');
    await listen(server, path);
    // The host name is public, but since it is reached through a local socket, it needs neither consent nor a DNS lookup.
    const result = await getResult(
      'quick',
      'http://shop.example.org/offers',
      ...LOAD,
      '--unix-socket',
      'app.sock',
      '--allow',
      'host:shop.example.org',
    );
    expect(result.outcomes.requests).toMatchObject({ sent: 20, ok: 20 });
    expect(result.server.addresses).toEqual({ [path]: 20 });
    expect([...hosts]).toEqual(['shop.example.org /offers']);
    const { out } = await cli.run('show', 'last', '--full');
    expect(out).toContain(`Requests by address: ${path} (`);
  });

  it('reports a missing socket and starts no run', async () => {
    const { code, err } = await cli.run('quick', 'http://localhost/', ...LOAD, '--unix-socket', 'nothing.sock');
    expect(code).not.toBe(0);
    expect(err).toMatch(/Unix socket .*nothing\.sock \(ENOENT\)/);
  });
});

describe('--resolve', () => {
  it.each(['autocannon', 'native'])('connects to the given address and keeps the host name, with %s', async (engine) => {
    const hosts = new Set<string | undefined>();
    const server = createServer((request, response) => {
      hosts.add(request.headers.host);
      response.end('hello');
    });
    const port = await listen(server);
    const pin = ['--resolve', `shop.test:${port}:127.0.0.1`, '--allow', 'host:shop.test', '--engine', engine];
    const result = await getResult('quick', `http://shop.test:${port}/`, ...LOAD, ...pin);
    expect([[...hosts], result.server.addresses]).toEqual([[`shop.test:${port}`], { '127.0.0.1': 20 }]);
  });

  it('asks for consent to the address that the load is sent to', async () => {
    const { code, err } = await cli.run('quick', 'http://localhost:8080/', ...LOAD, '--resolve', 'localhost:8080:203.0.113.7');
    expect([code === 0, err.includes('203.0.113.7')]).toEqual([false, true]);
  });

  it('requires host, port and address', async () => {
    const { code, err } = await cli.run('quick', 'http://127.0.0.1/', ...LOAD, '--resolve', 'shop.test:80');
    expect([code, err.includes('connections.resolve[0]')]).toEqual([2, true]);
  });
});

describe('--local-address', () => {
  it('uses the local addresses in turn', async () => {
    const from = new Set<string | undefined>();
    const server = createServer((request, response) => {
      from.add(request.socket.remoteAddress);
      response.end('hello');
    });
    const port = await listen(server);
    const addresses = ['--local-address', '127.0.0.2', '--local-address', '127.0.0.3'];
    const result = await getResult('quick', `http://127.0.0.1:${port}/`, ...LOAD, ...addresses);
    expect([...from].sort()).toEqual(['127.0.0.2', '127.0.0.3']);
    expect(result.server.addresses).toEqual({ '127.0.0.1': 20 });
    const foreign = await cli.run('quick', `http://127.0.0.1:${port}/`, ...LOAD, '--local-address', '192.0.2.1');
    expect(foreign.err).toContain('192.0.2.1: it is not an address of this computer');
  });

  it('requires an IP address', async () => {
    const { code, err } = await cli.run('quick', 'http://127.0.0.1/', ...LOAD, '--local-address', 'eth0');
    expect(code).toBe(2);
    expect(err).toContain('connections.localAddresses[0]');
  });
});

describe('--cert and --key', () => {
  it('send a client certificate, with the key in a separate file or encrypted in the same file', async () => {
    const own = visitor(cli.directory);
    const identity = selfSigned(cli.directory);
    const server = createSecureServer({ ...identity, ca: own.authority, requestCert: true, rejectUnauthorized: true }, (_, response) =>
      response.end('hello'),
    );
    const port = await listen(server);
    await writeFile(join(cli.directory, 'both.pem'), own.encryptedKey + own.certificate);
    const quick = ['quick', `https://127.0.0.1:${port}/`, ...LOAD, '--ca', 'cert.pem'];
    const result = await getResult(...quick, '--cert', 'both.pem', '--key-passphrase', '@passphrase');
    expect(result.outcomes.requests).toMatchObject({ sent: 20, ok: 20 });
    expect(JSON.stringify(result)).not.toContain('PRIVATE KEY');
    const { fields } = await readLoadFlags({ ...NO_FLAGS, cert: own.certificateFile, key: own.keyFile }, cli.directory);
    expect(JSON.parse(fields.get('tls.clientCertificate') ?? '')).toEqual({
      certificate: own.certificate,
      key: { secret: `file:${own.keyFile}` },
    });
    const locked = await cli.run(...quick, '--cert', own.certificateFile, '--key', own.encryptedKeyFile);
    expect(locked.code).not.toBe(0);
    expect(locked.err).toContain('Its key is encrypted, and the passphrase is missing.');
    const mixedUp = await cli.run(...quick, '--cert', own.certificateFile, '--key', 'key.pem');
    expect(mixedUp.err).toContain('The key does not belong to the certificate of CN=visitor.');
  });

  it('reject a certificate without its key, and reject a plain-text passphrase without printing it', async () => {
    const own = visitor(cli.directory);
    const quick = ['quick', 'https://127.0.0.1/', ...LOAD];
    expect((await cli.run(...quick, '--key', own.keyFile)).err).toContain('--cert FILE');
    expect((await cli.run(...quick, '--cert', own.certificateFile)).err).toContain('This file has no private key');
    const seen = await cli.run(...quick, '--cert', own.certificateFile, '--key', own.encryptedKeyFile, '--key-passphrase', 'hunter2!');
    expect(seen.code).toBe(2);
    expect(seen.err).toContain('env:NAME');
    expect(seen.err).not.toContain('hunter2');
  });
});

describe('--expect-body and --expect-status', () => {
  it('distinguish successful responses from those with a wrong body or status', async () => {
    let served = 0;
    const server = createServer((_request, response) => {
      served += 1;
      // Of three responses, one is right, one has a wrong body, and one has a wrong status.
      response.writeHead(served % 3 === 0 ? 203 : 200).end(served % 3 === 1 ? 'Sorry' : 'Welcome, Ada');
    });
    const port = await listen(server);
    const quick = ['quick', `http://127.0.0.1:${port}/`, '-c', '2', '-n', '30', '-t', '1', '--expect-body', 'Welcome'];
    const result = await getResult(...quick, '--expect-body', 'Ada', '--expect-status', '200,204');
    expect(result.outcomes.requests).toMatchObject({ sent: 30, ok: 10, wrongBody: 10, httpError: 10 });
    expect(result.errors).toMatchObject({ 'TEXT_MISSING “Welcome”@check': 10 });
    expect(result.balances).toBe(true);
    const { out } = await cli.run('show', 'last', '--full');
    expect(out).toMatch(/Wrong content +10 +33\.3 %/);
    expect(out).toMatch(/wrong content: “Welcome” is missing +10 +/);
    const { code, err } = await cli.run(...quick, '--expect-status', 'fine', '-i');
    expect(code).toBe(2);
    expect(err).toContain('--expect-status fine');
  });
});
