import { parseJson } from '#core/base/json.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { prometheusAnswerSchema, seriesOf, type PromSeries } from '#core/k6/prometheus/answer.ts';
import { PROMETHEUS_METRICS, type MetricSeries, type PrometheusMetric } from '#core/k6/prometheus/importedRun.ts';

/** Raw samples of a long run with many runners take long. */
const LIMIT_MS = 120_000;
/** Maximum size of one response: a day of samples of a run with a hundred series. Each metric is parsed as a whole. */
const MAX_BYTES = 64_000_000;

/** Reads everything that k6 has written about a run, found by the name of the TestRun or the tag `testid`. Throws `PROMETHEUS_FAILED`. */
export async function readRunFromPrometheus(address: string, run: string, days: number): Promise<MetricSeries> {
  const found = new Map<PrometheusMetric, PromSeries[]>();
  for (const metric of PROMETHEUS_METRICS) found.set(metric, await seriesOfRun(address, metric, run, days));
  const of = (metric: PrometheusMetric): readonly PromSeries[] => found.get(metric) ?? [];
  return {
    k6_http_reqs_total: of('k6_http_reqs_total'),
    k6_http_req_duration_seconds: of('k6_http_req_duration_seconds'),
    k6_http_req_waiting_seconds: of('k6_http_req_waiting_seconds'),
    k6_http_req_receiving_seconds: of('k6_http_req_receiving_seconds'),
    k6_http_req_connecting_seconds: of('k6_http_req_connecting_seconds'),
    k6_http_req_tls_handshaking_seconds: of('k6_http_req_tls_handshaking_seconds'),
    k6_iterations_total: of('k6_iterations_total'),
    k6_dropped_iterations_total: of('k6_dropped_iterations_total'),
    k6_failed_requests_rate: of('k6_failed_requests_rate'),
    k6_vus_max: of('k6_vus_max'),
    k6_data_received_total: of('k6_data_received_total'),
    k6_data_sent_total: of('k6_data_sent_total'),
  };
}

/** A series with both names is used once. */
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
    // The credentials are for this address only.
    redirect: 'manual',
    headers: { Accept: 'application/json', ...(username === '' ? {} : { Authorization: authorization }) },
  }).catch((cause: unknown) => {
    throw failed(`${url.origin} does not respond: ${reasonOf(cause)}`, cause);
  });
  const body = await textOf(response, url);
  if (!response.ok) throw failed(`${url.origin} responds with status ${response.status}: ${body.slice(0, 300)}`);
  const answer = prometheusAnswerSchema.safeParse(parseJson(body));
  if (!answer.success) throw failed(`${url.origin} sends a response that is not from Prometheus: ${body.slice(0, 200)}`);
  return seriesOf(answer.data);
}

/** Reads a response and unpacks it in chunks: a few bytes may expand to very many. */
async function textOf({ body }: Response, url: URL): Promise<string> {
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
    throw failed(`${url.origin} broke off its response: ${reasonOf(cause)}`, cause);
  });
  if (bytes > MAX_BYTES) throw failed(`${url.origin} sends more than ${MAX_BYTES / 1_000_000} MB for one metric`);
  return Buffer.concat(pieces).toString('utf8');
}

function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  return thrown.cause instanceof Error ? thrown.cause.message : thrown.message;
}

function failed(what: string, cause?: unknown): HoldfastError {
  return new HoldfastError(
    {
      code: 'PROMETHEUS_FAILED',
      message: `The run could not be read from Prometheus: ${what}`,
      hint: 'Enter the address of its own page, for example http://prometheus:9090. Where it needs a login, put user and password before the host.',
    },
    { cause },
  );
}
