import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import type { Protocol } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { cert, key } from '#workers/testing/certificate.ts';

/**
 * Duration of a full handshake on the server, which performs one at a time, so two a second. While two are waiting, it rejects further
 * connections, so it rejects nearly all.
 */
const HANDSHAKE_MS = 500;
const MAX_WAITING = 2;
const SECONDS = 2;
const COUNTED_REQUESTS = 60;
const WARM_UP = 5;

/** Starts a site whose capacity is limited by full handshakes and which counts resumed sessions. */
function handshakeBound(): { readonly server: Http2SecureServer; resumed: () => number } {
  let resumed = 0;
  let waiting = 0;
  let free = Promise.resolve();
  const made = new Map<number | undefined, Promise<void> | null>();
  const server = createSecureServer({ key, cert, allowHTTP1: true }, (request, response) => {
    const handshake = made.get(request.socket.remotePort);
    if (handshake === null || handshake === undefined) response.writeHead(503).end('busy');
    else void handshake.then(() => response.end('hello'));
  });
  const takeTurn = (): Promise<void> | null => {
    if (waiting >= MAX_WAITING) return null;
    waiting += 1;
    free = free.then(() => delay(HANDSHAKE_MS)).then(() => void (waiting -= 1));
    return free;
  };
  server.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => {});
    const isResumed = socket.isSessionReused();
    if (isResumed) resumed += 1;
    made.set(socket.remotePort, isResumed ? Promise.resolve() : takeTurn());
  });
  server.on('sessionError', () => {});
  return { server, resumed: () => resumed };
}

let site: ReturnType<typeof handshakeBound>;
let test: TestBackend;
beforeAll(async () => {
  site = handshakeBound();
  test = await startTestBackend();
  await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  site.server.close();
  await test.close();
});

/** Measures a load with a new connection for each request, as if each request came from another visitor. */
async function measureResumption(protocol: Protocol, resume: number): Promise<{ readonly result: RunResult; readonly resumed: number }> {
  const before = site.resumed();
  const { port } = site.server.address() as AddressInfo;
  const plan = planFor(`https://127.0.0.1:${port}/`, {
    tls: { verify: false, resume },
    connections: { protocol, reuse: 'never' },
    threads: 1,
    load: {
      model: 'arrivals',
      spacing: 'uniform',
      stages: [
        // The first connections have no session to resume, so they are not counted.
        { kind: 'constant', perSecond: WARM_UP, seconds: 1, counted: false },
        { kind: 'constant', perSecond: COUNTED_REQUESTS / SECONDS, seconds: SECONDS },
      ],
    },
    // Unlike response times, rejections by the server are never the fault of a busy computer.
    criteria: [{ kind: 'errors', maxShare: 0.3 }],
  });
  const { runId } = await test.client.call('runs.start', { plan });
  await watchToEnd(test.client, runId);
  const result = await test.client.call('runs.result', { runId });
  expect(result.run.state).toBe('finished');
  return { result, resumed: site.resumed() - before };
}

describe('a server whose capacity is limited by full handshakes', { timeout: 90_000 }, () => {
  it.each([
    ['http/1.1', 'HTTP/1.1', 'HTTP/2', 'HTTP/2, which browsers use here'],
    ['h2', 'HTTP/2', 'HTTP/1.1', 'HTTP/1.1, which browsers do not use here'],
  ] as const)(
    'fails for new visitors and passes for returning ones over %s, and each verdict says so',
    async (protocol, name, other, unused) => {
      const ofNew = await measureResumption(protocol, 0);
      expect(ofNew).toMatchObject({ resumed: 0, result: { sessionsResumed: 0, verdict: { outcome: 'failed' } } });
      expect(ofNew.result.verdict.sentence).toContain(
        `Every connection over ${name} made a full TLS handshake, as new visitors do. Resumed ones of returning visitors and ${other} were not tested.`,
      );
      expect(ofNew.result.verdict.notExercised.join()).toContain('resumed TLS sessions of returning visitors');

      const ofReturning = await measureResumption(protocol, 1);
      const { sessionsResumed, verdict, windows } = ofReturning.result;
      expect(verdict.outcome).toBe('passed');
      // The server counts all connections, including the connection that the check before the run resumed.
      const [full, resumed] = (['full', 'resumed'] as const).map((kind) =>
        windows.reduce((sum, each) => sum + (each.handshakes?.[kind] ?? 0), 0),
      );
      expect([ofReturning.resumed - 1, ofReturning.resumed]).toContain(resumed);
      expect(sessionsResumed).toBeGreaterThan(0.95 * COUNTED_REQUESTS);
      expect((full ?? 0) + (resumed ?? 0)).toBe(WARM_UP + COUNTED_REQUESTS);
      expect(verdict.sentence).toContain(
        `Connections over ${name} resumed a TLS session, as returning visitors do. Full handshakes of new visitors and ${other} were not tested.`,
      );
      expect(verdict.notExercised.join()).toContain('full TLS handshakes of new visitors');
      for (const { result } of [ofNew, ofReturning]) expect(result.verdict.notExercised.join()).toContain(unused);
    },
  );
});
