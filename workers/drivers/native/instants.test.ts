import { expect, it } from 'vitest';
import type { StageRecorder } from '#workers/recorder.ts';
import { drive } from '#workers/testing/drive.ts';
import { OK, OK_AND_CLOSE, ScriptedServer } from './testing/scriptedServer.ts';

/** Passes everything on, and keeps the instants that are told, in the order of the calls. */
function listeningTo(recorder: StageRecorder, told: [string, number][]): StageRecorder {
  const positionOf: Readonly<Record<string, number>> = {
    requestStarted: 1,
    bytesReceived: 2,
    connectionOpened: 1,
    requestAnswered: 1,
    requestFailed: 1,
    journeyStarted: 0,
    journeyFinished: 0,
    journeyAbandoned: 0,
  };
  return new Proxy(recorder, {
    get(target, name: keyof StageRecorder) {
      const method = target[name] as (...values: unknown[]) => unknown;
      return (...values: unknown[]): unknown => {
        const position = positionOf[name];
        if (position !== undefined) told.push([name, Number(values[position])]);
        return method.apply(target, values);
      };
    },
  });
}

it('tells of everything in the order in which it came, whatever is counted later than it is read', async () => {
  const server = new ScriptedServer(({ socket, number }) => {
    if (number % 11 === 0) socket.resetAndDestroy();
    else if (number % 7 === 0) socket.end(OK_AND_CLOSE);
    else if (number % 5 === 0) socket.write('HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n');
    else if (number % 3 === 0) {
      socket.write(OK.slice(0, 20));
      setTimeout(() => socket.write(OK.slice(20)), 1);
    } else socket.write(OK);
  });
  await server.listen();
  const told: [string, number][] = [];
  const { cell, inFlight } = await drive({
    targets: [server.url],
    stage: { connections: 24, requests: 3_000 },
    plan: { engine: 'native' },
    wrapRecorder: (recorder) => listeningTo(recorder, told),
  });
  await server.close();
  expect(cell.started).toBe(3_000);
  expect(inFlight).toBe(0);
  expect(new Set(told.map(([name]) => name))).toEqual(
    new Set([
      'journeyStarted',
      'requestStarted',
      'connectionOpened',
      'bytesReceived',
      'requestAnswered',
      'requestFailed',
      'journeyFinished',
      'journeyAbandoned',
    ]),
  );
  const backwards = told.filter(([, atUs], index) => atUs < (told[index - 1]?.[1] ?? 0));
  expect(backwards).toEqual([]);
});
