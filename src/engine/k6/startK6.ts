import type { K6Program } from './findK6.ts';
import { availableParallelism } from 'node:os';
import { k6Script } from '#core/export/k6/k6Script.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, TextOrSecret } from '#core/plan/schema/plan.ts';
import type { EngineRun, EngineSink, LoadJob } from '../engine.ts';
import { K6Load } from './k6Load.ts';

/** Returns the values of a plan's secrets by reference, from a job whose secrets are resolved. */
function secretValues({ plan, targets, namedTargets, steps, secrets, clientCertificate }: LoadJob): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const take = (written: TextOrSecret | undefined, value: string | null | undefined): void => {
    if (typeof written === 'object' && typeof value === 'string') values.set(written.secret, value);
  };
  const named = Object.entries(plan.namedTargets ?? {}).map(([name, target]) => [target, getOwn(namedTargets, name)] as const);
  for (const [{ headers, cookie }, target] of [...plan.targets.map((target, index) => [target, targets[index]] as const), ...named]) {
    const resolved = target?.headers ?? {};
    for (const [name, written] of Object.entries(headers)) take(written, getOwn(resolved, name));
    take(cookie, resolved['Cookie']);
  }
  for (const [index, { headers, body }] of plan.journey.entries()) {
    for (const [name, written] of Object.entries(headers)) take(written, getOwn(steps[index]?.headers, name));
    take(body, steps[index]?.body);
  }
  takeVariables(plan, secrets, take);
  const own = plan.tls.clientCertificate;
  take(own?.key, clientCertificate?.key);
  take(own?.passphrase, clientCertificate?.passphrase);
  return values;
}

function takeVariables(
  { variables }: Plan,
  secrets: LoadJob['secrets'],
  take: (written: TextOrSecret, value: string | undefined) => void,
): void {
  for (const [name, variable] of Object.entries(variables ?? {}))
    if (variable.kind === 'secret') take({ secret: variable.secret }, getOwn(secrets, name));
}

/**
 * Starts a load that k6 sends, with the script to which the plan is exported. `sink` receives the same reports as from Holdfast's own
 * threads. `done` never rejects: how the load ends is part of its result.
 */
export function startK6(job: LoadJob, program: K6Program, sink: EngineSink): EngineRun {
  const load = new K6Load(job, program, buildScript(job), sink);
  return {
    // Go uses as many threads as the machine has cores.
    threads: availableParallelism(),
    engine: 'k6',
    engineVersion: program.version,
    done: load.run(),
    stop: () => load.stop(),
    // There is only one load generator, so the load starts when it is ready.
    startAt: () => {},
  };
}

function buildScript(job: LoadJob): ConstructorParameters<typeof K6Load>[2] {
  const { plan, feeds, files, userAgent } = job;
  const { script, files: beside, secrets } = k6Script(plan, { feeds, uploads: files, ...(userAgent === null ? {} : { userAgent }) });
  const known = secretValues(job);
  const values = secrets.flatMap(({ name, reference }): [string, string][] => {
    const value = known.get(reference);
    return value === undefined ? [] : [[name, value]];
  });
  return { script, files: beside, environment: Object.fromEntries(values) };
}
