import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { readStreamLog } from '#lab/streamLog.ts';
import { whyNot } from '#lab/testing/needs.ts';
import { testSurroundings } from '#lab/testing/surroundings.ts';
import { contestLab, type RunningContest } from '../contest.ts';

const noNginx = await whyNot(
  (await contestLab.missing(process.env)).filter(({ what }) => what === 'nginx').map((one) => ({ ...one, needed: true })),
);

const startedContests: RunningContest[] = [];
const sockets: WebSocket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  for (const lab of startedContests.splice(0)) await lab.stop();
});

async function start(givenOptions: GivenOptions = {}): Promise<RunningContest> {
  const lab = await contestLab.start({ 'service-ms': 0, chat: true, ...givenOptions }, testSurroundings());
  startedContests.push(lab);
  return lab;
}

const address = (lab: RunningContest): string => lab.addresses.find(({ label }) => label === 'Chat')?.url ?? '';
const getLog = (lab: RunningContest) => readStreamLog(lab.logs['chat-messages'] ?? '');

interface Member {
  readonly socket: WebSocket;
  readonly received: readonly { readonly number: number; readonly at: number; readonly from: number; readonly text: string }[];
  readonly closed: Promise<number>;
}

async function join(lab: RunningContest, options: { autoPong?: boolean } = {}): Promise<Member> {
  const socket = new WebSocket(address(lab), options);
  sockets.push(socket);
  const received: Member['received'][number][] = [];
  socket.on('message', (data) => received.push(JSON.parse(String(data)))).on('error', () => {});
  const closed = new Promise<number>((resolve) => socket.once('close', resolve));
  await once(socket, 'open');
  return { socket, received, closed };
}

describe('the chat of the practice contest', () => {
  it.each([false, true])("sends each message to all members, with the message's number and time; compressed: %s", async (deflates) => {
    const lab = await start({ 'chat-deflate': deflates });
    const members = [await join(lab), await join(lab), await join(lab)];
    expect(members.map(({ socket }) => socket.extensions)).toEqual(members.map(() => (deflates ? 'permessage-deflate' : '')));
    const before = Date.now();
    for (const [index, { socket }] of members.entries()) socket.send(`hello ${index} ${'ä'.repeat(200)}`);
    for (const { received } of members) await expect.poll(() => received.length).toBe(3);
    const [first] = members;
    expect(first?.received.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(first?.received.map(({ text }) => text.slice(0, 7)).sort()).toEqual(['hello 0', 'hello 1', 'hello 2']);
    for (const { at } of first?.received ?? []) expect([at >= before, at <= Date.now()]).toEqual([true, true]);
    for (const { received } of members) expect(received).toEqual(first?.received);
    for (const { socket, closed } of members) {
      socket.close(1000);
      await closed;
    }
    await expect
      .poll(async () => (await getLog(lab)).members)
      .toMatchObject(members.map(() => ({ sent: 1, received: 3, by: 'listener', why: 'left', code: 1000 })));
    expect((await getLog(lab)).events.map(({ id, at }) => [id, at])).toEqual(first?.received.map(({ number, at }) => [number, at]));
  });

  it('closes connections with the code for the reason', async () => {
    const lab = await start();
    const [binary, long, flood, wrong, last] = [await join(lab), await join(lab), await join(lab), await join(lab), await join(lab)];
    binary.socket.send(Buffer.from([1, 2]));
    long.socket.send('x'.repeat(5_000));
    for (let message = 0; message < 2_000; message += 1) flood.socket.send('again');
    wrong.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await Promise.all([binary, long, flood, wrong].map(({ closed }) => closed))).toEqual([1003, 1009, 1008, 1007]);
    const restarted = (await fetch(`${lab.control}actions/restart-chat`, { method: 'POST' })).json();
    expect([await restarted, await last.closed]).toEqual([{ closed: 1 }, 1012]);
    expect(last.received.map(({ number }) => number)).toEqual(last.received.map((_, index) => index + 1));
    expect([last.received.length >= 200, last.received.length < 2_000]).toEqual([true, true]);
    const stayed = await join(lab);
    await lab.stop();
    expect(await stayed.closed).toBe(1001);
  });

  it('sends pings, and closes connections that do not reply', async () => {
    const lab = await start({ 'ping-seconds': 0.5 });
    const [alive, silent] = [await join(lab), await join(lab, { autoPong: false })];
    expect(await silent.closed).toBe(1006);
    await once(alive.socket, 'ping');
    await expect.poll(async () => (await getLog(lab)).members).toMatchObject([{ number: 2, by: 'server', why: 'idle' }]);
    expect(await (await fetch(`${lab.control}gauges`)).json()).toMatchObject({ 'chat members': 1, 'chat messages': 0 });
  });

  it('replies to plain HTTP that it accepts only WebSockets', async () => {
    const url = address(await start()).replace('ws:', 'http:');
    expect((await fetch(url)).status).toBe(426);
    expect((await fetch(`${url}/else`)).status).toBe(404);
  });
});

describe.skipIf(noNginx !== null)(noNginx ?? 'nginx in front of the chat', () => {
  it('forwards WebSockets', async () => {
    const lab = await start({ front: 'hash' });
    expect(new URL(address(lab)).port).toBe(new URL(lab.urls[0] ?? '').port);
    const { socket, received } = await join(lab);
    socket.send('through');
    await expect.poll(() => received.map(({ text }) => text)).toEqual(['through']);
  });
});
