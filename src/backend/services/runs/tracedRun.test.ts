import { once } from 'node:events';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttp2 } from 'node:http2';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';

let backend: TestBackend;
let seen: (string | undefined)[] = [];
let close: () => void = () => {};

beforeEach(async () => {
  seen = [];
  backend = await startTestBackend();
});
afterEach(async () => {
  await backend.close();
  close();
});

const isTraced = (header: string | undefined): header is string => header !== undefined;

/** Every fifth request fails. Every seventh takes 30 ms. */
function respond(header: string | undefined, end: (status: number) => void): void {
  seen.push(header);
  const status = seen.length % 5 === 0 ? 500 : 200;
  if (seen.length % 7 === 0) setTimeout(() => end(status), 30);
  else end(status);
}

async function listen(protocol: 'http/1.1' | 'h2'): Promise<string> {
  const onRequest = (request: Pick<IncomingMessage, 'headers'>, response: Pick<ServerResponse, 'statusCode' | 'end'>): void =>
    respond(request.headers['traceparent']?.toString(), (status) => {
      response.statusCode = status;
      response.end('fine');
    });
  const server = protocol === 'h2' ? createHttp2(onRequest as never) : createHttp(onRequest);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => server.close();
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

it.each<[string, Partial<PlanInput>]>([
  ['autocannon', { engine: 'autocannon' }],
  ['the native engine over HTTP/1.1', { engine: 'native' }],
  ['the native engine over HTTP/2', { engine: 'native', connections: { protocol: 'h2' } }],
])(
  'runs.start: a share of the requests of %s has trace ids, and the result has those of slow and failed ones',
  async (_engine, changes) => {
    const url = await listen(changes.connections?.protocol ?? 'http/1.1');
    const plan = planFor(url, {
      trace: { share: 0.5, link: 'https://tempo.test/{traceId}' },
      load: { model: 'connections', stages: [{ connections: 2, requests: 300 }] },
      ...changes,
    });
    const { runId } = await backend.client.call('runs.start', { plan });
    await watchToEnd(backend.client, runId);
    const { traces = [], outcomes } = await backend.client.call('runs.result', { runId });
    const headers = seen.filter(isTraced);
    expect(outcomes.requests).toMatchObject({ sent: 300, ok: 240, httpError: 60 });
    expect(seen).toHaveLength(300);
    expect(headers.length).toBeGreaterThan(110);
    expect(headers.length).toBeLessThan(190);
    expect(headers.every((header) => /^00-[\da-f]{32}-[\da-f]{16}-01$/.test(header))).toBe(true);
    expect(new Set(headers).size).toBe(headers.length);
    const sent = new Set(headers.map((header) => header.slice(3, 35)));
    expect(traces.length).toBeGreaterThan(3);
    expect(traces.every(({ traceId }) => sent.has(traceId))).toBe(true);
    const slow = traces.filter(({ failure }) => failure === null);
    expect(slow.length).toBeGreaterThanOrEqual(3);
    expect(slow.slice(0, 3).every(({ serviceMs }) => (serviceMs ?? 0) >= 29)).toBe(true);
    const failed = traces.filter(({ failure }) => failure === 'status 500');
    expect(failed.length).toBeGreaterThanOrEqual(3);
    const { content } = await backend.client.call('runs.export', { runId, format: 'html' });
    expect(content).toContain(`<a href="https://tempo.test/${failed[0]?.traceId}" rel="noreferrer">${failed[0]?.traceId}</a>`);
    const samples = await backend.client.call('runs.samples', { runId });
    expect(samples.every(({ failure }) => failure === 'status 500')).toBe(true);
    expect(samples.find(({ traceId }) => traceId !== undefined)?.sent?.head).toMatch(/\ntraceparent: 00-[\da-f]{32}-/);
  },
);

it('runs.start: no request has a trace id unless the plan says so', async () => {
  const url = await listen('http/1.1');
  const { runId } = await backend.client.call('runs.start', { plan: planFor(url) });
  await watchToEnd(backend.client, runId);
  const { traces } = await backend.client.call('runs.result', { runId });
  expect(traces).toBeUndefined();
  expect(seen.filter(isTraced)).toEqual([]);
});
