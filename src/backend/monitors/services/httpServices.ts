import { request, type IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { connect as connectTls } from 'node:tls';
import type { MonitorOf } from '#core/plan/schema/monitors.ts';
import { NGINX_CATALOGUE, parseNginx, CACHE_HEADERS_CATALOGUE, readCacheHeaders } from '#core/machines/monitors/services/proxies.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { MetricReader, prometheusCatalogue, prometheusReading } from '#core/machines/monitors/services/prometheus.ts';
import { parseSelection } from '#core/plan/prometheusSelection.ts';
import {
  type MonitorWay,
  RESPONSE_TIMEOUT_MS,
  accessRefused,
  unreachable,
  noResponseInTime,
  tooLongResponse,
  type OpenMonitor,
  createPolledSource,
  unexpectedProtocol,
} from '../source.ts';

export interface AskHttp {
  /** Name of the service for messages. */
  readonly what: string;
  readonly url: URL;
  readonly way: MonitorWay;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum number of bytes to read. */
  readonly limitBytes?: number;
  readonly isHead?: boolean;
  /** If set, receives the text of a page in chunks, and the text is not collected. */
  readonly onText?: (piece: string) => void;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const MAX_BYTES = 1_000_000;

/** Requests a page over the monitor's way to the service, on a new connection. Follows no redirect. Throws `MONITOR_UNREACHABLE`. */
export async function askHttp({
  what,
  url,
  way,
  headers = {},
  limitBytes = MAX_BYTES,
  isHead = false,
  onText,
}: AskHttp): Promise<HttpResponse> {
  const isSecure = url.protocol === 'https:';
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  let stream: Duplex | null = null;
  const limit = setTimeout(() => stream?.destroy(noResponseInTime()), RESPONSE_TIMEOUT_MS);
  try {
    const plain = await way.connect(`${url.hostname}:${url.port || (isSecure ? 443 : 80)}`);
    stream = isSecure ? connectTls({ socket: plain, ...(isIP(hostname) ? { host: hostname } : { servername: hostname }) }) : plain;
    return await readResponse(stream, { url, headers, limitBytes, isHead, onText });
  } catch (thrown) {
    throw unreachable(what, url.host, thrown);
  } finally {
    clearTimeout(limit);
    stream?.destroy();
  }
}

function readResponse(
  stream: Duplex,
  {
    url,
    headers,
    limitBytes,
    isHead,
    onText,
  }: Pick<Required<AskHttp>, 'url' | 'headers' | 'limitBytes' | 'isHead'> & { onText: AskHttp['onText'] },
) {
  return new Promise<HttpResponse>((resolve, reject) => {
    stream.on('error', reject);
    const clientRequest = request(
      {
        createConnection: () => stream,
        path: url.pathname + url.search,
        method: 'GET',
        headers: { host: url.host, connection: 'close', ...headers },
      },
      (response) => {
        const { statusCode: status = 0 } = response;
        if (isHead) {
          resolve({ status, headers: response.headers, text: '' });
          return;
        }
        const pieces: Buffer[] = [];
        const decoder = new StringDecoder('utf8');
        let bytes = 0;
        response.on('data', (piece: Buffer) => {
          bytes += piece.length;
          if (bytes > limitBytes) reject(tooLongResponse(limitBytes));
          else if (onText !== undefined && status === 200) onText(decoder.write(piece));
          else pieces.push(piece);
        });
        response.on('end', () => resolve({ status, headers: response.headers, text: Buffer.concat(pieces).toString('utf8') }));
        response.on('aborted', () => reject(new Error('its response broke off')));
        response.on('error', reject);
      },
    );
    clientRequest.on('error', reject);
    clientRequest.end();
  });
}

/** Passes the text of a page to `onText` in chunks. Throws the errors of {@link askPage}. */
async function readPage(ask: AskHttp, onText: (piece: string) => void): Promise<void> {
  await askPage({ ...ask, onText });
}

/** Returns the text of a page. Throws `MONITOR_REFUSED` for any status but 200, with the usual meaning of the status. */
export async function askPage(ask: AskHttp): Promise<string> {
  const { status, text } = await askHttp(ask);
  if (status === 200) return text;
  const hints: Readonly<Record<number, string>> = {
    401: 'The page needs a login: set “user” and “password”, or allow this address without them.',
    403: 'Access denied: allow the address of the monitor (in nginx `allow`), or monitor through the host itself.',
    404: 'Page not found. Check the path, and that the running configuration enables it.',
  };
  throw accessRefused(
    ask.what,
    ask.url.host,
    `it responds with status ${status}`,
    hints[status] ?? 'Open the address in a browser to see why.',
  );
}

const NGINX_HINT = 'Switch it on with `location = /status { stub_status; allow 127.0.0.1; deny all; }` and enter that address.';

/** Reads the stub_status page of nginx. nginx counts each reading as a connection and a request. */
export const openNginx: OpenMonitor<MonitorOf<'nginx'>> = ({ url, limit }, way) =>
  createPolledSource(NGINX_CATALOGUE, async () => {
    const address = new URL(url);
    const reading = parseNginx(await askPage({ what: 'nginx', url: address, way }), limit);
    if (reading === null) throw unexpectedProtocol('the page of stub_status', url, NGINX_HINT);
    return reading;
  });

const CACHE_HINT =
  'It sends no Age, X-Cache or similar header. Check that a cache is in front of this page, and that it sends such a header.';

/** Reads the headers of one page. This adds one request a second to the server's load. */
export const openCacheHeaders: OpenMonitor<MonitorOf<'cacheHeaders'>> = ({ url }, way) =>
  createPolledSource(CACHE_HEADERS_CATALOGUE, async () => {
    const { headers } = await askHttp({ what: 'The page', url: new URL(url), way, isHead: true });
    const reading = readCacheHeaders((name) => {
      const value = getOwn(headers, name);
      return Array.isArray(value) ? value.join(', ') : (value ?? null);
    });
    if (reading === null) throw unexpectedProtocol('a cache with such headers', url, CACHE_HINT);
    return reading;
  });

const MAX_METRICS_BYTES = 16_000_000;
const ACCEPT = 'application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';
const MAX_NAMES = 12;

/** Reads the chosen metrics from an exporter. Throws `MONITOR_NO_METRIC` if one is missing at the first reading. */
export const openPrometheus: OpenMonitor<MonitorOf<'prometheus'>> = async ({ url, metrics }, way) => {
  const prometheusSelections = metrics.flatMap((text) => parseSelection(text) ?? []);
  const address = new URL(url);
  const readMetrics = async (wantsNames: boolean) => {
    const reader = new MetricReader(prometheusSelections, wantsNames);
    await readPage({ what: 'The exporter', url: address, way, headers: { accept: ACCEPT }, limitBytes: MAX_METRICS_BYTES }, (piece) =>
      reader.take(piece),
    );
    return reader.end();
  };
  const first = await readMetrics(true);
  const isNone = first.found.every((found) => found === null);
  if (isNone && first.names.length === 0)
    throw unexpectedProtocol('a Prometheus exporter', url, 'Its address usually ends in /metrics. Only the text format is read.');
  const missing = prometheusSelections.filter((_, index) => first.found[index] === null).map(({ text }) => text);
  if (missing.length > 0) throw noMetric(url, missing, first.names);
  const catalogue = prometheusCatalogue(prometheusSelections, first);
  return { catalogue, read: async () => prometheusReading(prometheusSelections, await readMetrics(false)), close: () => {} };
};

function noMetric(url: string, missing: readonly string[], names: readonly string[]): HoldfastError {
  // Names that share a word with a missing metric come first.
  const words = new Set(missing.flatMap((text) => text.replace(/\{.*/, '').split(/[_:]/)));
  const countSharedWords = (name: string): number => name.split(/[_:]/).filter((word) => words.has(word)).length;
  const similarNames = names.toSorted((one, other) => countSharedWords(other) - countSharedWords(one)).slice(0, MAX_NAMES);
  return new HoldfastError({
    code: 'MONITOR_NO_METRIC',
    message: `The exporter at ${url} does not report ${missing.join(', ')}.`,
    hint: `It reports ${names.length} metrics, among them ${similarNames.join(', ')}.`,
  });
}
