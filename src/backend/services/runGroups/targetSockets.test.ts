import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { planFor } from '#backend/testing/plans.ts';
import { startTarget } from '#backend/testing/target.ts';
import { countSocketsIn, countSockets, readEndpoints, hexForms } from './pauses.ts';

describe('the sockets of connections to a target', () => {
  it('are found by either end, except listening sockets and those in TIME_WAIT', () => {
    const list = `  sl  local_address rem_address   st tx_queue
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000
   1: 0100007F:1F90 0100007F:C001 01 00000000:00000000
   2: 0100007F:C001 0100007F:1F90 01 00000000:00000000
   3: 0100007F:C002 0100007F:1F90 06 00000000:00000000
   4: 0100007F:C003 0100007F:1F91 01 00000000:00000000`;
    expect(countSocketsIn(list, new Set(['0100007F:1F90']))).toBe(2);
  });

  it("are compared in the kernel's address format", () => {
    expect(hexForms('127.0.0.1')).toEqual(['0100007F', '0000000000000000FFFF00000100007F']);
    expect(hexForms('::1')).toEqual(['00000000000000000000000001000000']);
    expect(hexForms('2001:db8::7')).toEqual(['B80D0120000000000000000007000000']);
  });

  it.runIf(process.platform === 'linux')('come and go as they are opened and closed', async () => {
    const target = await startTarget();
    const endpoints = await readEndpoints(planFor(target.url));
    expect(await countSockets(endpoints)).toBe(0);
    const socket = connect(Number(new URL(target.url).port), '127.0.0.1');
    await once(socket, 'connect');
    expect(await countSockets(endpoints)).toBe(2);
    socket.destroy();
    await target.close();
    await expect.poll(() => countSockets(endpoints)).toBe(0);
  });

  it('cannot be counted over a Unix socket', async () => {
    const endpoints = await readEndpoints(planFor('http://localhost/', { connections: { socketPath: '/run/app.sock' } }));
    expect(await countSockets(endpoints)).toBeNull();
  });
});
