import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestBackend, watchToEnd, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';

/** Every upload is stored, but only every second one is acknowledged. */
let storedUploads = 0;
let receivedUploads = 0;
const orders: string[] = [];
const server = createServer((request, response) => {
  if (request.url === '/orders') return void response.end(JSON.stringify(orders));
  const order = /^\/order\/(.+)$/.exec(request.url ?? '')?.[1];
  if (order !== undefined) {
    receivedUploads += 1;
    // The first order is lost, and the second is stored twice.
    orders.push(...(receivedUploads === 1 ? [] : receivedUploads === 2 ? [order, order] : [order]));
    return void response.end('kept');
  }
  if (request.url === '/count') return void response.end(JSON.stringify({ stored: storedUploads }));
  storedUploads += 1;
  response.statusCode = storedUploads % 2 === 0 ? 504 : 200;
  response.end('kept');
});
let test: TestBackend;
let url = '';

beforeEach(async () => {
  storedUploads = 100;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  test = await startTestBackend({ runsCommands: true });
});
afterEach(async () => {
  await test.close();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

const load = { model: 'connections' as const, stages: [{ connections: 2, requests: 40 }] };
const upload = [{ name: 'upload', path: '/upload' }];

it('the count at the target compares stored items with acknowledged items', async () => {
  const plan = planFor(url, { journey: upload, load, stored: [{ name: 'photos', step: 'upload', url: `${url}count`, path: '$.stored' }] });
  const { runId } = await test.client.call('runs.start', { plan });
  await watchToEnd(test.client, runId);
  const { findings, events } = await test.client.call('runs.result', { runId });
  expect(events.find(({ kind }) => kind === 'stored')).toMatchObject({
    text: '“photos”: 20 acknowledged, 40 stored. “photos” was 100 before the load and 140 after it.',
    data: { name: 'photos', step: 'upload', before: 100, after: 140 },
  });
  expect(findings.find(({ id }) => id === 'storedUnknown.upload')?.sentence).toMatch(/^20 of “upload” were stored although/);
});

it('the count at the target fails if one acknowledged item is stored twice and another is missing, although the sum matches', async () => {
  const plan = planFor(url, {
    journey: [{ name: 'order', path: '/order/{{id}}', stores: true }],
    variables: { id: { kind: 'uuid' } },
    load,
    stored: [{ name: 'orders', step: 'order', url: `${url}orders`, marker: '{{id}}' }],
  });
  const { runId } = await test.client.call('runs.start', { plan });
  await watchToEnd(test.client, runId);
  const { verdict, events } = await test.client.call('runs.result', { runId });
  expect(events.find(({ kind }) => kind === 'stored')).toMatchObject({
    text: '“orders”: 40 acknowledged, 40 stored. “orders” was 0 before the load and 40 after it. Of 40 compared one by one, 1 is missing and 1 is stored more than once.',
    data: { before: 0, after: 40, items: { compared: 40, missing: 1, repeated: 1 } },
  });
  expect(verdict).toMatchObject({
    outcome: 'failed',
    sentence: 'Failed at 2 connections: 1 of 40 acknowledged requests of “order” is not stored, and 1 is stored more than once.',
    storage: { state: 'contradicted', steps: [{ step: 'order', missing: 1, repeated: 1, by: 'count' }] },
  });
});

it('the count at the target finds a step whose name equals the value of a header', async () => {
  const journey = [{ name: 'upload', path: '/upload', headers: { 'X-Step': 'upload', 'X-Key': 'photos' } }];
  const plan = planFor(url, { journey, load, stored: [{ name: 'photos', step: 'upload', url: `${url}count`, path: '$.stored' }] });
  const { runId } = await test.client.call('runs.start', { plan });
  await watchToEnd(test.client, runId);
  const { findings, events } = await test.client.call('runs.result', { runId });
  expect(events.find(({ kind }) => kind === 'stored')?.text).toContain('20 acknowledged, 40 stored.');
  expect(findings.map(({ id }) => id)).toContain('storedUnknown.upload');
});

it('the count at the target reports how long the server worked after the load, but unfinished work does not prove that items were stored', async () => {
  storedUploads = 0;
  let remaining = 0;
  const [queue, counter] = [
    (): number => (remaining = storedUploads > 0 && remaining === 0 ? 3 : Math.max(0, remaining - 1)),
    createServer((_request, response) => void response.end(String(queue()))),
  ];
  counter.listen(0, '127.0.0.1');
  await once(counter, 'listening');
  const address = counter.address();
  const countUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  const plan = planFor(url, {
    journey: [{ name: 'upload', method: 'POST', path: '/upload' }],
    load,
    stored: [{ name: 'photos to shrink', step: 'upload', counts: 'unfinished', url: countUrl }],
  });
  const { runId } = await test.client.call('runs.start', { plan });
  await watchToEnd(test.client, runId);
  const { findings, verdict, events } = await test.client.call('runs.result', { runId });
  counter.close();
  expect(events.find(({ kind }) => kind === 'stored')?.text).toBe(
    '“photos to shrink” was 0 before the load, 3 at its end and 0 after 3 s.',
  );
  expect(findings.find(({ id }) => id === 'workLeft.photos to shrink')).toMatchObject({
    level: 'info',
    sentence: expect.stringContaining('finished'),
  });
  expect(findings.map(({ id }) => id)).not.toContain('storedUnknown.upload');
  expect(verdict.storage).toMatchObject({ state: 'notVerified' });
});

it('the count at the target runs a command only with consent, and starts no load if the command fails', async () => {
  const planCountedBy = (command: string) => planFor(url, { journey: upload, load, stored: [{ name: 'files', step: 'upload', command }] });
  await expect(test.stranger.call('runs.start', { plan: planCountedBy('echo 1') })).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
  const failing = 'echo gone; exit 4';
  await expect(test.client.call('runs.start', { plan: planCountedBy(failing) })).rejects.toMatchObject({ code: 'STORED_UNREADABLE' });
  expect(storedUploads).toBe(100);
  expect((await test.client.call('runs.list', {})).total).toBe(0);
});
