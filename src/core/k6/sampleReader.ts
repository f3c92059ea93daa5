import { parseJson } from '#core/base/json.ts';
import { z } from 'zod';
import { HoldfastError } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { type K6Labels, type K6Listener, type K6Request, LOAD_BEGAN_METRIC, STAGE_TAG, STEP_TAG } from './samples.ts';

/**
 * Parses the times of k6 samples (RFC 3339 with up to nine fractional digits, in the local time zone) to Unix microseconds. Caches the last
 * whole second, because samples are in order of time.
 */
export class SampleTime {
  private seconds = '';
  private zone = '';
  private secondsUs = 0;

  /** Returns the Unix time in microseconds; null for other text. */
  read(text: string): number | null {
    const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
    if (parts === null) return null;
    const [, seconds = '', fraction = '', zone = ''] = parts;
    if (seconds !== this.seconds || zone !== this.zone) {
      const ms = Date.parse(`${seconds}${zone}`);
      if (Number.isNaN(ms)) return null;
      this.seconds = seconds;
      this.zone = zone;
      this.secondsUs = ms * 1_000;
    }
    return this.secondsUs + Math.floor(Number(fraction.padEnd(9, '0')) / 1_000);
  }
}

const texts = z.record(z.string(), z.string());
const lineSchema = z.union([
  z.object({
    type: z.literal('Point'),
    metric: z.string(),
    data: z.object({ time: z.string(), value: z.number(), tags: texts.nullish(), metadata: texts.nullish() }),
  }),
  z.object({ type: z.literal('Metric') }),
]);

type Point = Extract<z.infer<typeof lineSchema>, { type: 'Point' }>;
type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Metric of the first of nine samples that belong to one request and have equal tags. */
const GROUP_FIRST_METRIC = 'http_reqs';
const GROUP_LAST_METRIC = 'http_req_receiving';

const TIME_BY_METRIC: Readonly<Record<string, 'blockedUs' | 'connectingUs' | 'tlsUs' | 'sendingUs' | 'waitingUs' | 'receivingUs'>> = {
  http_req_blocked: 'blockedUs',
  http_req_connecting: 'connectingUs',
  http_req_tls_handshaking: 'tlsUs',
  http_req_sending: 'sendingUs',
  http_req_waiting: 'waitingUs',
  [GROUP_LAST_METRIC]: 'receivingUs',
};

const METRIC_MARK = '{"metric":"';
/** Metrics of samples after each request or journey that add no information. */
const REDUNDANT_METRICS: ReadonlySet<string> = new Set([
  'http_req_failed',
  'failed_requests',
  'successful_responses',
  'iteration_duration',
  'vus',
]);
/** Text in the sample of a check that passed. */
const PASSED_MARK = '"value":1,';
const TIME_MARK = '"data":{"time":"';
const VALUE_MARK = '"value":';

/** Maximum length of a line, which no line of k6 reaches. */
const MAX_LINE_LENGTH = 1_000_000;

/**
 * Parses the output of `k6 run --out json` in pieces of any length. k6 writes nine lines per request at once with equal tags. Only the
 * first is fully parsed; the others are searched for their number or skipped. This makes thousands of requests per second possible. Throws
 * `K6_OUTPUT_UNKNOWN` for other lines.
 */
export class K6SampleReader {
  private readonly listener: K6Listener;
  private readonly steady: (atUs: number) => number;
  private readonly time = new SampleTime();
  private rest = '';
  private open: { readonly request: Mutable<K6Request>; readonly time: string } | null = null;

  /** `steady` removes clock jumps from Unix times in microseconds. */
  constructor(listener: K6Listener, steady: (atUs: number) => number = (atUs) => atUs) {
    this.listener = listener;
    this.steady = steady;
  }

  push(text: string): void {
    const lines = (this.rest + text).split('\n');
    this.rest = lines.pop() ?? '';
    if (this.rest.length > MAX_LINE_LENGTH) throw unknownOutputError(this.rest);
    for (const line of lines) if (line !== '') this.line(line);
  }

  /** Ends the input. Ignores a truncated line, which remains if k6 was killed. */
  end(): void {
    this.rest = '';
    this.open = null;
  }

  private line(line: string): void {
    const metric = line.startsWith(METRIC_MARK) ? line.slice(METRIC_MARK.length, line.indexOf('"', METRIC_MARK.length)) : null;
    if (metric !== null && reportsNothing(metric, line)) return;
    if (metric !== null && this.open !== null && this.takesShort(metric, line, this.open)) return;
    this.takeWhole(line);
  }

  /** Returns whether a line belongs to the open group. If it does, takes its number without parsing the rest. */
  private takesShort(metric: string, line: string, open: { readonly request: Mutable<K6Request>; readonly time: string }): boolean {
    if (!metric.startsWith('http_req_')) return false;
    const timeAt = line.indexOf(TIME_MARK);
    const valueIndex = line.indexOf(VALUE_MARK, timeAt);
    if (timeAt < 0 || valueIndex < 0 || !line.startsWith(`${open.time}"`, timeAt + TIME_MARK.length)) return false;
    const field = getOwn(TIME_BY_METRIC, metric);
    if (field === undefined) return metric === 'http_req_duration';
    open.request[field] = microseconds(Number.parseFloat(line.slice(valueIndex + VALUE_MARK.length)), line);
    if (metric === GROUP_LAST_METRIC) this.closeGroup();
    return true;
  }

  private takeWhole(line: string): void {
    const parsed = lineSchema.safeParse(parseJson(line));
    if (!parsed.success) throw unknownOutputError(line);
    if (parsed.data.type === 'Metric') return;
    const point = parsed.data;
    const { metric, data } = point;
    const stampedUs = this.time.read(data.time);
    if (stampedUs === null) throw unknownOutputError(line);
    const atUs = this.steady(stampedUs);
    if (metric === GROUP_FIRST_METRIC) {
      if (this.open !== null) throw unknownOutputError(line);
      this.open = { request: readRequest(point, atUs), time: data.time };
      return;
    }
    if (metric.startsWith('http_req_')) {
      if (this.open !== null || Object.hasOwn(TIME_BY_METRIC, metric)) throw unknownOutputError(line);
      return;
    }
    if (this.open !== null) throw unknownOutputError(line);
    // The value of this metric is also a time, in milliseconds.
    const value = metric === LOAD_BEGAN_METRIC ? this.steady(data.value * 1_000) / 1_000 : data.value;
    this.listener.takePoint({ ...readLabels(data), metric, atUs, value, check: data.tags?.check ?? '' });
  }

  private closeGroup(): void {
    if (this.open === null) return;
    const { request } = this.open;
    this.open = null;
    this.listener.takeRequest(request);
  }
}

/** Returns whether a line, like most lines of a load, can be skipped. */
function reportsNothing(metric: string, line: string): boolean {
  return REDUNDANT_METRICS.has(metric) || (metric === 'checks' && line.startsWith(PASSED_MARK, line.indexOf(VALUE_MARK)));
}

function readRequest({ data }: Point, endUs: number): Mutable<K6Request> {
  const { tags } = data;
  const status = Number(tags?.status ?? '0');
  return {
    ...readLabels(data),
    endUs,
    status: Number.isInteger(status) && status > 0 && status < 1_000 ? status : 0,
    errorCode: tags?.error_code ?? '',
    error: tags?.error ?? '',
    blockedUs: 0,
    connectingUs: 0,
    tlsUs: 0,
    sendingUs: 0,
    waitingUs: 0,
    receivingUs: 0,
  };
}

function readLabels({ tags, metadata }: Point['data']): K6Labels {
  return { step: tags?.[STEP_TAG] ?? '', stage: tags?.[STAGE_TAG] ?? '', vu: metadata?.vu ?? tags?.vu ?? '' };
}

function microseconds(milliseconds: number, line: string): number {
  if (!Number.isFinite(milliseconds)) throw unknownOutputError(line);
  return Math.max(0, milliseconds * 1_000);
}

function unknownOutputError(line: string): HoldfastError {
  return new HoldfastError({
    code: 'K6_OUTPUT_UNKNOWN',
    message: `k6 wrote a line that this version of Holdfast cannot read: ${quote(line.slice(0, 200))}`,
    hint: 'The results until then are kept. Use a version of k6 from docs/k6.md, or report this with the line above.',
  });
}
