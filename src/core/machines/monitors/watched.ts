import type { Monitor } from '#core/plan/schema/monitors.ts';
import { MACHINE_CATALOGUE } from './machine/catalogue.ts';
import type { MonitorInfo } from './result.ts';

const KIND_NAMES: Readonly<Record<Monitor['kind'], string>> = {
  machine: '',
  nginx: 'nginx',
  varnish: 'Varnish',
  haproxy: 'HAProxy',
  redis: 'Redis',
  postgres: 'PostgreSQL',
  mysql: 'MySQL',
  prometheus: 'Prometheus',
  cacheHeaders: 'Cache headers',
};

const THIS_COMPUTER = 'this computer';

export function monitorName({ kind, name, host }: Monitor): string {
  if (name !== undefined) return name;
  if (kind === 'machine') return host ?? THIS_COMPUTER;
  return host === undefined ? KIND_NAMES[kind] : `${KIND_NAMES[kind]} on ${host}`;
}

/** A monitor of a run and its state before the start. */
export interface WatchedMonitor {
  readonly monitor: Monitor;
  readonly info: MonitorInfo;
}

/**
 * Returns all monitors of a run: first those of the load generators (null for this computer), then those of the plan. The plan's settings
 * for a generator, such as its programs, apply to the generator's monitor, so that no machine is read twice.
 */
export function listWatched(monitors: readonly Monitor[], generators: readonly (string | null)[]): WatchedMonitor[] {
  const isMachine = (monitor: Monitor, host: string | null): boolean => monitor.kind === 'machine' && (monitor.host ?? null) === host;
  const ofGenerators = generators.map((host): Pick<WatchedMonitor, 'monitor'> & Pick<MonitorInfo, 'role'> => ({
    role: 'generator',
    monitor: monitors.find((monitor) => isMachine(monitor, host)) ?? {
      kind: 'machine',
      name: host ?? THIS_COMPUTER,
      ...(host === null ? {} : { host }),
      processes: [],
      containers: 'none',
    },
  }));
  const others = monitors
    .filter((monitor) => !generators.some((host) => isMachine(monitor, host)))
    .map((monitor) => ({ role: (monitor.kind === 'machine' ? monitor.role : undefined) ?? ('target' as const), monitor }));
  return [...ofGenerators, ...others].map(({ role, monitor }, number) => ({ monitor, info: monitorInfo(monitor, role, number) }));
}

function monitorInfo(monitor: Monitor, role: MonitorInfo['role'], number: number): MonitorInfo {
  return {
    number,
    name: monitorName(monitor),
    kind: monitor.kind,
    role,
    host: monitor.host ?? null,
    quantities: monitor.kind === 'machine' ? [...MACHINE_CATALOGUE.quantities] : [],
    limits: [],
    state: 'waiting',
    problem: null,
    errorMs: null,
  };
}
