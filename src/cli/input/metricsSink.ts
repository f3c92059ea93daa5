import { Option } from 'commander';
import { sinkAddress } from '#backend/otlp/sinkAddress.ts';

export interface SinkFlags {
  readonly otlp?: string;
}

/** Returns the option --otlp, which all commands that run a load have. */
export function otlpOption(): Option {
  return new Option(
    '--otlp <url>',
    'send metrics to this OpenTelemetry receiver during the load: a collector, or Prometheus 3 (docs/otlp.md)',
  );
}

/** Returns the options of the backend for `--otlp`. Throws `BAD_OTLP_ADDRESS`. */
export function sinkOptions({ otlp }: SinkFlags): { readonly metricsSink?: URL } {
  return otlp === undefined ? {} : { metricsSink: sinkAddress(otlp) };
}
