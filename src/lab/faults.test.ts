import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readOptions } from '#core/base/lab/readOptions.ts';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { faultOptions, makeFaults } from './faults.ts';
import { listen } from './listen.ts';
import { ask, type Response } from './testing/requests.ts';

const BODY = 'twelve bytes';

async function serverWith(givenOptions: GivenOptions) {
  const faults = await makeFaults(readOptions(faultOptions, givenOptions));
  const app = express();
  app.use(faults.handler);
  app.get('/', (_request, response) => void response.type('text/plain').send(BODY));
  app.get('/json', (_request, response) => void response.json({ fine: true }));
  const { url, close } = await listen(app, null);
  onTestFinished(async () => {
    await close();
    await faults.close();
  });
  const requestTimes = async (count: number): Promise<Response[]> => {
    const responses = [];
    for (let request = 0; request < count; request += 1) responses.push(await ask(url));
    return responses;
  };
  return { url, times: requestTimes, faults };
}

describe('the faults of a practice server', () => {
  it('are off by default', async () => {
    const { times, url } = await serverWith({});
    expect(await times(5)).toMatchObject(Array.from({ length: 5 }, () => ({ status: 200, body: BODY })));
    expect((await ask(`${url}json`)).body).toBe('{"fine":true}');
  });

  it('shorten or empty every Nth body, with the correct content length', async () => {
    const { times } = await serverWith({ 'short-one-in': 2, 'empty-one-in': 5 });
    const responses = await times(10);
    expect(responses.map(({ body }) => body.length)).toEqual([12, 11, 12, 11, 0, 11, 12, 11, 12, 0]);
    for (const { status, body, headers } of responses) expect([status, Number(headers['content-length'])]).toEqual([200, body.length]);
  });

  it('delay every Nth response and drop every Nth connection', async () => {
    const { times } = await serverWith({ 'slow-one-in': 3, 'slow-by-ms': 150, 'drop-one-in': 4 });
    const responses = await times(12);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 0, 200, 200, 200, 0, 200, 200, 200, 0]);
    for (const [index, { status, ms }] of responses.entries())
      if (status === 200) expect([index, ms > 148]).toEqual([index, (index + 1) % 3 === 0]);
  });

  it('leak a connection at every Nth request, and open and close one for each request', async () => {
    const { times, faults } = await serverWith({ 'leak-one-in': 5, 'connect-per-request': true });
    expect(await times(20)).toMatchObject(Array.from({ length: 20 }, () => ({ status: 200 })));
    expect(faults.leaked).toBe(4);
    expect(faults.endLeaked()).toBe(4);
    expect(faults.leaked).toBe(0);
  });
});
