import { planSchedule } from '#core/work/load/arrivals.ts';
import { share } from '#core/work/load/part.ts';
import { maxInFlightOf, startUpStage } from '#core/work/load/stages.ts';
import type { ArrivalsLoad, UsersLoad } from '#core/plan/schema/load.ts';
import type { WorkerData } from '#workers/messages.ts';
import type { StageRecorder } from '#workers/recorder.ts';
import { stepsOf } from '#workers/journey/stepsOf.ts';
import { missingPartError } from '#workers/noSuch.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { DEFAULT_LIMITS } from '#framer/framer.ts';
import { findServerNames } from '../addresses.ts';
import { connectionLoads } from '../connectionLoads.ts';
import type { DriverHooks, DriversOfLeg, LoadDriver } from '../loadDriver.ts';
import type { EndpointSettings } from '../endpoint.ts';
import { ConnectionsDriver } from '../connectionsDriver.ts';
import type { StageLoad } from '../stageLoad.ts';
import { NativeLoad, type NativeLoadOptions } from './nativeLoad.ts';
import { ArrivalsDriver } from './paced/arrivalsDriver.ts';
import { type DrivenUsersStage, UsersDriver } from './paced/usersDriver.ts';
import { type TimeLimits, minLimitUs } from './transport.ts';
import { AfterReads } from './afterReads.ts';
import { VirtualUser } from './virtualUser.ts';

/** Creates the native drivers for every load model. */
export const nativeDrivers: DriversOfLeg = (data, leg, hooks) => {
  const { load, connections } = data.plan;
  const streams = connections.streams ?? 1;
  switch (load.model) {
    case 'connections':
      return connectionLoads(data, leg, hooks).map(({ targetUrl, pool, script, options }) => {
        const numbering = { first: pool.firstConnection, apart: data.targets.length };
        return new NativeDriver({
          ...options,
          ...nativeOptions(data, targetUrl),
          script,
          connections: pool.connections,
          streams,
          numbering,
        });
      });
    case 'users':
      return [usersDriver(data, load, leg, hooks)];
    case 'arrivals':
      return [arrivalsDriver(data, load, leg, hooks)];
    default:
      return load satisfies never;
  }
};

/** Creates the driver of one thread for consecutive stages of users. */
function usersDriver(data: WorkerData, load: UsersLoad, leg: readonly number[], hooks: DriverHooks): LoadDriver {
  const [index = 0] = leg;
  const recorders = hooks.open(leg.flatMap((position) => [startUpStage(data.plan, position), position]));
  const [first, ...later] = leg.flatMap((position, at): DrivenUsersStage[] => {
    const [settings, startUp, recorder] = [load.stages[position], recorders[2 * at], recorders[2 * at + 1]];
    if (settings === undefined || startUp === undefined || recorder === undefined) return [];
    return [{ index: position, settings, recorder, startUpRecorder: settings.startUpCounts === true ? recorder : startUp }];
  });
  if (first === undefined) throw missingPartError('stage', index);
  return new UsersDriver(listTargets(data, index, first.recorder, hooks), {
    stages: [first, ...later],
    thread: threadNumber(data),
    threadsHere: data.threads,
    thinkTime: load.thinkTime ?? null,
    paceSeconds: load.paceSeconds ?? 0,
    seed: data.plan.seed,
    now: hooks.now,
  });
}

/** Creates the driver of one thread for all stages of arrivals. */
function arrivalsDriver(data: WorkerData, load: ArrivalsLoad, leg: readonly number[], hooks: DriverHooks): LoadDriver {
  const recorders = hooks.open(leg);
  const schedule = planSchedule(data.plan);
  const [first] = recorders;
  if (schedule === null || first === undefined) throw new RangeError('The plan has no arrivals.');
  return new ArrivalsDriver(listTargets(data, 0, first, hooks), {
    schedule,
    thread: threadNumber(data),
    threadsHere: data.threads,
    recorders,
    maxInFlight: load.stages.map((stage) => share(maxInFlightOf(load, stage), data.generator.index, data.generator.count)),
    journeysInFlight: data.journeysInFlight,
    thinkTime: load.thinkTime ?? null,
    seed: data.plan.seed,
    now: hooks.now,
  });
}

function listTargets(data: WorkerData, stage: number, recorder: StageRecorder, hooks: DriverHooks): NativeLoadOptions[] {
  return data.targets.map(({ url }, target) => ({
    ...nativeOptions(data, url),
    ...stepsOf(data, target, stage),
    sampler: hooks.sampler,
    servers: findServerNames(data.plan, target),
    countsCache: data.plan.countsCache,
    recorder,
    now: hooks.now,
    journeys: null,
    cutRequests: 0,
    budget: data.budget,
    pace: hooks.pace,
    reports: hooks.reports,
    onBudgetSpent: () => hooks.onBudgetSpent(),
    onServer: (software, atUs) => hooks.onServer(software, atUs),
  }));
}

function threadNumber({ thread, threads }: WorkerData): { readonly index: number; readonly count: number } {
  return { index: thread, count: threads };
}

const SECOND_US = 1_000_000;

function nativeOptions(
  { plan, clientCertificate }: Pick<WorkerData, 'plan' | 'clientCertificate'>,
  targetUrl: string,
): Pick<NativeLoadOptions, 'endpoint' | 'limits' | 'framerLimits' | 'reuse'> {
  return {
    endpoint: endpointSettings(plan, clientCertificate, targetUrl),
    limits: timeLimits(plan),
    framerLimits: DEFAULT_LIMITS,
    reuse: plan.connections.reuse,
  };
}

function endpointSettings(
  { tls, connections }: Plan,
  clientCertificate: WorkerData['clientCertificate'],
  targetUrl: string,
): EndpointSettings {
  return {
    targetUrl,
    tls: {
      verifies: tls.verify,
      ca: tls.ca === undefined ? null : [tls.ca],
      serverName: tls.serverName ?? null,
      clientCertificate,
      ...(tls.resume === undefined ? {} : { resume: tls.resume }),
    },
    socketPath: connections.socketPath ?? null,
    localAddresses: connections.localAddresses ?? [],
    resolve: connections.resolve,
    protocol: connections.protocol ?? 'http/1.1',
  };
}

function timeLimits({ connections, timeoutSeconds }: Plan): TimeLimits {
  const us = (seconds: number | undefined): number => (seconds === undefined ? Number.POSITIVE_INFINITY : seconds * SECOND_US);
  return { connectUs: us(connections.connectSeconds), firstByteUs: us(connections.firstByteSeconds), totalUs: timeoutSeconds * SECOND_US };
}

interface NativeDriverOptions extends Omit<NativeLoadOptions, 'afterReads'> {
  readonly connections: number;
  /** Number of connections of the load model that share one HTTP/2 connection, each with its own stream; 1 if left out. */
  readonly streams?: number;
  /** Numbers of this thread's connections within the stage: the first number, and the difference between consecutive numbers. */
  readonly numbering: { readonly first: number; readonly apart: number };
}

/** Runs the closed load model with fixed connections. */
export class NativeDriver extends ConnectionsDriver {
  protected readonly stage: StageLoad;
  protected readonly connections: readonly VirtualUser[];
  private readonly afterReads: AfterReads;

  /** @throws {HoldfastError} for certificates or keys that cannot be used. */
  constructor(options: NativeDriverOptions) {
    super(options.connections, minLimitUs(options.limits));
    const afterReads = new AfterReads(options.now);
    const load = new NativeLoad({ ...options, afterReads }, () => this.connectionEnded());
    this.stage = load.stage;
    this.afterReads = afterReads;
    const { first, apart } = options.numbering;
    let carrier = load.createCarrier();
    this.connections = Array.from({ length: options.connections }, (_, index) => {
      if (index > 0 && index % (options.streams ?? 1) === 0) carrier = load.createCarrier();
      return new VirtualUser(load, afterReads, first + index * apart, carrier);
    });
  }

  override drain(reason: 'over' | 'stopped'): void {
    this.afterReads.settle();
    super.drain(reason);
  }

  override abort(): void {
    this.afterReads.settle();
    super.abort();
  }
}
