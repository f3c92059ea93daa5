import { describe, expect, it } from 'vitest';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { safetySchema } from '#core/plan/schema/plan.ts';
import { findOrAddCell, emptyCell, emptyWindow } from '#core/measurement/windowFold.ts';
import type { Cell, Window } from '#core/measurement/window.ts';
import { createHistogram, recordMany } from '#core/statistics/histogram.ts';
import { NoResponseGuard, SafetyGuard } from './guards.ts';
import { buildJob, runLoad } from './testing/runLoad.ts';

/** Returns the second in which a run with these numbers of successful and failed requests stops; null if it continues. */
function stopSecond(seconds: readonly { readonly ok: number; readonly failed: number }[], errorWindowSeconds = 10): number | null {
  const guard = new SafetyGuard(safetySchema.parse({ stopAtErrorShare: 0.5, errorWindowSeconds }));
  for (const [second, { ok, failed }] of seconds.entries()) {
    const window = emptyWindow(second, 1);
    findOrAddCell(window, 0, 0).outcomes = { ok, httpError: failed };
    if (guard.add(window) !== null) return second;
  }
  return null;
}
const good = { ok: 100, failed: 0 };
const failing = { ok: 0, failed: 100 };
const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

it('stopAtErrorShare stops the run when a whole window has a larger share of failures', () => {
  expect(stopSecond([...times(20, good), ...times(20, failing)])).toBe(25);
  expect(stopSecond(times(20, failing))).toBe(9);
  expect(stopSecond(times(20, failing), 1)).toBe(0);
});

it('stopAtErrorShare reports the number of failed requests and the limit', () => {
  const guard = new SafetyGuard(safetySchema.parse({ stopAtErrorShare: 0.5, errorWindowSeconds: 2 }));
  const add = (second: number, ok: number, failed: number): string | undefined => {
    const window = emptyWindow(second, 1);
    findOrAddCell(window, 0, 0).outcomes = { ok, httpError: failed };
    return guard.add(window)?.message;
  };
  expect(add(0, 10, 90)).toBeUndefined();
  expect(add(1, 50, 50)).toBe('Stopped for safety: 140 of 200 requests (70 %) failed in the last 2 s. The limit is 50 %.');
  expect(add(2, 0, 10)).toBe('Stopped for safety: 60 of 110 requests (54.5 %) failed in the last 2 s. The limit is 50 %.');
  expect(add(3, 100, 9)).toContain(
    '19 of 119 requests (16 %) failed in the last 2 s, 54.1 % on average of its seconds. The limit is 50 %.',
  );
});

it('stopAtErrorShare ignores a short burst of failures at the beginning', () => {
  expect(stopSecond([...times(2, failing), ...times(30, good)])).toBeNull();
  expect(stopSecond([...times(2, { ok: 0, failed: 190 }), ...times(30, good)])).toBeNull();
});

describe('stopAtResponseTime', () => {
  /** Returns the second in which the run stops, and its message; null if it continues. */
  const stopByResponseTime = (
    seconds: readonly { fast?: number; slow?: number; failed?: number }[],
  ): { second: number; message: string } | null => {
    const guard = new SafetyGuard(safetySchema.parse({ stopAtResponseTime: { maxMs: 500, seconds: 3 } }));
    for (const [second, { fast = 0, slow = 0, failed = 0 }] of seconds.entries()) {
      const window = emptyWindow(second, 1);
      const cell = findOrAddCell(window, 0, 0);
      cell.outcomes = { ok: fast + slow, timeout: failed };
      cell.times.responseOk = createHistogram();
      recordMany(cell.times.responseOk, 20_000, fast);
      recordMany(cell.times.responseOk, 900_000, slow);
      const problem = guard.add(window);
      if (problem !== null) return { second, message: `${problem.code} ${problem.message}` };
    }
    return null;
  };

  it("stops the run when a larger share of the last seconds' requests is slow or fails than its percentile allows", () => {
    expect(stopByResponseTime(times(10, { fast: 96, slow: 4 }))).toBeNull();
    expect(stopByResponseTime([...times(5, { fast: 100 }), ...times(5, { fast: 80, slow: 20 })])).toEqual({
      second: 5,
      message:
        'SAFETY_RESPONSE_TIME Stopped: 20 of 300 requests in the last 3 s (6.7 %) took longer than 500 ms or failed. p95 is over the limit.',
    });
    expect(stopByResponseTime(times(10, { fast: 90, failed: 10 }))?.second).toBe(2);
    // First too few requests for a percentile, then one slow second among fast ones.
    expect(stopByResponseTime(times(30, { slow: 1 }))).toBeNull();
    expect(stopByResponseTime([...times(5, { fast: 1_000 }), { slow: 100 }, ...times(5, { fast: 1_000 })])).toBeNull();
  });

  it('measures times from the actual start of requests if no start is planned', () => {
    const guard = new SafetyGuard(safetySchema.parse({ stopAtResponseTime: { percentile: 50, maxMs: 500, seconds: 1 } }));
    const window = emptyWindow(0, 1);
    const cell = findOrAddCell(window, 0, 0);
    cell.outcomes = { ok: 30 };
    cell.times.serviceOk = createHistogram();
    recordMany(cell.times.serviceOk, 900_000, 30);
    expect(guard.add(window)?.message).toContain('30 of 30 requests');
  });
});

describe('stopAtErrorShare with a proxy that fails fast', () => {
  const nothing = { ok: 0, failed: 0 };
  const atOnce = { ok: 0, failed: 18_000 };

  it('ignores a short burst, however many failures occur in a second', () => {
    expect(stopSecond([...times(20, good), ...times(5, atOnce), ...times(30, good)])).toBeNull();
    expect(stopSecond([...times(20, good), ...times(30, atOnce)])).toBe(25);
  });

  it('ignores a short burst after seconds without responses', () => {
    expect(stopSecond([...times(20, good), ...times(60, nothing), ...times(4, atOnce), ...times(30, good)])).toBeNull();
    expect(stopSecond([...times(60, nothing), { ok: 2, failed: 18_000 }, ...times(4, atOnce), ...times(30, good)])).toBeNull();
    expect(stopSecond([...times(60, nothing), ...times(30, atOnce)])).toBe(69);
  });

  it('counts seconds without responses between failures as failed', () => {
    expect(stopSecond(times(20, [{ ok: 0, failed: 60 }, nothing, nothing]).flat())).toBe(9);
  });
});

it('stopAtErrorShare needs at least 100 requests', () => {
  expect(stopSecond(times(30, { ok: 0, failed: 9 }))).toBeNull();
});

function makeWindow(second: number, changes: Partial<Cell>): Window {
  return { ...emptyWindow(second, 1), cells: [{ ...emptyCell(0, 0), ...changes }] };
}
const refused = (second: number, count: number): Window =>
  makeWindow(second, { outcomes: { refused: count }, errors: { 'ECONNREFUSED@connect': count } });

/** Returns the problem code for each window. */
function problemCodes(...windows: readonly Window[]): (string | undefined)[] {
  const guard = new NoResponseGuard();
  return windows.map((window) => guard.add(window)?.code);
}
const STOP = 'SAFETY_NOTHING_ANSWERED';

describe('NoResponseGuard', () => {
  it('stops the run after 5 s, and reports the reason once', () => {
    expect(problemCodes(refused(0, 60), refused(3, 1), refused(4, 1), refused(5, 1))).toEqual([undefined, undefined, STOP, undefined]);
  });

  it('needs at least 50 failures', () => {
    expect(problemCodes(...Array.from({ length: 49 }, (_, second) => refused(second, 1)))).not.toContain(STOP);
    expect(problemCodes(...Array.from({ length: 50 }, (_, second) => refused(second, 1))).at(-1)).toBe(STOP);
  });

  it.each(['ok', 'httpError', 'wrongBody'] as const)(
    'never stops the run after the first response, whatever its outcome: %s',
    (outcome) => {
      expect(problemCodes(refused(0, 60), makeWindow(1, { outcomes: { [outcome]: 1 } }), refused(60, 5_000))).not.toContain(STOP);
    },
  );

  it('continues if connections succeed but requests fail, except for TLS alerts', () => {
    expect(problemCodes(makeWindow(10, { outcomes: { reset: 500 }, errors: { 'EOF@firstByte': 500 } }))).toEqual([undefined]);
    const alert = { 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED@firstByte': 500 };
    expect(problemCodes(makeWindow(10, { outcomes: { tls: 500 }, errors: alert }))).toEqual([STOP]);
  });

  it('names the most frequent failure', () => {
    const problem = new NoResponseGuard().add(makeWindow(9, { errors: { 'CERT_HAS_EXPIRED@tls': 80, 'ECONNREFUSED@connect': 3 } }));
    expect(problem?.message).toMatch(/none of 83 connections .*CERT_HAS_EXPIRED@tls.*The server’s certificate has expired/);
    expect(problem?.hint).toContain('Renew it');
  });

  it('ends a run of 10 minutes early, and all requests are counted', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const address = gone.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    gone.close();
    await once(gone, 'close');
    const job = buildJob([`http://127.0.0.1:${port}/`], { load: { model: 'connections', stages: [{ connections: 20, seconds: 600 }] } });
    const { end, cell, inFlight } = await runLoad(job);
    expect(end).toMatchObject({ reason: 'safety', problem: { code: STOP, message: expect.stringContaining('nothing listens') } });
    expect(end.endedAtSecond).toBeLessThan(60);
    expect(cell.started).toBeGreaterThanOrEqual(50);
    expect(cell.outcomes).toEqual({ refused: cell.started });
    expect(inFlight).toBe(0);
  });
});
