import { HoldfastError } from '#core/base/errors.ts';
import { engineFor } from '#core/review/engineFor.ts';
import { stepsPerJourney } from '#core/work/journey/flow/takings.ts';
import type { ConnectionsStage } from '#core/plan/schema/load.ts';
import type { WorkerData } from '../messages.ts';
import { type Pool, poolsOf } from '../pools.ts';
import type { StageRecorder } from '../recorder.ts';
import { stepsOf } from '../journey/stepsOf.ts';
import type { DriverHooks, LoadDriver } from './loadDriver.ts';
import { AutocannonDriver } from './autocannon/autocannonDriver.ts';
import { nativeOptions } from './native/nativeOptions.ts';
import { NativeDriver } from './native/nativeDriver.ts';
import { serverNamesOf } from './addresses.ts';
import { arrivalsDriver, usersDriver } from './native/paced/pacedDrivers.ts';
import type { StageLoadOptions } from './stageLoad.ts';

/**
 * The drivers of one leg on one thread.
 * @throws {HoldfastError} when a request of the plan cannot be built, or a certificate cannot be read.
 */
export function driversOf(data: WorkerData, leg: readonly number[], hooks: DriverHooks): LoadDriver[] {
  const { load } = data.plan;
  const [index = 0] = leg;
  switch (load.model) {
    case 'connections': {
      const stage = load.stages[index];
      if (stage === undefined) throw new RangeError(`The plan has no stage ${index}.`);
      return connectionDrivers(data, index, stage, hooks);
    }
    case 'users':
      return [usersDriver(data, load, leg, hooks)];
    case 'arrivals':
      return [arrivalsDriver(data, load, leg, hooks)];
    default:
      return load satisfies never;
  }
}

/** One for each target that the thread has connections to. */
function connectionDrivers(data: WorkerData, index: number, stage: ConnectionsStage, hooks: DriverHooks): LoadDriver[] {
  const { plan, thread, threads } = data;
  const [recorder] = hooks.open([index]);
  if (recorder === undefined) throw new RangeError('There is nowhere to record.');
  const pools = poolsOf({
    connections: stage.connections,
    requests: stage.requests ?? null,
    steps: stepsPerJourney(plan, index),
    targets: data.targets.length,
    thread,
    threads,
  });
  return pools.map((pool) => driverOf(data, index, pool, recorder, hooks));
}

function driverOf(data: WorkerData, index: number, pool: Pool, recorder: StageRecorder, hooks: DriverHooks): LoadDriver {
  const { plan } = data;
  const targetUrl = data.targets[pool.target]?.url ?? '';
  const { steps, stepCount, script } = stepsOf(data, pool.target, index);
  const common: StageLoadOptions = {
    steps,
    stepCount,
    recorder,
    now: hooks.now,
    timeoutUs: plan.timeoutSeconds * 1_000_000,
    journeys: pool.journeys,
    cutRequests: pool.cutRequests,
    sampler: hooks.sampler,
    servers: serverNamesOf(plan, pool.target),
    countsCache: plan.countsCache,
    budget: data.budget,
    onBudgetSpent: () => hooks.onBudgetSpent(),
    onServer: (software, atUs) => hooks.onServer(software, atUs),
  };
  const engine = engineFor(plan);
  switch (engine) {
    case 'autocannon':
      if (common.steps.some((step) => step.request.isHead)) throw headRefused();
      return new AutocannonDriver({ ...common, targetUrl, connections: pool.connections });
    case 'native':
      return new NativeDriver({
        ...common,
        ...nativeOptions(data, targetUrl),
        script,
        connections: pool.connections,
        numbering: { first: pool.firstConnection, apart: data.targets.length },
      });
    case 'k6':
      throw new Error('A plan that k6 is to run has come to a worker thread.');
    default:
      return engine satisfies never;
  }
}

function headRefused(): HoldfastError {
  return new HoldfastError({
    code: 'METHOD_NOT_DRIVEN',
    message: 'HEAD requests cannot be sent by autocannon: every one of them would end in a timeout.',
    hint: 'Leave the engine out of the plan, or name “native”.',
  });
}
