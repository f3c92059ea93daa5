import { keyParts } from '#core/machines/monitors/quantity.ts';
import type { MonitorLimit, MonitorResult } from '#core/machines/monitors/result.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Reading } from '#core/statistics/trend.ts';

/** A count of a service that has at most so many of it: connections of a database, sessions of a proxy. */
export interface Bounded {
  /** Which it is among all that a run bounds: what ids of findings about it end with. */
  readonly id: string;
  /** As it stands in a sentence. */
  readonly words: string;
  readonly limit: MonitorLimit;
  /** `width` is the length of the seconds that each is of, which begin at `second`. */
  readonly readings: readonly (Reading & { readonly width: number })[];
}

/** The counts of a monitor that have a limit, each with what was read of it. Memory and the link of a machine are no such counts. */
export function boundedBy(monitor: MonitorResult): Bounded[] {
  if (monitor.kind === 'machine') return [];
  return monitor.limits.flatMap((limit) => {
    const key = keyOfWhole(monitor, limit);
    if (key === null) return [];
    const { instance } = keyParts(key);
    const readings = (getOwn(monitor.values, key) ?? []).flatMap((value, row) =>
      value === null ? [] : [{ second: monitor.second[row] ?? 0, width: monitor.width[row] ?? 1, value }],
    );
    const of = instance === null ? monitor.name : `${instance} at ${monitor.name}`;
    const id = `${monitor.name}.${limit.chart}${instance === null ? '' : `.${instance}`}`;
    return [{ id, words: `“${limit.chart}” of ${of}`, limit, readings }];
  });
}

/** The first quantity of a chart is the sum of what the others tell apart; where there are several of it, the limit says of which it is. */
function keyOfWhole({ quantities, values }: MonitorResult, { chart, instance: of }: MonitorLimit): string | null {
  const counts = quantities.filter((quantity) => quantity.chart === chart && quantity.unit === 'count');
  for (const { id: whole } of counts) {
    const found = Object.keys(values).find((key) => {
      const { id, instance } = keyParts(key);
      return id === whole && (instance === null || instance === of);
    });
    if (found !== undefined) return found;
  }
  return null;
}
