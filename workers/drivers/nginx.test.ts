import { afterEach, describe, expect, it } from 'vitest';
import { drive, type DriveOptions } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { startNginx, type Nginx } from '#workers/testing/nginx.ts';

let nginx: Nginx | undefined;
afterEach(async () => {
  await nginx?.stop();
  nginx = undefined;
});

type Engine = 'autocannon' | 'native';

async function driveNginx(
  engine: Engine,
  stage: DriveOptions['stage'],
  http = '',
  streams: number | null = null,
): Promise<{ readonly wrong: string[]; readonly served: number }> {
  nginx = await startNginx({ http, http2: streams !== null });
  const plan = { engine, ...(streams === null ? {} : { connections: { protocol: 'h2' as const, streams } }) };
  const driven = await drive({ targets: [nginx.url], stage, plan });
  const served = await nginx.stop();
  nginx = undefined;
  const { ok = 0, ...failures } = driven.cell.outcomes;
  return { wrong: [...discrepancies(driven, served), ...(ok === served ? [] : [`failures: ${JSON.stringify(failures)}`])], served };
}

/** Number of repetitions. HOLDFAST_REPETITIONS=20 makes the check thorough. */
const REPETITIONS = Number(process.env['HOLDFAST_REPETITIONS'] ?? 1);

describe.each<Engine>(['autocannon', 'native'])('counts of %s against the access log of nginx', (engine) => {
  // nginx closes each connection after 1,000 requests. Plain autocannon loses 39 to 59 of 50,000 requests when that happens.
  it('are equal with default settings and a fixed number of requests', async () => {
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      expect(await driveNginx(engine, { connections: 8, requests: 9_001 })).toEqual({ wrong: [], served: 9_001 });
    }
  });

  it('are equal with default settings and a fixed duration', async () => {
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      const { wrong, served } = await driveNginx(engine, { connections: 3, seconds: 0.5 });
      expect(wrong).toEqual([]);
      expect(served).toBeGreaterThan(3);
    }
  });

  it('are equal if nginx closes after each response', async () => {
    expect(await driveNginx(engine, { connections: 8, requests: 1_000 }, 'keepalive_timeout 0;')).toEqual({ wrong: [], served: 1_000 });
  });
});

describe.each([
  ['autocannon', 'connections'],
  ['native', 'connections'],
  ['native', 'arrivals'],
] as const)('three reloads of nginx under a load of %s, %s', (engine, model) => {
  const loads = {
    connections: { stage: { connections: 20, seconds: 1.2 } },
    arrivals: { load: { model: 'arrivals' as const, stages: [{ kind: 'constant' as const, perSecond: 1_000, seconds: 1.2 }] } },
  };

  it('cause no failed request, and nginx logs each request once', async () => {
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      const started = await startNginx();
      nginx = started;
      const reloads = setInterval(() => started.reload(), 300);
      const driven = await drive({ targets: [started.url], ...loads[model], plan: { engine } });
      clearInterval(reloads);
      const served = await started.stop();
      nginx = undefined;
      expect(discrepancies(driven, served)).toEqual([]);
      expect(driven.cell.outcomes).toEqual({ ok: served });
      expect(driven.cell.connectionsOpened).toBeGreaterThan(3);
    }
  });
});

// nginx sends GOAWAY on each connection after 1,000 requests, and completes all requests that it has accepted.
describe.each([1, 10])('counts of HTTP/2 against the access log of nginx, %i streams per connection', (streams) => {
  it('are equal with default settings and a fixed number of requests', async () => {
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      expect(await driveNginx('native', { connections: 20, requests: 9_001 }, '', streams)).toEqual({ wrong: [], served: 9_001 });
    }
  });

  it('are equal with default settings and a fixed duration', async () => {
    for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
      const { wrong, served } = await driveNginx('native', { connections: 20, seconds: 0.5 }, '', streams);
      expect(wrong).toEqual([]);
      expect(served).toBeGreaterThan(20);
    }
  });

  it('are equal if nginx closes after every tenth request', async () => {
    expect(await driveNginx('native', { connections: 20, requests: 2_000 }, 'keepalive_requests 10;', streams)).toEqual({
      wrong: [],
      served: 2_000,
    });
  });
});
