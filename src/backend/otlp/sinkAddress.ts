import { HoldfastError } from '#core/base/errors.ts';

const METRICS_PATH = '/v1/metrics';

/**
 * Returns the address for metrics of an OTLP receiver, from its base address or the full one. Throws `BAD_OTLP_ADDRESS` for anything but
 * http and https, and for an address with a password, which would be shown in results.
 */
export function sinkAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) throw badAddress(text, 'is not the address of an OTLP receiver', EXAMPLES);
  if (url.username !== '' || url.password !== '')
    throw badAddress(url.host, 'has a password in its address', 'Set OTEL_EXPORTER_OTLP_HEADERS, for example Authorization=Basic%20….');
  url.hash = '';
  if (!url.pathname.endsWith(METRICS_PATH)) url.pathname = url.pathname.replace(/\/*$/, METRICS_PATH);
  return url;
}

const EXAMPLES = 'Enter for example http://127.0.0.1:4318 (a collector) or http://127.0.0.1:9090/api/v1/otlp (Prometheus).';

function badAddress(text: string, what: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'BAD_OTLP_ADDRESS', message: `--otlp ${text} ${what}.`, hint });
}
