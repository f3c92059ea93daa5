import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer } from '#workers/testing/servers.ts';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from './native/testing/certificates.ts';
import { type Response, OK, OK_AND_CLOSE, ScriptedServer } from './native/testing/scriptedServer.ts';

let opened: ScriptedServer | null = null;
afterEach(async () => {
  await opened?.close();
  opened = null;
});

async function serve(respond: Response, tls: ConstructorParameters<typeof ScriptedServer>[1] = null): Promise<ScriptedServer> {
  opened = new ScriptedServer(respond, tls);
  await opened.listen();
  return opened;
}

describe.each(['autocannon', 'native'] as const)('counts of %s', (engine) => {
  const plan: Partial<PlanInput> = { engine };

  it("match the server's for a fixed number of requests, with several steps and targets", async () => {
    const one = await httpServer((_, response) => response.end('one'));
    const two = await httpServer((_, response) => response.end('two'));
    const journey = [{ name: 'a' }, { name: 'b', path: 'b' }, { name: 'c', method: 'POST' as const, body: 'x=1' }];
    const driven = await drive({ targets: [one.url, two.url], stage: { connections: 6, requests: 1_000 }, plan: { ...plan, journey } });
    expect(discrepancies(driven, one.requests + two.requests)).toEqual([]);
    expect(driven.cell.started).toBe(1_000);
    expect(driven.cell.outcomes).toEqual({ ok: 1_000 });
    await one.close();
    await two.close();
  });

  it("match the server's for a fixed duration", async () => {
    const server = await serve(({ socket }) => void socket.write(OK));
    const driven = await drive({ targets: [server.url], stage: { connections: 3, seconds: 0.3 }, plan });
    expect(discrepancies(driven, server.log.length)).toEqual([]);
    expect(driven.inFlight).toBe(0);
  });

  it("match the server's if the server closes after every response, whether connections may be reused or not", async () => {
    const server = await serve(({ socket }) => void socket.end(OK_AND_CLOSE));
    const stage = { connections: 3, requests: 60 };
    for (const reuse of ['always', 'never'] as const) {
      const driven = await drive({ targets: [server.url], stage, plan: { ...plan, connections: { reuse } } });
      expect(driven.cell.outcomes).toEqual({ ok: 60 });
      expect(driven.cell.connectionsOpened).toBe(60);
    }
    expect(server.log).toHaveLength(120);
  });

  it('stop at the request budget', async () => {
    const server = await serve(({ socket }) => void socket.write(OK));
    const driven = await drive({ targets: [server.url], stage: { connections: 3, seconds: 60 }, plan, budget: 100 });
    expect(discrepancies(driven, server.log.length)).toEqual([]);
    expect(driven.cell.started).toBe(100);
  });
});

describe('the native engine, unlike autocannon,', () => {
  it('verifies certificates', async () => {
    const server = await serve(({ socket }) => void socket.write(OK), { cert: SERVER_CERTIFICATE, key: SERVER_KEY });
    const drives = { targets: [`https://127.0.0.1:${server.port}/`], stage: { connections: 1, requests: 2 } };
    expect((await drive(drives)).cell.outcomes).toEqual({ tls: 2 });
    expect((await drive({ ...drives, plan: { tls: { ca: AUTHORITY } } })).cell.outcomes).toEqual({ ok: 2 });
    expect((await drive({ ...drives, plan: { tls: { verify: false } } })).cell.outcomes).toEqual({ ok: 2 });
  });

  it('sends HEAD requests, and opens a connection for each journey', async () => {
    const server = await serve(({ socket }) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n'));
    const journey = [
      { name: 'a', method: 'HEAD' as const },
      { name: 'b', method: 'HEAD' as const },
    ];
    const plan: Partial<PlanInput> = { journey, connections: { reuse: 'journey' } };
    const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 20 }, plan });
    expect(driven.cell.outcomes).toEqual({ ok: 20 });
    expect(driven.cell.connectionsOpened).toBe(10);
  });

  it('limits the time until the first byte', async () => {
    const server = await serve(() => {});
    const plan: Partial<PlanInput> = { connections: { firstByteSeconds: 0.1 } };
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 1 }, plan });
    expect(driven.cell.errors).toEqual({ 'TIMEOUT@firstByte': 1 });
  });
});
