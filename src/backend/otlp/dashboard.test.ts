import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DURATIONS, SUMS } from './windowMetrics.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

const UNIT_SUFFIXES: Readonly<Record<string, string>> = { s: '_seconds', By: '_bytes', '{request}': '', '{journey}': '' };

/** Names as Prometheus translates them: otlptranslator with suffixes for units and counters. */
const METRIC_NAMES = [...Object.values(DURATIONS).map((metric) => ({ ...metric, isMonotonic: false })), ...Object.values(SUMS)].map(
  ({ name, unit, isMonotonic }) => `${name.replaceAll('.', '_')}${UNIT_SUFFIXES[unit] ?? unit}${isMonotonic ? '_total' : ''}`,
);

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

it('the Grafana dashboard asks for every metric, by its name in Prometheus', () => {
  const { panels } = JSON.parse(read('templates/grafana-dashboard.json')) as Dashboard;
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const asked = new Set(queries.flatMap((query) => query.match(/\b(?:holdfast|http_client)_\w+(?=\{)/g) ?? []));
  expect([...asked].toSorted()).toEqual(METRIC_NAMES.toSorted());
});

it('docs/otlp.md lists every metric with its name in Prometheus', () => {
  const document = read('docs/otlp.md');
  for (const name of [...METRIC_NAMES, ...[...Object.values(DURATIONS), ...Object.values(SUMS)].map((metric) => metric.name)])
    expect(document).toContain(`\`${name}\``);
});
