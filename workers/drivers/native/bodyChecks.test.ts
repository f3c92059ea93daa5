import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Cell } from '#core/measurement/window.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { httpServer } from '#workers/testing/servers.ts';

const stage = { connections: 3, requests: 60 };

/** Returns the numbers of recorded service times of successful and of other complete responses. */
function countTimes({ times }: Cell): { ok: number; failed: number } {
  return { ok: times.serviceOk?.totalCount ?? 0, failed: times.serviceFailed?.totalCount ?? 0 };
}

describe('body checks', () => {
  it('count a response with wrong content as wrongBody, with its status and its time', async () => {
    let served = 0;
    const server = await httpServer((_, response) => {
      served += 1;
      response.end(served % 3 === 0 ? '<h1>Database error</h1>' : '<h1>Welcome back</h1>');
    });
    const journey = [{ name: 'page', checks: [{ kind: 'contains' as const, text: 'Welcome' }] }];
    const driven = await drive({ targets: [server.url], stage, plan: { journey } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.cell.outcomes).toEqual({ ok: 40, wrongBody: 20 });
    expect(driven.cell.statuses).toEqual(new Map([[200, 60]]));
    expect(driven.cell.errors).toEqual({ 'TEXT_MISSING “Welcome”@check': 20 });
    expect(countTimes(driven.cell)).toEqual({ ok: 40, failed: 20 });
    expect(driven.journeys).toMatchObject({ started: 60, finished: 60, abandoned: 0 });
    await server.close();
  });

  it('apply only to the steps that define them, also to compressed bodies in many pieces', async () => {
    const packed = gzipSync(`{"items": [{"price": 12.5}], "note": "${'é'.repeat(200_000)}"}`);
    const server = await httpServer((request, response) => {
      if (request.url !== '/cart') {
        response.end('anything');
        return;
      }
      response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' });
      for (let at = 0; at < packed.length; at += 97) response.write(packed.subarray(at, at + 97));
      response.end();
    });
    const checks = [
      { kind: 'json' as const, path: '$.items[0].price', equals: 12.5 },
      { kind: 'matches' as const, pattern: 'é{200000}' },
      { kind: 'size' as const, minBytes: packed.length, maxBytes: packed.length },
    ];
    const journey = [{ name: 'home' }, { name: 'cart', path: 'cart', checks }, { name: 'out', path: 'out' }];
    const driven = await drive({ targets: [server.url], stage, plan: { journey } });
    expect(driven.cell.outcomes).toEqual({ ok: 60 });
    expect(driven.cell.errors).toEqual({});
    expect(driven.cell.connectionsOpened).toBe(3);
    await server.close();
  });

  it('are skipped for a response with an unexpected status', async () => {
    const server = await httpServer((_, response) => response.writeHead(503).end('busy'));
    const journey = [{ name: 'page', checks: [{ kind: 'contains' as const, text: 'Welcome' }] }];
    const driven = await drive({ targets: [server.url], stage, plan: { journey } });
    expect(driven.cell.outcomes).toEqual({ httpError: 60 });
    expect(driven.cell.errors).toEqual({});
    await server.close();
  });

  it('read two uncompressed bodies of 41 MB, one after the other', async () => {
    const list = (last: string): Buffer => Buffer.concat([Buffer.alloc(41_000_000, 'a'), Buffer.from(last)]);
    let served = 0;
    const server = await httpServer((_, response) => void response.end(list((served += 1) <= 4 ? 'end' : 'cut')));
    const journey = [{ name: 'list', checks: [{ kind: 'contains' as const, text: 'end' }] }];
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 6 }, plan: { journey } });
    expect(driven.cell.outcomes).toEqual({ ok: 4, wrongBody: 2 });
    expect(driven.cell.responsesUnchecked).toBe(0);
    await server.close();
  });

  it('count a body that is too large to keep as unchecked, with its bytes and its size, and check the next response', async () => {
    const size = 65 * 1_048_576;
    let served = 0;
    const server = await httpServer((_, response) => void response.end((served += 1) === 1 ? Buffer.alloc(size, 'b') : 'small a'));
    const journey = [{ name: 'page', checks: [{ kind: 'contains' as const, text: 'a' }] }];
    const driven = await drive({ targets: [server.url], stage: { connections: 1, requests: 3 }, plan: { journey } });
    expect(driven.cell.outcomes).toEqual({ ok: 3 });
    expect([driven.cell.responsesUnchecked, driven.cell.bodyBytes]).toEqual([1, size + 14]);
    served = 0;
    const sized = [{ ...journey[0], name: 'page', checks: [...(journey[0]?.checks ?? []), { kind: 'size' as const, maxBytes: 1_000 }] }];
    const refused = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { journey: sized } });
    expect(refused.cell.outcomes).toEqual({ ok: 1, wrongBody: 1 });
    // A capture from a body that was not kept fails.
    served = 0;
    const taking = [{ name: 'page', captures: [{ from: 'body' as const, as: 'letter', pattern: '(a)' }] }];
    const taken = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { journey: taking } });
    expect(Object.keys(taken.cell.errors)).toEqual([expect.stringMatching(/^NOT_KEPT /)]);
    await server.close();
  });
});
