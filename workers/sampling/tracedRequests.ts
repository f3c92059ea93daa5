import { randomFillSync } from 'node:crypto';
import { uniformAt } from '#core/statistics/uniformAt.ts';
import type { BuiltRequest } from '../requestBytes.ts';

const HEADER = 'traceparent';
const HEAD_END = '\r\n\r\n';
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
/** Number of ids that are drawn at once. */
const BATCH = 128;
/** Number of slowest traced requests kept of each request, and of traced failures of each kind. */
const MAX_SLOW = 3;
const MAX_FAILED = 3;

export interface SlowRequest {
  readonly requestIndex: number;
  readonly traceId: string;
  readonly serviceMs: number;
}

/**
 * The requests of one thread that carry a trace id, as W3C Trace Context defines it. The seed of the plan decides which requests do. The
 * ids are random, because two runs must not share any.
 */
export class TracedRequests {
  private readonly share: number;
  private readonly seed: number;
  private requests = 0;
  private readonly random = Buffer.alloc(BATCH * TRACE_ID_BYTES);
  private position = this.random.length;
  private readonly slowest = new Map<number, SlowRequest[]>();
  private readonly failed = new Map<string, number>();

  constructor(share: number, seed: number) {
    this.share = share;
    this.seed = seed;
  }

  /**
   * Returns a new trace id for a share of the requests; otherwise null. Returns null for a request whose `traceparent` header comes from
   * the plan.
   */
  next({ headers }: Pick<BuiltRequest, 'headers'>): string | null {
    this.requests += 1;
    if (uniformAt(this.seed, this.requests) >= this.share || headers.has(HEADER)) return null;
    if (this.position === this.random.length) {
      randomFillSync(this.random);
      this.position = 0;
    }
    this.position += TRACE_ID_BYTES;
    return this.random.toString('hex', this.position - TRACE_ID_BYTES, this.position);
  }

  /**
   * Returns whether a traced request is among the slowest so far, or among the first failures of its kind. `serviceMs`: null without a
   * complete response.
   */
  isNotable(requestIndex: number, failure: string | null, serviceMs: number | null): boolean {
    if (failure !== null) return (this.failed.get(`${requestIndex} ${failure}`) ?? 0) < MAX_FAILED;
    const slow = this.slowest.get(requestIndex) ?? [];
    return serviceMs !== null && (slow.length < MAX_SLOW || serviceMs > (slow.at(-1)?.serviceMs ?? 0));
  }

  keepSlow(request: SlowRequest): void {
    const slow = [...(this.slowest.get(request.requestIndex) ?? []), request].sort((one, other) => other.serviceMs - one.serviceMs);
    this.slowest.set(request.requestIndex, slow.slice(0, MAX_SLOW));
  }

  countFailed(requestIndex: number, failure: string): void {
    this.failed.set(`${requestIndex} ${failure}`, (this.failed.get(`${requestIndex} ${failure}`) ?? 0) + 1);
  }

  /** Returns the slowest successful requests since the last call. */
  takeSlow(): SlowRequest[] {
    const slow = [...this.slowest.values()].flat();
    this.slowest.clear();
    return slow;
  }
}

/** Returns the bytes of a request as they are sent: with its trace id, if it has one. */
export function sentBytes(request: BuiltRequest, traceId: string | null): Buffer {
  return traceId === null ? request.bytes : addTraceparent(request, traceId).bytes;
}

/** Returns the request with a `traceparent` header: version 00, the trace, its first span (the start of the id), and the flag “sampled”. */
export function addTraceparent(request: BuiltRequest, traceId: string): BuiltRequest {
  const value = `00-${traceId}-${traceId.slice(0, 2 * SPAN_ID_BYTES)}-01`;
  const headEnd = request.bytes.indexOf(HEAD_END);
  const line = Buffer.from(`\r\n${HEADER}: ${value}`, 'latin1');
  return {
    ...request,
    bytes: Buffer.concat([request.bytes.subarray(0, headEnd), line, request.bytes.subarray(headEnd)]),
    headers: new Map([...request.headers, [HEADER, [HEADER, value]]]),
  };
}
