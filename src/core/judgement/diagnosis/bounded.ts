import { keyParts, type MonitorLimit, type MonitorResult } from '#core/machines/monitors/result.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Reading } from '#core/statistics/trend.ts';

/** A count with an upper limit, such as connections of a database or sessions of a proxy. */
export interface Bounded {
  /** Unique among the bounded counts of a run; suffix of the ids of findings about it. */
  readonly id: string;
  /** Name inside a sentence. */
  readonly words: string;
  readonly limit: MonitorLimit;
  /** Each reading covers the seconds from `second`, `width` long. */
  readonly readings: readonly (Reading & { readonly width: number })[];
}

/** Returns the counts of a monitor that have a limit, with their readings. Memory and links of a machine are no such counts. */
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

/** The first quantity of a chart is the total of the others. If the chart has several instances, the limit names one. */
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
