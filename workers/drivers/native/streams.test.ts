import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { StreamCount } from '#core/measurement/window.ts';
import { driveThreads, type ThreadsDriven, type ThreadsOptions, type CallCounts } from './paced/testing/driveThreads.ts';
import { serve } from './paced/testing/serve.ts';

type StepInput = PlanInput['journey'][number];
type Response = (request: IncomingMessage, response: ServerResponse) => void;

const HEAD = { 'Content-Type': 'text/event-stream' };
/** Maximum duration of a load that ends as soon as the expected events have happened. */
const LONG_SECONDS = 30;
/** A time that is far longer than the end of a load takes, and far shorter than a stream that does not end. */
const SOON_US = 5_000_000;

const responsesIn = ({ requestCompleted, requestFailed }: CallCounts): number => requestCompleted + requestFailed;

/** Drives users who hold a stream on a server with the given handler. */
async function driveListeners(
  stream: StepInput['stream'],
  respond: Response,
  more: Partial<ThreadsOptions> & { users?: number; seconds?: number } = {},
) {
  const { users = 3, seconds = more.until === undefined ? 0.5 : LONG_SECONDS, ...options } = more;
  const server = await serve((request, response) => {
    respond(request, response);
  });
  const driven = await driveThreads({
    targets: [server.url],
    load: { model: 'users', stages: [{ users, seconds }] },
    plan: { journey: [{ name: 'events', stream }] },
    ...options,
  });
  return { server, driven };
}

function makeStreams({ cell }: ThreadsDriven): StreamCount {
  if (cell.streams === undefined) throw new Error('No stream was counted.');
  return cell.streams;
}

/** Returns a handler that sends numbered events at regular intervals until the listener leaves. `from` returns the first number. */
function sending(everyMs: number, from: (request: IncomingMessage) => number = () => 1): Response {
  return (request, response) => {
    response.writeHead(200, HEAD);
    response.flushHeaders();
    let number = from(request);
    const timer = setInterval(() => {
      response.write(`id: ${number}\ndata: {"at":${Date.now()},"n":${number}}\n\n`);
      number += 1;
    }, everyMs);
    response.on('close', () => clearInterval(timer));
  };
}

describe('listeners of an event stream', () => {
  it.each([1, 2])('hold the stream until the load ends, and count each event, on %i threads', async (threads) => {
    let sent = 0;
    const { server, driven } = await driveListeners(
      { sentAt: { from: 'data', path: '$.at' }, number: { from: 'id' } },
      (request, response) => {
        sending(20)(request, response);
        const write = response.write.bind(response);
        response.write = (text: string) => {
          sent += 1;
          return write(text);
        };
      },
      { threads, seconds: 1 },
    );
    const streams = makeStreams(driven);
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(server.requests).toBe(3);
    expect(driven.elapsedUs).toBeLessThan(SOON_US);
    expect({ ...streams, events: 0, together: 0 }).toEqual({
      opened: 3,
      reopened: 0,
      ended: 0,
      lost: 0,
      left: 3,
      events: 0,
      together: 0,
      missed: 0,
      repeated: 0,
      disordered: 0,
      early: 0,
      sent: 0,
    });
    // Events that are written while the listeners leave are sent but not received.
    expect(streams.events).toBeGreaterThan(3 * 2);
    expect(sent - streams.events).toBeLessThanOrEqual(3 * 2);
    expect(driven.cell.times.firstEvent?.totalCount).toBe(3);
    expect(driven.cell.times.eventGap?.totalCount).toBe(streams.events - streams.together - 3);
    expect(driven.cell.times.eventDelay?.totalCount).toBe(streams.events);
    expect(driven.cell.outcomes).toEqual({ ok: 3 });
  });

  it('hold the stream for the time in the plan, then continue their journey', async () => {
    const { server, driven } = await driveListeners({ seconds: 0.1 }, sending(30), {
      users: 2,
      until: ({ streamOpened }) => streamOpened >= 8,
    });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(server.requests).toBeGreaterThanOrEqual(8);
    // Each user has left all streams except the last one.
    expect(driven.elapsedUs).toBeGreaterThan((server.requests / 2 - 1) * 100_000);
    expect(driven.elapsedUs).toBeLessThan(SOON_US);
    expect(makeStreams(driven)).toMatchObject({ opened: server.requests, left: server.requests, ended: 0, lost: 0 });
    expect(driven.journeys.started).toBe(server.requests);
  });

  it('hold a stream beside the journey, and leave it when its step runs again', async () => {
    let open = 0;
    let most = 0;
    const { driven } = await driveListeners(
      {},
      (request, response) => {
        if (request.url !== '/events') {
          response.end('page');
          return;
        }
        open += 1;
        most = Math.max(most, open);
        response.on('close', () => (open -= 1));
        sending(20)(request, response);
      },
      {
        users: 1,
        until: ({ streamOpened, eventReceived }) => streamOpened >= 3 && eventReceived > 10,
        plan: {
          journey: [
            { name: 'events', path: '/events', stream: { beside: true } },
            { name: 'page', path: '/page', thinkTime: { kind: 'fixed', seconds: 0.1 } },
          ],
        },
      },
    );
    const streams = makeStreams(driven);
    expect(streams.opened).toBeGreaterThanOrEqual(3);
    expect(streams).toMatchObject({ left: streams.opened, ended: 0, lost: 0 });
    expect(streams.events).toBeGreaterThan(10);
    // The previous stream may still be closing.
    expect(most).toBeLessThanOrEqual(2);
  });

  it('reconnect after a cut, after the retry time of the server, with the last event id', async () => {
    const ids: (string | undefined)[] = [];
    const { server, driven } = await driveListeners(
      { number: { from: 'id' } },
      ({ headers }, response) => {
        ids.push(headers['last-event-id']?.toString());
        const first = Number(headers['last-event-id'] ?? 0) + 1;
        response.writeHead(200, HEAD);
        response.write(`retry: 40\n\nid: ${first}\ndata: a\n\n`);
        if (ids.length < 4) setTimeout(() => response.end(`id: ${first + 1}\ndata: b\n\n`), 50);
      },
      { users: 1, until: ({ eventReceived }) => eventReceived >= 7 },
    );
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(ids).toEqual([undefined, '2', '4', '6']);
    expect(makeStreams(driven)).toMatchObject({ opened: 4, reopened: 3, ended: 3, lost: 0, left: 1, events: 7, missed: 0, repeated: 0 });
    expect(driven.cell.times.streamHeld?.totalCount).toBe(3);
  });

  it('record how long a stream was silent before it ended', async () => {
    const { driven } = await driveListeners(
      {},
      (_, response) => {
        response.writeHead(200, HEAD);
        response.write('retry: 5000\n\ndata: a\n\n');
        setTimeout(() => response.end(), 600);
      },
      { users: 1, until: ({ streamEnded }) => streamEnded > 0 },
    );
    const { silence, streamHeld } = driven.cell.times;
    expect(silence?.totalCount).toBe(1);
    expect(silence?.minNonZeroValue).toBeGreaterThan(150_000);
    expect(streamHeld?.totalCount).toBe(1);
  });

  it('count missed, repeated and disordered events', async () => {
    const { driven } = await driveListeners(
      { number: { from: 'id' } },
      (_, response) => {
        response.writeHead(200, HEAD);
        for (const id of [1, 2, 5, 5, 4, 6]) response.write(`id: ${id}\ndata: x\n\n`);
      },
      { users: 1, until: ({ eventReceived }) => eventReceived >= 6 },
    );
    expect(makeStreams(driven)).toMatchObject({ events: 6, missed: 1, repeated: 1, disordered: 1 });
  });

  it('distinguish lost from ended streams, and stop after a response that is not a stream', async () => {
    let count = 0;
    const { server, driven } = await driveListeners(
      {},
      (_, response) => {
        count += 1;
        if (count === 3) {
          response.writeHead(503);
          response.end('later');
          return;
        }
        response.writeHead(200, HEAD);
        response.write('retry: 20\ndata: x\n\n');
        setTimeout(() => (count === 1 ? response.end() : response.socket?.destroy()), 40);
      },
      { users: 1, until: (reported) => responsesIn(reported) >= 3 },
    );
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(server.requests).toBe(3);
    expect(makeStreams(driven)).toMatchObject({ opened: 2, reopened: 1, ended: 1, lost: 1, left: 0 });
    expect(driven.cell.outcomes).toEqual({ ok: 2, httpError: 1 });
  });

  it('follow redirects, and reconnect from the original address', async () => {
    const asked: string[] = [];
    const { server, driven } = await driveListeners(
      { number: { from: 'id' } },
      ({ url = '', headers }, response) => {
        asked.push(`${url} ${headers['last-event-id']?.toString() ?? ''}`.trim());
        if (url === '/events') response.writeHead(307, { Location: '/moved' }).end();
        else if (url === '/moved') response.writeHead(302, { Location: 'there' }).end('go there');
        else {
          response.writeHead(200, HEAD);
          response.write('retry: 30\n\nid: 7\ndata: x\n\n');
          if (asked.length < 4) setTimeout(() => response.end(), 30);
        }
      },
      {
        users: 1,
        until: ({ eventReceived }) => eventReceived >= 2,
        plan: { journey: [{ name: 'events', path: '/events', stream: { number: { from: 'id' } } }] },
      },
    );
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(asked).toEqual(['/events', '/moved', '/there', '/events 7', '/moved 7', '/there 7']);
    expect(driven.cell.outcomes).toEqual({ ok: 6 });
    expect(makeStreams(driven)).toMatchObject({ opened: 2, reopened: 1, ended: 1, left: 1 });
  });

  it.each([
    ['to another server', 'http://127.0.0.2:1/events', 1],
    ['in a circle', '/events', 21],
  ])('send a limited number of requests for redirects %s', async (_name, location, requests) => {
    const respond: Response = ({ url }, response) =>
      url === '/rest' ? response.end('rest') : response.writeHead(302, { Location: location }).end();
    const rest = { name: 'rest', path: '/rest', thinkTime: { kind: 'fixed' as const, seconds: 9 } };
    const plan = { journey: [{ name: 'events', path: '/events', stream: {} }, rest] };
    const { server, driven } = await driveListeners({}, respond, { users: 1, until: (reported) => responsesIn(reported) > requests, plan });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(server.requests).toBe(requests + 1);
    expect(driven.cell.outcomes.httpError).toBe(1);
    expect(driven.cell.streams).toBeUndefined();
  });

  it('count a redirect to a login page as wrong content', async () => {
    const asked = new Set<string | undefined>();
    const { driven } = await driveListeners(
      {},
      ({ url }, response) => {
        asked.add(url);
        if (url === '/login') response.end('<form><input type="password"></form>');
        else response.writeHead(302, { Location: '/login' }).end();
      },
      { users: 1, until: (reported) => responsesIn(reported) > 0 },
    );
    expect([...asked]).toEqual(['/', '/login']);
    expect(driven.cell.streams).toBeUndefined();
    expect(driven.cell.outcomes.wrongBody).toBeGreaterThan(0);
  });

  it.each<[string, PlanInput['load']]>([
    ['users', { model: 'users', stages: [{ users: 1, seconds: 2 }] }],
    ['arrivals', { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 0.5, seconds: 2 }] }],
    ['connections', { model: 'connections', stages: [{ connections: 1, seconds: 2 }] }],
  ])('wait for the response to a reconnect at the end of the load, then leave the stream: %s', async (_name, load) => {
    let count = 0;
    const { server, driven } = await driveListeners(
      {},
      (_, response) => {
        count += 1;
        const open = (): void => {
          response.writeHead(200, HEAD);
          response.write('retry: 100\n\n');
        };
        if (count > 1) setTimeout(open, 2_200);
        else {
          open();
          setTimeout(() => response.end(), 20);
        }
      },
      { load },
    );
    expect(server.requests).toBe(2);
    expect(driven.inFlight).toBe(0);
    expect(driven.cell.outcomes).toEqual({ ok: 2 });
    expect(makeStreams(driven)).toMatchObject({ opened: 2, reopened: 1, ended: 1, lost: 0, left: 1 });
  });

  it.each<[string, Response, string]>([
    ['a page', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'), 'NOT_A_STREAM text/html@check'],
    ['a response without a type', (_, response) => response.end('data: x\n\n'), 'NOT_A_STREAM no content type@check'],
  ])('do not accept %s as a stream', async (_name, respond, error) => {
    const { server, driven } = await driveListeners({}, respond, { users: 1, until: (reported) => responsesIn(reported) > 0 });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(driven.cell.streams).toBeUndefined();
    expect(Object.keys(driven.cell.errors)).toEqual([error]);
    expect(driven.cell.outcomes.ok ?? 0).toBe(0);
  });

  it('time out only while they wait for the response head, not between events', async () => {
    const { server, driven } = await driveListeners(
      {},
      (request, response) => {
        response.writeHead(200, HEAD).flushHeaders();
        request.resume();
      },
      { users: 1, seconds: 1.8, plan: { journey: [{ name: 'events', stream: {} }], timeoutSeconds: 1 } },
    );
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(makeStreams(driven)).toMatchObject({ opened: 1, left: 1 });
  });

  it('hold streams in a load of arrivals, and leave when the load ends', async () => {
    const { server, driven } = await driveListeners({}, sending(50), {
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 20, seconds: 0.5 }] },
    });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(makeStreams(driven)).toMatchObject({ opened: 10, left: 10, lost: 0 });
    expect(driven.elapsedUs).toBeLessThan(SOON_US);
  });

  it.each([
    ['until the stage ends', { connections: 2, seconds: 1 }, undefined, 2],
    ['once for each planned request', { connections: 2, requests: 6 }, 0.1, 6],
  ] as const)('hold streams in a load of fixed connections: %s', async (_name, stage, seconds, opened) => {
    const { server, driven } = await driveListeners(seconds === undefined ? {} : { seconds }, sending(10), {
      load: { model: 'connections', stages: [stage] },
    });
    expect(server.requests).toBe(opened);
    expect(driven.cell.outcomes).toEqual({ ok: opened });
    expect(makeStreams(driven)).toMatchObject({ opened, left: opened, ended: 0, lost: 0 });
    expect(makeStreams(driven).events).toBeGreaterThan(opened);
    expect(driven.inFlight).toBe(0);
  });

  it('leave immediately if the run is stopped', async () => {
    const { driven } = await driveListeners({}, sending(50), { until: ({ streamOpened }) => streamOpened >= 3 });
    expect(makeStreams(driven)).toMatchObject({ opened: 3, left: 3 });
    expect(driven.elapsedUs).toBeLessThan(SOON_US);
  });

  it('lose the stream if one event is larger than 1 MiB', async () => {
    const { driven } = await driveListeners(
      {},
      (_, response) => {
        response.writeHead(200, HEAD);
        response.write(`retry: 5000\n\ndata: ${'x'.repeat(1_100_000)}`);
      },
      { users: 1, until: ({ streamEnded }) => streamEnded > 0 },
    );
    expect(makeStreams(driven)).toMatchObject({ opened: 1, lost: 1, events: 0 });
  });
});

describe('listeners over HTTP/2', () => {
  it('hold a stream and send other requests on the same connection', async () => {
    const sessions = new Set<unknown>();
    const ids: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      sessions.add(request.stream.session);
      if (request.url !== '/events') {
        response.end('page');
        return;
      }
      ids.push(request.headers['last-event-id']?.toString());
      response.writeHead(200, HEAD);
      let number = Number(request.headers['last-event-id'] ?? 0);
      const timer = setInterval(() => {
        number += 1;
        response.write(`retry: 20\nid: ${number}\ndata: x\n\n`);
        if (number === 5) response.end();
      }, 20);
      response.stream.on('close', () => clearInterval(timer));
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const driven = await driveThreads({
      targets: [`http://127.0.0.1:${port}/`],
      load: { model: 'users', stages: [{ users: 2, seconds: LONG_SECONDS }] },
      until: ({ streamOpened }) => streamOpened >= 4,
      plan: {
        connections: { protocol: 'h2' },
        journey: [{ name: 'page' }, { name: 'events', path: '/events', stream: { number: { from: 'id' } } }],
      },
    });
    expect(driven.cell.outcomes).toEqual({ ok: 6 });
    expect(sessions.size).toBe(2);
    expect(ids.toSorted()).toEqual(['5', '5', undefined, undefined]);
    expect(makeStreams(driven)).toMatchObject({ opened: 4, reopened: 2, ended: 2, lost: 0, left: 2, missed: 0, repeated: 0 });
  });
});
