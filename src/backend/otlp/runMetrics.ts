import * as http from 'node:http';
import * as https from 'node:https';
import { ValueType } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import type { Window } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { showReferences } from '#core/plan/hiddenText.ts';
import type { RunHead } from '#core/result/schema.ts';
import { toExponential } from '#core/statistics/exponentialHistogram.ts';
import { type ExportTally, formatProblem, type SinkReport, sumReports } from './sinkReport.ts';
import { DURATIONS, type DurationName, type MetricPoint, SUMS, type SumName, WindowMetrics } from './windowMetrics.ts';

/** Interval of exports. An export contains all figures of the run so far, so a lost export loses no figures, and exports are not queued. */
const EXPORT_EVERY_MS = 5_000;
const MAX_EXPORT_MS = 3_000;
/** Maximum wait for the last export after the load: normally, and if the last export that ended has failed. */
const [MAX_END_MS, MAX_END_OF_FAILED_MS] = [4_000, 1_000];

export interface MetricsOfRun {
  readonly head: RunHead;
  readonly plan: Plan;
  /** Names of the load generators. */
  readonly generators: readonly string[];
}

/**
 * Sends the figures of a run to an OTLP receiver, with a separate resource for each load generator. A receiver that fails does not affect
 * the run.
 */
export class RunMetrics {
  private readonly url: URL;
  private readonly generators: readonly GeneratorMetrics[];

  constructor(url: URL, run: MetricsOfRun) {
    this.url = url;
    this.generators = run.generators.map((name) => new GeneratorMetrics(url, run, name));
  }

  add({ generator, window }: { readonly generator: number; readonly window: Window }): void {
    this.generators[generator]?.windows.add(window);
  }

  /** Sends the last figures and closes the connections, within 4 s. Returns the outcome of the exports. Never rejects. */
  async end(): Promise<SinkReport> {
    return sumReports(this.url.origin, await Promise.all(this.generators.map((generator) => generator.end())));
  }
}

class GeneratorMetrics {
  readonly windows: WindowMetrics;
  private readonly reader: PeriodicExportingMetricReader;
  private readonly exporter: CountingExporter;
  private readonly agent: http.Agent;

  constructor(url: URL, { head, plan, generators }: MetricsOfRun, name: string) {
    this.windows = new WindowMetrics(plan);
    this.agent = new (url.protocol === 'https:' ? https : http).Agent({ keepAlive: true, maxSockets: 1 });
    this.exporter = new CountingExporter(
      new OTLPMetricExporter({ url: url.href, timeoutMillis: MAX_EXPORT_MS, concurrencyLimit: 1, httpAgentOptions: () => this.agent }),
    );
    this.reader = new PeriodicExportingMetricReader({
      exporter: this.exporter,
      exportIntervalMillis: EXPORT_EVERY_MS,
      exportTimeoutMillis: MAX_EXPORT_MS + 500,
      metricProducers: [createProducer(this.windows, head.holdfastVersion)],
    });
    const resource = resourceFromAttributes({
      'service.name': 'holdfast',
      'service.version': head.holdfastVersion,
      'service.instance.id': generators.length === 1 ? head.id : `${head.id}/${name}`,
      'holdfast.run.id': head.id,
      'holdfast.plan.name': showReferences(plan.name),
      'holdfast.generator.name': name,
      ...(head.series === undefined ? {} : { 'holdfast.series.id': head.series.id, 'holdfast.series.cell': head.series.cell }),
    });
    void new MeterProvider({ resource, readers: [this.reader] });
  }

  async end(): Promise<ExportTally> {
    const timeoutMillis = this.exporter.hasFailed ? MAX_END_OF_FAILED_MS : MAX_END_MS;
    await this.reader.shutdown({ timeoutMillis }).catch(() => {});
    // A receiver that sends an endless response would keep its connection.
    this.agent.destroy();
    return this.exporter.tally;
  }
}

const NO_RESPONSE = `no response within ${MAX_EXPORT_MS / 1_000} s`;

/** Counts exports and failed exports. */
class CountingExporter implements PushMetricExporter {
  tally: ExportTally = { exports: 0, failed: 0, problem: null };
  /** Whether the last export that ended has failed. */
  hasFailed = false;
  private readonly inner: OTLPMetricExporter;

  constructor(inner: OTLPMetricExporter) {
    this.inner = inner;
  }

  export(...[metrics, done]: Parameters<PushMetricExporter['export']>): void {
    const number = this.tally.exports + 1;
    // An export counts as failed until its success is reported. If the end of a run cuts the export off, the reason of an earlier failure
    // is kept.
    this.tally = { exports: number, failed: this.tally.failed + 1, problem: this.tally.problem ?? NO_RESPONSE };
    this.inner.export(metrics, (result) => {
      const problem = result.code === 0 ? null : formatProblem(result.error);
      this.hasFailed = problem !== null;
      const { exports, failed } = this.tally;
      this.tally = { exports, failed: failed - (problem === null ? 1 : 0), problem: number === exports ? problem : this.tally.problem };
      done(result);
    });
  }

  forceFlush(): Promise<void> {
    return this.inner.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }
}

/** Creates a metric producer, OpenTelemetry's interface for metrics that are counted elsewhere. */
function createProducer(windows: WindowMetrics, version: string): MetricProducer {
  const startTime = toHrTime(Date.now());
  return {
    collect: () => {
      const points: CreatePoint = (attributes, value) => ({ startTime, endTime: toHrTime(Date.now()), attributes, value });
      const sums = (Object.keys(SUMS) as SumName[]).map((name) => sumData(name, windows.listSums(name), points));
      const durations = (Object.keys(DURATIONS) as DurationName[]).map((name): MetricData => durationData(name, windows, points));
      const found = [...sums, ...durations].filter(({ dataPoints }) => dataPoints.length > 0);
      const scopeMetrics = found.length === 0 ? [] : [{ scope: { name: 'holdfast', version }, metrics: found }];
      return Promise.resolve({ resourceMetrics: { resource: resourceFromAttributes({}), scopeMetrics }, errors: [] });
    },
  };
}

type CreatePoint = <Value>(attributes: MetricPoint<Value>['attributes'], value: Value) => DataPoint<Value>;

function sumData(name: SumName, points: readonly MetricPoint<number>[], createPoint: CreatePoint): MetricData {
  const { isMonotonic, ...descriptor } = SUMS[name];
  return {
    descriptor: { ...descriptor, valueType: name === 'overloaded' ? ValueType.DOUBLE : ValueType.INT },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.SUM,
    isMonotonic,
    dataPoints: points.map(({ attributes, value }) => createPoint(attributes, value)),
  };
}

function durationData(name: DurationName, windows: WindowMetrics, createPoint: CreatePoint): MetricData {
  return {
    descriptor: { ...DURATIONS[name], valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.EXPONENTIAL_HISTOGRAM,
    dataPoints: windows.listDurations(name).flatMap(({ attributes, value }) => {
      const times = toExponential(value);
      if (times === null) return [];
      const { scale, offset, counts, ...facts } = times;
      const positive = { offset, bucketCounts: [...counts] };
      return [createPoint(attributes, { ...facts, scale, zeroCount: 0, positive, negative: { offset: 0, bucketCounts: [] } })];
    }),
  };
}

function toHrTime(atMs: number): [seconds: number, nanoseconds: number] {
  return [Math.floor(atMs / 1_000), (atMs % 1_000) * 1_000_000];
}
