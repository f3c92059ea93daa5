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
): Promise<{ readonly wrong: string[]; readonly served: number }> {
  nginx = await startNginx({ http });
  const driven = await drive({ targets: [nginx.url], stage, plan: { engine } });
  const served = await nginx.stop();
  nginx = undefined;
  const { ok = 0, ...failures } = driven.cell.outcomes;
  return { wrong: [...discrepancies(driven, served), ...(ok === served ? [] : [`failures: ${JSON.stringify(failures)}`])], served };
}

describe.each<Engine>(['autocannon', 'native'])('the books of %s against the access log of nginx', (engine) => {
  // It closes each connection after 1,000 requests, which costs plain autocannon 39 to 59 requests of 50,000.
  it('as it ships, by requests', async () => {
    for (let repetition = 0; repetition < 3; repetition += 1) {
      expect(await driveNginx(engine, { connections: 8, requests: 9_001 })).toEqual({ wrong: [], served: 9_001 });
    }
  });

  it('as it ships, by time', async () => {
    for (let repetition = 0; repetition < 3; repetition += 1) {
      const { wrong, served } = await driveNginx(engine, { connections: 3, seconds: 0.5 });
      expect(wrong).toEqual([]);
      expect(served).toBeGreaterThan(3);
    }
  });

  it('closing after each answer', async () => {
    expect(await driveNginx(engine, { connections: 8, requests: 1_000 }, 'keepalive_timeout 0;')).toEqual({ wrong: [], served: 1_000 });
  });
});
