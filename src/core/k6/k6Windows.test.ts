import { describe, expect, it } from 'vitest';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import { Totals } from '#core/result/totals.ts';
import type { Cell, Window } from '#core/measurement/window.ts';
import { K6Windows, OPEN_SECONDS } from './k6Windows.ts';
import { K6SampleReader } from './sampleReader.ts';
import { journeyLines, pointLine, requestLines, type RequestLine } from './testing/k6Lines.ts';

const BEGAN_MS = Date.parse('2026-03-01T12:00:00.250Z');

function buildPlan(changes: Partial<PlanInput> = {}): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'test',
    engine: 'k6',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'page' }],
    load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 2, seconds: 3 }] },
    ...changes,
  });
}

function makeWindows(plan: Plan, lines: readonly string[]): Window[] {
  const windows = new K6Windows(plan);
  new K6SampleReader(windows).push(`${lines.join('\n')}\n`);
  return windows.takeAll();
}

/**
 * Returns the lines of a journey with one request that starts `atMs` after the load began. The first line of a list states when the load
 * began.
 */
function visit(atMs: number, request: Partial<RequestLine> = {}, between: readonly string[] = []): string[] {
  const { waitingMs = 10, blockedMs = 0, vu = '1' } = request;
  const endMs = BEGAN_MS + atMs + blockedMs + waitingMs;
  return journeyLines({ beganMs: BEGAN_MS + atMs, endMs: endMs + 0.1, vu, ...(atMs === 0 ? { loadBeganMs: BEGAN_MS } : {}) }, [
    ...requestLines({ endMs, step: '0', waitingMs, ...request }),
    ...between,
  ]);
}

function cells(windows: readonly Window[]): Cell[] {
  return windows.flatMap((window) => window.cells);
}

describe('K6Windows', () => {
  it('counts each request in the seconds in which it started and ended', () => {
    const windows = makeWindows(buildPlan(), [
      ...visit(0),
      ...visit(900, { waitingMs: 300, connectingMs: 2, blockedMs: 3 }),
      ...visit(2_500),
    ]);
    expect(windows.map(({ second }) => second)).toEqual([0, 1, 2]);
    expect(windows.map(({ cells: [cell] }) => [cell?.started, cell?.outcomes.ok])).toEqual([
      [2, 1],
      [0, 1],
      [1, 1],
    ]);
    expect(windows.map(({ inFlight }) => inFlight)).toEqual([1, 0, 0]);
    expect(windows.map(({ journeys }) => [journeys.started, journeys.finished])).toEqual([
      [2, 1],
      [0, 1],
      [1, 1],
    ]);
    expect(windows[1]?.cells[0]).toMatchObject({ connectionsOpened: 1, requestsOnReusedConnection: 0, statuses: new Map([[200, 1]]) });
    expect(windows[1]?.cells[0]?.times.serviceOk?.maxValue).toBe(303_000);
    expect(windows[1]?.cells[0]?.times.connect?.maxValue).toBe(2_000);
    expect(windows.map(({ loaded }) => loaded?.[0]?.responded)).toEqual([1, 1, 1]);
  });

  it('balances, and counts all journeys that k6 started as planned', () => {
    const plan = buildPlan();
    const lines = [0, 500, 1_000, 1_500, 2_000, 2_500, 3_000].flatMap((atMs) => visit(atMs));
    for (const count of [6, 7]) {
      const totals = new Totals();
      for (const window of makeWindows(plan, lines.slice(0, (lines.length / 7) * count + 1))) totals.add(window);
      expect(totals.outcomes(plan, true)).toMatchObject({
        balances: true,
        outcomes: { journeys: { planned: count, started: count, finished: count }, requests: { sent: count, ok: count, inFlight: 0 } },
      });
    }
  });

  it('keeps a second open for slow responses, and counts slower ones without loss', () => {
    const windows = new K6Windows(buildPlan());
    const reader = new K6SampleReader(windows);
    const at = (second: number): number => (BEGAN_MS + second * 1_000) * 1_000;
    expect(windows.takeUntil(at(9))).toEqual([]);
    reader.push(`${visit(0).join('\n')}\n`);
    expect(windows.takeUntil(at(OPEN_SECONDS + 0.9))).toEqual([]);
    reader.push(`${visit(100, { waitingMs: 3_500, vu: '2' }).join('\n')}\n`);
    const [first, ...others] = windows.takeUntil(at(OPEN_SECONDS + 1));
    expect(others).toEqual([]);
    expect(first).toMatchObject({ second: 0, inFlight: 1, cells: [{ started: 2, outcomes: { ok: 1 } }] });
    reader.push(`${visit(200, { waitingMs: 4_000, vu: '3' }).join('\n')}\n`);
    const rest = windows.takeAll();
    expect(cells(rest).map(({ started, outcomes }) => [started, outcomes.ok ?? 0])).toEqual(
      [
        [1, 0],
        [0, 1],
        [0, 1],
      ].filter((row) => row[0] !== 0 || row[1] !== 0),
    );
    expect(rest.at(-1)?.inFlight).toBe(0);
  });

  it('records the error of a request without a response, and counts its journey as abandoned', () => {
    const [window] = makeWindows(buildPlan(), [
      ...visit(0, { status: 0, errorCode: '1212', error: 'dial: connection refused', waitingMs: 0 }),
      ...visit(100, { status: 503, errorCode: '1503' }),
    ]);
    expect(window).toMatchObject({
      journeys: { started: 2, finished: 1, abandoned: 1 },
      cells: [
        {
          started: 2,
          outcomes: { refused: 1, httpError: 1 },
          errors: { 'ECONNREFUSED@connect': 1 },
          statuses: new Map([[503, 1]]),
          requestsOnReusedConnection: 1,
        },
      ],
    });
    expect(window?.cells[0]?.times.serviceFailed?.totalCount).toBe(1);
    expect(window?.cells[0]?.times.service5xx?.totalCount).toBe(1);
  });

  it('assigns a failed check to the last response of the same user', () => {
    const plan = buildPlan({ journey: [{ name: 'page', checks: [{ kind: 'contains', text: 'Welcome' }] }] });
    const check = (vu: string, value: number, atMs: number): string =>
      pointLine('checks', BEGAN_MS + atMs, value, { check: 'holds “Welcome”' }, vu);
    const one = visit(0, { vu: '1' }, [check('1', 1, 11)]);
    const other = visit(0.5, { vu: '2' }, [check('2', 0, 12), check('2', 0, 12)]);
    // Both responses precede both checks.
    const mixed = [...one.slice(0, 10), ...other.slice(0, 9), ...one.slice(10), ...other.slice(9)];
    const [window] = makeWindows(plan, mixed);
    expect(window?.cells[0]).toMatchObject({
      outcomes: { ok: 1, wrongBody: 1 },
      errors: { 'holds “Welcome”@check': 1 },
      statuses: new Map([[200, 2]]),
    });
    expect(window?.journeys).toMatchObject({ finished: 2, abandoned: 0 });
  });

  it('blames k6 for journeys dropped before all users existed, and the target for later ones', () => {
    const plan = buildPlan({ load: { model: 'arrivals', maxInFlight: 10, stages: [{ kind: 'constant', perSecond: 9, seconds: 2 }] } });
    const dropped = (atMs: number): string => pointLine('dropped_iterations', BEGAN_MS + atMs, 1);
    const users = (atMs: number, count: number): string => pointLine('vus_max', BEGAN_MS + atMs, count);
    const windows = makeWindows(plan, [...visit(0), users(50, 5), dropped(100), users(1_000, 10), dropped(1_100), dropped(1_200)]);
    expect(windows.map(({ journeys }) => [journeys.notStartedGenerator, journeys.notStartedTarget])).toEqual([
      [1, 0],
      [0, 2],
    ]);
    expect(windows[1]?.cells[0]).toMatchObject({ notStartedTarget: 2 });
  });

  it('reports dropped journeys even if none ever started', () => {
    const plan = buildPlan();
    const windows = makeWindows(plan, [pointLine('vus_max', BEGAN_MS - 900, 1), pointLine('dropped_iterations', BEGAN_MS, 1)]);
    expect(windows).toHaveLength(1);
    expect(windows[0]?.journeys.notStartedGenerator).toBe(1);
  });

  it('counts followed redirects separately from the step', () => {
    const plan = buildPlan({ journey: [{ name: 'page', redirects: { follow: true } }] });
    const hop = (endMs: number, status: number): string[] => requestLines({ endMs: BEGAN_MS + endMs, step: '0', status, waitingMs: 5 });
    const windows = makeWindows(
      plan,
      journeyLines({ beganMs: BEGAN_MS, endMs: BEGAN_MS + 30, loadBeganMs: BEGAN_MS }, [...hop(10, 302), ...hop(20, 200)]),
    );
    expect(cells(windows).map(({ step, outcomes, statuses }) => ({ step, outcomes, statuses }))).toEqual([
      { step: 0, outcomes: { ok: 1 }, statuses: new Map([[302, 1]]) },
      { step: 1, outcomes: { ok: 1 }, statuses: new Map([[200, 1]]) },
    ]);
  });

  it('counts requests in the stage of their tag, and journeys in the stage of their time', () => {
    const plan = buildPlan({
      load: {
        model: 'arrivals',
        stages: [
          { name: 'warm', kind: 'constant', perSecond: 1, seconds: 1, counted: false },
          { name: 'peak', kind: 'constant', perSecond: 2, seconds: 1 },
        ],
      },
    });
    const windows = makeWindows(plan, [...visit(0, { stage: '0', waitingMs: 1_400, vu: '1' }), ...visit(1_250, { stage: '1', vu: '2' })]);
    const sum = cells(windows).map(({ stage, started, journeysStarted }) => ({ stage, started, journeysStarted }));
    expect(sum).toEqual([
      { stage: 0, started: 1, journeysStarted: 1 },
      { stage: 0, started: 0, journeysStarted: 0 },
      { stage: 1, started: 1, journeysStarted: 1 },
    ]);
    // Responses during the peak count in its rate, even if another stage sent their requests.
    expect(windows.flatMap(({ loaded }) => loaded ?? [])).toMatchObject([{ stage: 1, responded: 2 }]);
  });

  it('leaves out requests without a step, and counts them', () => {
    const windows = new K6Windows(buildPlan());
    new K6SampleReader(windows).push(`${visit(0, { step: '' }).join('\n')}\n`);
    expect(windows.takeAll()).toMatchObject([{ cells: [{ started: 0 }] }]);
    expect(windows.foreignRequests).toBe(1);
  });

  it('counts side calls separately', () => {
    const plan = buildPlan({ journey: [{ name: 'page' }, { name: 'ping', measured: false }] });
    const [window] = makeWindows(
      plan,
      journeyLines({ beganMs: BEGAN_MS, endMs: BEGAN_MS + 30, loadBeganMs: BEGAN_MS }, [
        ...requestLines({ endMs: BEGAN_MS + 10, step: '0', waitingMs: 5 }),
        ...requestLines({ endMs: BEGAN_MS + 20, step: '1', waitingMs: 5, status: 500 }),
      ]),
    );
    expect(window?.side).toEqual({ cells: [{ step: 1, started: 1, outcomes: { httpError: 1 }, errors: {} }], inFlight: 0 });
    expect(window?.cells).toMatchObject([{ step: 0, started: 1 }]);
  });

  it('adds the bytes of a journey at the step that counts journeys', () => {
    const [window] = makeWindows(buildPlan({ journey: [{ name: 'page' }, { name: 'next' }] }), visit(0));
    expect(window?.cells).toMatchObject([{ step: 0, bytesReceived: 700, bytesSent: 80 }]);
    expect(window?.loaded).toMatchObject([{ step: 0, responded: 1, bytesReceived: 700 }]);
  });
});
