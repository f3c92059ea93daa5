import { describe, expect, it } from 'vitest';
import { checkPlan } from '../check.ts';
import { chooseEngineFor } from './engineFor.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';

const buildPlan = (changes: Partial<PlanInput>): ReturnType<typeof planSchema.parse> =>
  planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page' }],
    load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
    ...changes,
  });
const engineIssues = (changes: Partial<PlanInput>): string[] =>
  checkPlan(buildPlan(changes))
    .filter(({ path }) => /^(targets\[0\].url|journey\[0\].method|connections|tls)/.test(path))
    .map(({ level, code }) => `${level} ${code}`);

const OWN = { certificate: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n', key: { secret: 'file:/key.pem' } };
const secure = [{ url: 'https://127.0.0.1/' }];
const head: PlanInput['journey'] = [{ name: 'page', method: 'HEAD' }];

describe('the engine of a plan', () => {
  it.each<[string, Partial<PlanInput>, string]>([
    ['plain http', {}, 'autocannon'],
    ['https, whose certificate is to be verified', { targets: secure }, 'native'],
    ['HEAD', { journey: head }, 'native'],
    ['a connection for each journey', { connections: { reuse: 'journey' } }, 'native'],
    ['HTTP/2', { connections: { protocol: 'h2' } }, 'native'],
    ['a connection for each request', { connections: { reuse: 'never' } }, 'autocannon'],
    ['a time limit of its own for connecting', { connections: { connectSeconds: 1 } }, 'native'],
    ['a time limit of its own for the first byte', { connections: { firstByteSeconds: 1 } }, 'native'],
    ['named: native', { engine: 'native' }, 'native'],
    ['named: autocannon, whatever it is asked', { engine: 'autocannon', journey: head }, 'autocannon'],
  ])('%s', (_name, changes, engine) => {
    expect(chooseEngineFor(buildPlan(changes))).toBe(engine);
  });

  it.each<[string, Partial<PlanInput>, string]>([
    ['a client certificate', { targets: secure, tls: { verify: false, clientCertificate: OWN } }, 'CLIENT_CERTIFICATE_NOT_SUPPORTED'],
    ['a Unix socket', { connections: { socketPath: '/run/app.sock' } }, 'SOCKET_NOT_SUPPORTED'],
    ['local addresses', { connections: { localAddresses: ['127.0.0.2'] } }, 'LOCAL_ADDRESS_NOT_SUPPORTED'],
  ])('is the native one for %s, which autocannon refuses', (_name, changes, code) => {
    expect(chooseEngineFor(buildPlan(changes))).toBe('native');
    expect(engineIssues({ ...changes, engine: 'autocannon' })).toContain(`error ${code}`);
  });

  it('is reported if it lacks features that the plan needs', () => {
    expect(
      engineIssues({ engine: 'autocannon', journey: head, targets: secure, connections: { reuse: 'journey', connectSeconds: 2 } }),
    ).toEqual(['error CERTIFICATE_UNVERIFIABLE', 'error HEAD_NOT_SUPPORTED', 'error REUSE_NOT_SUPPORTED', 'error LIMIT_NOT_SUPPORTED']);
  });

  it('has no issue if it is automatic or native', () => {
    expect(engineIssues({ journey: head, targets: secure })).toEqual([]);
    expect(engineIssues({ engine: 'native', journey: head, targets: secure })).toEqual([]);
  });

  it('may be autocannon for an unverified certificate, which is reported', () => {
    const tls = { verify: false };
    expect(engineIssues({ targets: secure, tls })).toEqual(['warning CERTIFICATE_NOT_VERIFIED']);
    expect(engineIssues({ targets: secure, tls, engine: 'autocannon' })).toEqual(['warning CERTIFICATE_NOT_VERIFIED']);
    expect(engineIssues({ tls })).toEqual([]);
  });

  it('is not autocannon for a server name to verify', () => {
    const tls = { verify: false, serverName: 'shop.test' };
    expect(engineIssues({ targets: secure, tls, engine: 'autocannon' })).toEqual([
      'error SERVER_NAME_NOT_SUPPORTED',
      'warning CERTIFICATE_NOT_VERIFIED',
    ]);
    expect(chooseEngineFor(buildPlan({ targets: secure, tls }))).toBe('native');
  });

  it('accepts only PEM certificates as authority, never a key', () => {
    const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
    const key = '-----BEGIN EC PRIVATE KEY-----\nMIGH\n-----END EC PRIVATE KEY-----\n';
    expect(engineIssues({ targets: secure, tls: { ca: `# ours\n${certificate}` } })).toEqual([]);
    expect(engineIssues({ targets: secure, tls: { ca: './ca.pem' } })).toEqual(['error NO_CERTIFICATE']);
    expect(engineIssues({ targets: secure, tls: { ca: key + certificate } })).toEqual(['error PRIVATE_KEY_IN_PLAN']);
  });
});
