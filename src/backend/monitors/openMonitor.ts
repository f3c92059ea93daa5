import type { Monitor } from '#core/monitors/schema.ts';
import { openMachine } from './machine/openMachine.ts';
import { cannotYet } from './problems.ts';
import type { MonitorSource, MonitorWay } from './source.ts';

/** Begins to read what a plan watches. Throws a HoldfastError that says what is wrong and what to do. */
export async function openMonitor(monitor: Monitor, way: MonitorWay): Promise<MonitorSource> {
  switch (monitor.kind) {
    case 'machine':
      return openMachine(monitor, way.connection);
    default:
      throw cannotYet(monitor.kind);
  }
}
