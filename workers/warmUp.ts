import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { plannedSeconds } from '#core/load/planned.ts';
import { engineFor } from '#core/plan/engineFor.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema.ts';
import type { Clock } from './clock.ts';
import { LegRun } from './legRun.ts';
import type { WorkerData } from './messages.ts';
import { Recorder } from './recorder.ts';

const ANSWER = Buffer.from(
  'HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok',
);
/** Enough for everything to have been loaded and compiled once. */
const FEW_REQUESTS = 100;
/** Enough for most of it to be compiled well: worth it where a test lasts. */
const MANY_REQUESTS = 5_000;
const LONG_TEST_SECONDS = 10;
/** The load waits for all its threads: on a machine that is this slow it begins with what is warm by then. */
const LIMIT_MS = 5_000;

/**
 * Sends requests of the plan's kind to a server of its own in this thread, before the load begins: what Node loads and compiles at its first
 * requests would else be taken for time of the server. Nothing of it is recorded. Where this machine allows no such server, the load begins cold.
 */
export async function warmUp(data: WorkerData, now: Clock, limitMs = LIMIT_MS): Promise<void> {
  const untilMs = performance.now() + limitMs;
  const server = createServer((socket) => {
    socket.on('data', () => void socket.write(ANSWER));
    // A reset leaves no TIME_WAIT behind, which would count among those of the test.
    socket.on('end', () => socket.resetAndDestroy());
    socket.on('error', () => {});
  });
  // Of what goes wrong with it the test will find out by itself.
  server.on('error', () => {});
  const url = await addressOf(server);
  if (url === null) return;
  try {
    const isLong = (plannedSeconds(data.plan) ?? 0) >= LONG_TEST_SECONDS;
    for (const load of loadsOf(data.plan, isLong ? MANY_REQUESTS : FEW_REQUESTS))
      await drive({ ...data, ...quietly(url, data.plan, load) }, now, untilMs);
  } finally {
    server.close();
  }
}

/** null where there is no loopback, or no port left. */
async function addressOf(server: Server): Promise<string | null> {
  try {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return null;
  }
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/`;
}

function loadsOf({ load }: Plan, requests: number): PlanInput['load'][] {
  const closed: PlanInput['load'] = { model: 'connections', stages: [{ connections: 2, requests }] };
  if (load.model === 'connections') return [closed];
  return [closed, { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 2_000, seconds: FEW_REQUESTS / 2_000 }] }];
}

/** The parts of a thread's data that make it send plain requests to `url`, one at a time, and share nothing with other threads. */
function quietly(url: string, plan: Plan, load: PlanInput['load']): Partial<WorkerData> {
  const targets = [{ url, headers: {} }];
  return {
    plan: planSchema.parse({
      holdfast: 1,
      name: 'warm-up',
      engine: engineFor(plan),
      targets: [{ url }],
      journey: [{ name: 'page' }],
      load,
    }),
    targets,
    steps: [{ headers: {}, body: null }],
    feeds: {},
    files: {},
    secrets: {},
    sampling: 'failures',
    clientCertificate: null,
    thread: 0,
    threads: 1,
    generator: { index: 0, count: 1 },
    firstBodyLengths: new Int32Array(new SharedArrayBuffer(4)).fill(-1),
    budget: null,
    journeysInFlight: new Int32Array(new SharedArrayBuffer(4)),
  };
}

async function drive(data: WorkerData, now: Clock, untilMs: number): Promise<void> {
  const recorder = new Recorder({
    firstBodyLengths: data.firstBodyLengths,
    plansStarts: data.plan.load.model !== 'connections',
    inFlight: () => run.inFlight,
    publish: () => {},
  });
  const run = new LegRun(data, 0, {
    now,
    open: (stages) => recorder.open(stages),
    loads: (stages) => recorder.loads(stages),
    sampler: null,
    onBudgetSpent: () => {},
    onServer: () => {},
    onDraining: () => {},
  });
  const startUs = now();
  recorder.begin(startUs);
  const late = setTimeout(() => run.abort(), Math.max(0, untilMs - performance.now()));
  await run.run(startUs);
  clearTimeout(late);
  recorder.close(now());
}
