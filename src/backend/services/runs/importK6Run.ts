import { HoldfastError } from '#core/base/errors.ts';
import {
  importedRun,
  type ImportedRun,
  PROMETHEUS_METRICS,
  type MetricSeries,
  type PrometheusMetric,
} from '#core/k6/prometheus/importedRun.ts';
import { showReferences } from '#core/plan/hiddenText.ts';
import { hideSecrets } from '#core/plan/hideSecrets.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunHead } from '#core/result/schema.ts';
import { unknownReading } from '#core/result/readings.ts';
import { formatCount } from '#core/base/units.ts';
import { readOwnIdentity } from '#engine/processIdentity.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import { parseJson } from '#core/base/json.ts';
import { prometheusResponseSchema, readSeries, type PromSeries } from '#core/k6/prometheus/response.ts';
import type { Secrets } from '../secrets.ts';
import { newRunId } from './recovery.ts';

export interface K6ImportParts {
  readonly store: Store;
  readonly secrets: Secrets;
  readonly version: string;
  readonly results: Pick<ResultThread, 'ask'>;
}

export interface K6Import {
  readonly url: string;
  /** Name of the k6 TestRun, or the value of the tag `testid`. */
  readonly run: string;
  /** The plan that was exported as the k6 script. It defines steps, stages and pass criteria. */
  readonly plan: Plan;
  /** Number of days in the past in which the run is searched for. */
  readonly days: number;
}

/** Imports a finished run of k6 into the store. Throws `NO_SUCH_K6_RUN`, or the errors from reading Prometheus. */
export async function importK6Run(
  { store, secrets, version, results }: K6ImportParts,
  { url, run, plan, days }: K6Import,
): Promise<{ runId: string }> {
  const made = { ...hideSecrets(plan, secrets.keep), engine: 'k6' as const };
  const imported = importedRun(made, await readRunFromPrometheus(url, run, days));
  if (imported === null) throw noSuchRun(url, run, days);
  const head = getHead(made, run, imported, version);
  const target = showReferences(made.targets[0]?.url ?? '');
  const key = store.create({ head, target, plan: made, owner: readOwnIdentity(), nowMs: Date.now() });
  for (const text of listEvents(run, url, imported)) store.addEvent(key, { second: 0, kind: 'k6', text });
  let requests = 0;
  for (const window of imported.windows) {
    for (const { started } of window.cells) requests += started;
    const generatorWindow = { generator: 0, window, reading: unknownReading(window.second) };
    store.append(key, generatorWindow, { requests, completedPerSecond: null, nowMs: Date.now() });
  }
  const { firstBodyLengths, addresses, leftOut, stages, serverSoftware, endedAtSecond } = imported.end;
  store.end(
    key,
    { state: 'finished', endedAt: new Date(imported.endedMs).toISOString(), because: null },
    {
      firstBodyLengths: [...firstBodyLengths],
      addresses: { ...addresses },
      leftOut: { ...leftOut },
      stages: [...stages],
      serverSoftware,
      endedAtSecond,
    },
  );
  await results.ask('own.storeResult', { runId: head.id });
  return { runId: head.id };
}

function getHead(plan: Plan, run: string, { beganMs }: ImportedRun, holdfastVersion: string): RunHead {
  const began = new Date(beganMs);
  return {
    id: newRunId(began),
    name: plan.name,
    note: `Run ${run} of k6, from Prometheus.`,
    preset: plan.preset ?? null,
    startedAt: began.toISOString(),
    endedAt: null,
    state: 'preparing',
    endedBecause: null,
    holdfastVersion,
  };
}

function listEvents(run: string, url: string, { hasHistograms, windows, instances }: ImportedRun): string[] {
  const width = windows[0]?.width ?? 1;
  return [
    `Imported from ${new URL(url).origin}: the run “${run}” of k6, made by ${formatCount(instances)} ${instances === 1 ? 'runner' : 'runners'}. k6 wrote there every ${width} s: all data have this resolution, and the start may be late by as much. Times exclude opening the connection, and are exact to the buckets of Prometheus (about 5 %). Unknown: schedule lag, bytes of single steps, body lengths, and the load generators.`,
    ...(hasHistograms
      ? []
      : [
          'Times of this run are unknown: it has no native histograms. Run k6 with K6_PROMETHEUS_RW_TREND_AS_NATIVE_HISTOGRAM=true, and Prometheus with --enable-feature=native-histograms.',
        ]),
  ];
}

function noSuchRun(url: string, run: string, days: number): HoldfastError {
  return new HoldfastError({
    code: 'NO_SUCH_K6_RUN',
    message: `${new URL(url).origin} has no requests of a run “${run}” in the last ${days} days.`,
    hint: 'Check the name: of the TestRun, or from --tag testid=…. Also check that k6 ran with --out experimental-prometheus-rw, and Prometheus with --web.enable-remote-write-receiver.',
  });
}

/** Time limit for reading. The raw samples of a long run with many runners take a while to arrive. */
const LIMIT_MS = 120_000;
/** Maximum size of one response, which is parsed as a whole. It suffices for a day of samples of a run with a hundred series. */
const MAX_BYTES = 64_000_000;

/** Reads everything that k6 has written about a run, found by the name of the TestRun or the tag `testid`. Throws `PROMETHEUS_FAILED`. */
async function readRunFromPrometheus(address: string, run: string, days: number): Promise<MetricSeries> {
  const found = new Map<PrometheusMetric, PromSeries[]>();
  for (const metric of PROMETHEUS_METRICS) found.set(metric, await seriesOfRun(address, metric, run, days));
  const seriesOf = (metric: PrometheusMetric): readonly PromSeries[] => found.get(metric) ?? [];
  return {
    k6_http_reqs_total: seriesOf('k6_http_reqs_total'),
    k6_http_req_duration_seconds: seriesOf('k6_http_req_duration_seconds'),
    k6_http_req_waiting_seconds: seriesOf('k6_http_req_waiting_seconds'),
    k6_http_req_receiving_seconds: seriesOf('k6_http_req_receiving_seconds'),
    k6_http_req_connecting_seconds: seriesOf('k6_http_req_connecting_seconds'),
    k6_http_req_tls_handshaking_seconds: seriesOf('k6_http_req_tls_handshaking_seconds'),
    k6_iterations_total: seriesOf('k6_iterations_total'),
    k6_dropped_iterations_total: seriesOf('k6_dropped_iterations_total'),
    k6_failed_requests_rate: seriesOf('k6_failed_requests_rate'),
    k6_vus_max: seriesOf('k6_vus_max'),
    k6_data_received_total: seriesOf('k6_data_received_total'),
    k6_data_sent_total: seriesOf('k6_data_sent_total'),
  };
}

/** Returns the series of a run: those with the name of its TestRun or, if there are none, those with the tag `testid`. */
async function seriesOfRun(address: string, metric: string, run: string, days: number): Promise<PromSeries[]> {
  const name = JSON.stringify(run);
  const byName = await query(address, `${metric}{testrun_name=${name}}[${days}d]`);
  return byName.length > 0 ? byName : query(address, `${metric}{testid=${name}}[${days}d]`);
}

async function query(address: string, text: string): Promise<PromSeries[]> {
  const url = new URL(address);
  const { username, password } = url;
  url.username = '';
  url.password = '';
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/api/v1/query`;
  url.searchParams.set('query', text);
  const authorization = `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`;
  const response = await fetch(url, {
    signal: AbortSignal.timeout(LIMIT_MS),
    // Redirects are not followed, because the credentials must be sent only to this address.
    redirect: 'manual',
    headers: { Accept: 'application/json', ...(username === '' ? {} : { Authorization: authorization }) },
  }).catch((cause: unknown) => {
    throw prometheusFailed(`${url.origin} does not respond: ${describeReason(cause)}`, cause);
  });
  const body = await readText(response, url);
  if (!response.ok) throw prometheusFailed(`${url.origin} responds with status ${response.status}: ${body.slice(0, 300)}`);
  const parsed = prometheusResponseSchema.safeParse(parseJson(body));
  if (!parsed.success) throw prometheusFailed(`${url.origin} sends a response that is not from Prometheus: ${body.slice(0, 200)}`);
  return readSeries(parsed.data);
}

/** Reads and unpacks a response in chunks with a size limit, because a few bytes may expand to very many. */
async function readText({ body }: Response, url: URL): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  const read = async (): Promise<void> => {
    for await (const piece of body ?? []) {
      bytes += piece.length;
      if (bytes > MAX_BYTES) return;
      pieces.push(piece);
    }
  };
  await read().catch((cause: unknown) => {
    throw prometheusFailed(`${url.origin} broke off its response: ${describeReason(cause)}`, cause);
  });
  if (bytes > MAX_BYTES) throw prometheusFailed(`${url.origin} sends more than ${MAX_BYTES / 1_000_000} MB for one metric`);
  return Buffer.concat(pieces).toString('utf8');
}

function describeReason(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}

function prometheusFailed(what: string, cause?: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'PROMETHEUS_FAILED',
      message: `The run could not be read from Prometheus: ${what}`,
      hint: 'Enter the address of its own page, for example http://prometheus:9090. Where it needs a login, put user and password before the host.',
    },
    { cause },
  );
}
