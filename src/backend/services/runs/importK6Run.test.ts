import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { planSchema } from '#core/plan/schema/plan.ts';

/** Recorded responses of a real Prometheus: see src/core/k6/prometheus/importedRun.test.ts. */
const RECORDED_REPLIES = z
  .record(z.string(), z.unknown())
  .parse(JSON.parse(readFileSync(new URL('../../../core/k6/prometheus/testing/recorded.jsonl', import.meta.url), 'utf8')));
const EMPTY_REPLY = { status: 'success', data: { resultType: 'matrix', result: [] } };
const PLAN = planSchema.parse({
  holdfast: 1,
  name: 'Shop at its peak',
  targets: [{ url: 'http://shop.internal/' }],
  journey: [{ name: 'front' }, { name: 'second', path: '/second' }, { name: 'third', path: '/missing' }],
  load: {
    model: 'arrivals',
    stages: [
      { kind: 'constant', name: 'warm', perSecond: 10, seconds: 5, counted: false },
      { kind: 'constant', name: 'peak', perSecond: 20, seconds: 15 },
    ],
  },
  criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 500, step: 'front' }],
});

describe('a k6 run in Prometheus', () => {
  let backend: TestBackend;
  let prometheus: Server;
  let address = '';
  let askedNames: string[] = [];

  beforeEach(async () => {
    askedNames = [];
    prometheus = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const query = url.searchParams.get('query') ?? '';
      askedNames.push(`${request.headers.authorization ?? ''} ${url.pathname} ${query}`.trim());
      const metric = /^(\w+)\{testid="try1"\}/.exec(query)?.[1] ?? '';
      if (url.pathname !== '/prometheus/api/v1/query') return void response.writeHead(404).end('not here');
      response.end(JSON.stringify(RECORDED_REPLIES[metric] ?? EMPTY_REPLY));
    });
    await new Promise<void>((resolve) => prometheus.listen(0, '127.0.0.1', resolve));
    const bound = prometheus.address();
    address = `127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
    backend = await startTestBackend();
  });
  afterEach(async () => {
    await backend.close();
    prometheus.close();
    prometheus.closeAllConnections();
  });

  it('is imported with its request outcomes, its verdict, and what is unknown', async () => {
    const url = `http://ada:hush@${address}/prometheus/`;
    const { runId } = await backend.client.call('runs.importK6', { url, run: 'try1', plan: PLAN, days: 3 });
    const result = await backend.client.call('runs.result', { runId });
    expect(result).toMatchObject({
      balances: true,
      run: { state: 'finished', name: 'Shop at its peak' },
      plan: { engine: 'k6' },
      outcomes: { requests: { sent: 1_038 }, journeys: { planned: 350, started: 346 } },
      generators: [],
      criteria: [
        { outcome: 'passed' },
        { step: 'front', outcome: 'passed', isDefault: true },
        // Some requests of the second step failed. The page of the third step does not exist.
        { step: 'second', outcome: 'failed', isDefault: true },
        { step: 'third', outcome: 'failed', isDefault: true },
      ],
    });
    expect(result.events.map(({ text }) => text).join(' ')).toContain('Unknown: schedule lag');
    expect(JSON.stringify(result)).not.toContain('hush');
    expect(askedNames[0]).toMatch(/^Basic YWRhOmh1c2g= \/prometheus\/api\/v1\/query k6_\w+\{testrun_name="try1"\}\[3d\]$/);
    expect((await backend.client.call('runs.list', {})).runs).toMatchObject([{ id: runId, state: 'finished' }]);
  });

  it('stores nothing if the run does not exist or cannot be read', async () => {
    const ask = (url: string, run: string): Promise<unknown> => backend.client.call('runs.importK6', { url, run, plan: PLAN, days: 3 });
    await expect(ask(`http://${address}/prometheus`, 'other')).rejects.toMatchObject({ code: 'NO_SUCH_K6_RUN' });
    await expect(ask(`http://${address}/`, 'try1')).rejects.toMatchObject({
      code: 'PROMETHEUS_FAILED',
      message: expect.stringContaining('404') as unknown,
    });
    expect((await backend.client.call('runs.list', {})).runs).toEqual([]);
  });

  it('is rejected if a compressed response expands beyond the limit', async () => {
    const packed = gzipSync(Buffer.alloc(65_000_000, ' '));
    const bomb = createServer((_, response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(packed));
    await new Promise<void>((resolve) => bomb.listen(0, '127.0.0.1', resolve));
    const bound = bomb.address();
    const url = `http://127.0.0.1:${typeof bound === 'object' && bound !== null ? bound.port : 0}`;
    await expect(backend.client.call('runs.importK6', { url, run: 'try1', plan: PLAN, days: 3 })).rejects.toMatchObject({
      code: 'PROMETHEUS_FAILED',
      message: expect.stringContaining('more than 64 MB for one metric') as unknown,
    });
    bomb.close();
    bomb.closeAllConnections();
  });
});
