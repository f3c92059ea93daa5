import { HoldfastError } from '#core/base/errors.ts';
import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { MetricReader, prometheusCatalogue, prometheusReading } from '#core/machines/monitors/services/prometheus/choose.ts';
import { parseSelection } from '#core/plan/prometheusSelection.ts';
import type { OpenMonitor } from '../source.ts';
import { readPage } from './askHttp.ts';
import { notSuch } from './problems.ts';

const MAX_BYTES = 16_000_000;
const ACCEPT = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const MAX_NAMES = 12;

/** Reads the chosen metrics from an exporter. Throws `MONITOR_NO_METRIC` if one is missing at the first reading. */
export const openPrometheus: OpenMonitor<MonitorOf<'prometheus'>> = async ({ url, metrics }, way) => {
  const chosen = metrics.flatMap((text) => parseSelection(text) ?? []);
  const address = new URL(url);
  const ask = async (wantsNames: boolean) => {
    const reader = new MetricReader(chosen, wantsNames);
    await readPage({ what: 'The exporter', url: address, way, headers: { accept: ACCEPT }, limitBytes: MAX_BYTES }, (piece) =>
      reader.take(piece),
    );
    return reader.end();
  };
  const first = await ask(true);
  const isNone = first.found.every((found) => found === null);
  if (isNone && first.names.length === 0)
    throw notSuch('a Prometheus exporter', url, 'Its address usually ends in /metrics. Only the text format is read.');
  const missing = chosen.filter((_, index) => first.found[index] === null).map(({ text }) => text);
  if (missing.length > 0) throw noMetric(url, missing, first.names);
  const catalogue = prometheusCatalogue(chosen, first);
  return { catalogue, read: async () => prometheusReading(chosen, await ask(false)), close: () => {} };
};

function noMetric(url: string, missing: readonly string[], names: readonly string[]): HoldfastError {
  // Names that share a word with a missing metric come first.
  const words = new Set(missing.flatMap((text) => text.replace(/\{.*/, '').split(/[_:]/)));
  const likeness = (name: string): number => name.split(/[_:]/).filter((word) => words.has(word)).length;
  const near = names.toSorted((one, other) => likeness(other) - likeness(one)).slice(0, MAX_NAMES);
  return new HoldfastError({
    code: 'MONITOR_NO_METRIC',
    message: `The exporter at ${url} does not report ${missing.join(', ')}.`,
    hint: `It reports ${names.length} metrics, among them ${near.join(', ')}.`,
  });
}
