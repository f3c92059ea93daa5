import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { StreamCount } from '#core/measurement/window.ts';
import { driveThreads, type ThreadsDriven, type ThreadsOptions, type Told } from './paced/testing/driveThreads.ts';
import { serve } from './paced/testing/serve.ts';

type StepInput = PlanInput['journey'][number];
type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const HEAD = { 'Content-Type': 'text/event-stream' };
/** Of a load that ends when what is looked for has happened. */
const LONG_SECONDS = 30;
/** Far more than the end of a load takes, and far less than a stream that nobody ends. */
const SOON_US = 5_000_000;

const answersIn = ({ requestAnswered, requestFailed }: Told): number => requestAnswered + requestFailed;

/** Users who hold a stream, on a server that answers as given. */
async function listened(
  stream: StepInput['stream'],
  answer: Answer,
  more: Partial<ThreadsOptions> & { users?: number; seconds?: number } = {},
) {
  const { users = 3, seconds = more.until === undefined ? 0.5 : LONG_SECONDS, ...options } = more;
  const server = await serve((request, response) => {
    answer(request, response);
  });
  const driven = await driveThreads({
    targets: [server.url],
    load: { model: 'users', stages: [{ users, seconds }] },
    plan: { journey: [{ name: 'events', stream }] },
    ...options,
  });
  return { server, driven };
}

function streamsOf({ cell }: ThreadsDriven): StreamCount {
  if (cell.streams === undefined) throw new Error('No stream was counted.');
  return cell.streams;
}

/** Sends numbered events at an interval, until the listener goes. */
function sending(everyMs: number, from: (request: IncomingMessage) => number = () => 1): Answer {
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
  it.each([1, 2])('hold it to the end of the load, and count each event, on %i threads', async (threads) => {
    let sent = 0;
    const { server, driven } = await listened(
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
    const streams = streamsOf(driven);
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
    // What was written while the listeners went is sent and not seen.
    expect(streams.events).toBeGreaterThan(3 * 2);
    expect(sent - streams.events).toBeLessThanOrEqual(3 * 2);
    expect(driven.cell.times.firstEvent?.totalCount).toBe(3);
    expect(driven.cell.times.eventGap?.totalCount).toBe(streams.events - streams.together - 3);
    expect(driven.cell.times.eventDelay?.totalCount).toBe(streams.events);
    expect(driven.cell.outcomes).toEqual({ ok: 3 });
  });

  it('stay as long as the plan says, and then go on with their journey', async () => {
    const { server, driven } = await listened({ seconds: 0.1 }, sending(30), { users: 2, until: ({ streamOpened }) => streamOpened >= 8 });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(server.requests).toBeGreaterThanOrEqual(8);
    // Each user had left all but the last one.
    expect(driven.elapsedUs).toBeGreaterThan((server.requests / 2 - 1) * 100_000);
    expect(driven.elapsedUs).toBeLessThan(SOON_US);
    expect(streamsOf(driven)).toMatchObject({ opened: server.requests, left: server.requests, ended: 0, lost: 0 });
    expect(driven.journeys.started).toBe(server.requests);
  });

  it('go on beside it, and leave it when they come to it again', async () => {
    let open = 0;
    let most = 0;
    const { driven } = await listened(
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
    const streams = streamsOf(driven);
    expect(streams.opened).toBeGreaterThanOrEqual(3);
    expect(streams).toMatchObject({ left: streams.opened, ended: 0, lost: 0 });
    expect(streams.events).toBeGreaterThan(10);
    // The old one may still be closing.
    expect(most).toBeLessThanOrEqual(2);
  });

  it('come back when it is cut, after the time that the server says, with the last id', async () => {
    const ids: (string | undefined)[] = [];
    const { server, driven } = await listened(
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
    expect(streamsOf(driven)).toMatchObject({ opened: 4, reopened: 3, ended: 3, lost: 0, left: 1, events: 7, missed: 0, repeated: 0 });
    expect(driven.cell.times.streamHeld?.totalCount).toBe(3);
  });

  it('tell how long a stream was silent before it ended', async () => {
    const { driven } = await listened(
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

  it('see what was lost, what came twice, and what came late', async () => {
    const { driven } = await listened(
      { number: { from: 'id' } },
      (_, response) => {
        response.writeHead(200, HEAD);
        for (const id of [1, 2, 5, 5, 4, 6]) response.write(`id: ${id}\ndata: x\n\n`);
      },
      { users: 1, until: ({ eventReceived }) => eventReceived >= 6 },
    );
    expect(streamsOf(driven)).toMatchObject({ events: 6, missed: 1, repeated: 1, disordered: 1 });
  });

  it('tell a lost connection from an end, and a server that says no from both', async () => {
    let count = 0;
    const { server, driven } = await listened(
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
      { users: 1, until: (told) => answersIn(told) >= 3 },
    );
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(server.requests).toBe(3);
    expect(streamsOf(driven)).toMatchObject({ opened: 2, reopened: 1, ended: 1, lost: 1, left: 0 });
    expect(driven.cell.outcomes).toEqual({ ok: 2, httpError: 1 });
  });

  it('go where an answer sends them, each time anew from where they began', async () => {
    const asked: string[] = [];
    const { server, driven } = await listened(
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
    expect(streamsOf(driven)).toMatchObject({ opened: 2, reopened: 1, ended: 1, left: 1 });
  });

  it.each([
    ['to another server', 'http://127.0.0.2:1/events', 1],
    ['in a circle', '/events', 21],
  ])('do not follow %s for ever', async (_name, location, requests) => {
    const answer: Answer = ({ url }, response) =>
      url === '/rest' ? response.end('rest') : response.writeHead(302, { Location: location }).end();
    const rest = { name: 'rest', path: '/rest', thinkTime: { kind: 'fixed' as const, seconds: 9 } };
    const plan = { journey: [{ name: 'events', path: '/events', stream: {} }, rest] };
    const { server, driven } = await listened({}, answer, { users: 1, until: (told) => answersIn(told) > requests, plan });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(server.requests).toBe(requests + 1);
    expect(driven.cell.outcomes.httpError).toBe(1);
    expect(driven.cell.streams).toBeUndefined();
  });

  it('take a way to a login for what it is', async () => {
    const asked = new Set<string | undefined>();
    const { driven } = await listened(
      {},
      ({ url }, response) => {
        asked.add(url);
        if (url === '/login') response.end('<form><input type="password"></form>');
        else response.writeHead(302, { Location: '/login' }).end();
      },
      { users: 1, until: (told) => answersIn(told) > 0 },
    );
    expect([...asked]).toEqual(['/', '/login']);
    expect(driven.cell.streams).toBeUndefined();
    expect(driven.cell.outcomes.wrongBody).toBeGreaterThan(0);
  });

  it.each<[string, PlanInput['load']]>([
    ['users', { model: 'users', stages: [{ users: 1, seconds: 2 }] }],
    ['arrivals', { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 0.5, seconds: 2 }] }],
    ['connections', { model: 'connections', stages: [{ connections: 1, seconds: 2 }] }],
  ])('wait for the answer when they ask for a stream anew as the load ends, and leave it: %s', async (_name, load) => {
    let count = 0;
    const { server, driven } = await listened(
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
    expect(streamsOf(driven)).toMatchObject({ opened: 2, reopened: 1, ended: 1, lost: 0, left: 1 });
  });

  it.each<[string, Answer, string]>([
    ['a page', (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'), 'NOT_A_STREAM text/html@check'],
    ['an answer without a type', (_, response) => response.end('data: x\n\n'), 'NOT_A_STREAM no content type@check'],
  ])('do not take %s for one', async (_name, answer, error) => {
    const { server, driven } = await listened({}, answer, { users: 1, until: (told) => answersIn(told) > 0 });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(driven.cell.streams).toBeUndefined();
    expect(Object.keys(driven.cell.errors)).toEqual([error]);
    expect(driven.cell.outcomes.ok ?? 0).toBe(0);
  });

  it('wait for the head as long as for any answer, and for events for ever', async () => {
    const { server, driven } = await listened(
      {},
      (request, response) => {
        response.writeHead(200, HEAD).flushHeaders();
        request.resume();
      },
      { users: 1, seconds: 1.8, plan: { journey: [{ name: 'events', stream: {} }], timeoutSeconds: 1 } },
    );
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(streamsOf(driven)).toMatchObject({ opened: 1, left: 1 });
  });

  it('of arrivals hold it too, and go when the load is over', async () => {
    const { server, driven } = await listened({}, sending(50), {
      load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 20, seconds: 0.5 }] },
    });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(streamsOf(driven)).toMatchObject({ opened: 10, left: 10, lost: 0 });
    expect(driven.elapsedUs).toBeLessThan(SOON_US);
  });

  it.each([
    ['for the time of the stage', { connections: 2, seconds: 1 }, undefined, 2],
    ['so many times as the plan says', { connections: 2, requests: 6 }, 0.1, 6],
  ] as const)('of connections hold it %s', async (_name, stage, seconds, opened) => {
    const { server, driven } = await listened(seconds === undefined ? {} : { seconds }, sending(10), {
      load: { model: 'connections', stages: [stage] },
    });
    expect(server.requests).toBe(opened);
    expect(driven.cell.outcomes).toEqual({ ok: opened });
    expect(streamsOf(driven)).toMatchObject({ opened, left: opened, ended: 0, lost: 0 });
    expect(streamsOf(driven).events).toBeGreaterThan(opened);
    expect(driven.inFlight).toBe(0);
  });

  it('are gone at once when somebody stops the run', async () => {
    const { driven } = await listened({}, sending(50), { until: ({ streamOpened }) => streamOpened >= 3 });
    expect(streamsOf(driven)).toMatchObject({ opened: 3, left: 3 });
    expect(driven.elapsedUs).toBeLessThan(SOON_US);
  });

  it('are given up with what they read when a single event is larger than a mebibyte', async () => {
    const { driven } = await listened(
      {},
      (_, response) => {
        response.writeHead(200, HEAD);
        response.write(`retry: 5000\n\ndata: ${'x'.repeat(1_100_000)}`);
      },
      { users: 1, until: ({ streamEnded }) => streamEnded > 0 },
    );
    expect(streamsOf(driven)).toMatchObject({ opened: 1, lost: 1, events: 0 });
  });
});

describe('listeners over HTTP/2', () => {
  it('hold their streams beside their other requests, over one connection', async () => {
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
    expect(streamsOf(driven)).toMatchObject({ opened: 4, reopened: 2, ended: 2, lost: 0, left: 2, missed: 0, repeated: 0 });
  });
});
