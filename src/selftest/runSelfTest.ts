import { toProblem } from '#core/base/errors.ts';
import type { EngineName } from '#core/review/engines/engineFor.ts';
import {
  nameOfCheck,
  SELF_TEST_SCHEMA,
  type SelfTestCheck,
  type SelfTestLimits,
  type SelfTestMachine,
  type SelfTestProgress,
  type SelfTestReport,
  LIMIT_NAMES,
} from '#core/measurement/selfTest/report.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { BEHAVIOURS, closing, immediate } from './behaviours/registry.ts';
import { type EngineCheck, type CheckParts, freezeUnderArrivals, runCheck } from './checks/runCheck.ts';
import { maxArrivalsPerSecond } from './limits/arrivalsLimit.ts';
import { measure, selfTestPlan, throwIfStopped } from './measure.ts';
import { ServerProcess } from './serverProcess.ts';
import type { Behaviour } from './behaviours/behaviour.ts';
import { countFacts, tailFacts, timeFacts } from './checks/facts.ts';

const RUN_SECONDS = 3;
const QUICK_SECONDS = 1;
const CONNECTIONS = 50;
/** Number of connections if each request opens a new one. More would only queue in front of the server. */
const CONNECTIONS_OPENING = 20;

/**
 * Measures the highest number of requests per second. The connections are kept alive, and each sends its next request after the response to
 * the previous one.
 */
async function maxRequestsPerSecond(parts: CheckParts): Promise<number | null> {
  return ratePerSecond(parts, immediate.id, CONNECTIONS, 'always');
}

/**
 * Measures the highest number of new connections per second, with one connection per request. The server closes first, so that its ports
 * wait in TIME_WAIT instead of the engine's ports.
 */
async function maxConnectionsPerSecond(parts: CheckParts): Promise<number | null> {
  return ratePerSecond(parts, closing.id, CONNECTIONS_OPENING, 'never');
}

async function ratePerSecond(
  parts: CheckParts,
  behaviour: string,
  connections: number,
  reuse: Plan['connections']['reuse'],
): Promise<number | null> {
  const open = await parts.server.open(behaviour);
  const stages = [{ connections, seconds: parts.quick ? QUICK_SECONDS : RUN_SECONDS }];
  const plan = selfTestPlan(open.url, { engine: 'native', connections: { reuse }, load: { model: 'connections', stages } });
  const { cell, loadSeconds } = await measure(plan, parts);
  await open.close();
  const count = reuse === 'never' ? cell.connectionsOpened : (cell.outcomes.ok ?? 0);
  return loadSeconds > 0 && count > 0 ? count / loadSeconds : null;
}

function behaviourCheck({ id, title, story, load, tail }: Behaviour, engine: EngineName): EngineCheck {
  return {
    id,
    title,
    story,
    engine,
    async compare(parts) {
      const open = await parts.server.open(id);
      const length =
        parts.requests === undefined ? { seconds: parts.quick ? load.quickSeconds : load.seconds } : { requests: parts.requests };
      const stages = [{ connections: load.connections, ...length }];
      const plan = selfTestPlan(open.url, {
        engine,
        timeoutSeconds: load.timeoutSeconds,
        ...(load.threads === undefined ? {} : { threads: load.threads }),
        load: { model: 'connections', stages },
      });
      const measured = await measure(plan, parts);
      const truth = await open.close();
      const times = parts.requests === undefined ? [...timeFacts(measured, truth), ...(tail ? tailFacts(measured, truth, tail) : [])] : [];
      return { measured, facts: [...countFacts(measured, truth), ...times] };
    },
  };
}

export interface SelfTestOptions {
  /**
   * Entry files of the server's process and of the load worker. They are passed in, so that a bundle never runs a source file by accident.
   */
  readonly serverEntry: URL;
  readonly workerEntry: URL;
  readonly machine: SelfTestMachine;
  readonly quick: boolean;
  /** Behaviours to check, without measuring limits; default: all behaviours and the limits. */
  readonly only?: readonly string[];
  /** Engines to check. Default: `native` in the short variant, otherwise both. */
  readonly engines?: readonly EngineName[];
  /** Number of requests after which loads of behaviours end, instead of after a time. If it is set, only counts are compared. */
  readonly requests?: number | undefined;
  readonly signal: AbortSignal;
  onProgress(progress: SelfTestProgress): void;
}

type Step =
  | { readonly kind: 'check'; readonly name: string; run(parts: CheckParts): Promise<SelfTestCheck> }
  | { readonly kind: 'limit'; readonly name: string; run(parts: CheckParts, found: SelfTestLimits): Promise<Partial<SelfTestLimits>> };

export const LAG_LIMIT_MS = 5;
const NO_LIMITS: SelfTestLimits = {
  requestsPerSecond: null,
  arrivalsPerSecond: null,
  lagLimitMs: LAG_LIMIT_MS,
  connectionsPerSecond: null,
};

/**
 * Compares the engine's measurements of each behaviour with the counts of the self-test's server, and finds the limits of this machine.
 * Sends load only to 127.0.0.1. Throws `CANCELLED` if it was stopped. A failed check is data, not an error.
 */
export async function runSelfTest(options: SelfTestOptions): Promise<SelfTestReport> {
  const { machine, quick, requests, signal, workerEntry } = options;
  const startedAt = new Date();
  const server = new ServerProcess(options.serverEntry);
  const end = (): void => void server.end();
  signal.addEventListener('abort', end);
  const steps = stepsOf(options);
  const checks: SelfTestCheck[] = [];
  let limits = NO_LIMITS;
  const report = (done: number, current: string | null): void =>
    options.onProgress({ done, total: steps.length, current, checks: [...checks], limits, report: null });
  try {
    for (const [done, step] of steps.entries()) {
      throwIfStopped(signal);
      report(done, step.name);
      const parts: CheckParts = { server, workerEntry, quick, requests, signal };
      if (step.kind === 'check') checks.push(await step.run(parts));
      else limits = { ...limits, ...(await step.run(parts, limits).catch((thrown: unknown) => limitsUnlessAborted(thrown, signal))) };
    }
    throwIfStopped(signal);
  } finally {
    signal.removeEventListener('abort', end);
    await server.end();
  }
  report(steps.length, null);
  return {
    schema: SELF_TEST_SCHEMA,
    at: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1_000,
    quick,
    machine,
    checks,
    limits,
    passed: checks.every(({ passed }) => passed),
  };
}

function stepsOf({ quick, only, engines = listEngines(quick) }: SelfTestOptions): Step[] {
  const behaviours = BEHAVIOURS.filter(({ id }) => only?.includes(id) ?? true);
  const checks = behaviours.flatMap((behaviour) => engines.map((engine) => checkStep(behaviourCheck(behaviour, engine))));
  if (only?.includes(freezeUnderArrivals.id) ?? true) checks.push(checkStep(freezeUnderArrivals));
  if (only) return checks;
  return [
    ...checks,
    {
      kind: 'limit',
      name: LIMIT_NAMES.requestsPerSecond,
      run: async (parts) => ({ requestsPerSecond: await maxRequestsPerSecond(parts) }),
    },
    {
      kind: 'limit',
      name: LIMIT_NAMES.arrivalsPerSecond,
      run: async (parts, { lagLimitMs, requestsPerSecond }) => ({
        arrivalsPerSecond: await maxArrivalsPerSecond(parts, lagLimitMs, requestsPerSecond),
      }),
    },
    {
      kind: 'limit',
      name: LIMIT_NAMES.connectionsPerSecond,
      run: async (parts) => ({ connectionsPerSecond: await maxConnectionsPerSecond(parts) }),
    },
  ];
}

function checkStep(checked: EngineCheck): Step {
  return { kind: 'check', name: nameOfCheck(checked), run: (parts) => runCheck(checked, parts) };
}

/**
 * Returns the engines to check. The short variant omits `autocannon`, the engine for simple plans over plain HTTP, because its counts are
 * the same.
 */
function listEngines(quick: boolean): readonly EngineName[] {
  return quick ? ['native'] : ['native', 'autocannon'];
}

/** Returns no limits after an error. They are then unknown, and the checks, which use the same parts, show the reason. */
function limitsUnlessAborted(thrown: unknown, signal: AbortSignal): Partial<SelfTestLimits> {
  throwIfStopped(signal);
  if (toProblem(thrown).code === 'INTERNAL') throw thrown;
  return {};
}
