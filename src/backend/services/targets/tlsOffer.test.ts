import { constants } from 'node:crypto';
import { createSecureServer as createHttp2 } from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { cert, key } from '#workers/testing/certificate.ts';
import { askTlsOffers } from './tlsOffer.ts';

const openServers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const server of openServers.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

async function portOf(server: Server): Promise<number> {
  openServers.push(server);
  server.on('connection', (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const makeOffers = (url: string, tls = { verify: false }) =>
  askTlsOffers({ targets: [{ url, headers: {} }], tls, connections: planFor(url).connections }, null);

describe('askTlsOffer', () => {
  it('finds HTTP/2 without sending a request', async () => {
    let requests = 0;
    const server = createHttp2({ key, cert, allowHTTP1: true }, (_request, response) => {
      requests += 1;
      response.end();
    });
    const port = await portOf(server);
    const url = `https://127.0.0.1:${port}/`;
    expect(await makeOffers(url)).toEqual([
      {
        origin: `https://127.0.0.1:${port}`,
        protocol: 'h2',
        version: 'TLSv1.3',
        cipher: 'TLS_AES_256_GCM_SHA384',
        resumes: true,
        key: { kind: 'ec', bits: null },
      },
    ]);
    expect([requests, sockets.size]).toEqual([0, 2]);
  });

  it('finds HTTP/1.1, and reports that a server resumes no sessions', async () => {
    const port = await portOf(createHttps({ key, cert, maxVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_TICKET }));
    expect(await makeOffers(`https://127.0.0.1:${port}/`)).toMatchObject([{ protocol: 'http/1.1', version: 'TLSv1.2', resumes: false }]);
  });

  it('omits servers that cannot be reached', async () => {
    const silent = await portOf(createTcp());
    expect(await makeOffers('http://127.0.0.1:1/')).toEqual([]);
    expect(await makeOffers('https://127.0.0.1:1/')).toEqual([]);
    expect(await makeOffers(`https://127.0.0.1:${silent}/`)).toEqual([]);
  });

  it('accepts any certificate, because another check judges certificates', async () => {
    const server = await portOf(createHttps({ key, cert }));
    expect(await makeOffers(`https://127.0.0.1:${server}/`, { verify: true })).toMatchObject([{ protocol: 'http/1.1' }]);
  });
});

describe('a run against an https server with HTTP/2', () => {
  it('reports in its events and in what was not exercised that browsers would have used HTTP/2', async () => {
    const port = await portOf(createHttp2({ key, cert, allowHTTP1: true }, (_request, response) => response.end('hello')));
    const test = await startTestBackend();
    const url = `https://127.0.0.1:${port}/`;
    const { runId } = await test.client.call('runs.start', { plan: planFor(url, { tls: { verify: false } }) });
    await expect.poll(async () => (await test.client.call('runs.result', { runId })).run.state, { timeout: 20_000 }).toBe('finished');
    const { events, verdict, outcomes } = await test.client.call('runs.result', { runId });
    expect(outcomes.requests).toMatchObject({ sent: 50, ok: 50 });
    expect(events.filter(({ kind }) => kind === 'tlsOffer').map(({ text }) => text)).toEqual([
      `https://127.0.0.1:${port}: TLS 1.3 (TLS_AES_256_GCM_SHA384), ECDSA key, resumes sessions. Browsers use HTTP/2, this test HTTP/1.1.`,
    ]);
    expect(verdict.notExercised).toContain('HTTP/2, which browsers use here (the test used HTTP/1.1)');
    await test.close();
  });

  it('uses HTTP/2 if the plan requires it', async () => {
    let requests = 0;
    const port = await portOf(
      createHttp2({ key, cert }, (_request, response) => {
        requests += 1;
        response.end('hello');
      }),
    );
    const test = await startTestBackend();
    const load = { model: 'connections', stages: [{ name: 'load', connections: 8, requests: 200 }] } as const;
    const plan = planFor(`https://127.0.0.1:${port}/`, {
      tls: { verify: false },
      connections: { protocol: 'h2', streams: 4 },
      load: { ...load, stages: [...load.stages] },
    });
    const { runId } = await test.client.call('runs.start', { plan });
    await expect.poll(async () => (await test.client.call('runs.result', { runId })).run.state, { timeout: 20_000 }).toBe('finished');
    const { verdict, outcomes, balances, connectionsOpened, generators } = await test.client.call('runs.result', { runId });
    expect([outcomes.requests.sent, outcomes.requests.ok, requests, balances, connectionsOpened, generators[0]?.engine]).toEqual([
      200,
      200,
      200,
      true,
      2,
      'native',
    ]);
    expect(verdict.notExercised.join(' ')).not.toContain('HTTP/2');
    await test.close();
  });
});
