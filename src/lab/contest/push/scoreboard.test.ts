import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { GivenOptions, LabAccount } from '#core/base/lab/listing.ts';
import { freePort } from '#lab/freePort.ts';
import { readStreamLog } from '#lab/streamLog.ts';
import { type EventStream, listenTo } from '#lab/testing/eventStream.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { Visitor, readXsrf } from '#lab/testing/visitor.ts';
import { contestLab, type RunningContest } from '../contest.ts';

const noNginx = await whyNot(
  (await contestLab.missing(process.env)).filter(({ what }) => what === 'nginx').map((one) => ({ ...one, needed: true })),
);

const startedContests: RunningContest[] = [];
const openStreams: EventStream[] = [];
afterEach(async () => {
  for (const stream of openStreams.splice(0)) stream.leave();
  for (const lab of startedContests.splice(0)) await lab.stop();
});

async function start(givenOptions: GivenOptions = {}): Promise<RunningContest> {
  const lab = await contestLab.start({ 'service-ms': 0, 'evaluation-ms': 1, scoreboard: true, ...givenOptions }, testSurroundings());
  startedContests.push(lab);
  return lab;
}

function board(lab: RunningContest, path = '', label = 'Scoreboard'): string {
  return `${lab.addresses.find((address) => address.label === label)?.url ?? ''}${path}`;
}

async function listenAt(lab: RunningContest, lastEventId: string | null = null, query = ''): Promise<EventStream> {
  const stream = await listenTo(board(lab, `events${query}`), lastEventId);
  openStreams.push(stream);
  return stream;
}

const runAction = async (lab: RunningContest, action: string): Promise<unknown> =>
  (await fetch(`${lab.control}actions/${action}`, { method: 'POST' })).json();
const gauges = async (lab: RunningContest): Promise<Record<string, number>> => (await fetch(`${lab.control}gauges`)).json();
const getLog = (lab: RunningContest) => readStreamLog(lab.logs['scoreboard-events'] ?? '');
const idsUpTo = (last: number, first = 1): number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);
const waitForEvent = (stream: EventStream, id: number) =>
  expect.poll(() => stream.ids.at(-1) ?? 0, { timeout: 30_000 }).toBeGreaterThanOrEqual(id);

async function submit(lab: RunningContest, shard: number, account: LabAccount | undefined, bytes: number): Promise<void> {
  const visitor = new Visitor(lab.urls[shard] ?? '');
  await visitor.logIn(account?.username ?? '', account?.password ?? '');
  const form = new FormData();
  form.set('_xsrf', visitor.cookies.get('_xsrf') ?? '');
  form.set('harbour.%l', new File(['x'.repeat(bytes)], 'solution.cpp'));
  expect((await visitor.send('/tasks/harbour/submit', form)).headers.get('location')).toContain('submission_id=');
}

describe('the scoreboard of the practice contest', () => {
  it('sends the scores from all shards to every listener, in order and with their time', async () => {
    const lab = await start({ shards: 2, evaluators: 2 });
    const streams = await Promise.all(Array.from({ length: 5 }, () => listenAt(lab)));
    const before = Date.now();
    for (const contestant of [0, 1, 2, 3]) await submit(lab, contestant % 2, lab.accounts[contestant], 10 + contestant);
    for (const stream of streams) await waitForEvent(stream, 4);
    for (const { ids, events, headers } of streams) {
      expect(headers).toMatchObject({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
      expect(ids).toEqual([1, 2, 3, 4]);
      for (const { name, data, atMs } of events) {
        expect(name).toBe('score');
        expect(data).toMatchObject({ task: 'harbour', score: expect.any(Number) });
        expect(data['at']).toBeGreaterThanOrEqual(before);
        expect(data['at']).toBeLessThanOrEqual(atMs);
      }
    }
    expect(new Set(streams[0]?.events.map(({ data }) => data['user'])).size).toBe(4);
    expect((await getLog(lab)).events.map(({ id, at }) => [id, at])).toEqual(streams[0]?.events.map(({ id, data }) => [id, data['at']]));
  });

  it('scores solutions even without evaluators, after their evaluation time', async () => {
    const lab = await start();
    const stream = await listenAt(lab);
    await submit(lab, 0, lab.accounts[0], 12);
    await waitForEvent(stream, 1);
    expect(stream.events[0]?.data).toMatchObject({ user: 'contestant1', task: 'harbour', score: 84 });
  });

  it("announces a new contestant before the contestant's first score", async () => {
    const lab = await start({ evaluators: 1, registration: true });
    const stream = await listenAt(lab);
    const visitor = new Visitor(lab.urls[0] ?? '');
    const token = readXsrf(await (await visitor.get('/register')).text());
    const account = { username: 'newcomer', password: 'secret1' };
    await visitor.post('/register', { ...account, first_name: 'New', last_name: 'Comer', new_user: 'true', _xsrf: token });
    await submit(lab, 0, account, 12);
    await waitForEvent(stream, 2);
    expect(stream.events.map(({ name, data }) => [name, data])).toEqual([
      ['user', { at: expect.any(Number), action: 'create', key: 'newcomer' }],
      ['score', { at: expect.any(Number), user: 'newcomer', task: 'harbour', score: 84, submission: 'newcomer-harbour-1' }],
    ]);
    expect((await fetch(board(lab, 'users/newcomer'))).status).toBe(200);
  });

  it('serves the lists that the scoreboard page reads', async () => {
    const lab = await start({ evaluators: 1, registration: true });
    const stream = await listenAt(lab);
    await submit(lab, 0, lab.accounts[0], 12);
    await submit(lab, 0, lab.accounts[0], 11);
    await waitForEvent(stream, 2);
    const read = async (path: string): Promise<unknown> => (await fetch(board(lab, path))).json();
    expect(await read('scores')).toEqual({ contestant1: { harbour: 84 } });
    expect(await read('history')).toEqual([['contestant1', 'harbour', expect.any(Number), 84]]);
    expect(Object.keys((await read('submissions/')) as object)).toEqual(['contestant1-harbour-1', 'contestant1-harbour-2']);
    expect(await read('subchanges/contestant1-harbour-2s')).toMatchObject({ submission: 'contestant1-harbour-2', score: 77 });
    expect(await read('sublist/contestant1')).toHaveLength(2);
    expect(await read('tasks/')).toMatchObject({ coprobber: { order: 0 }, lanterns: {}, harbour: { max_score: 100 } });
    expect(await read('users/contestant3')).toEqual({ f_name: 'Contestant', l_name: 'contestant3', team: 'west' });
    expect(Object.keys((await read('teams/')) as object)).toHaveLength(4);
    expect(await read('contests/practice')).toMatchObject({ name: 'Practice contest' });
    const scores = await fetch(board(lab, 'scores'));
    expect([scores.headers.get('x-last-event-id'), Number(scores.headers.get('timestamp')) > 1e9]).toEqual(['2', true]);
    const careless = await fetch(board(lab, 'history'), { headers: { Accept: 'text/html' } });
    expect(careless.status).toBe(500);
    const page = await (await fetch(board(lab))).text();
    for (const [, file = ''] of page.matchAll(/(?:src|href)="([^"]+)"/g)) expect((await fetch(board(lab, file))).status, file).toBe(200);
    for (const path of ['users/nobody', 'users/constructor', 'nothing']) expect((await fetch(board(lab, path))).status, path).toBe(404);
  });

  it('generates events at the configured rate', async () => {
    const lab = await start({ 'events-per-second': 100 });
    const stream = await listenAt(lab);
    await expect.poll(() => stream.events.length, { timeout: 10_000 }).toBeGreaterThan(100);
    const { ids, events } = stream;
    expect(ids).toEqual(idsUpTo(ids.at(-1) ?? 0, ids[0]));
    expect(Number(events[100]?.data['at']) - Number(events[0]?.data['at'])).toBeGreaterThan(900);
  });

  it('logs a line for each listener when the scoreboard is stopped', async () => {
    const logs = await mkdtemp(join(tmpdir(), 'holdfast-scoreboard-'));
    onTestFinished(() => rm(logs, { recursive: true }));
    const lab = await start({ 'events-per-second': 100, logs });
    const streams = await Promise.all(Array.from({ length: 20 }, () => listenAt(lab)));
    for (const stream of streams) await waitForEvent(stream, 20);
    await lab.stop();
    await Promise.all(streams.map(({ ended }) => ended));
    const { listeners } = await readStreamLog(join(logs, 'scoreboard-events.log'));
    expect(listeners.map(({ why, events }) => [why, events]).sort()).toEqual(streams.map(({ ids }) => ['stop', ids.length]).sort());
  });

  it('counts exactly what it wrote to a listener until it left', async () => {
    const lab = await start({ 'events-per-second': 200 });
    const streams = await Promise.all(Array.from({ length: 10 }, () => listenAt(lab)));
    for (const stream of streams) await waitForEvent(stream, 50);
    await runAction(lab, 'cut-listeners');
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(streams.map(() => 'cut'));
    await expect.poll(async () => (await getLog(lab)).listeners.length).toBe(10);
    const { listeners, events } = await getLog(lab);
    const written = listeners.map(({ number, first, last, events: count, by, why }) => [number, first, last, count, by, why]);
    const received = streams.map(({ ids }) => [ids[0], ids.at(-1), ids.length]);
    expect(written.map(([, ...figures]) => figures).sort()).toEqual(received.map((figures) => [...figures, 'server', 'cut']).sort());
    expect(events.map(({ id }) => id)).toEqual(idsUpTo(events.length));
    expect((await gauges(lab))['events written']).toBe(received.reduce((sum, [, , count = 0]) => sum + count, 0));
  });

  it('writes the same to each of a thousand listeners as to one', async () => {
    const lab = await start({ 'events-per-second': 5 });
    const streams = await Promise.all(Array.from({ length: 1_000 }, () => listenAt(lab)));
    const newest = Math.max(...streams.map(({ ids }) => ids.at(-1) ?? 0));
    for (const stream of streams) await waitForEvent(stream, newest + 5);
    for (const { ids } of streams) expect(ids).toEqual(idsUpTo(ids.at(-1) ?? 0, ids[0]));
  }, 60_000);
});

describe('a reconnecting listener', () => {
  it('gets the missed events, whether the last event is named in a header or in the address', async () => {
    const lab = await start({ 'events-per-second': 100, 'retry-ms': 1_234, 'kept-events': 10_000 });
    const stream = await listenAt(lab);
    await waitForEvent(stream, 20);
    expect(stream.retryMs).toBe(1_234);
    stream.leave();
    const again = [await listenAt(lab, '7'), await listenAt(lab, null, '?last_event_id=9'), await listenAt(lab, '11', '?last_event_id=2')];
    for (const other of again) await waitForEvent(other, 50);
    expect(again.map(({ ids }) => ids.slice(0, 30))).toEqual([idsUpTo(37, 8), idsUpTo(39, 10), idsUpTo(41, 12)]);
    again[0]?.leave();
    await expect
      .poll(async () => (await getLog(lab)).listeners.find(({ lastEventId }) => lastEventId === 7))
      .toMatchObject({ first: 8, by: 'listener', why: 'left', reloads: 0 });
    expect((await getLog(lab)).listeners.find(({ lastEventId }) => lastEventId === 7)?.caughtUp).toBeGreaterThanOrEqual(13);
  });

  it('gets a reload event after too many missed events, or for an unknown event', async () => {
    const lab = await start({ 'events-per-second': 200, 'kept-events': 10 });
    await waitForEvent(await listenAt(lab), 30);
    for (const lastEventId of ['3', '999999']) {
      const stream = await listenAt(lab, lastEventId);
      await expect.poll(() => stream.events.length).toBeGreaterThan(1);
      expect(stream.events[0]).toMatchObject({ name: 'reload', id: NaN, data: { at: expect.any(Number) } });
      expect(stream.ids.slice(1)).toEqual(idsUpTo(stream.ids.at(-1) ?? 0, stream.ids[1]));
    }
    for (const nonsense of ['-1', 'x', '1e3', '9'.repeat(400)]) {
      const stream = await listenAt(lab, nonsense);
      await expect.poll(() => stream.events.length).toBeGreaterThan(0);
      expect(stream.events[0]?.name).toBe('score');
    }
  });

  it('catches up after all connections were cut, and reloads after a restart', async () => {
    const lab = await start({ 'events-per-second': 50, 'kept-events': 10_000 });
    const stream = await listenAt(lab);
    await waitForEvent(stream, 3);
    expect(await runAction(lab, 'cut-listeners')).toEqual({ cut: 1 });
    expect(await stream.ended).toBe('cut');
    const back = await listenAt(lab, '3');
    await waitForEvent(back, 6);
    expect(back.ids[0]).toBe(4);
    expect(await runAction(lab, 'restart-scoreboard')).toEqual({ cut: 1 });
    const late = await listenAt(lab, '3');
    await expect.poll(() => late.events.length).toBeGreaterThan(0);
    expect(late.events[0]?.name).toBe('reload');
    await expect.poll(async () => (await getLog(lab)).listeners.map(({ why }) => why)).toEqual(['cut', 'restart']);
  });
});

describe('the faults of the scoreboard', () => {
  it('delay events and send them together', async () => {
    const lab = await start({ 'events-per-second': 100, 'hold-events-ms': 400 });
    const stream = await listenAt(lab);
    await waitForEvent(stream, 200);
    const arrivals = stream.events.map(({ atMs }) => atMs);
    const gaps = arrivals.slice(1).map((atMs, index) => atMs - (arrivals[index] ?? 0));
    const long = gaps.filter((gap) => gap > 200);
    expect(long.length).toBeGreaterThanOrEqual(2);
    // Without the delay, each event would be sent after 10 ms.
    expect(long.length).toBeLessThan(stream.events.length / 10);
    expect(stream.ids).toEqual(idsUpTo(stream.ids.at(-1) ?? 0, stream.ids[0]));
    expect(stream.events.some(({ data, atMs }) => atMs - Number(data['at']) > 200)).toBe(true);
  });

  it('cut idle listeners, unless pings keep the connection open', async () => {
    const lab = await start({ 'cut-idle-ms': 300 });
    const startedMs = performance.now();
    expect(await (await listenAt(lab)).ended).toBe('cut');
    expect(performance.now() - startedMs).toBeGreaterThan(290);
    await expect.poll(async () => (await getLog(lab)).listeners).toMatchObject([{ by: 'server', why: 'idle', events: 0 }]);
    const pinged = await start({ 'cut-idle-ms': 1_500, 'ping-seconds': 0.1 });
    const stream = await listenAt(pinged);
    // Waits for longer than the time after which idle listeners are cut.
    await expect.poll(() => stream.comments).toBeGreaterThan(20);
  });

  it('cut all listeners at once, and can forget earlier events', async () => {
    const lab = await start({ 'events-per-second': 50, 'cut-all-after-ms': 500, 'cut-forgets': true });
    const streams = await Promise.all(Array.from({ length: 5 }, () => listenAt(lab)));
    expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual(streams.map(() => 'cut'));
    const back = await listenAt(lab, '1');
    await expect.poll(() => back.events[0]?.name).toBe('reload');
  });

  it('lose and duplicate exact numbers of events for each listener', async () => {
    const lab = await start({ 'events-per-second': 100, 'lose-event-one-in': 5, 'double-event-one-in': 4, 'kept-events': 10_000 });
    const stream = await listenAt(lab, '0');
    await waitForEvent(stream, 19);
    expect(stream.ids.slice(0, 20)).toEqual([1, 2, 3, 4, 4, 6, 7, 8, 8, 9, 11, 12, 12, 13, 14, 16, 16, 17, 18, 19]);
    await runAction(lab, 'cut-listeners');
    await stream.ended;
    await expect.poll(async () => (await getLog(lab)).listeners.length).toBe(1);
    const [line] = (await getLog(lab)).listeners;
    const { length } = stream.ids;
    const doubled = length - new Set(stream.ids).size;
    const lost = line?.lost ?? 0;
    expect(line).toMatchObject({ events: length, doubled });
    expect(lost).toBe(Math.floor((length - doubled + lost) / 5));
  });

  it('end a stream cleanly after a given time', async () => {
    const lab = await start({ 'stream-seconds': 0.3 });
    const stream = await listenAt(lab);
    expect(await stream.ended).toBe('ended');
    await expect.poll(async () => (await getLog(lab)).listeners).toMatchObject([{ by: 'server', why: 'time' }]);
  });
});

describe.skipIf(noNginx !== null)(noNginx ?? 'nginx in front of the scoreboard', () => {
  it('forwards events at once in the configuration of CMS', async () => {
    const lab = await start({ front: 'hash', 'events-per-second': 20 });
    expect(new URL(board(lab)).port).toBe(new URL(lab.urls[0] ?? '').port);
    const stream = await listenAt(lab);
    await waitForEvent(stream, 20);
    // Events arrive one by one, not in blocks of 4 kB.
    expect(new Set(stream.events.map(({ atMs }) => atMs)).size).toBeGreaterThan(stream.events.length / 2);
  });

  it('buffers 4 kB of events in its default configuration', async () => {
    const lab = await start({ front: 'hash', 'events-per-second': 100, 'nginx-holds-events': true });
    const stream = await listenAt(lab);
    await expect.poll(() => stream.events.length, { timeout: 20_000 }).toBeGreaterThan(60);
    const arrivals = new Set(stream.events.map(({ atMs }) => Math.floor(atMs / 50)));
    expect(arrivals.size).toBeLessThan(8);
    expect(stream.ids).toEqual(idsUpTo(stream.ids.at(-1) ?? 0, stream.ids[0]));
  });

  it('cuts a silent stream after its time-out', async () => {
    const lab = await start({ front: 'hash', 'proxy-timeout-ms': 500 });
    const startedMs = performance.now();
    await (
      await listenAt(lab)
    ).ended;
    expect(performance.now() - startedMs).toBeGreaterThan(490);
    await expect.poll(async () => (await getLog(lab)).listeners).toMatchObject([{ by: 'listener', why: 'left' }]);
  });
});

describe('hostile requests to the scoreboard', () => {
  async function dial(lab: RunningContest): Promise<Socket> {
    const socket = connect(Number(new URL(board(lab)).port), '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  }
  const REQUEST = 'GET /scoreboard/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n';

  it('do not delay other listeners: a listener that does not read is cut', async () => {
    const lab = await start({ 'events-per-second': 5_000 });
    const [deaf, stream] = [await dial(lab), await listenAt(lab)];
    deaf.pause();
    deaf.write(REQUEST);
    // Polled slowly, because the log grows by 5,000 lines a second and each poll reads all of it.
    await expect
      .poll(async () => (await getLog(lab)).listeners, { timeout: 30_000, interval: 500 })
      .toMatchObject([{ by: 'server', why: 'slow' }]);
    expect(stream.ids).toEqual(idsUpTo(stream.ids.at(-1) ?? 0, stream.ids[0]));
    deaf.destroy();
  }, 60_000);

  it('open one stream per connection, which ends when the client closes its side', async () => {
    const lab = await start();
    const many = await dial(lab);
    many.write(REQUEST.repeat(50));
    await once(many.resume(), 'close');
    const half = await dial(lab);
    half.write(REQUEST);
    await once(half, 'data');
    half.end();
    await expect.poll(async () => (await gauges(lab))['listeners']).toBe(0);
  });

  it('get a response without chunks in HTTP/1.0', async () => {
    const lab = await start({ 'events-per-second': 50 });
    const socket = await dial(lab);
    socket.write('GET /scoreboard/events HTTP/1.0\r\n\r\n');
    let text = '';
    socket.setEncoding('utf8').on('data', (more: string) => {
      text += more;
    });
    await expect.poll(() => text).toMatch(/\r\n\r\n:\nretry: 3000\n\n(id: \d+\nevent: score\ndata: \{[^\n]*\}\n\n)+/);
    socket.destroy();
  });

  it('are refused without a password, with invalid data, or for another content type', async () => {
    const lab = await start();
    const putScores = (authorization: string, body: string): Promise<Response> =>
      fetch(board(lab, 'subchanges/'), { method: 'PUT', body, headers: { authorization, 'content-type': 'application/json' } });
    expect((await putScores('', '[]')).status).toBe(401);
    expect((await putScores('Basic c2NvcmVib2FyZDp4', '[]')).status).toBe(401);
    expect((await fetch(board(lab, 'events'), { headers: { accept: 'text/html' } })).status).toBe(406);
    const head = await fetch(board(lab, 'events'), { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });
});

it("the scoreboard uses the ports after the shards' ports", async () => {
  const port = await freePort(4);
  const lab = await start({ shards: 2, port, chat: true });
  const ports = [...lab.urls, ...['Scoreboard', 'Chat'].map((label) => board(lab, '', label))].map((url) => Number(new URL(url).port));
  expect(ports).toEqual([port, port + 1, port + 2, port + 3]);
});
