import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { beforeAll, expect, it } from 'vitest';
import { markStorable } from '#core/plan/hideSecrets.ts';
import { createTotalHistogram, record } from '#core/statistics/histogram.ts';
import { summarize } from '#core/statistics/latency.ts';
import type { EngineEnd } from '#engine/engine.ts';
import { loadParts } from '#engine/loadParts.ts';
import { buildJob } from '#engine/testing/runLoad.ts';
import { connectTo } from '#backend/remote/testing/connectTo.ts';
import { hasSshServer, startSshServer } from '#backend/remote/testing/sshServer.ts';
import { openStore } from '#backend/store/store.ts';
import { testOptions } from '#backend/testing/options.ts';
import { newRun } from '#backend/testing/runs.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import { ensureBuild } from '#tools/launch/build.mjs';
import type { LoadGenerator } from '../runs/loadGenerator.ts';
import { readResult } from '#backend/results/resultOf.ts';
import { hostGenerator } from './hostGenerator.ts';

const root = new URL('../../../../', import.meta.url).pathname;
const ARRIVALS = 120;
const PROGRESS = { requests: 0, completedPerSecond: null, nowMs: 0 };
/** Time between reading the clocks and the first request. During this time both agents receive the start time. */
const START_DELAY_MS = 500;

beforeAll(() => (hasSshServer ? ensureBuild(root) : undefined), 300_000);

/** Starts a server whose responses are sent at once or late, without a pattern. */
async function startUnevenServer(): Promise<{ url: string; asked: () => number; close(): void }> {
  let requestCount = 0;
  const server = createServer((_request, response) => {
    requestCount += 1;
    setTimeout(() => response.end('answer'), (requestCount * 7_919) % 120);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`,
    asked: () => requestCount,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

it.skipIf(!hasSshServer)(
  'the merged times of two live agents equal one histogram over all requests of both',
  { timeout: 60_000 },
  async () => {
    const target = await startUnevenServer();
    const servers = [await startSshServer(), await startSshServer()];
    const directory = temporaryDirectory();
    const store = openStore(directory);
    const { agentFile } = testOptions(directory);
    const rejectReconnect = (): Promise<never> => Promise.reject(new Error('no connection is lost here'));
    const places: LoadGenerator[] = [];
    try {
      for (const server of servers) places.push(await hostGenerator(await connectTo(server, directory), agentFile, rejectReconnect));
      const job = buildJob([target.url], { load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: ARRIVALS, seconds: 2 }] } });
      const key = store.create({ ...newRun('live'), plan: markStorable(job.plan), target: target.url });
      const parts = loadParts(
        job.plan,
        places.map(() => 2),
      );
      const times: number[] = [];
      const ends: Promise<EngineEnd>[] = [];
      const goings = await Promise.all(
        places.map(async (place, generator) => {
          // The run also reports every single request with its time.
          const startedPreparedLoad = await place.prepare({ ...job, sampling: 'everything', part: parts[generator] });
          const ready = Promise.withResolvers<void>();
          const run = startedPreparedLoad.attach({
            onReady: () => ready.resolve(),
            onWindow: (window, reading) => store.append(key, { generator, window, reading }, PROGRESS),
            onSample: ({ serviceMs }) => void times.push((serviceMs ?? Number.NaN) * 1_000),
            onStage() {},
            onDraining() {},
            onEvent() {},
          });
          ends.push(run.done);
          await ready.promise;
          return { run, clock: await startedPreparedLoad.measureClock() };
        }),
      );
      const startMs = performance.now() + START_DELAY_MS;
      for (const { run, clock } of goings) run.startAt(0, startMs + (clock?.aheadMs ?? Number.NaN));
      expect((await Promise.all(ends)).map(({ reason }) => reason)).toEqual(['completed', 'completed']);
      const one = createTotalHistogram();
      for (const time of times) record(one, time);
      const { latency, outcomes } = readResult(store, store.find('live'));
      expect([times.length, outcomes.requests.ok, target.asked()]).toEqual([ARRIVALS, ARRIVALS, ARRIVALS]);
      expect(latency.service).toEqual(summarize(one));
      // Windows came from both generators.
      const generators = store.generatorWindows(key).map(({ generator }) => generator);
      for (const generator of [0, 1]) expect(generators.filter((one) => one === generator).length).toBeGreaterThan(1);
    } finally {
      for (const place of places) place.close();
      for (const server of servers) await server.stop();
      store.close();
      target.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
);
