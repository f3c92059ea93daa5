import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { secretReferences } from '#core/plan/secrets.ts';
import { parseValue as readPlan } from '../check.ts';

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const KEY = '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----\n';

function read(changes: Partial<PlanInput>, url = 'http://127.0.0.1/') {
  return readPlan({
    holdfast: 1,
    name: 'test',
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
    ...changes,
  });
}
const found = (changes: object, url?: string): string[] =>
  read(changes, url).issues.map(({ level, code, path }) => `${level} ${code} ${path}`);

describe('connection endpoints', () => {
  it('need an absolute socket path and IP addresses', () => {
    expect(found({ connections: { socketPath: '/run/app.sock' } })).toEqual([]);
    expect(found({ connections: { localAddresses: ['127.0.0.2', '::1'] } })).toEqual([]);
    for (const socketPath of ['app.sock', '/', '/run/', `/${'x'.repeat(107)}`])
      expect(found({ connections: { socketPath } })).toEqual([expect.stringContaining('connections.socketPath')]);
    for (const address of ['localhost', '127.0.0.256', '127.1', '[::1]', ''])
      expect(found({ connections: { localAddresses: ['127.0.0.1', address] } })).toEqual(['error NOT_VALID connections.localAddresses[1]']);
    expect(found({ connections: { localAddresses: [] } })).toEqual(['error TOO_SMALL connections.localAddresses']);
  });

  it('cannot be both a socket and an address', () => {
    const connections = { socketPath: '/run/app.sock', localAddresses: ['127.0.0.1'] };
    expect(found({ connections })).toEqual(['error LOCAL_ADDRESS_OF_SOCKET connections.localAddresses']);
  });

  it("need the IP version of the target's address; a name may have both", () => {
    const ofSix = { connections: { localAddresses: ['::1'] } };
    expect(found(ofSix)).toEqual(['error LOCAL_ADDRESS_FAMILY targets[0].url']);
    expect(found(ofSix, 'http://[::1]:8080/')).toEqual([]);
    expect(found(ofSix, 'http://localhost/')).toEqual([]);
    expect(found({ connections: { localAddresses: ['127.0.0.1'] } }, 'http://[::1]/')).toEqual([
      'error LOCAL_ADDRESS_FAMILY targets[0].url',
    ]);
  });
});

describe('a cookie of the target', () => {
  const login = {
    name: 'log in',
    method: 'POST' as const,
    path: '/in',
    form: { user: '{{accounts.username}}', pass: '{{accounts.password}}' },
  };
  const of = (journey: PlanInput['journey']) =>
    found({ targets: [{ url: 'http://127.0.0.1/', cookie: { secret: 'env:C' } }], feeds: { accounts: { file: 'a.csv' } }, journey });

  it('is reported beside a login with accounts of a feed, and nowhere else', () => {
    expect(of([login])).toEqual(['warning COOKIE_BESIDE_LOGIN targets[0].cookie']);
    expect(of([{ name: 'page', path: '/{{accounts.username}}' }])).toEqual([]);
    expect(found({ feeds: { accounts: { file: 'a.csv' } }, journey: [login] })).toEqual([]);
  });
});

describe('a client certificate', () => {
  const own = { certificate: CERTIFICATE, key: { secret: 'file:/key.pem' }, passphrase: { secret: 'ask:Passphrase' } };

  it('needs a plain certificate and a key by reference', () => {
    expect(found({ tls: { clientCertificate: own } }, 'https://127.0.0.1/')).toEqual([]);
    expect(found({ tls: { clientCertificate: { ...own, certificate: 'x' } } }, 'https://127.0.0.1/')).toEqual([
      'error NO_CERTIFICATE tls.clientCertificate.certificate',
    ]);
    expect(found({ tls: { clientCertificate: { ...own, certificate: KEY + CERTIFICATE } } }, 'https://127.0.0.1/')).toEqual([
      'error PRIVATE_KEY_IN_PLAN tls.clientCertificate.certificate',
    ]);
    expect(found({ tls: { clientCertificate: { ...own, key: KEY } } }, 'https://127.0.0.1/')).toEqual([
      'error WRONG_TYPE tls.clientCertificate.key',
    ]);
  });

  it('lists its secrets, so that they are resolved', () => {
    const { plan } = read({ tls: { clientCertificate: own } }, 'https://127.0.0.1/');
    expect(plan === null ? null : secretReferences(plan)).toEqual(['file:/key.pem', 'ask:Passphrase']);
  });

  it('has no effect without https', () => {
    expect(found({ tls: { clientCertificate: own } })).toEqual(['warning CLIENT_CERTIFICATE_UNUSED tls.clientCertificate']);
  });
});
