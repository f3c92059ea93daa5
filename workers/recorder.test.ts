import { describe, expect, it } from 'vitest';
import { drive } from './testing/drive.ts';
import { discrepancies } from './testing/exactness.ts';
import { httpServer } from './testing/servers.ts';
import { Recorder, type StageRecorder } from './recorder.ts';
import { onlyItem } from './testing/onlyOf.ts';
import type { Window } from '#core/measurement/window.ts';

/** Wraps a recorder so that every hundredth response is dropped. */
function dropResponses(recorder: StageRecorder): StageRecorder {
  let responses = 0;
  return new Proxy(recorder, {
    get(target, name: keyof StageRecorder) {
      if (name !== 'requestCompleted') return target[name].bind(target);
      return (...times: Parameters<StageRecorder['requestCompleted']>) => {
        responses += 1;
        if (responses % 100 !== 0) target.requestCompleted(...times);
      };
    },
  });
}

describe('discrepancies between recorder and server', () => {
  it('are empty for the recorder, and not empty for a recorder that loses 1 % of the responses', async () => {
    const server = await httpServer((_, response) => response.end());
    try {
      const options = { targets: [server.url], stage: { connections: 5, requests: 1_000 } };
      const exact = await drive(options);
      expect(discrepancies(exact, 1_000)).toEqual([]);
      const lossy = await drive({ ...options, wrapRecorder: dropResponses });
      expect(lossy.cell.outcomes).toEqual({ ok: 990 });
      expect(discrepancies(lossy, 1_000)).toContain('requests sent and the sum of their outcomes differ: 1000 and 990');
    } finally {
      await server.close();
    }
  });
});

describe('Recorder windows', () => {
  const times = {
    status: 200,
    expected: true,
    failedCheck: null,
    isUnchecked: false,
    serviceUs: 900_000,
    responseUs: 900_000,
    transferUs: 0,
    firstByteUs: 800_000,
    bodyBytes: 5,
    onReusedConnection: false,
    comparesLength: true,
    server: null,
    fromCache: null,
    isStillWaiting: false,
    waitedUs: null,
    sessionAgeUs: null,
    place: null,
    firstBellUs: 0,
  };

  function recorded(write: (stage: StageRecorder, recorder: Recorder) => void): Window[] {
    const windows: Window[] = [];
    const recorder = new Recorder({
      plansStarts: false,
      firstBodyLengths: new Int32Array(new SharedArrayBuffer(4)).fill(-1),
      inFlight: () => 3,
      publish: (window) => windows.push(window),
    });
    recorder.begin(10_000_000);
    write(onlyItem(recorder.open([2])), recorder);
    recorder.close(13_500_000);
    return windows;
  }

  it('follow every second without gaps; a request counts at its start, its response at its end', () => {
    const windows = recorded((stage) => {
      stage.requestStarted(0, 10_999_999);
      stage.requestCompleted(0, 12_000_000, times);
    });
    expect(windows.map(({ second, width, inFlight }) => ({ second, width, inFlight }))).toEqual(
      [0, 1, 2, 3].map((second) => ({ second, width: 1, inFlight: 3 })),
    );
    expect(windows[0]?.cells).toMatchObject([{ stage: 2, step: 0, started: 1, outcomes: {} }]);
    expect(windows[1]?.cells).toEqual([]);
    expect(windows[2]?.cells).toMatchObject([{ stage: 2, started: 0, outcomes: { ok: 1 }, statuses: new Map([[200, 1]]), bodyBytes: 5 }]);
  });

  it('share no data with the next window', () => {
    const windows = recorded((stage) => {
      stage.requestCompleted(0, 10_500_000, times);
      stage.requestFailed(0, 11_500_000, 'reset', 'ECONNRESET', 'body');
      stage.requestCompleted(0, 12_500_000, { ...times, status: 503, expected: false });
    });
    expect(windows.map(({ cells }) => cells[0]?.outcomes)).toEqual([{ ok: 1 }, { reset: 1 }, { httpError: 1 }, undefined]);
    expect(windows.map(({ cells }) => cells[0]?.errors)).toEqual([{}, { 'ECONNRESET@body': 1 }, {}, undefined]);
    expect(windows.map(({ cells }) => Object.keys(cells[0]?.times ?? {}))).toEqual([
      ['serviceOk', 'firstByte', 'transfer'],
      [],
      ['serviceFailed', 'service5xx', 'firstByte', 'transfer'],
      [],
    ]);
  });
});
