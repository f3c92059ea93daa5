import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { readOptions } from '#core/base/lab/readOptions.ts';
import { listen } from '#lab/listen.ts';
import { JsonLog } from '#lab/logFile.ts';
import { readStreamLog, type StreamLog } from '#lab/streamLog.ts';
import { listenTo } from '#lab/testing/eventStream.ts';
import { pushFaultOptions, pushOptions } from './options.ts';
import { EventStreams, type StreamSettings, MAX_UNSENT_BYTES, EventCache } from './streams.ts';

const SETTINGS = readOptions(
  { ...pushOptions, ...pushFaultOptions },
  { 'kept-events': 10_000, 'ping-seconds': 60, 'retry-ms': 1_000, 'stream-seconds': 600 },
);

async function streamsWith(changes: Partial<StreamSettings> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-streams-'));
  const file = join(directory, 'events.log');
  const log: StreamLog = await JsonLog.open(file);
  const streams = new EventStreams({ ...SETTINGS, ...changes }, log);
  const { url, close } = await listen(express().get('/', streams.handler), null, { highWaterMark: MAX_UNSENT_BYTES });
  onTestFinished(async () => {
    await streams.close();
    await close();
    await log.close();
    await rm(directory, { recursive: true });
  });
  return { streams, url, listeners: async () => (await readStreamLog(file)).listeners };
}

const idsUpTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
const LARGE_EVENT = 'x'.repeat(2_000);

it('streams: a listener that reads again gets the remaining events without a new event', async () => {
  const { streams, url, listeners } = await streamsWith();
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  socket.write('GET / HTTP/1.0\r\n\r\n');
  await once(socket, 'data');
  socket.pause();
  for (const id of idsUpTo(9_000)) streams.publish('score', id, { FILLING: LARGE_EVENT });
  const { written } = streams.state;
  expect(written).toBeLessThan(9_000);
  socket.resume();
  await expect.poll(() => streams.state.written, { timeout: 20_000 }).toBe(9_000);
  await expect.poll(() => /^id: 9000\n.*\n\n$/ms.test(text.slice(-5_000))).toBe(true);
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))).toEqual(idsUpTo(9_000));
  socket.destroy();
  await expect.poll(listeners).toMatchObject([{ events: 9_000, first: 1, last: 9_000, why: 'left' }]);
});

it('streams: a listener that is far behind gets every event in order', async () => {
  const { streams, url } = await streamsWith();
  for (const id of idsUpTo(5_000)) streams.publish('score', id, { FILLING: LARGE_EVENT });
  const stream = await listenTo(url, '0');
  await expect.poll(() => stream.events.length, { timeout: 20_000 }).toBe(5_000);
  expect(stream.ids).toEqual(idsUpTo(5_000));
  stream.leave();
});

it('streams: a listener that does not read the end of its stream is cut', async () => {
  const { streams, url, listeners } = await streamsWith({ 'stream-seconds': 0.3 });
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await once(socket, 'data');
  socket.pause();
  for (const id of idsUpTo(9_000)) streams.publish('score', id, { FILLING: LARGE_EVENT });
  await expect.poll(listeners, { timeout: 10_000 }).toMatchObject([{ by: 'server', why: 'time' }]);
  socket.destroy();
});

it('EventCache knows whether all events after a number are available', () => {
  const cache = new EventCache(3);
  expect([0, 1].map((id) => cache.hasAllAfter(id))).toEqual([true, false]);
  for (const _ of idsUpTo(5)) cache.add('score', {});
  expect([0, 1, 2, 3, 5, 6].map((id) => cache.hasAllAfter(id))).toEqual([false, false, true, true, true, false]);
  expect([cache.eventAt(1)?.id, cache.eventAt(5)?.id, cache.eventAt(6)]).toEqual([1, 5, undefined]);
  cache.forget();
  expect([4, 5].map((id) => cache.hasAllAfter(id))).toEqual([false, true]);
  for (const _ of idsUpTo(2_000)) cache.add('score', {});
  expect([cache.eventAt(1_005), cache.eventAt(1_006)?.id]).toEqual([undefined, 1_006]);
});
