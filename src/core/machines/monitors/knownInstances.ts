import { keyParts } from './quantity.ts';

/** Of one monitor in one run: the cores, processes and containers of a machine, or the servers behind a proxy. */
export const MOST_INSTANCES = 1_000;
const LONGEST_NAME = 200;

/** Which instances a monitor has told of. Who makes up new ones every second would otherwise fill charts, store and memory with their names. */
export class KnownInstances {
  private readonly known = new Set<string>();

  /** The values of instances that are known, or for which there is room. */
  admitted(values: Readonly<Record<string, number>>): Record<string, number> {
    return Object.fromEntries(Object.entries(values).filter(([key]) => this.admits(keyParts(key).instance)));
  }

  private admits(instance: string | null): boolean {
    if (instance === null || this.known.has(instance)) return true;
    if (instance.length > LONGEST_NAME || this.known.size >= MOST_INSTANCES) return false;
    this.known.add(instance);
    return true;
  }
}
