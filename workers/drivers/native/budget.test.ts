import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { drive } from '#workers/testing/drive.ts';
import { OK, ScriptedServer } from './testing/scriptedServer.ts';

it('native driver: sends exactly as many requests as the budget allows, and awaits responses in flight when it is used up', async () => {
  const waiting: Socket[] = [];
  // Responds to all connections at once, so that they claim the rest of the budget at the same time.
  const server = new ScriptedServer(({ socket }) => {
    waiting.push(socket);
    if (waiting.length === 10 || server.log.length === 95) for (const each of waiting.splice(0)) each.write(OK);
  });
  await server.listen();
  const { cell, settled, inFlight, journeys } = await drive({
    targets: [server.url],
    stage: { connections: 10, seconds: 20 },
    plan: { engine: 'native' },
    budget: 95,
  });
  await server.close();
  expect(server.log).toHaveLength(95);
  expect({ started: cell.started, settled, inFlight, journeys }).toMatchObject({
    started: 95,
    settled: 95,
    inFlight: 0,
    journeys: { started: 95, finished: 95, abandoned: 0 },
  });
});
