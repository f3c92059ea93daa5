export interface RequestLine {
  /** Unix time of the end in milliseconds, with fractions. */
  readonly endMs: number;
  readonly step: string;
  readonly stage?: string;
  readonly vu?: string;
  readonly status?: number;
  readonly errorCode?: string;
  readonly error?: string;
  readonly blockedMs?: number;
  readonly connectingMs?: number;
  readonly sendingMs?: number;
  readonly waitingMs?: number;
  readonly receivingMs?: number;
}

/** Returns the nine lines of a request. */
export function requestLines(request: RequestLine): string[] {
  const { endMs, step, stage, vu = '1', status = 200, errorCode, error } = request;
  const { blockedMs = 0, connectingMs = 0, sendingMs = 0, waitingMs = 0, receivingMs = 0 } = request;
  const tags = {
    ...(error === undefined ? {} : { error }),
    ...(errorCode === undefined ? {} : { error_code: errorCode }),
    ...(stage === undefined ? {} : { holdfast_stage: stage }),
    holdfast_step: step,
    status: String(status),
  };
  const values: [string, number][] = [
    ['http_reqs', 1],
    ['http_req_duration', sendingMs + waitingMs + receivingMs],
    ['http_req_blocked', blockedMs],
    ['http_req_connecting', connectingMs],
    ['http_req_tls_handshaking', 0],
    ['http_req_sending', sendingMs],
    ['http_req_waiting', waitingMs],
    ['http_req_receiving', receivingMs],
    ['http_req_failed', status === 200 ? 0 : 1],
  ];
  return values.map(([metric, value]) => pointLine(metric, endMs, value, tags, vu));
}

export function pointLine(metric: string, atMs: number, value: number, tags: Readonly<Record<string, string>> = {}, vu?: string): string {
  const metadata = vu === undefined ? {} : { metadata: { vu } };
  return JSON.stringify({ metric, type: 'Point', data: { time: timeText(atMs), value, tags, ...metadata } });
}

/** Returns the lines of a journey with its requests. The first journey states when the load began. */
export function journeyLines(
  journey: { readonly beganMs: number; readonly endMs: number; readonly vu?: string; readonly loadBeganMs?: number },
  requests: readonly string[],
): string[] {
  const { beganMs, endMs, vu = '1', loadBeganMs } = journey;
  return [
    ...(loadBeganMs === undefined ? [] : [pointLine('holdfast_load_began', beganMs, loadBeganMs, {}, vu)]),
    pointLine('holdfast_journey_began', beganMs, 1, {}, vu),
    ...requests,
    pointLine('data_sent', endMs, 80, {}, vu),
    pointLine('data_received', endMs, 700, {}, vu),
    pointLine('iteration_duration', endMs, endMs - beganMs, {}, vu),
    pointLine('iterations', endMs, 1, {}, vu),
  ];
}

/** Formats RFC 3339 like Go: without trailing zeros of the fraction. */
function timeText(atMs: number): string {
  const whole = Math.floor(atMs);
  const [seconds = '', fraction = ''] = new Date(whole).toISOString().slice(0, -1).split('.');
  const nanoseconds = Math.round((atMs - whole) * 1_000_000);
  const digits = (fraction + String(nanoseconds).padStart(6, '0')).replace(/0+$/, '');
  return `${seconds}${digits === '' ? '' : `.${digits}`}Z`;
}
