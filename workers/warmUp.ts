import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { chooseEngineFor } from '#core/review/engines/engineFor.ts';
import { listRecordedRequests } from '#core/plan/requests.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import type { Clock } from './clock.ts';
import { LegRun } from './legRun.ts';
import type { WorkerData } from './messages.ts';
import { Recorder } from './recorder.ts';
import { Sampler } from './sampling/sampler.ts';

export interface WarmUpState {
  readonly run: LegRun;
  readonly recorder: Recorder;
}

type StageEnd = { readonly requests: number } | { readonly seconds: number };

/** Number of requests of a short warm-up: enough to load and compile all code once. */
const SHORT_REQUESTS = 100;
/**
 * Duration of the warm-up for long tests: long enough for V8 to optimize nearly all code. The warm-up has a fixed duration, as long tests
 * have: code that was optimized for a number of requests would be discarded in the first second of the test.
 */
const LONG_SECONDS = 0.5;
const LONG_TEST_SECONDS = 5;
/** Number of repetitions, each with new objects, because V8 discards code that was optimized for a single load when the next one starts. */
const LONG_REPETITIONS = 2;
/** Number of responses with the same head, as from servers whose Date header changes every second. */
const RESPONSES_PER_HEAD = 1_000;
const WARM_UP_RESPONSES = ['00', '01'].map((second) =>
  Buffer.from(`HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:${second} GMT\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok`),
);
/** Time before the start at which the first window begins, so that the warm-up includes the end of a window. */
const BEGAN_BEFORE_US = 900_000;
/**
 * Maximum duration of the warm-up, because the load waits for all threads. On a slow machine the load starts before the warm-up is
 * complete.
 */
const LIMIT_MS = 5_000;

/**
 * Sends requests like those of the plan to a local server on this thread, before the load starts. Otherwise the time in which Node loads
 * and compiles code for its first requests would count as the server's. Nothing is recorded. If this machine allows no local server, the
 * load starts without a warm-up. Returns objects to keep, because V8 discards code together with the objects for which it was optimized.
 */
export async function warmUp(data: WorkerData, now: Clock, maxMs = LIMIT_MS): Promise<readonly WarmUpState[]> {
  const untilMs = performance.now() + maxMs;
  const server = respondingServer();
  const url = await addressOf(server);
  const kept: WarmUpState[] = [];
  if (url === null) return kept;
  const take = async (end: StageEnd): Promise<void> => {
    for (const rehearsal of listRehearsals(data.plan, end))
      kept.push(await drive({ ...data, ...silentWorkerData(url, data.plan, rehearsal) }, now, untilMs));
  };
  try {
    await take({ requests: SHORT_REQUESTS });
    // The collection comes before the optimization, because V8 discards optimized code that refers to collected objects.
    collectGarbage();
    const isLong = (computePlannedSeconds(data.plan) ?? 0) >= LONG_TEST_SECONDS;
    const times = isLong ? LONG_REPETITIONS : 0;
    for (let time = 0; time < times; time += 1) await take({ seconds: LONG_SECONDS });
  } finally {
    server.close();
  }
  return kept;
}

function respondingServer(): Server {
  let responded = 0;
  const server = createServer((socket) => {
    socket.on('data', () => {
      socket.write(WARM_UP_RESPONSES[Math.trunc(responded / RESPONSES_PER_HEAD) % WARM_UP_RESPONSES.length] ?? '');
      responded += 1;
    });
    // A reset leaves no connection in TIME_WAIT, which would count as a connection of the test.
    socket.on('end', () => socket.resetAndDestroy());
    socket.on('error', () => {});
  });
  // If there is a problem, the load itself will show it.
  server.on('error', () => {});
  return server;
}

/** Returns the address of a server; null if there is no loopback interface or no free port. */
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

type Rehearsal = Pick<PlanInput, 'load'> & Partial<Pick<PlanInput, 'journey' | 'bells' | 'variables'>>;

/** Returns the loads of the warm-up, which depend on the load model of the plan. */
function listRehearsals({ load, bells }: Plan, end: StageEnd): Rehearsal[] {
  const closed: Rehearsal = { load: { model: 'connections', stages: [{ connections: 2, ...end }] } };
  if (load.model === 'connections') return [closed];
  const seconds = SHORT_REQUESTS / 2_000;
  const open: Rehearsal = { load: { model: 'arrivals', stages: [{ kind: 'constant', perSecond: 2_000, seconds }] } };
  return bells === undefined ? [closed, open] : [closed, open, rehearseBell(load.model)];
}

const WAITING_USERS = 50;

/**
 * Returns a load in which some users wait at a gate. The first requests after a bell leave at once, and code that is loaded only then would
 * delay them.
 */
function rehearseBell(model: 'users' | 'arrivals'): Rehearsal {
  const form = { number: '{{number}}' };
  return {
    journey: [
      { name: 'enter', method: 'POST', form, required: true, captures: [{ from: 'body', as: 'word', pattern: '(o)k' }] },
      { name: 'gate', method: 'POST', form: { ...form, word: '{{word}}' }, gate: 'bell', redirects: { follow: true } },
    ],
    variables: { number: { kind: 'number' } },
    bells: { bell: { atSeconds: 0.2 } },
    load:
      model === 'users'
        ? {
            model,
            thinkTime: { kind: 'fixed', seconds: 1 },
            stages: [{ users: WAITING_USERS, startUpSeconds: 0.1, startUpCounts: true, seconds: 0.2 }],
          }
        : {
            model,
            stages: [
              { kind: 'count', arrivals: WAITING_USERS, seconds: 0.1 },
              { kind: 'constant', perSecond: 0, seconds: 0.2 },
            ],
          },
  };
}

/** Returns the parts of a thread's data that make it send plain requests to `url`, one at a time and without shared state. */
function silentWorkerData(url: string, plan: Plan, rehearsal: Rehearsal): Partial<WorkerData> {
  const targets = [{ url, headers: {} }];
  const whole = planSchema.parse({
    holdfast: 1,
    name: 'warm-up',
    engine: chooseEngineFor(plan),
    targets: [{ url }],
    journey: [{ name: 'page' }],
    ...rehearsal,
  });
  return {
    plan: whole,
    targets,
    steps: whole.journey.map(() => ({ headers: {}, body: null })),
    feeds: {},
    files: {},
    secrets: {},
    sampling: 'failures',
    clientCertificate: null,
    thread: 0,
    threads: 1,
    generator: { index: 0, count: 1 },
    firstBodyLengths: new Int32Array(new SharedArrayBuffer(4 * listRecordedRequests(whole).length)).fill(-1),
    budget: null,
    journeysInFlight: new Int32Array(new SharedArrayBuffer(4)),
    rowsTaken: new Int32Array(new SharedArrayBuffer(4)),
  };
}

async function drive(data: WorkerData, now: Clock, untilMs: number): Promise<WarmUpState> {
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
    sampler: new Sampler(data.sampling, data.plan, () => {}),
    onBudgetSpent: () => {},
    onServer: () => {},
    onDraining: () => {},
  });
  const startUs = now();
  recorder.begin(startUs - BEGAN_BEFORE_US);
  const late = setTimeout(() => run.abort(), Math.max(0, untilMs - performance.now()));
  await run.run(startUs);
  clearTimeout(late);
  recorder.close(now());
  return { run, recorder };
}

/**
 * Runs a complete garbage collection of this thread. Otherwise V8 would collect the garbage of loaded modules one or two seconds after the
 * start of the load, and no response would be read for 10 to 50 ms. Node and Electron's utility processes allow V8 flags to be set at any
 * time.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  if (typeof collect === 'function') collect();
}
