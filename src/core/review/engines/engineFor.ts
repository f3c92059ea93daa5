import type { Plan } from '#core/plan/schema/plan.ts';
import { findWalkField } from '#core/work/journey/walked.ts';

/** Names of engines: Holdfast's own drivers, and an installed k6, which runs only plans that name it. */
export type EngineName = Exclude<Plan['engine'], 'auto'>;
export type OwnEngine = Exclude<EngineName, 'k6'>;

/** A plan feature that an engine does not support. `path` is the feature's location in the plan. */
interface Hindrance {
  readonly code: string;
  readonly path: string;
  /** Text that continues the sentence after the engine's name. */
  readonly message: string;
}

/** An engine of Holdfast's own threads. Its driver is in `workers/drivers`. */
export interface Engine {
  readonly name: OwnEngine;
  readonly version: string;
  /** Size of V8's young generation per thread in MB. The default of V8 is up to 96. */
  readonly youngObjectsMb: number;
  /** Returns all features of the plan that the engine does not support; empty if it supports the whole plan. */
  readonly listHindrances: (plan: Plan) => Hindrance[];
}

/**
 * autocannon. The version is pinned because the driver replaces private members. The parser allocates objects per response: with half of
 * this young generation, it takes 5 % more processor time.
 */
const autocannon: Engine = { name: 'autocannon', version: '9.0.0', youngObjectsMb: 48, listHindrances };

function listHindrances(plan: Plan): Hindrance[] {
  const found: Hindrance[] = [];
  if (plan.load.model !== 'connections') {
    found.push({ code: 'MODEL_NOT_SUPPORTED', path: 'load.model', message: 'supports the load model “connections” only' });
  }
  for (const [index, target] of plan.targets.entries()) {
    if (new URL(target.url).protocol !== 'https:') continue;
    found.push({ code: 'CERTIFICATE_UNVERIFIABLE', path: `targets[${index}].url`, message: 'does not verify certificates' });
  }
  if (found.length > 0 && plan.tls.serverName !== undefined) {
    found.push({ code: 'SERVER_NAME_NOT_SUPPORTED', path: 'tls.serverName', message: 'uses only the host of the target for TLS' });
  }
  if (found.length > 0 && plan.tls.clientCertificate !== undefined) {
    found.push({
      code: 'CLIENT_CERTIFICATE_NOT_SUPPORTED',
      path: 'tls.clientCertificate',
      message: 'does not support client certificates',
    });
  }
  if (found.length > 0 && plan.tls.resume !== undefined) {
    found.push({ code: 'RESUMPTION_NOT_SUPPORTED', path: 'tls.resume', message: 'makes a full TLS handshake for each connection' });
  }
  for (const [index, step] of plan.journey.entries()) {
    if (step.method !== 'HEAD') continue;
    found.push({ code: 'HEAD_NOT_SUPPORTED', path: `journey[${index}].method`, message: 'does not support HEAD requests' });
  }
  for (const [index, step] of plan.journey.entries()) {
    if (step.checks.length === 0) continue;
    found.push({ code: 'CHECKS_NOT_SUPPORTED', path: `journey[${index}].checks`, message: 'does not check the content of responses' });
  }
  const walkField = findWalkField(plan);
  if (walkField !== null) {
    found.push({
      code: 'JOURNEY_NOT_SUPPORTED',
      path: walkField,
      message: 'repeats the same requests, without values, cookies or redirects',
    });
  }
  if (plan.connections.reuse === 'journey') {
    found.push({ code: 'REUSE_NOT_SUPPORTED', path: 'connections.reuse', message: 'keeps its connections between journeys' });
  }
  if (plan.connections.protocol === 'h2') {
    found.push({ code: 'HTTP2_NOT_SUPPORTED', path: 'connections.protocol', message: 'speaks HTTP/1.1 only' });
  }
  if (plan.connections.connectSeconds !== undefined || plan.connections.firstByteSeconds !== undefined) {
    found.push({ code: 'LIMIT_NOT_SUPPORTED', path: 'connections', message: 'supports one time limit for the whole request only' });
  }
  if (plan.connections.socketPath !== undefined) {
    found.push({ code: 'SOCKET_NOT_SUPPORTED', path: 'connections.socketPath', message: 'connects over the network only' });
  }
  if (plan.connections.localAddresses !== undefined) {
    found.push({ code: 'LOCAL_ADDRESS_NOT_SUPPORTED', path: 'connections.localAddresses', message: 'does not support local addresses' });
  }
  return found;
}

/**
 * The native engine, which supports every plan. Its version increases when its measurements change. It allocates few objects per request.
 * A small young generation therefore costs no speed, and saves 20 to 30 MB with 10,000 listeners.
 */
const native: Engine = { name: 'native', version: '1', youngObjectsMb: 24, listHindrances: () => [] };

/** Engines in order of preference. */
export const OWN_ENGINES: readonly [Engine, ...Engine[]] = [autocannon, native];

export function engineOfHoldfast(name: OwnEngine): Engine {
  return OWN_ENGINES.find((engine) => engine.name === name) ?? native;
}

/** Returns the engine of a plan: the one that it names, or else the first that supports it. */
export function chooseEngineFor(plan: Plan): EngineName {
  return plan.engine === 'auto' ? engineForAll([plan]).name : plan.engine;
}

/** Returns the first of Holdfast's own engines that supports all given plans. */
export function engineForAll(plans: readonly Plan[]): Engine {
  return OWN_ENGINES.find(({ listHindrances }) => plans.every((plan) => listHindrances(plan).length === 0)) ?? native;
}
