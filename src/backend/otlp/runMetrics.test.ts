import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestBackend, type TestBackend, watchToEnd } from '#backend/testing/backend.ts';
import { newRun } from '#backend/testing/runs.ts';
import { planFor } from '#backend/testing/plans.ts';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import type { RunResult } from '#core/result/schema.ts';
import { syntheticWindow } from '#backend/testing/windows.ts';
import { RunMetrics } from './runMetrics.ts';
import { sinkEvent } from './sinkReport.ts';
import type { DecodedPoint } from './testing/decodeMetrics.ts';
import { type Receiver, startReceiver } from './testing/receiver.ts';

let target: Server;
let targetUrl = '';
let receiver: Receiver | null = null;
let backend: TestBackend | null = null;

beforeEach(async () => {
  let failures = 0;
  target = createServer((request, response) => {
    const fails = request.url === '/sometimes' && (failures += 1) % 2 === 0;
    response.statusCode = fails ? 503 : 200;
    response.end('fine');
  });
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  const address = target.address();
  targetUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
});
afterEach(async () => {
  await backend?.close();
  await receiver?.close();
  [backend, receiver] = [null, null];
  target.closeAllConnections();
  target.close();
});

const stages = [{ connections: 2, requests: 400 }];
const journey: PlanInput['journey'] = [
  { name: 'home', path: '/' },
  { name: 'sometimes', path: '/sometimes' },
];

async function run(metricsSink: URL, changes: Partial<PlanInput> = {}): Promise<RunResult> {
  backend = await startTestBackend({ metricsSink });
  const { client } = backend;
  const plan = planFor(targetUrl, { journey, load: { model: 'connections', stages }, ...changes });
  const { runId } = await client.call('runs.start', { plan });
  await watchToEnd(client, runId);
  return client.call('runs.result', { runId });
}

function sumOf(points: readonly DecodedPoint[], attributes: DecodedPoint['attributes'] = {}): number {
  return points
    .filter((point) => Object.entries(attributes).every(([name, value]) => point.attributes[name] === value))
    .reduce((sum, { value, histogram }) => sum + (value ?? histogram?.count ?? 0), 0);
}

const findSinkEvent = ({ events }: RunResult) => events.find(({ kind }) => kind === 'metricsSink');

describe('RunMetrics: an OTLP receiver', () => {
  it('gets the counts of the result by outcome, status and step, and the run as its resource', async () => {
    receiver = await startReceiver();
    const result = await run(receiver.url);
    const requests = receiver.lastPoints('holdfast.requests');
    const { ok, httpError, sent } = result.outcomes.requests;
    expect(httpError).toBeGreaterThan(50);
    expect(sumOf(requests)).toBe(sent);
    expect(sumOf(requests, { 'holdfast.outcome': 'ok', 'http.response.status_code': 200 })).toBe(ok);
    expect(sumOf(requests, { 'error.type': '503', 'http.response.status_code': 503, 'holdfast.step': 'sometimes' })).toBe(httpError);
    expect(sumOf(receiver.lastPoints('http.client.request.duration'))).toBe(sent);
    expect(sumOf(receiver.lastPoints('holdfast.response.duration'))).toBe(sent);
    expect(sumOf(receiver.lastPoints('holdfast.journeys'), { 'holdfast.journey.state': 'finished' })).toBe(
      result.outcomes.journeys.finished,
    );
    expect(sumOf(receiver.lastPoints('holdfast.network.io'), { 'network.io.direction': 'receive' })).toBe(result.bytes.received);
    expect(sumOf(receiver.lastPoints('http.client.active_requests'))).toBe(0);
    expect(receiver.paths[0]).toBe('/v1/metrics');
    expect(receiver.exports.at(-1)?.resource).toMatchObject({
      'service.name': 'holdfast',
      'service.instance.id': result.run.id,
      'holdfast.run.id': result.run.id,
      'holdfast.plan.name': result.run.name,
      'holdfast.generator.name': expect.any(String),
    });
    expect(findSinkEvent(result)).toMatchObject({ data: { receiver: receiver.url.origin, failed: 0, problem: null } });
    expect(findSinkEvent(result)?.text).toMatch(/^All metrics arrived at http:\/\/127\.0\.0\.1:\d+, in \d+ exports?\.$/);
  });

  it('gets exponential histograms whose percentiles are within a bucket of the result', async () => {
    receiver = await startReceiver();
    const result = await run(receiver.url, { journey: journey.slice(0, 1) });
    const metric = receiver.exports.at(-1)?.metrics.get('http.client.request.duration');
    expect(metric).toMatchObject({ unit: 's', isCumulative: true });
    expect(metric?.points).toHaveLength(1);
    const { histogram, attributes, startMs, atMs } = metric?.points[0] ?? {};
    expect(attributes).toEqual({
      'holdfast.step': 'home',
      'holdfast.stage': 'the whole run',
      'http.request.method': 'GET',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(targetUrl).port),
      'url.scheme': 'http',
      'http.response.status_code': 200,
    });
    expect(atMs).toBeGreaterThan(startMs ?? 0);
    if (histogram === undefined) throw new Error('No histogram arrived.');
    expect(histogram.counts.reduce((sum, count) => sum + count, 0)).toBe(400);
    let seen = 0;
    const index = histogram.counts.findIndex((count) => (seen += count) >= 380);
    const [above, upTo] = [0, 1].map((next) => 1_000 * 2 ** ((histogram.offset + index + next) / 2 ** histogram.scale));
    // The result states three significant digits, so it may be off by 0.5 %.
    expect(result.latency.service.p95).toBeGreaterThan((above ?? 0) * 0.994);
    expect(result.latency.service.p95).toBeLessThan((upTo ?? 0) * 1.006);
    expect((histogram.max * 1_000) / Number(result.latency.service.max)).toBeCloseTo(1, 2);
  });
});

it('RunMetrics: a run whose receiver is gone is not affected, and reports the problem', async () => {
  receiver = await startReceiver();
  await receiver.close();
  const result = await run(receiver.url);
  receiver = null;
  expect(result.run.state).toBe('finished');
  expect(result.outcomes.requests.sent).toBe(400);
  expect(findSinkEvent(result)?.text).toMatch(
    /^The last metrics did not arrive at http:\/\/127\.0\.0\.1:\d+: .*The load was not affected\.$/,
  );
});

describe('RunMetrics: a receiver that', () => {
  const head = { ...newRun('run').head, holdfastVersion: '0.0.0-test' };
  const endless = (response: ServerResponse): void => {
    const timer = setInterval(() => response.write('x'.repeat(1_000)), 5);
    response.on('close', () => clearInterval(timer));
  };

  async function exportOnce(respond: ((response: ServerResponse) => void) | undefined): Promise<{ text: string; seconds: number }> {
    receiver = await startReceiver(respond);
    const metrics = new RunMetrics(receiver.url, { head, plan: planSchema.parse(planFor(targetUrl)), generators: ['one', 'other'] });
    for (const generator of [0, 1]) metrics.add({ generator, window: syntheticWindow(0, { perSecond: 50 }) });
    const startedMs = performance.now();
    const { text } = sinkEvent(await metrics.end(), 0);
    return { text, seconds: (performance.now() - startedMs) / 1_000 };
  }

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['never responds', () => {}, /no response within 3 s|no complete response in time/],
    ['responds without end', endless, /no response within 3 s/],
    ['sends more than 4 MB', (response) => response.end(Buffer.alloc(5_000_000)), /exceeded size limit/],
    ['closes the connection', (response) => response.destroy(), /ECONNRESET|no response within 3 s/],
    [
      'redirects',
      (response) => response.writeHead(307, { Location: 'http://127.0.0.1:1/' }).end(),
      /status 307; redirects are not followed/,
    ],
    ['refuses', (response) => response.writeHead(400, 'Bad <b>').end('\u001b[31m<script>'), /status 400/],
  ])('%s costs at most 5 s after the load', async (_what, respond, problem) => {
    const { text, seconds } = await exportOnce(respond);
    expect(text).toMatch(/^The last metrics did not arrive at http:\/\/127\.0\.0\.1:\d+: 2 of 2 exports failed \(/);
    expect(text).toMatch(problem);
    expect(text).not.toMatch(/\p{Cc}|</u);
    expect(seconds).toBeLessThan(5);
  });

  it('responds with garbage and status 200 counts as one that accepted the metrics', async () => {
    const { text } = await exportOnce((response) => response.end(Buffer.from([0xff, 0xff, 0xff, 0x0f, 1, 2])));
    expect(text).toMatch(/^All metrics arrived at .*, in 2 exports\.$/);
    expect(receiver?.exports.map(({ resource }) => resource['service.instance.id']).toSorted()).toEqual(['run/one', 'run/other']);
  });
});
