import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MonitorReading } from '#core/machines/monitors/result.ts';
import { parseSelection, type PrometheusSelection } from '#core/plan/prometheusSelection.ts';
import {
  MetricReader,
  type PrometheusResponse,
  prometheusCatalogue,
  prometheusReading,
  MAX_LINE_LENGTH,
  PrometheusReader,
  type PrometheusSample,
} from './prometheus.ts';

/** Example from the documentation of the format, with the escapes that the format defines. */
const EXAMPLE = String.raw`# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\DIR\\FILE.TXT",error="Cannot find file:\n\"FILE.TXT\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320

# Finally a summary, which has a complex representation, too:
# TYPE rpc_duration_seconds summary
rpc_duration_seconds{quantile="0.01"} 3102
rpc_duration_seconds_sum 1.7560473e+07
rpc_duration_seconds_count 2693
`;

const selections = (written: readonly string[]): PrometheusSelection[] =>
  written.map((text) => {
    const selection = parseSelection(text);
    if (selection === null) throw new Error(`${text} is no selection`);
    return selection;
  });

/** Parses a text in pieces of `pieceLength` characters. */
function parsePrometheus(text: string, pieceLength = text.length) {
  const samples: PrometheusSample[] = [];
  const types = new Map<string, string>();
  const unreadLines: number[] = [];
  const reader = new PrometheusReader({
    wants: () => true,
    sample: (sample) => void samples.push(sample),
    type: (family, type) => void types.set(family, type),
    unread: (line) => void unreadLines.push(line),
  });
  for (let from = 0; from < text.length; from += pieceLength) reader.take(text.slice(from, from + pieceLength));
  reader.end();
  return { samples, types, unreadLines };
}

function findMetrics(text: string, chosen: readonly PrometheusSelection[]): PrometheusResponse {
  const reader = new MetricReader(chosen, true);
  reader.take(text);
  return reader.end();
}

/** Returns the reading, with the written selections as keys. */
function read(text: string, ...written: readonly string[]): MonitorReading {
  const chosen = selections(written);
  const { gauges, counters } = prometheusReading(chosen, findMetrics(text, chosen));
  const named = (values: Readonly<Record<string, number>>): Record<string, number> =>
    Object.fromEntries(Object.entries(values).map(([id, value]) => [written[Number(id.replace('prometheus.', '')) - 1] ?? '', value]));
  return { gauges: named(gauges), counters: named(counters) };
}

describe('PrometheusReader', () => {
  it('parses the example of the documentation', () => {
    const { samples, types, unreadLines } = parsePrometheus(EXAMPLE);
    expect(unreadLines).toEqual([]);
    expect(samples).toHaveLength(12);
    expect([...types]).toEqual([
      ['http_requests_total', 'counter'],
      ['http_request_duration_seconds', 'histogram'],
      ['rpc_duration_seconds', 'summary'],
    ]);
    expect(samples[2]).toEqual({
      name: 'msdos_file_access_time_seconds',
      labels: new Map([
        ['path', String.raw`C:\DIR\FILE.TXT`],
        ['error', 'Cannot find file:\n"FILE.TXT"'],
      ]),
      value: 1_458_255_915,
    });
    expect(samples[4]?.value).toBe(Infinity);
  });

  it.each([
    ['a', null],
    ['a 1', 1],
    ['\t a \t{ b = "c" , } \t -1e-3 ', -0.001],
    ['a{} 1\r', 1],
    ['a{b="}# 7"} 2', 2],
    [String.raw`a{b="\\"} 3`, 3],
    [String.raw`a{b="\""} 4`, 4],
    ['a NaN', Number.NaN],
    ['a -Inf', -Infinity],
    ['a 1 # {trace_id="KOO5S4vxi0o"} 0.67', 1],
    ['a_bucket{le="0.01"} 8 1520879607.789 # {trace_id="x"} 0.0039 1520879607.7', 8],
    ['{"a.b", c="d"} 5', 5],
    ['{"a.b"} 5', 5],
    ['{c="d"} 5', null],
    ['{"a.b","c.d"} 5', null],
    ['a{"b.c"} 5', null],
    ['a{"b.c"="d"} 6', 6],
    ['a{b!="c"} 5', null],
    ['a{b="c} 5', null],
    ['a{b="c"', null],
    ['a 5x', null],
    ['a 1 2 3', null],
    ['9a 5', null],
  ])('reads the value of %j as %s', (line, value) => {
    const { samples, unreadLines } = parsePrometheus(line);
    expect(samples.map((sample) => sample.value)).toEqual(value === null ? [] : [value]);
    expect(unreadLines).toEqual(value === null ? [1] : []);
  });

  it('gives the same result for any split into pieces', () => {
    const whole = parsePrometheus(EXAMPLE);
    for (const length of [1, 7, 64, 1_000]) expect(parsePrometheus(EXAMPLE, length)).toEqual(whole);
  });

  it('limits the length of a line without waiting for its end', () => {
    const { samples, unreadLines } = parsePrometheus(`a 1\nb{c="${'x'.repeat(2 * MAX_LINE_LENGTH)}"} 1\nd 2`, 1_000);
    expect([samples.map(({ name }) => name), unreadLines]).toEqual([['a', 'd'], [2]]);
  });

  it('stops at the end mark of OpenMetrics', () => expect(parsePrometheus('a 1\n# EOF\nb 2').samples).toHaveLength(1));

  it('preserves any label value', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\\', '"', '\n', 'n', '{', '}', ',', '=', '#', ' ', 'é', '😀') }),
        fc.double({ noDefaultInfinity: true, noNaN: true }),
        (value, number) => {
          const escaped = value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
          const { samples } = parsePrometheus(`name{label="${escaped}"} ${number}`);
          expect(samples).toEqual([
            { name: 'name', labels: new Map([['label', value]]), value: number === 0 ? expect.closeTo(0) : number },
          ]);
        },
      ),
    ));

  it('never throws, and finishes for long repeated pieces', () => {
    fc.assert(fc.property(fc.string(), (text) => void parsePrometheus(text)));
    for (const piece of ['{', 'a{', 'a{b="', '\\', 'a 1 ', '" ', '#TYPE ', '{"', ' ']) parsePrometheus(piece.repeat(200_000));
  });
});

describe('selected metrics', () => {
  it('are counters according to the type of their family, and sums of the matching samples', () =>
    expect(
      read(
        EXAMPLE,
        'http_requests_total',
        'http_requests_total{code="400"}',
        'http_requests_total{code!="400"}',
        'http_request_duration_seconds_count',
        'http_request_duration_seconds_bucket{le="0.05"}',
        'rpc_duration_seconds{quantile="0.01"}',
        'rpc_duration_seconds_sum',
        'metric_without_timestamp_and_labels',
      ),
    ).toEqual({
      // Seconds are converted to milliseconds.
      gauges: { 'rpc_duration_seconds{quantile="0.01"}': 3_102_000, metric_without_timestamp_and_labels: 12.47 },
      counters: {
        http_requests_total: 1_030,
        'http_requests_total{code="400"}': 3,
        'http_requests_total{code!="400"}': 1_027,
        http_request_duration_seconds_count: 144_320,
        'http_request_duration_seconds_bucket{le="0.05"}': 24_054,
        rpc_duration_seconds_sum: 17_560_473,
      },
    }));

  it('are counters according to OpenMetrics types, or according to their name if there is no type', () => {
    const text = '# TYPE jobs counter\njobs_total 5\nothers_total 6\n# TYPE odd_total gauge\nodd_total 7\n';
    expect(read(text, 'jobs_total', 'others_total', 'odd_total')).toEqual({
      gauges: { odd_total: 7 },
      counters: { jobs_total: 5, others_total: 6 },
    });
  });

  it('are unknown if a sample is missing, NaN or infinite', () => {
    const text = 'a{x="1"} 1\na{x="2"} NaN\nb +Inf\n';
    expect(read(text, 'a', 'b', 'c', 'a{x="3"}')).toEqual({ gauges: {}, counters: {} });
    const { found, names } = findMetrics(text, selections(['a', 'c']));
    expect(found).toEqual([{ counts: false, value: null }, null]);
    expect(names).toEqual(['a', 'b']);
  });

  it('have the unit that their suffix names', () => {
    const text =
      '# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total 1\nnode_network_receive_bytes_total 2\nheap_bytes 3\nfull_ratio 0.5\n';
    const chosen = selections(['process_cpu_seconds_total', 'node_network_receive_bytes_total', 'heap_bytes', 'full_ratio', 'lag_seconds']);
    expect(prometheusCatalogue(chosen, findMetrics(text, chosen)).quantities.map(({ unit }) => unit)).toEqual([
      'cores',
      'bytesPerSecond',
      'bytes',
      'share',
      'ms',
    ]);
  });

  it.each(['', '1a', 'a{', 'a{b=c}', 'a b', 'a{"b"}', '{b="c"}'])('cannot be written as %j', (text) =>
    expect(parseSelection(text)).toBeNull(),
  );
});
