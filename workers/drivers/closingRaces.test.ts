import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive, type DriveResult } from '#workers/testing/drive.ts';
import { responseText, rawServer, type TestServer } from '#workers/testing/servers.ts';

let server: TestServer;
afterEach(() => server.close());

/** Starts a server that closes each connection after `each` responses, without `Connection: close`, and still reads later requests. */
function silentClose(each: number, how: 'FIN' | 'RST' = 'FIN'): Promise<TestServer> {
  return rawServer(({ socket, onConnection }) => {
    if (onConnection > each) return;
    socket.write(responseText(), () => {
      if (onConnection < each) return;
      if (how === 'FIN') socket.end();
      // Waits until the client has read the response, because a reset discards unread data.
      else setTimeout(() => socket.resetAndDestroy(), 2);
    });
  });
}

type Load = Pick<Parameters<typeof drive>[0], 'stage' | 'load'>;
const LOADS: Readonly<Record<string, Load>> = {
  connections: { stage: { connections: 4, requests: 200 } },
  arrivals: { load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 400, seconds: 0.5 }] } },
  users: { load: { model: 'users', stages: [{ users: 4, seconds: 0.4 }], thinkTime: { kind: 'fixed', seconds: 0.001 } } },
};
const CASES = [1, 3, 10].flatMap((each) => [
  { each, engine: 'autocannon' as const, model: 'connections' },
  ...Object.keys(LOADS).map((model) => ({ each, engine: 'native' as const, model })),
]);

function driven(model: string, plan: Partial<PlanInput>): Promise<DriveResult> {
  return drive({ targets: [server.url], ...LOADS[model], plan });
}

describe('a server that closes a connection after a response without notice', () => {
  it.each(CASES)('causes no failed request: after $each, $engine, $model', async ({ each, engine, model }) => {
    server = await silentClose(each);
    const { cell, inFlight } = await driven(model, { engine });
    expect({ outcomes: cell.outcomes, errors: cell.errors, inFlight }).toEqual({ outcomes: { ok: cell.started }, errors: {}, inFlight: 0 });
    expect(cell.requestsResent).toBeGreaterThan(model === 'connections' ? 0 : -1);
    expect(server.requests).toBe(cell.started + cell.requestsResent);
    expect(cell.times.serviceOk?.totalCount).toBe(cell.started);
  });

  it.each(['autocannon', 'native'] as const)('causes no failed request when it resets its connections: %s', async (engine) => {
    server = await silentClose(3, 'RST');
    const { cell } = await driven('connections', { engine });
    expect(cell.outcomes).toEqual({ ok: 200 });
    expect(server.requests).toBeLessThanOrEqual(cell.started + cell.requestsResent);
  });

  it('causes no failed step of a journey', async () => {
    const journey = [{ name: 'a' }, { name: 'b', method: 'HEAD' as const, path: '/b' }, { name: 'c', method: 'OPTIONS' as const }];
    server = await rawServer(({ socket, onConnection, text }) => {
      if (onConnection > 2) return;
      socket.write(text.startsWith('HEAD') ? responseText(0) : responseText());
      if (onConnection === 2) socket.end();
    });
    const result = await drive({ targets: [server.url], stage: { connections: 3, requests: 90 }, plan: { engine: 'native', journey } });
    expect(result.cell.outcomes).toEqual({ ok: 90 });
    expect(result.journeys).toMatchObject({ started: 30, finished: 30, abandoned: 0 });
    expect(result.cell.requestsResent).toBeGreaterThan(0);
    expect(server.requests).toBe(90 + result.cell.requestsResent);
  });

  it.each(['autocannon', 'native'] as const)('does not shorten service times, which count from the first attempt: %s', async (engine) => {
    server = await rawServer(({ socket, onConnection, inAll }) => {
      if (onConnection === 1) socket.write(responseText(), () => inAll > 2 && socket.end());
      else setTimeout(() => socket.destroy(), 60);
    });
    const { cell } = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { engine } });
    expect([cell.outcomes, cell.requestsResent]).toEqual([{ ok: 2 }, 1]);
    expect(cell.times.serviceOk?.maxValue).toBeGreaterThan(58_000);
    expect(server.requests).toBe(3);
  });
});

describe('a lost request is not sent again', () => {
  const engines = ['autocannon', 'native'] as const;

  it.each(engines)('because its method may change data: %s', async (engine) => {
    server = await silentClose(1);
    const { cell } = await driven('connections', { engine, journey: [{ name: 'hand in', method: 'POST' }] });
    expect(cell.requestsResent).toBe(0);
    expect(cell.outcomes.reset).toBeGreaterThan(0);
    expect(server.requests).toBe(200);
  });

  it.each(engines)('because it was the first request of its connection: %s', async (engine) => {
    server = await rawServer(({ socket }) => socket.destroy());
    const { cell } = await drive({ targets: [server.url], stage: { connections: 2, requests: 4 }, plan: { engine } });
    expect([cell.outcomes, cell.requestsResent, server.requests]).toEqual([{ reset: 4 }, 0, 4]);
  });

  it.each(engines)('because a byte of its response has arrived: %s', async (engine) => {
    server = await rawServer(({ socket, onConnection }) => (onConnection === 1 ? socket.write(responseText()) : socket.end('H')));
    const { cell } = await drive({ targets: [server.url], stage: { connections: 1, requests: 10 }, plan: { engine } });
    expect([cell.outcomes, cell.requestsResent, server.requests]).toEqual([{ ok: 5, reset: 5 }, 0, 10]);
  });
});

const TIMEOUT_408 = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Starts a server that responds to every fifth request of a connection with a 408, as if its idle time-out and the request had crossed. */
function timesOut(status = TIMEOUT_408): Promise<TestServer> {
  return rawServer(({ socket, onConnection }) => {
    if (onConnection < 5) socket.write(responseText());
    else if (onConnection === 5) socket.end(status);
  });
}

describe('a server that closes an idle connection with a 408', () => {
  const cases = [
    { engine: 'autocannon' as const, model: 'connections' },
    ...Object.keys(LOADS).map((model) => ({ engine: 'native' as const, model })),
  ];

  it.each(cases)('causes no failed request, because the request is sent again: $engine, $model', async ({ engine, model }) => {
    server = await timesOut();
    const { cell, inFlight } = await driven(model, { engine });
    expect({ outcomes: cell.outcomes, errors: cell.errors, inFlight }).toEqual({ outcomes: { ok: cell.started }, errors: {}, inFlight: 0 });
    expect(cell.requestsResent).toBeGreaterThan(0);
    expect(server.requests).toBe(cell.started + cell.requestsResent);
  });

  it.each(['autocannon', 'native'] as const)('has not read the request, so a POST is sent again, too: %s', async (engine) => {
    server = await timesOut(TIMEOUT_408.replace('Connection: close\r\n', ''));
    const { cell } = await driven('connections', { engine, journey: [{ name: 'hand in', method: 'POST', body: 'x' }] });
    expect([cell.outcomes, server.requests]).toEqual([{ ok: 200 }, 200 + cell.requestsResent]);
  });

  it.each(['autocannon', 'native'] as const)('causes a failed request if it is the first of its connection: %s', async (engine) => {
    server = await rawServer(({ socket }) => socket.end(TIMEOUT_408));
    const { cell } = await drive({ targets: [server.url], stage: { connections: 2, requests: 4 }, plan: { engine } });
    expect([cell.outcomes, cell.requestsResent, server.requests]).toEqual([{ httpError: 4 }, 0, 4]);
  });

  it.each(['autocannon', 'native'] as const)('causes a failed request if the 408 comes after more than a second: %s', async (engine) => {
    server = await rawServer(({ socket, onConnection }) =>
      onConnection === 1 ? socket.write(responseText()) : setTimeout(() => socket.end(TIMEOUT_408), 1_100),
    );
    const { cell } = await drive({ targets: [server.url], stage: { connections: 1, requests: 2 }, plan: { engine } });
    expect([cell.outcomes, cell.requestsResent]).toEqual([{ ok: 1, httpError: 1 }, 0]);
  });

  it('leaves no byte of its response in the body that is read', async () => {
    const status = 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 5\r\n\r\nlater';
    server = await timesOut(status);
    const journey = [{ name: 'a', checks: [{ kind: 'contains' as const, text: 'later', not: true }] }];
    const { cell } = await drive({ targets: [server.url], stage: { connections: 2, requests: 20 }, plan: { engine: 'native', journey } });
    expect([cell.outcomes, cell.requestsResent]).toEqual([{ ok: 20 }, 4]);
  });
});
