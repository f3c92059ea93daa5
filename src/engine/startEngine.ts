import { lookup } from 'node:dns/promises';
import { loopbackAddresses } from '#core/plan/hosts/generatorNames.ts';
import { networkInterfaces } from 'node:os';
import { HoldfastError } from '#core/base/errors.ts';
import { chooseEngineFor, engineOfHoldfast } from '#core/review/engines/engineFor.ts';
import { findPinnedAddresses } from '#core/plan/pins.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { listTargets } from '#core/plan/url.ts';
import type { EngineOptions, EngineRun, EngineSink, LoadJob } from './engine.ts';
import { Conductor } from './conductor.ts';

/**
 * Starts a load on worker threads. `sink` receives its reports. `done` never rejects: how the load ends is part of its result.
 * @throws `K6_ONLY_HERE` if the plan uses the engine k6.
 */
export function startEngine(job: LoadJob, options: EngineOptions, sink: EngineSink): EngineRun {
  const name = chooseEngineFor(job.plan);
  if (name === 'k6') throw k6OnlyLocalError();
  const engine = engineOfHoldfast(name);
  const conductor = new Conductor(engine, job, options, sink);
  return {
    threads: conductor.threads,
    engine: engine.name,
    engineVersion: engine.version,
    done: conductor.run(),
    stop: () => conductor.stop(),
    startAt: (leg, atMs) => conductor.startAt(leg, atMs),
  };
}

/** Returns the problem of a k6 plan on a remote load generator: only the Holdfast that owns the run starts k6, on its own computer. */
export function k6OnlyLocalError(): HoldfastError {
  return new HoldfastError({
    code: 'K6_ONLY_HERE',
    message: 'Holdfast starts k6 only on this computer, but the plan has other load generators.',
    hint: 'Send the load from this computer, or leave out the engine to use Holdfast’s own on every machine. For k6 on several machines, see docs/scale.md.',
  });
}

const LOOKUP_TIMEOUT_MS = 2_000;

/** Resolves to whether a target of the plan runs on this machine. A name that cannot be resolved in time counts as remote. */
export async function sharesMachine(plan: Plan): Promise<boolean> {
  if (plan.connections.socketPath !== undefined) return true;
  const own = new Set(
    Object.values(networkInterfaces())
      .flat()
      .map((entry) => entry?.address),
  );
  const found = await Promise.all(listTargets(plan).map(({ url }) => resolveAddresses(new URL(url), plan)));
  return found.flat().some((address) => own.has(address) || isLoopback(address));
}

function resolveAddresses(url: URL, { connections }: Plan): Promise<readonly string[]> | readonly string[] {
  return findPinnedAddresses(connections.resolve, url) ?? readAddresses(url.hostname.replaceAll(/[[\]]/g, ''));
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1' || address.startsWith('::ffff:127.');
}

async function readAddresses(host: string): Promise<string[]> {
  const own = loopbackAddresses(host);
  if (own !== null) return [...own];
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string[]>((resolve) => {
    timer = setTimeout(() => resolve([]), LOOKUP_TIMEOUT_MS);
  });
  const found = lookup(host, { all: true }).then(
    (entries) => entries.map(({ address }) => address),
    () => [],
  );
  const addresses = await Promise.race([found, late]);
  clearTimeout(timer);
  return addresses;
}
