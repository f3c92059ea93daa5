import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startLoggingTarget, type LoggingTarget } from './loggingTarget.ts';

let target: LoggingTarget | null = null;
afterEach(() => target?.stop());

it('the logging target logs every request with its duration, and empties its log on request', async () => {
  target = await startLoggingTarget('fixed:30', null);
  const { url } = target;
  for (let round = 0; round < 2; round += 1) {
    await target.start();
    const responses = await Promise.all(Array.from({ length: 5 }, () => fetch(url).then((response) => response.text())));
    expect(new Set(responses)).toEqual(new Set(['hello world']));
    const { arrivedMs, tookMs } = await target.take();
    expect([arrivedMs.length, tookMs.length]).toEqual([5, 5]);
    // A timer may fire up to a millisecond early according to another clock.
    expect(Math.min(...tookMs)).toBeGreaterThanOrEqual(29);
    expect([...arrivedMs]).toEqual([...arrivedMs].sort((a, b) => a - b));
  }
});

it('the logging target recognizes a request that arrives in single bytes, and logs no duration if nobody reads the response', async () => {
  target = await startLoggingTarget('fixed:50', null);
  await target.start();
  const { hostname, port } = new URL(target.url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  for (const byte of 'GET / HTTP/1.1\r\nHost: x\r\n\r\n') await new Promise<void>((resolve) => socket.write(byte, () => resolve()));
  await once(socket, 'data');
  // This ends the connection right after the request, so that nobody reads the response.
  socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  socket.destroySoon();
  await once(socket, 'close');
  await fetch(target.url).then((response) => response.text());
  const { arrivedMs, tookMs } = await target.take();
  expect([arrivedMs.length, tookMs.length]).toEqual([3, 2]);
});

it('the logging target does not start with an invalid delay', async () => {
  await expect(startLoggingTarget('often:1', null)).rejects.toThrow('ended by itself');
});
