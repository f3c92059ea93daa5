import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askKey, listAsks } from '#core/review/asks/ask.ts';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import { selfSigned, visitor } from '#backend/testing/certificates.ts';
import { planFor } from '#backend/testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { requireUsable } from './certificates.ts';

const directory = temporaryDirectory();
const own = visitor(directory);
const server = selfSigned(directory);
const NOW = Date.now();
const DAY_MS = 86_400_000;

/** Returns the error message, or '' if the certificate is usable. */
function getWords(changes: Partial<Parameters<typeof requireUsable>[0]>, nowMs = NOW): string {
  try {
    requireUsable({ certificate: own.certificate, key: own.key, passphrase: null, ...changes }, nowMs);
    return '';
  } catch (thrown) {
    if (!(thrown instanceof HoldfastError)) throw thrown;
    expect(thrown.code).toBe('CLIENT_CERTIFICATE_UNUSABLE');
    return `${thrown.message} ${thrown.hint}`;
  }
}

describe('requireUsable', () => {
  it('accepts a certificate with a plain or encrypted key, and with its chain', () => {
    expect(getWords({})).toBe('');
    expect(getWords({ key: own.encryptedKey, passphrase: own.passphrase })).toBe('');
    expect(getWords({ certificate: own.certificate + own.authority })).toBe('');
    expect(getWords({ key: own.certificate + own.key })).toBe('');
  });

  it.each([
    ['a key of another certificate', { key: server.key.toString() }, 'does not belong to the certificate of CN=visitor'],
    ['the chain in the wrong order', { certificate: own.authority + own.certificate }, 'belongs to certificate 2'],
    ['a locked key without a passphrase', { key: own.encryptedKey }, '--key-passphrase ask:Passphrase'],
    ['a wrong passphrase', { key: own.encryptedKey, passphrase: 'sesame' }, 'The passphrase does not open its key'],
    ['no key', { key: own.certificate }, 'not a private key in PEM format'],
    ['a damaged key', { key: own.key.replace('M', '!') }, 'Its key is damaged'],
    ['a damaged certificate', { certificate: own.certificate.replace('MII', 'XXX') }, 'Certificate 1 of the text is damaged'],
    ['no certificate', { certificate: 'hello' }, 'It has no certificate'],
  ])('explains the problem: %s', (_name, changes, words) => {
    const messages = getWords(changes);
    expect(messages).toContain(words);
    expect(messages).not.toContain('sesame');
  });

  it('rejects an expired certificate and one that is not valid yet', () => {
    expect(getWords({}, NOW + 3 * DAY_MS)).toContain('has expired on');
    expect(getWords({}, NOW - DAY_MS)).toContain('not valid before');
  });
});

describe('a server that requires a client certificate', () => {
  let backend: TestBackend;
  let url = '';
  const subjects: string[] = [];
  const target = createSecureServer({ ...server, ca: own.authority, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    // The type of the request's socket lacks TLS, which this server uses.
    const socket = request.socket as TLSSocket;
    subjects.push(String(socket.getPeerCertificate().subject?.CN));
    response.end('hello');
  });
  beforeAll(async () => {
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    const address = target.address();
    url = `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
    backend = await startTestBackend();
  });
  afterAll(async () => {
    await backend.close();
    target.closeAllConnections();
    target.close();
  });
  const ca = server.cert.toString();
  const tlsWith = (keyFile: string, passphrase?: string) => ({
    verify: true,
    ca,
    clientCertificate: {
      certificate: own.certificate,
      key: { secret: `file:${keyFile}` },
      ...(passphrase === undefined ? {} : { passphrase: { secret: passphrase } }),
    },
  });

  it('is sent load with the certificate, and the key is never stored', async () => {
    const plan = planFor(url, { tls: tlsWith(own.encryptedKeyFile, `file:${join(directory, 'passphrase')}`) });
    const { client, dataDirectory } = backend;
    const { runId } = await client.call('runs.start', { plan });
    await watchToEnd(client, runId);
    const result = await client.call('runs.result', { runId });
    expect(result.outcomes.requests).toMatchObject({ sent: 50, ok: 50 });
    expect(result.server.addresses).toEqual({ '127.0.0.1': 50 });
    expect(new Set(subjects)).toEqual(new Set(['visitor']));
    const everything = [
      JSON.stringify(result),
      ...readdirSync(dataDirectory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')),
    ].join('\n');
    for (const secret of [own.passphrase, own.key.split('\n')[1] ?? '', own.encryptedKey.split('\n')[1] ?? '']) {
      expect(secret.length).toBeGreaterThan(8);
      expect(everything).not.toContain(secret);
    }
  });

  it('responds to a single request with the certificate, and the probe reports a missing certificate', async () => {
    const shown = await backend.client.call('targets.probe', { target: { url }, tls: tlsWith(own.keyFile) });
    expect(shown).toMatchObject({ status: 200, certificate: { valid: true }, problem: null });
    const bare = await backend.client.call('targets.probe', { target: { url }, tls: { verify: true, ca } });
    expect(bare).toMatchObject({ status: null, problem: { hint: expect.stringContaining('client certificate') } });
  });

  it('is sent no load if the key belongs to another certificate', async () => {
    const plan = planFor(url, { tls: tlsWith(join(directory, 'key.pem')) });
    const before = subjects.length;
    await expect(backend.client.call('runs.start', { plan })).rejects.toMatchObject({
      code: 'CLIENT_CERTIFICATE_UNUSABLE',
      message: expect.stringContaining('does not belong'),
    });
    const findings = await backend.client.call('checks.machine', { plan });
    expect(findings.find(({ id }) => id === 'targetReachable')).toMatchObject({
      level: 'problem',
      title: 'The client certificate cannot be used',
    });
    expect(subjects).toHaveLength(before);
  });

  it('is checked with the same certificate settings as the load uses', async () => {
    const finding = async (tls: object) => {
      const plan = planFor(url, { tls });
      const findings = await backend.client.call('checks.machine', { plan, agreed: listAsks({ plan }).map(askKey) });
      return findings.find(({ id }) => id === 'targetReachable');
    };
    expect(await finding(tlsWith(own.keyFile))).toMatchObject({ level: 'ok' });
    expect(await finding({ verify: true })).toMatchObject({ level: 'problem', evidence: expect.stringContaining('is self-signed') });
    expect(await finding({ verify: false })).toMatchObject({ level: 'ok' });
  });
});
