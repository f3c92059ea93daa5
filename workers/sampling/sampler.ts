import { listRecordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Sample, SampleMessage, Sampling } from '#core/work/samples/schema.ts';
import { MAX_READ_CHARACTERS, findServerMessage } from '#core/work/samples/serverWords.ts';
import { ResponseFramer } from '#framer/framer.ts';
import { planHeaders } from '#framer/refusals.ts';
import { unpack } from '../bodyCheck/decodeBody.ts';
import { TracedRequests } from './tracedRequests.ts';

/** Maximum number of characters of a head that are shown. The constant below is the maximum for a body. */
const MAX_HEAD_LENGTH = 16_384;
const MAX_BODY_LENGTH = 16_384;
/** Maximum number of characters of a head that is shown without its body. */
const MAX_EXCERPT_LENGTH = 500;
const MAX_UNPACKED_BYTES = 4 * 1_048_576;
const HEAD_END = Buffer.from('\r\n\r\n');
const HTTP1 = Buffer.from('HTTP/1.1 ');
const HTTP2 = 'HTTP/2 ';
const CONTENT_HEADERS = planHeaders(['content-type', 'content-encoding']);

function messageOfRequest(bytes: Buffer, limitBytes: number, maxBodyLength: number): SampleMessage {
  const { head, headIsCut, body } = split(bytes);
  const isText = !/\ncontent-type: *(multipart\/|image\/|application\/octet-stream)/i.test(head);
  return {
    head,
    ...bodyToShow(body.subarray(0, limitBytes), isText, maxBodyLength),
    bodyBytes: body.length,
    isCut: headIsCut || body.length > maxBodyLength,
  };
}

/**
 * Parses a received response or the start of one. `isWhole`: whether the response ended with these bytes, even if its head states no
 * length.
 */
export function toSampleMessage(bytes: Buffer, maxBodyLength = MAX_BODY_LENGTH, isWhole = false): SampleMessage {
  return parseResponse(bytes, maxBodyLength, isWhole).message;
}

interface ReadResponse {
  readonly message: SampleMessage;
  /** Returns the server's error message. */
  words(): string | null;
}

function parseResponse(bytes: Buffer, maxBodyLength: number, isWhole: boolean): ReadResponse {
  const pieces: Buffer[] = [];
  const framer = new ResponseFramer(CONTENT_HEADERS);
  framer.onBody = (buffer, start, end) => void pieces.push(buffer.subarray(start, end));
  framer.begin(false);
  const framed = toHttp1(bytes);
  framer.feed(framed, 0, framed.length);
  if (isWhole) framer.finish();
  const [type, coding] = framer.wanted;
  const isText = type === undefined || /text|json|xml|html|javascript|form-urlencoded/i.test(type);
  const body = Buffer.concat(pieces);
  const unpacked = unpackAsFarAsPossible(body, coding);
  const { head, headIsCut } = split(bytes);
  const message = {
    head,
    ...bodyToShow(unpacked, isText, maxBodyLength),
    bodyBytes: framer.bodyBytes,
    isCut: !framer.complete || framer.refusal !== null || unpacked.length > maxBodyLength || headIsCut,
  };
  const status = Number(/^\S+ (\d{3})/.exec(head)?.[1] ?? 0);
  return { message, words: () => (isText ? findServerMessage(unpacked.toString('utf8', 0, MAX_READ_CHARACTERS), status) : null) };
}

/** Converts the head of an HTTP/2 sample into a head of HTTP/1.1; only the version is different. */
function toHttp1(bytes: Buffer): Buffer {
  const isHttp2 = bytes.toString('latin1', 0, HTTP2.length) === HTTP2;
  return isHttp2 ? Buffer.concat([HTTP1, bytes.subarray(HTTP2.length)]) : bytes;
}

/** Returns only the start of a message, because there is no room for more. */
function cutExcerpt(message: SampleMessage | null): SampleMessage | null {
  return message && { ...message, head: message.head.slice(0, MAX_EXCERPT_LENGTH), body: '', isCut: true };
}

function split(bytes: Buffer): { head: string; headIsCut: boolean; body: Buffer } {
  const end = bytes.indexOf(HEAD_END);
  const head = end < 0 ? bytes : bytes.subarray(0, end);
  return {
    head: head.toString('utf8', 0, MAX_HEAD_LENGTH).replaceAll('\r\n', '\n'),
    headIsCut: head.length > MAX_HEAD_LENGTH,
    body: end < 0 ? Buffer.alloc(0) : bytes.subarray(end + HEAD_END.length),
  };
}

function bodyToShow(body: Buffer, isText: boolean, maxBodyLength: number): Pick<SampleMessage, 'body'> {
  return { body: isText ? body.toString('utf8', 0, maxBodyLength) : '' };
}

function unpackAsFarAsPossible(body: Buffer, coding = ''): Buffer {
  try {
    return unpack(body, coding.trim().toLowerCase(), MAX_UNPACKED_BYTES, true) ?? body;
  } catch {
    return body;
  }
}

/** Maximum number of samples per kind of failure and request. */
export const MAX_SAMPLES_PER_FAILURE = 3;
/** Maximum number of samples per thread, because there may be any number of error names. Samples of journeys are passed on immediately. */
const MAX_SAMPLES: Readonly<Record<Sampling, number>> = {
  failures: 60,
  everything: 1_000,
  whole: 1_000,
  journeys: Number.POSITIVE_INFINITY,
};
/**
 * Maximum number of characters of all messages of a tried journey. Only the start of later messages is kept. One character may take six in
 * JSON.
 */
const MAX_TRIAL_LENGTH = 4_000_000;
/**
 * Maximum number of characters of each body for a comparison with a recording. The limit is large, because values for later requests may be
 * anywhere in the body.
 */
const MAX_WHOLE_BODY_LENGTH = 1_048_576;
/** Maximum number of characters of all bodies that are kept for a comparison with a recording. */
const MAX_WHOLE_LENGTH = 64_000_000;
/** Number of bytes that are kept of a failed response: its head, and the part of its body that may state the reason. */
const FAILURE_BYTES = 65_536;
const JOURNEY_BYTES = 1_048_576;
const WHOLE_BYTES = 2 * 1_048_576;
const KEPT_BYTES: Readonly<Record<Sampling, number>> = {
  failures: FAILURE_BYTES,
  everything: JOURNEY_BYTES,
  whole: WHOLE_BYTES,
  journeys: FAILURE_BYTES,
};

export interface SettledRequest {
  readonly requestIndex: number;
  /** Error name of the failure; null if the response was successful. */
  readonly failure: string | null;
  readonly sent: Buffer | null;
  /** Received bytes, as far as they were kept. */
  readonly received: Buffer | null;
  readonly serviceMs: number | null;
  readonly captured: readonly (readonly [string, string])[];
  /** Number of the user; null if the request belongs to no user. */
  readonly user: number | null;
  /** Trace id that was sent; null if the request had no `traceparent` header. */
  readonly traceId: string | null;
}

/** Keeps samples of the requests of one thread: the first failures of each kind, or all requests of a tried journey. */
export class Sampler {
  /** Number of bytes kept of each response. */
  readonly limitBytes: number;
  /** Gives requests their trace ids; null if none get one. */
  readonly traces: TracedRequests | null;
  private readonly keepsAll: boolean;
  private readonly names: readonly string[];
  private readonly report: (sample: Sample) => void;
  private readonly counts = new Map<string, number>();
  private readonly maxSamples: number;
  private readonly maxBodyLength: number;
  private readonly maxLength: number;
  private taken = 0;
  private reportedLength = 0;

  constructor(sampling: Sampling, plan: Plan, report: (sample: Sample) => void) {
    this.traces = sampling === 'failures' && plan.trace !== undefined ? new TracedRequests(plan.trace.share, plan.seed) : null;
    this.keepsAll = sampling !== 'failures';
    this.limitBytes = KEPT_BYTES[sampling];
    this.maxBodyLength = sampling === 'whole' ? MAX_WHOLE_BODY_LENGTH : MAX_BODY_LENGTH;
    this.maxLength = sampling === 'whole' ? MAX_WHOLE_LENGTH : sampling === 'everything' ? MAX_TRIAL_LENGTH : Number.POSITIVE_INFINITY;
    this.maxSamples = MAX_SAMPLES[sampling];
    this.names = listRecordedRequests(plan).map(({ name }) => name);
    this.report = report;
  }

  /** Whether more samples can be taken. If not, responses need not be kept. */
  get isOpen(): boolean {
    return this.taken < this.maxSamples;
  }

  wants(requestIndex: number, failure: string | null, traceId: string | null = null, serviceMs: number | null = null): boolean {
    if (traceId !== null && this.traces !== null) return this.traces.isNotable(requestIndex, failure, serviceMs);
    if (!this.isOpen) return false;
    if (this.keepsAll) return true;
    return failure !== null && (this.counts.get(`${requestIndex} ${failure}`) ?? 0) < MAX_SAMPLES_PER_FAILURE;
  }

  take({ requestIndex, failure, sent, received, serviceMs, captured, user, traceId }: SettledRequest): void {
    if (traceId !== null && failure === null && serviceMs !== null) {
      this.traces?.keepSlow({ requestIndex, traceId, serviceMs });
      return;
    }
    const kind = `${requestIndex} ${failure ?? ''}`;
    if (traceId !== null && failure !== null) this.traces?.countFailed(requestIndex, failure);
    else {
      this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
      this.taken += 1;
    }
    const response =
      received && received.length > 0
        ? parseResponse(received, this.maxBodyLength, serviceMs !== null && received.length < this.limitBytes)
        : null;
    const messages = this.withinBounds(sent && messageOfRequest(sent, this.limitBytes, this.maxBodyLength), response?.message ?? null);
    const says = failure === null ? null : (response?.words() ?? null);
    this.report({
      request: this.names[requestIndex] ?? '',
      failure,
      ...(says === null ? {} : { says }),
      ...messages,
      serviceMs,
      captured: captured.map(([name, value]) => ({ name, value })),
      ...(user === null ? {} : { user }),
      ...(traceId === null ? {} : { traceId }),
    });
  }

  /** Reports the slowest successful requests with a trace id since the last call. Their messages are not kept. */
  reportSlow(): void {
    for (const { requestIndex, traceId, serviceMs } of this.traces?.takeSlow() ?? [])
      this.report({ request: this.names[requestIndex] ?? '', failure: null, sent: null, received: null, serviceMs, captured: [], traceId });
  }

  private withinBounds(sent: Sample['sent'], received: Sample['received']): Pick<Sample, 'sent' | 'received'> {
    if (this.reportedLength > this.maxLength) return { sent: cutExcerpt(sent), received: cutExcerpt(received) };
    for (const message of [sent, received]) this.reportedLength += message === null ? 0 : message.head.length + message.body.length;
    return { sent, received };
  }
}

const NO_BYTES = Buffer.alloc(0);

/** Received bytes of the current response, up to a limit. The current read is copied only if the response continues after it. */
export class RawResponse {
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  /** Buffer of the current read. A view of its `presentBytes` is created only on demand, which is rare. */
  private read: Uint8Array = NO_BYTES;
  private presentStart = 0;
  private presentBytes = 0;

  begin(): void {
    if (this.pieces.length > 0) this.pieces = [];
    this.keptBytes = 0;
    this.presentBytes = 0;
  }

  /** Notes the part of the response in the current read. The next read overwrites `buffer`. */
  collect(buffer: Uint8Array, start: number, end: number, limitBytes: number): void {
    if (this.read !== buffer) this.read = buffer;
    this.presentStart = start;
    this.presentBytes = Math.min(end - start, Math.max(0, limitBytes - this.keptBytes));
  }

  /** Copies the current read, because another one follows. */
  keep(): void {
    if (this.presentBytes === 0) return;
    this.pieces.push(Buffer.from(this.present));
    this.keptBytes += this.presentBytes;
    this.presentBytes = 0;
  }

  /** Received bytes; valid until the next read. */
  get bytes(): Buffer {
    if (this.presentBytes === 0) return Buffer.concat(this.pieces);
    return this.pieces.length === 0 ? this.present : Buffer.concat([...this.pieces, this.present]);
  }

  private get present(): Buffer {
    return Buffer.from(this.read.buffer, this.read.byteOffset + this.presentStart, this.presentBytes);
  }
}
