import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { benchScript, readBenchScript } from './ourScript.ts';
import type { ClosedLoad, Invocation, Subject } from './subject.ts';

type EngineId = 'native' | 'autocannon';
const PLAN = 'plan.json';

const packageSchema = z.object({ version: z.string() });
const packageFile = new URL('../../package.json', import.meta.url);
const version = (): Promise<string> => Promise.resolve(packageSchema.parse(JSON.parse(readFileSync(packageFile, 'utf8'))).version);

/** Writes a plan to a file, as a user would. The script parses the plan. */
function withPlan({ url }: ClosedLoad, folder: string, engine: EngineId, load: object, connections?: object): Invocation {
  const plan = {
    holdfast: 1,
    name: 'bench',
    engine,
    threads: 1,
    targets: [{ url }],
    tls: { verify: false },
    journey: [{ name: 'page' }],
    load,
    connections,
  };
  return { parameters: [`${folder}/${PLAN}`], files: { [PLAN]: JSON.stringify(plan) } };
}

function subject(id: string, script: string, engine: EngineId): Subject {
  const closedInvocation: Subject['closed'] = (load, folder) => {
    const stage = { connections: load.connections, seconds: load.seconds };
    return withPlan(load, folder, engine, { model: 'connections', stages: [stage] });
  };
  const rateInvocation: Subject['rate'] = (load, folder) => {
    const stage = { kind: 'constant', perSecond: load.perSecond, seconds: load.seconds };
    return withPlan(load, folder, engine, { model: 'arrivals', spacing: 'uniform', stages: [stage] });
  };
  const http2Invocation: Subject['http2'] = (load, folder) => {
    const stage = { connections: load.connections * load.streams, seconds: load.seconds };
    return withPlan(load, folder, engine, { model: 'connections', stages: [stage] }, { protocol: 'h2', streams: load.streams });
  };
  const both = { id, origin: benchScript(script), version, closed: closedInvocation, read: readBenchScript };
  // With autocannon, the engine supports neither rates nor HTTP/2.
  return engine === 'native' ? { ...both, http2: http2Invocation, rate: rateInvocation } : both;
}

/** The engine with all that it records, but without store and screens. This shows the cost of the load itself. */
export const holdfastNative = subject('holdfast-native', 'engineRun.ts', 'native');
export const holdfastAutocannon = subject('holdfast-autocannon', 'engineRun.ts', 'autocannon');

/** A whole run of the app: engine, store, and a live view that is watched. */
export const holdfastAppNative = subject('holdfast-app-native', 'appRun.ts', 'native');
export const holdfastAppAutocannon = subject('holdfast-app-autocannon', 'appRun.ts', 'autocannon');
