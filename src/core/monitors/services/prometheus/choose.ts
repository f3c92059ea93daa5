import type { ServiceReading } from '../reading.ts';
import { match, readLabels, skip, type Label } from './labels.ts';
import { parsePrometheus, type PrometheusSample, type PrometheusText } from './parse.ts';

/** Which samples are added up into one quantity: `http_requests_total{code="500",method!="GET"}`. */
export interface PrometheusSelection {
  readonly name: string;
  readonly labels: readonly Label[];
}

/** A metric that was chosen, and the name of its quantity. */
export interface ChosenMetric {
  readonly name: string;
  readonly selection: PrometheusSelection;
}

const NAME = /[a-zA-Z_:][a-zA-Z0-9_:]*/y;

/** Reads a selection as it is written in a plan; null when it is none. */
export function parseSelection(text: string): PrometheusSelection | null {
  const from = skip(text, 0);
  const bare = match(NAME, text, from)?.[0] ?? null;
  const position = skip(text, from + (bare?.length ?? 0));
  const labels = readLabels(text, position);
  const end = skip(text, labels?.end ?? position);
  const name = bare ?? labels?.name ?? null;
  if (end < text.length || name === null || (bare !== null && labels !== null && labels.name !== null)) return null;
  return { name, labels: labels?.labels ?? [] };
}

/**
 * The chosen metrics of what an exporter tells. The samples of one are added up; when one of them is NaN or infinite, the sum is
 * not known. What has no sample is not there.
 */
export function readPrometheus(text: string, chosen: readonly ChosenMetric[]): ServiceReading & Pick<PrometheusText, 'unreadLines'> {
  const wanted = new Set(chosen.map(({ selection }) => selection.name));
  const { samples, types, unreadLines } = parsePrometheus(text, (name) => wanted.has(name));
  const gauges: Record<string, number> = {};
  const counters: Record<string, number> = {};
  for (const { name, selection } of chosen) {
    const found = samples.filter((sample) => isSelected(sample, selection));
    const sum = found.reduce((total, { value }) => total + value, 0);
    if (found.length > 0 && Number.isFinite(sum)) (isCounter(selection.name, types) ? counters : gauges)[name] = sum;
  }
  return { gauges, counters, limits: {}, unreadLines };
}

/** A label that is not there is as one without letters, as in Prometheus. */
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

/** What only rises, by the type of its family; where none is said, by the end of its name. */
function isCounter(name: string, types: ReadonlyMap<string, string>): boolean {
  for (const [family, type] of types)
    if (name.startsWith(family) && FAMILY_ENDS[type]?.includes(name.slice(family.length)) === true) return true;
  const own = types.get(name);
  return (own === undefined || own === 'untyped' || own === 'unknown') && name.endsWith('_total');
}
