import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cert, key } from '#workers/testing/certificate.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer } from '#workers/testing/servers.ts';

let server: Server;
let requests = 0;
const portOf = (): number => z.custom<AddressInfo>((value) => typeof value === 'object').parse(server.address()).port;

beforeEach(async () => {
  requests = 0;
  server = createServer({ key, cert }, (_, response) => {
    requests += 1;
    if (requests % 10 === 0) response.setHeader('connection', 'close');
    response.end('secret');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
afterEach(() => server.close());

describe('autocannon over HTTPS', () => {
  // autocannon verifies no certificates; the check of the plan warns about this.
  it('counts requests exactly with any certificate', async () => {
    const driven = await drive({
      targets: [`https://127.0.0.1:${portOf()}/`],
      stage: { connections: 3, requests: 100 },
      plan: { engine: 'autocannon' },
    });
    expect(discrepancies(driven, requests)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 100 });
    expect(driven.cell.times.tls?.totalCount).toBe(driven.cell.connectionsOpened);
    expect(driven.cell.times.connect?.totalCount).toBe(driven.cell.connectionsOpened);
  });

  it('reports a failure in the TLS phase if the server does not use TLS', async () => {
    const plain = await httpServer((_, response) => response.end());
    const driven = await drive({
      targets: [`https://127.0.0.1:${plain.port}/`],
      stage: { connections: 1, requests: 2 },
      plan: { engine: 'autocannon' },
    });
    await plain.close();
    expect(driven.cell.outcomes).toEqual({ tls: 2 });
    expect(Object.keys(driven.cell.errors)[0]).toMatch(/@tls$/);
  });
});
