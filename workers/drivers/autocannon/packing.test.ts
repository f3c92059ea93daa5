import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { drive } from '#workers/testing/drive.ts';
import { httpServer } from '#workers/testing/servers.ts';

// Before autocannon is loaded: its histograms keep the function that they find then.
const deflateSync = vi.hoisted(() => vi.spyOn(process.getBuiltinModule('node:zlib'), 'deflateSync'));

it('packs nothing after its end, when its thread may be ended at any moment', async () => {
  const server = await httpServer((_, response) => response.end());
  const driven = await drive({ targets: [server.url], stage: { connections: 2, requests: 20 } });
  expect(driven.cell.outcomes).toEqual({ ok: 20 });
  // autocannon looks every 100 ms whether it was stopped.
  await delay(500);
  expect(deflateSync).not.toHaveBeenCalled();
  await server.close();
});
