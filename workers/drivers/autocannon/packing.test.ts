import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { drive } from '#workers/testing/drive.ts';
import { httpServer } from '#workers/testing/servers.ts';

// The spy must be installed before the import of autocannon, because autocannon's histograms keep the function that exists at that time.
const deflateSync = vi.hoisted(() => vi.spyOn(process.getBuiltinModule('node:zlib'), 'deflateSync'));

it('autocannon compresses no histograms after a load, when the thread may be terminated', async () => {
  const server = await httpServer((_, response) => response.end());
  const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 20 } });
  expect(driven.cell.outcomes).toEqual({ ok: 20 });
  // autocannon checks only every 100 ms whether it was stopped.
  await delay(500);
  expect(deflateSync).not.toHaveBeenCalled();
  await server.close();
});
