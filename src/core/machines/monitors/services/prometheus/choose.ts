import type { Catalogue, MonitorReading, Quantity } from '#core/machines/monitors/quantity.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { PrometheusSelection } from '#core/plan/prometheusSelection.ts';
import { PrometheusReader, type PrometheusSample } from './parse.ts';

/** Values of the selected metrics, in the order of selection. */
export interface PrometheusAnswer {
  /** null if no sample matched. */
  readonly found: readonly (Found | null)[];
  /** Names of all metrics except `_bucket`, for messages. Empty unless requested. */
  readonly names: readonly string[];
}
interface Found {
  readonly counts: boolean;
  /** null if one of the samples is NaN or infinite. */
  readonly value: number | null;
}

/** Names above this number are left out, because an exporter may create any number. */
const MAX_NAMES = 5_000;

/** Reads the selected metrics from the output of an exporter, piece by piece. Matching samples are added up and not stored. */
export class MetricReader {
  private readonly chosen: readonly PrometheusSelection[];
  private readonly sums: (number | null)[];
  private readonly types = new Map<string, string>();
  private readonly names = new Set<string>();
  private readonly reader: PrometheusReader;

  constructor(chosen: readonly PrometheusSelection[], wantsNames: boolean) {
    this.chosen = chosen;
    this.sums = chosen.map(() => null);
    const wanted = new Set(chosen.map(({ name }) => name));
    this.reader = new PrometheusReader({
      wants: (name) => wanted.has(name) || (wantsNames && this.names.size < MAX_NAMES && !this.names.has(name)),
      sample: (sample) => {
        if (wantsNames && this.names.size < MAX_NAMES) this.names.add(sample.name);
        if (wanted.has(sample.name)) this.add(sample);
      },
      type: (family, type) => {
        if (chosen.some(({ name }) => name.startsWith(family))) this.types.set(family, type);
      },
      unread: () => {},
    });
  }

  take(piece: string): void {
    this.reader.take(piece);
  }

  end(): PrometheusAnswer {
    this.reader.end();
    const found = this.chosen.map(({ name }, index): Found | null => {
      const sum = this.sums[index] ?? null;
      return sum === null ? null : { counts: isCounter(name, this.types), value: Number.isFinite(sum) ? sum : null };
    });
    return { found, names: [...this.names].filter((name) => !name.endsWith('_bucket')) };
  }

  private add(sample: PrometheusSample): void {
    for (const [index, selection] of this.chosen.entries())
      if (isSelected(sample, selection)) this.sums[index] = (this.sums[index] ?? 0) + sample.value;
  }
}

/** Returns a catalogue with one chart per metric, because related metrics are unknown. */
export function prometheusCatalogue(chosen: readonly PrometheusSelection[], { found }: Pick<PrometheusAnswer, 'found'>): Catalogue {
  return {
    quantities: chosen.map(({ text, name }, index) => ({
      id: idOf(index),
      words: text,
      unit: unitOf(name, found[index]?.counts ?? false),
      chart: text,
    })),
  };
}

/** Returns the reading with the ids of {@link prometheusCatalogue}. */
export function prometheusReading(chosen: readonly PrometheusSelection[], { found }: Pick<PrometheusAnswer, 'found'>): MonitorReading {
  const gauges: Record<string, number> = {};
  const counters: Record<string, number> = {};
  for (const [index, metric] of found.entries()) {
    if (metric === null || metric.value === null) continue;
    const inMs = unitOf(chosen[index]?.name ?? '', metric.counts) === 'ms';
    setOwn(metric.counts ? counters : gauges, idOf(index), inMs ? metric.value * 1_000 : metric.value);
  }
  return { gauges, counters };
}

function idOf(index: number): string {
  return `prometheus.${index + 1}`;
}

/** Returns the unit by the suffix of a metric name, a Prometheus convention. */
function unitOf(name: string, counts: boolean): Quantity['unit'] {
  const base = name.replace(/_(?:total|sum)$/, '');
  if (base.endsWith('_bytes')) return counts ? 'bytesPerSecond' : 'bytes';
  if (counts) return /cpu_(?:\w+_)?seconds$/.test(base) ? 'cores' : 'perSecond';
  if (base.endsWith('_seconds')) return 'ms';
  return base.endsWith('_ratio') ? 'share' : 'count';
}

/** A missing label equals an empty one, as in Prometheus. */
function isSelected({ name, labels }: PrometheusSample, selection: PrometheusSelection): boolean {
  return (
    name === selection.name && selection.labels.every((label) => ((labels.get(label.name) ?? '') === label.value) === (label.is === '='))
  );
}

const FAMILY_ENDS: Readonly<Record<string, readonly string[]>> = {
  counter: ['', '_total'],
  histogram: ['_bucket', '_count', '_sum'],
  summary: ['_count', '_sum'],
};

/** Returns whether a metric is a counter, by the type of its family or else by its suffix. */
function isCounter(name: string, types: ReadonlyMap<string, string>): boolean {
  for (const [family, type] of types)
    if (name.startsWith(family) && getOwn(FAMILY_ENDS, type)?.includes(name.slice(family.length)) === true) return true;
  const own = types.get(name);
  return (own === undefined || own === 'untyped' || own === 'unknown') && name.endsWith('_total');
}
