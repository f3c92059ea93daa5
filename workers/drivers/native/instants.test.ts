import { expect, it } from 'vitest';
import type { StageRecorder } from '#workers/recorder.ts';
import { drive } from '#workers/testing/drive.ts';
import { OK, OK_AND_CLOSE, ScriptedServer } from './testing/scriptedServer.ts';

/** Returns a recorder that forwards every call and logs its name and time. */
function logCalls(recorder: StageRecorder, log: [string, number][]): StageRecorder {
  const positionOf: Readonly<Record<string, number>> = {
    requestStarted: 1,
    bytesReceived: 2,
    connectionOpened: 1,
    requestCompleted: 1,
    requestFailed: 1,
    journeyStarted: 0,
    journeyFinished: 0,
    journeyAbandoned: 1,
  };
  return new Proxy(recorder, {
    get(target, name: keyof StageRecorder) {
      const method = target[name] as (...values: unknown[]) => unknown;
      return (...values: unknown[]): unknown => {
        const position = positionOf[name];
        if (position !== undefined) log.push([name, Number(values[position])]);
        return method.apply(target, values);
      };
    },
  });
}

it('native driver: records all events in chronological order, even responses that it counts later than it reads them', async () => {
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
  const log: [string, number][] = [];
  const { cell, inFlight } = await drive({
    targets: [server.url],
    stage: { connections: 24, requests: 3_000 },
    plan: { engine: 'native' },
    wrapRecorder: (recorder) => logCalls(recorder, log),
  });
  await server.close();
  expect(cell.started).toBe(3_000);
  expect(inFlight).toBe(0);
  expect(new Set(log.map(([name]) => name))).toEqual(
    new Set([
      'journeyStarted',
      'requestStarted',
      'connectionOpened',
      'bytesReceived',
      'requestCompleted',
      'requestFailed',
      'journeyFinished',
      'journeyAbandoned',
    ]),
  );
  const backwards = log.filter(([, atUs], index) => atUs < (log[index - 1]?.[1] ?? 0));
  expect(backwards).toEqual([]);
});
