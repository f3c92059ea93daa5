import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunResult } from '#core/result/schema.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planFor } from '#backend/testing/plans.ts';
import { startTestBackend, watchToEnd, type TestBackend } from '#backend/testing/backend.ts';
import { httpServer } from '#workers/testing/servers.ts';

/** Property names that every object inherits. A lookup in a record must not return the inherited value. */
const INHERITED = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'];

describe.each(['autocannon', 'native'] as const)('names from a server, with engine %s', (engine) => {
  let backend: TestBackend;
  beforeEach(async () => {
    backend = await startTestBackend();
  });
  afterEach(() => backend.close());

  async function run(url: string, changes: Partial<PlanInput>): Promise<{ result: RunResult; runId: string }> {
    const { client } = backend;
    const { runId } = await client.call('runs.start', { plan: planFor(url, { engine, threads: 2, ...changes }) });
    const items = await watchToEnd(client, runId);
    expect(items.at(-1)?.run).toMatchObject({ state: 'finished' });
    return { result: await client.call('runs.result', { runId }), runId };
  }

  it("are counted correctly if they equal an inherited property's name", async () => {
    let requestCount = 0;
    const server = await httpServer((_, response) => {
      const name = INHERITED[requestCount++ % INHERITED.length] ?? '';
      response.writeHead(200, { 'X-Shard': name }).end('page');
    });
    const { result, runId } = await run(server.url, {
      servers: { header: 'X-Shard' },
      load: { model: 'connections', stages: [{ connections: 4, requests: 240 }] },
    });
    await server.close();
    expect(result.balances).toBe(true);
    expect(result.servers.map(({ name, responded }) => [name, responded]).toSorted()).toEqual(
      INHERITED.map((name) => [name === '__proto__' ? '(__proto__)' : name, 40]).toSorted(),
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
    const exported = await backend.client.call('runs.export', { runId, format: 'json' });
    expect(JSON.stringify(exported)).toContain('hasOwnProperty');
  });

  it('are limited to 200 different errors and servers, while all responses are counted', async () => {
    let requestCount = 0;
    const server = await httpServer((request, response) => {
      if (request.url?.startsWith('/login') === true) return void response.end('<form><input type="password"></form>');
      requestCount += 1;
      response
        .writeHead(302, {
          Location: `/login/${requestCount}?next=${'s'.repeat(1_000)}${requestCount}`,
          'X-Shard': `${requestCount}`.padEnd(2_000, 'x'),
        })
        .end();
    });
    const { result, runId } = await run(server.url, {
      servers: { header: 'X-Shard' },
      journey: [engine === 'native' ? { name: 'page', redirects: { follow: true } } : { name: 'page' }],
      load: {
        model: 'connections',
        stages: [
          { connections: 4, requests: 500 },
          { connections: 4, requests: 500 },
        ],
      },
    });
    await server.close();
    const responded = requestCount;
    expect(responded).toBe(1_000);
    expect(result.balances).toBe(true);
    const errors = Object.entries(result.errors);
    expect(errors.length).toBeLessThanOrEqual(201);
    // autocannon does not report redirect targets.
    expect(errors.reduce((sum, [, count]) => sum + count, 0)).toBe(engine === 'native' ? responded : 0);
    for (const [name] of errors) expect(name).toMatch(/^LEADS_TO_LOGIN \/login\/\d+\?next@check$|^others$/);
    for (const point of result.windows) expect(Object.keys(point.errors).length).toBeLessThanOrEqual(21);
    expect(result.servers.length).toBeLessThanOrEqual(201);
    expect(result.servers.reduce((sum, one) => sum + one.responded, 0)).toBe(responded);
    for (const format of ['json', 'csv', 'html'] as const) {
      const { content } = await backend.client.call('runs.export', { runId, format });
      expect(content.length, format).toBeLessThan(1_000_000);
    }
  });
});
