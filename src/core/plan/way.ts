import type { Plan } from './schema/plan.ts';

/** The parts of a plan that say how its targets are reached, for single requests that shall go the same way. */
export interface Way {
  readonly tls: Plan['tls'];
  readonly connections: Pick<Plan['connections'], 'socketPath' | 'localAddresses'>;
}

export function wayOf({ tls, connections }: Pick<Plan, 'tls' | 'connections'>): Way {
  const { socketPath, localAddresses } = connections;
  return {
    tls,
    connections: { ...(socketPath === undefined ? {} : { socketPath }), ...(localAddresses === undefined ? {} : { localAddresses }) },
  };
}
