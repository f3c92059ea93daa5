import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { plannedSeconds } from '#core/work/load/planned.ts';
import { engineFor } from '#core/review/engines/engineFor.ts';
import { planSchema, type Plan, type PlanInput } from '#core/plan/schema/plan.ts';
import type { Clock } from './clock.ts';
import { collectGarbage } from './collectGarbage.ts';
import { LegRun } from './legRun.ts';
import type { WorkerData } from './messages.ts';
import { Recorder } from './recorder.ts';
import { Sampler } from './sampling/sampler.ts';

/** What a warm-up was done with. */
export interface Warmth {
  readonly run: LegRun;
  readonly recorder: Recorder;
}

type StageEnd = { readonly requests: number } | { readonly seconds: number };

/** Enough for everything to have been loaded and compiled once. */
const FEW_REQUESTS = 100;
/**
 * Long enough for V8 to have compiled nearly all of it as well as it can: worth it where a test lasts. It ends after a time as such a test does,
 * not after a number of requests: code that was compiled for counting down would be thrown away in the first second of the test.
 */
const LONG_SECONDS = 0.5;
const LONG_TEST_SECONDS = 5;
/** As often, each time with everything made anew: what V8 compiles for one load only, it throws away at the beginning of the next. */
const LONG_TIMES = 2;
/** A server that says the time has the same head for many answers, and then another. */
const ANSWERS_OF_A_KIND = 1_000;
const ANSWERS = ['00', '01'].map((second) =>
  Buffer.from(`HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:${second} GMT\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok`),
);
/** The end of a window falls into it too. */
const BEGAN_BEFORE_US = 900_000;
/** The load waits for all its threads: on a machine that is this slow it begins with what is warm by then. */
const LIMIT_MS = 5_000;

/**
 * Sends requests of the plan's kind to a server of its own in this thread, before the load begins: what Node loads and compiles at its first
 * requests would else be taken for time of the server. Nothing of it is recorded. Where this machine allows no such server, the load begins cold.
 * Resolves with what has to be kept while it is to be of use: V8 throws code away together with the objects that it was compiled for.
 */
export async function warmUp(data: WorkerData, now: Clock, limitMs = LIMIT_MS): Promise<readonly Warmth[]> {
  const untilMs = performance.now() + limitMs;
  const server = answeringServer();
  const url = await addressOf(server);
  const kept: Warmth[] = [];
  if (url === null) return kept;
  const take = async (end: StageEnd): Promise<void> => {
    for (const load of loadsOf(data.plan, end)) kept.push(await drive({ ...data, ...quietly(url, data.plan, load) }, now, untilMs));
  };
  try {
    await take({ requests: FEW_REQUESTS });
    // Before anything is compiled well: that is lost where it knows of something that nobody uses any more.
    collectGarbage();
    const isLong = (plannedSeconds(data.plan) ?? 0) >= LONG_TEST_SECONDS;
    const times = isLong ? LONG_TIMES : 0;
    for (let time = 0; time < times; time += 1) await take({ seconds: LONG_SECONDS });
  } finally {
    server.close();
  }
  return kept;
}

function answeringServer(): Server {
  let answered = 0;
  const server = createServer((socket) => {
    socket.on('data', () => {
      socket.write(ANSWERS[Math.trunc(answered / ANSWERS_OF_A_KIND) % ANSWERS.length] ?? '');
      answered += 1;
    });
    // A reset leaves no TIME_WAIT behind, which would count among those of the test.
    socket.on('end', () => socket.resetAndDestroy());
    socket.on('error', () => {});
  });
  // Of what goes wrong with it the test will find out by itself.
  server.on('error', () => {});
  return server;
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

function loadsOf({ load }: Plan, end: StageEnd): PlanInput['load'][] {
  const closed: PlanInput['load'] = { model: 'connections', stages: [{ connections: 2, ...end }] };
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
    rowsTaken: new Int32Array(new SharedArrayBuffer(4)),
  };
}

async function drive(data: WorkerData, now: Clock, untilMs: number): Promise<Warmth> {
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
