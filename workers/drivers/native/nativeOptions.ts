import type { Plan } from '#core/plan/schema/plan.ts';
import type { WorkerData } from '#workers/messages.ts';
import { DEFAULT_LIMITS } from '#workers/framer/framer.ts';
import type { EndpointSettings } from '../endpoint.ts';
import type { NativeLoadOptions } from './nativeLoad.ts';
import type { TimeLimits } from './timeLimits.ts';

const SECOND_US = 1_000_000;

/** Returns the connection settings of a plan as options of the native driver. */
export function nativeOptions(
  { plan, clientCertificate }: Pick<WorkerData, 'plan' | 'clientCertificate'>,
  targetUrl: string,
): Pick<NativeLoadOptions, 'endpoint' | 'limits' | 'framerLimits' | 'reuse'> {
  return {
    endpoint: endpointOf(plan, clientCertificate, targetUrl),
    limits: limitsOf(plan),
    framerLimits: DEFAULT_LIMITS,
    reuse: plan.connections.reuse,
  };
}

function endpointOf({ tls, connections }: Plan, clientCertificate: WorkerData['clientCertificate'], targetUrl: string): EndpointSettings {
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

function limitsOf({ connections, timeoutSeconds }: Plan): TimeLimits {
  const us = (seconds: number | undefined): number => (seconds === undefined ? Number.POSITIVE_INFINITY : seconds * SECOND_US);
  return { connectUs: us(connections.connectSeconds), firstByteUs: us(connections.firstByteSeconds), totalUs: timeoutSeconds * SECOND_US };
}
