import { HoldfastError } from '#core/base/errors.ts';
import { planSchema, type Plan } from '#core/plan/schema/plan.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { serviceTimes } from '#core/measurement/cellFigures.ts';
import { Totals } from '#core/result/totals.ts';
import type { EngineRun, EngineSink, LoadJob } from '#engine/engine.ts';
import { startK6 } from '#engine/k6/startK6.ts';
import { findK6, type K6Program } from '#engine/k6/findK6.ts';
import { startEngine } from '#engine/startEngine.ts';
import { median } from './figures/statistics.ts';
import { throughStealGate, type GatedValue } from './running/stealGate.ts';
import { startLoggingTarget, type LoggingTarget } from './targets/loggingTarget.ts';

/*
 * Compares a run of k6 with a run of Holdfast's own engine for the same open-model plan, and both with the server's log: node
 * bench/k6Agreement.ts [rate] [seconds] [delay] [k6]. There are three interleaved rounds, which are repeated if CPU was stolen. Counts must
 * agree within 1 %, and the medians of p50 and p95 of service times within 5 %. Response times are not compared, because k6 does not know
 * how late its requests began. Exit code 1 means that they do not agree. Exit code 0 with a message means that k6 is missing.
 */

const [rate = 400, seconds = 20] = process.argv.slice(2, 4).map(Number);
const delay = process.argv[4] ?? 'exponential:20';
const program = process.argv[5] ?? 'k6';
const WARM_UP_SECONDS = 2;
const ROUNDS = 3;
const workerEntry = new URL('../workers/loadWorker.ts', import.meta.url);

interface Figures {
  readonly sent: number;
  readonly ok: number;
  readonly balances: boolean;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly cpuSeconds: number;
  readonly logged: number;
  /** Percentiles by the server's own clock. They are the expected values, and also show whether the server was equally fast for both. */
  readonly serverP50Ms: number;
  readonly serverP95Ms: number;
}

function planFor(url: string, engine: Plan['engine'], ofSeconds: number): Plan {
  return planSchema.parse({
    holdfast: 1,
    name: 'agreement',
    engine,
    targets: [{ url }],
    journey: [{ name: 'page' }],
    load: { model: 'arrivals', maxInFlight: 500, stages: [{ kind: 'constant', perSecond: rate, seconds: ofSeconds }] },
    timeoutSeconds: 10,
  });
}

async function measure(target: LoggingTarget, plan: Plan, start: (job: LoadJob, sink: EngineSink) => EngineRun): Promise<Figures> {
  await target.start();
  const totals = new Totals();
  const before = process.cpuUsage();
  const job: LoadJob = {
    runId: 'agreement',
    plan,
    targets: plan.targets.map(({ url }) => ({ url, headers: {} })),
    steps: [{ headers: {}, body: null }],
    secrets: {},
    feeds: {},
    files: {},
    sampling: 'failures',
    userAgent: null,
    clientCertificate: null,
  };
  const run = start(job, {
    onDraining() {},
    onStage() {},
    onEvent: ({ text }) => console.error(`  ${text}`),
    onWindow: (window) => totals.add(window),
  });
  const { reason, problem } = await run.done;
  if (reason !== 'completed') throw new Error(problem?.message ?? reason);
  const { user, system } = process.cpuUsage(before);
  const times = serviceTimes(totals.sum());
  if (times === undefined) throw new Error('Nothing got a response.');
  const { outcomes, balances } = totals.outcomes(plan, true);
  const percentileMs = (percentile: number): number => valueAtRank(times, percentileRank(percentile, times.totalCount)) / 1_000;
  const log = await target.take();
  return {
    sent: outcomes.requests.sent,
    ok: outcomes.requests.ok,
    balances,
    p50Ms: percentileMs(50),
    p95Ms: percentileMs(95),
    cpuSeconds: (user + system) / 1e6,
    logged: log.arrivedMs.length,
    serverP50Ms: percentileOf(log.tookMs, 50),
    serverP95Ms: percentileOf(log.tookMs, 95),
  };
}

function percentileOf(values: Float64Array, percentile: number): number {
  return values.toSorted()[percentileRank(percentile, values.length) - 1] ?? Number.NaN;
}

/** Measures both programs in each round. Their order alternates between rounds, so that both get the same disturbances. */
async function rounds(k6: K6Program, target: LoggingTarget): Promise<Record<'native' | 'k6', GatedValue<Figures>[]>> {
  const measureNative = (ofSeconds: number): Promise<Figures> =>
    measure(target, planFor(target.url, 'native', ofSeconds), (job, sink) => startEngine(job, { workerEntry }, sink));
  const measureK6 = (): Promise<Figures> => measure(target, planFor(target.url, 'k6', seconds), (job, sink) => startK6(job, k6, sink));
  await measureNative(WARM_UP_SECONDS);
  const all: Record<'native' | 'k6', GatedValue<Figures>[]> = { native: [], k6: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? (['native', 'k6'] as const) : (['k6', 'native'] as const);
    for (const which of order) all[which].push(await throughStealGate(() => (which === 'native' ? measureNative(seconds) : measureK6())));
  }
  return all;
}

async function compare(k6: K6Program): Promise<void> {
  const target = await startLoggingTarget(delay, null);
  try {
    const all = await rounds(k6, target);
    console.log(`${rate} arrivals a second for ${seconds} s, ${ROUNDS} rounds in turn, server: ${delay}, k6 ${k6.version}`);
    for (const which of ['native', 'k6'] as const)
      console.table(all[which].map(({ value, stolenShare, attempts }) => ({ engine: which, ...value, stolenShare, attempts })));
    const medianFigure = (which: 'native' | 'k6', figure: keyof Omit<Figures, 'balances'>): number =>
      median(all[which].map(({ value }) => value[figure]));
    const agreesWithin = (what: string, one: number, two: number, share: number): boolean => {
      const off = Math.abs(one - two) / Math.max(one, two);
      console.log(`${what}: ${(off * 100).toFixed(2)} % apart, at most ${share * 100} %: ${off <= share ? 'met' : 'missed'}`);
      return off <= share;
    };
    const met = [
      agreesWithin('requests', medianFigure('native', 'sent'), medianFigure('k6', 'sent'), 0.01),
      ...(['native', 'k6'] as const).flatMap((which) =>
        all[which].map(({ value }) => agreesWithin(`requests of ${which} and the log`, value.sent, value.logged, 0.01)),
      ),
      agreesWithin('p50', medianFigure('native', 'p50Ms'), medianFigure('k6', 'p50Ms'), 0.05),
      agreesWithin('p95', medianFigure('native', 'p95Ms'), medianFigure('k6', 'p95Ms'), 0.05),
      [...all.native, ...all.k6].every(({ value }) => value.balances),
    ];
    if (met.includes(false)) process.exitCode = 1;
  } finally {
    await target.stop();
  }
}

try {
  await compare(await findK6(program));
} catch (thrown) {
  if (!(thrown instanceof HoldfastError)) throw thrown;
  console.log(`Not measured: ${thrown.message} ${thrown.hint}`);
}
